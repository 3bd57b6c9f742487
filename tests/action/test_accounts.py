"""What Partner did, can do and keeps is told from what there is: rows, the undo journal, descriptions."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.history_answers import HistoryAnswers
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.ids import new_id
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.evidence import Described, Disclosed, Evidence, Explained, Recounted
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.language.speech_acts.asked_about import asked_about
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.storage.database import Database
from tests.samples.stage import SAMPLES
from tests.support import Watcher

#: A Partner each.
pytestmark = pytest.mark.integration

SAMPLE_NAMES = ("find_duplicates.py", "zip_folder.py", "search_text.py")
BREAKS = """\
# /// partner
# description = "Break at once"
# annotations = { readOnlyHint = true }
# ///
raise SystemExit("no paper left")
"""
ELSEWHERE = ModelStatus("cluster", "endpoint", "https://models.example/v1", in_use=True)
Ask: TypeAlias = Callable[[str], Awaitable[tuple[Evidence | None, str]]]


@dataclass
class Listed:
    """The abilities of a Partner, as they are now."""

    partner: Partner

    def usable(self) -> list[MetaActionInfo]:
        return [ability.info for ability in self.partner.abilities.list() if ability.info is not None]


@dataclass
class Place:
    """A conversation in which things are done and asked about."""

    partner: Partner
    watcher: Watcher
    accounts: HistoryAnswers
    conversation_id: str
    models: list[ModelStatus]

    async def run(self, key: str, *, standing: ApprovalMode = ApprovalMode.ALL, **params: object) -> None:
        exchange_id = new_id()
        arguments: JsonObject = {name: str(value) for name, value in params.items()}
        await self.partner.abilities.run(
            key,
            arguments,
            cwd="",
            conversation_id=self.conversation_id,
            standing=standing,
            exchange_id=exchange_id,
        )
        await self.watcher.done(exchange_id)

    async def ask(self, text: str) -> tuple[Evidence | None, str]:
        """What is found, and how the starter mind says it."""
        asked = asked_about(text)
        assert asked is not None, text
        mind = StarterMind()
        found = await self.accounts.of(asked, self.conversation_id, mind)
        evidence = [] if found is None else [found]
        return found, "".join([piece async for piece in mind.reply(ReplyRequest(text, evidence, ()))])


@pytest.fixture
async def place(partner: Partner, watcher: Watcher, home: Home, action_dir: Path) -> AsyncIterator[Place]:
    (action_dir / "dynamic" / "breaks.py").write_text(BREAKS)
    for sample in SAMPLE_NAMES:
        shutil.copy(SAMPLES / sample, action_dir / "dynamic")
    await watcher.until(
        lambda _: sum(one.key.startswith("local::") for one in partner.abilities.list()) > len(SAMPLE_NAMES)
    )
    clock = SystemClock()
    database = Database(home.database, backups=home.backups, clock=clock)
    await database.launch()
    models: list[ModelStatus] = []
    accounts = HistoryAnswers(
        ActionStore(database),
        UndoDisk(home.undo, own=()),
        Listed(partner),
        lambda: models,
        home.root,
        clock=clock,
    )
    yield Place(partner, watcher, accounts, (await partner.conversations.create()).id, models)
    await database.shutdown()


async def test_where_nothing_was_done_it_says_so(place: Place) -> None:
    for text, said in (
        ("what did you just do?", "not done anything"),
        ("did you delete anything today?", "No, I deleted nothing today."),
        ("你今天有没有删过东西", "今天没有删除"),
        ("can I get it back?", "Nothing was done to files"),
        ("what are you waiting for?", "nothing waits"),
    ):
        assert said in (await place.ask(text))[1], text
    assert (await place.ask("where is it now?"))[0] is None
    assert (await place.ask("how many are there?"))[0] is None
    assert (await place.ask("is it dangerous?"))[0] is None


async def test_what_was_done_is_told_with_names_and_where_it_is_now(place: Place, user_home: Path) -> None:
    paper, folder = user_home / "paper.txt", user_home / "papers"
    folder.mkdir()
    paper.write_text("x")
    await place.run("builtin::files::move", source=paper, target=folder)
    found, said = await place.ask("what did you just do?")
    assert isinstance(found, Recounted)
    assert "`~/paper.txt`, which is now `~/papers/paper.txt`" in said
    assert "now `~/papers/paper.txt`" in (await place.ask("where is it now?"))[1]
    assert (await place.ask("did it work?"))[1].startswith("Yes, **Move")
    assert "1" in (await place.ask("how many files did you move?"))[1]
    assert "undo that" in (await place.ask("can I get it back?"))[1]
    assert (await place.ask("did you delete anything?"))[1] == "No, I deleted nothing."
    assert (await place.ask("have you changed anything today?"))[1].startswith("Yes.")
    await place.run("builtin::files::undo")
    assert "taken back" in (await place.ask("can I get it back?"))[1]
    assert "taken back since" in (await place.ask("what did you just do?"))[1]


async def test_what_was_trashed_counts_as_deleted_in_any_conversation(place: Place, user_home: Path) -> None:
    notes = user_home / "notes.txt"
    notes.write_text("x")
    await place.run("builtin::files::trash", path=notes)
    place.conversation_id = (await place.partner.conversations.create()).id
    said = (await place.ask("did you delete anything today?"))[1]
    assert said.startswith("Yes.")
    assert "trash: `~/notes.txt`" in said
    assert "`~/notes.txt`" in (await place.ask("did you delete my notes?"))[1]
    assert "nothing that is called “photos”" in (await place.ask("did you delete my photos?"))[1]
    assert "nothing yesterday" in (await place.ask("did you delete anything yesterday?"))[1]


async def test_a_made_file_is_told_and_not_the_folder_around_it(place: Place, user_home: Path) -> None:
    (user_home / "Songs").mkdir()
    (user_home / "Songs" / "one.txt").write_text("x")
    await place.run("local::zip_folder", source=user_home / "Songs", target=user_home / "Kept")
    said = (await place.ask("where is it now?"))[1]
    assert said.startswith("It is `~/Kept/Songs ")
    assert said.count("`") == 2
    assert "took" in (await place.ask("how long did it take?"))[1]


async def test_what_failed_is_told_with_its_reason(place: Place, user_home: Path) -> None:
    gone = user_home / "gone.txt"
    gone.write_text("x")
    await place.run("builtin::files::read", file=gone)
    assert "did not fail" in (await place.ask("why did it fail?"))[1]
    assert (await place.ask("why?"))[0] is None
    await place.run("local::breaks")
    for text in ("why did it fail?", "did it work?", "why?"):
        assert "**Breaks** did not work" in (await place.ask(text))[1], text


async def test_how_many_counts_what_the_last_result_holds(place: Place, user_home: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (user_home / name).write_text("x")
    await place.run("builtin::list_folder", folder=user_home)
    found, said = await place.ask("how many are there?")
    assert isinstance(found, Recounted)
    assert said == f"{len([one for one in user_home.iterdir() if not one.name.startswith('.')])}."


async def test_a_card_that_waits_is_described_with_what_it_does(place: Place, user_home: Path) -> None:
    (user_home / "Songs").mkdir()
    await place.run(
        "local::zip_folder", standing=ApprovalMode.ASK, source=user_home / "Songs", target=user_home
    )
    for text in ("what exactly will happen?", "did it work?", "what are you waiting for?", "is it safe?"):
        found, said = await place.ask(text)
        assert isinstance(found, Described), text
        assert found.actions[0].status is ActionStatus.WAITING
        assert "`~/Songs`" in said
        assert "nothing of it ran yet" in said
        assert "back it up" in said
    assert "undo that" in (await place.ask("can i undo it later?"))[1]


async def test_an_ability_is_explained_and_what_is_asked_next_is_about_it(place: Place) -> None:
    found, said = await place.ask("what does the zip thing do?")
    assert isinstance(found, Explained)
    assert found.abilities[0].key == "local::zip_folder"
    assert said.startswith("**Zip backup**: ")
    assert "asks you first" in (await place.ask("and is it dangerous?"))[1]
    assert (await place.ask("what is find duplicates?"))[1].startswith("**Find duplicates**: ")
    assert (await place.ask("what is happiness"))[0] is None


@pytest.mark.parametrize(
    ("text", "starts", "holds"),
    [
        ("can you find duplicates?", "Yes, with **Find duplicates**", "Say for example"),
        ("can you send emails?", "No, nothing here can send emails", ""),
        ("can you read pdfs?", "Not that I know", "**Search in files**"),
        ("how do i find duplicates", "Say for example", "**Find duplicates**"),
        ("你会发邮件吗", "不行", ""),
    ],
)
async def test_whether_something_can_be_done_is_said_and_makes_no_card(
    place: Place, text: str, starts: str, holds: str
) -> None:
    found, said = await place.ask(text)
    assert isinstance(found, Explained)
    assert said.startswith(starts)
    assert holds in said


async def test_who_gets_what_is_said_follows_from_the_models_in_use(place: Place, home: Home) -> None:
    found, said = await place.ask("do you send my data anywhere?")
    assert isinstance(found, Disclosed)
    assert said.startswith("No. Everything that you say stays on this computer")
    assert "without a language model" in (await place.ask("are you a real person?"))[1]
    place.models.append(ELSEWHERE)
    said = (await place.ask("do you send my data anywhere?"))[1]
    assert said.startswith("Yes.")
    assert "**cluster** (`https://models.example/v1`)" in said
    assert "**cluster**" in (await place.ask("which model do you use?"))[1]
    assert "**cluster**" in (await place.ask("do you need the internet?"))[1]
    assert f"{home.root}" in (await place.ask("where do you keep our chats?"))[1]
