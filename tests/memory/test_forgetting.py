"""Forgetting through the operations: shown first, then gone from every file of the home, for good."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.forgetting import ForgetSelection
from tests.memory.chats import MARCH, brought_in, living, turn, written
from tests.rolling.long_talk import talking
from tests.runtime.minds import ScriptedMind
from tests.support import REPOSITORY, Watcher, run_cli_arguments

pytestmark = [pytest.mark.promise("memory.forget"), pytest.mark.integration]


_DEATH_S = 60
LANDLADY = "My landlady Wilhelmina wants the rent by Friday."


async def say(partner: Partner, watcher: Watcher, text: str, conversation_id: str | None = None) -> str:
    """Say something, to its end; the conversation's id."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation_id)
    await watcher.done()
    return message.conversation_id


def standing_in(home: Home, word: str) -> list[str]:
    """The files of a home in which a word stands, in any case, also in what is packed in their tables."""
    wanted = word.casefold()
    files = [path for path in sorted(home.root.rglob("*")) if path.is_file()]
    return [
        path.relative_to(home.root).as_posix()
        for path in files
        if wanted.encode() in path.read_bytes().lower()
        or (path.suffix == ".db" and any(wanted in text.casefold() for text in _packed(path)))
    ]


def _packed(path: Path) -> Iterator[str]:
    """What is packed in the tables of a database."""
    with closing(sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)) as db:
        for (body,) in db.execute("SELECT body FROM context_snapshots") if _has_prompts(db) else ():
            yield zlib.decompress(body).decode()


def _has_prompts(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'context_snapshots'").fetchone() is not None


async def forgotten(partner: Partner, selection: ForgetSelection) -> int:
    """Show it, do it, and wait until nothing of it is left."""
    preview = await partner.forgetting.preview(selection)
    outcome = await partner.forgetting.forget(preview.id)
    assert (outcome.state, outcome.messages) == ("forgotten", preview.count)
    await partner.forgetting.settled()
    return outcome.messages


async def test_everything_about_a_word_is_shown_and_then_stands_nowhere_in_the_home(
    used_home: Home, action_dir: Path
) -> None:
    async with living(used_home, action_dir) as (partner, watcher):
        here = await say(partner, watcher, LANDLADY)
        await say(partner, watcher, "I bought bread.", here)
        other = await say(partner, watcher, "Tomorrow I go swimming.")
        await say(partner, watcher, "Wilhelmina's number is 555-80123.", other)
        await say(partner, watcher, "Who wants the rent by Friday?", other)
        await partner.conversations.organize([other], folder="Wilhelmina's house")
        await partner.memory.roll(here)
        await partner.memory.read_all()
        assert "partner.db" in " ".join(standing_in(used_home, "wilhelmina"))
        preview = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
        assert {item.reason for item in preview.items} <= {"chosen", "answer", "quote"}
        assert LANDLADY in [item.turn.text for item in preview.items]
        assert preview.held_counts["context"] > 0
        assert (preview.held_counts["title"], preview.held_counts["folder"]) == (1, 1)
        outcome = await partner.forgetting.forget(preview.id)
        assert outcome.state == "forgotten"
        await partner.forgetting.settled()
        assert standing_in(used_home, "wilhelmina") == []
        texts = [each.text for each in await partner.messages.list(here)]
        assert "I bought bread." in texts
        (kept,) = [one for one in await partner.conversations.list() if one.id == here]
        assert kept.title == "I bought bread."
    assert standing_in(used_home, "wilhelmina") == []
    async with living(used_home, action_dir) as (partner, _):
        await partner.memory.read_all()
        assert (await partner.memory.recall("Who is Wilhelmina?")).passages == ()
    assert standing_in(used_home, "wilhelmina") == []


async def told_of_wilhelmina(home: Home, action_dir: Path) -> None:
    """A home in which she stands in messages, a title, slices, prompts and the index."""
    async with living(home, action_dir) as (partner, watcher):
        here = await say(partner, watcher, LANDLADY)
        await say(partner, watcher, "I bought bread.", here)
        await say(partner, watcher, "Wilhelmina's number is 555-80123.")
        await partner.memory.roll(here)
        await partner.memory.read_all()
    assert standing_in(home, "wilhelmina")


#: Commits after which it dies: none, the first (it is written down), in between, and when all is done.
DEATHS = [0, 1, 3, 6, 9, 13, 18, 1_000]


@pytest.mark.parametrize("commits", DEATHS)
async def test_killed_while_it_forgets_all_is_there_or_the_next_start_goes_on(
    used_home: Home, action_dir: Path, commits: int
) -> None:
    await told_of_wilhelmina(used_home, action_dir)
    place = [str(used_home.root), str(action_dir)]
    words = ["-m", "tests.memory.dying_while_forgetting", *place, "Wilhelmina", str(commits)]
    died = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=REPOSITORY, stderr=subprocess.PIPE
    )
    async with asyncio.timeout(_DEATH_S):
        _, errors = await died.communicate()
    assert died.returncode == -signal.SIGKILL, errors.decode()
    async with living(used_home, action_dir) as (partner, _):
        await partner.forgetting.settled()
        texts = [
            message.text
            for one in await partner.conversations.list()
            for message in await partner.messages.list(one.id)
        ]
        assert "I bought bread." in texts
        assert (LANDLADY in texts) == (commits == 0)
        forgets = [one for one in (await partner.audit.newest(limit=50)) if one.kind == "forget"]
        assert len(forgets) == (commits > 0)
    assert bool(standing_in(used_home, "wilhelmina")) == (commits == 0)


async def test_what_changed_since_it_was_shown_is_shown_anew_and_nothing_is_done(
    partner: Partner, watcher: Watcher
) -> None:
    here = await say(partner, watcher, LANDLADY)
    shown = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
    await say(partner, watcher, "Wilhelmina has a red door.", here)
    outcome = await partner.forgetting.forget(shown.id)
    assert outcome.state == "changed"
    assert outcome.preview is not None
    assert outcome.preview.count == shown.count + 2
    assert LANDLADY in [each.text for each in await partner.messages.list(here)]
    assert (await partner.forgetting.forget(outcome.preview.id)).state == "forgotten"
    with pytest.raises(UsageError, match="shown too long ago"):
        await partner.forgetting.forget(outcome.preview.id)


async def test_the_same_export_comes_in_again_only_when_it_is_asked_for(
    partner: Partner, tmp_path: Path
) -> None:
    lines = [
        turn(text, role, conversation=name, at=MARCH.isoformat())
        for name, role, text in [
            ("a", "user", "My landlady Wilhelmina has a red door."),
            ("a", "assistant", "A red door is easy to find."),
            ("b", "user", "I bought the ferry tickets for us."),
            ("b", "assistant", "Have a good trip."),
        ]
    ]
    path = written(tmp_path / "chats.jsonl", lines)
    assert (await brought_in(partner, path)).chats == 2
    (hit,) = (await partner.memory.recall("Who has a red door?", limit=1)).turns
    assert await forgotten(partner, ForgetSelection(conversation_id=hit.turn.conversation_id)) == 2
    again = await brought_in(partner, path)
    assert (again.chats, again.known, again.forgotten) == (0, 1, 1)
    assert standing_in(partner.home, "wilhelmina") == []
    wanted = await partner.memory.import_from(path, forgotten=True)
    async for step in partner.memory.follow_import(wanted.id):
        wanted = step
    assert (wanted.chats, wanted.known, wanted.forgotten) == (1, 1, 0)
    assert (await partner.memory.recall("Who has a red door?")).passages


async def test_what_is_not_to_be_remembered_is_found_from_nowhere_else_and_comes_back_when_it_may(
    partner: Partner, watcher: Watcher
) -> None:
    here = await say(partner, watcher, LANDLADY)
    await partner.memory.roll(here)
    assert (await partner.memory.recall("When does Wilhelmina want the rent?")).passages
    now = await partner.forgetting.do_not_remember(here)
    assert not now.remembered
    assert not (await partner.conversations.get(here)).remembered
    assert (await partner.memory.recall("When does Wilhelmina want the rent?")).passages == ()
    assert await partner.memory.slices() == []
    assert await partner.memory.units(here) == []
    await say(partner, watcher, "Wilhelmina has a red door.", here)
    assert (await partner.memory.recall("Who has a red door?")).passages == ()
    assert await partner.memory.roll(here) is None
    assert standing_in(partner.home, "wilhelmina") != ["cache/memory.db"]
    await partner.forgetting.do_not_remember(here, on=False)
    assert (await partner.memory.recall("Who has a red door?")).passages
    assert LANDLADY in [each.text for each in await partner.messages.list(here)]


async def test_what_is_not_to_be_remembered_does_not_come_in_again_as_something_new(
    partner: Partner, tmp_path: Path
) -> None:
    said = ["My landlady Wilhelmina has a red door.", "Her sister has a blue one.", "The cat has none."]
    lines = [turn(text, conversation="a", at=MARCH.isoformat()) for text in said]
    await brought_in(partner, written(tmp_path / "chats.jsonl", lines[:2]))
    await partner.memory.export_to(tmp_path / "own.jsonl")
    (one,) = await partner.conversations.list()
    await partner.forgetting.do_not_remember(one.id)
    for path in (written(tmp_path / "grown.jsonl", lines), tmp_path / "own.jsonl"):
        assert (await brought_in(partner, path)).known == 1
    assert [each.id for each in await partner.conversations.list()] == [one.id]
    assert (await partner.memory.recall("Who has a red door?")).passages == ()


async def test_backups_are_told_of_and_cleaned_by_the_same_service(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    await told_of_wilhelmina(used_home, action_dir)
    copy = used_home.backups / "partner-v21-20260101-000000.db"
    shutil.copy(used_home.database, copy)
    async with living(used_home, action_dir) as (partner, _):
        packed = tmp_path / "all.partner"
        await partner.backup.write(packed)
        await forgotten(partner, ForgetSelection(words="Wilhelmina"))
        told = await partner.forgetting.backups(paths=[packed])
        assert {one.path: one.messages > 0 for one in told} == {copy: True, packed: True}
        assert standing_in(used_home, "wilhelmina") == [copy.relative_to(used_home.root).as_posix()]
        assert await partner.forgetting.clean_backups(paths=[packed]) == []
        assert await partner.forgetting.backups(paths=[packed]) == []
    assert standing_in(used_home, "wilhelmina") == []
    with closing(sqlite3.connect(copy)) as database:
        texts = [row[0] for row in database.execute("SELECT text FROM messages WHERE role = 'user'")]
    assert texts == ["I bought bread."]
    unpacked = tmp_path / "unpacked"
    shutil.unpack_archive(packed, unpacked, "zip")
    assert standing_in(Home(unpacked), "wilhelmina") == []


async def test_a_backup_does_not_bring_back_unasked_what_was_forgotten_since(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    await told_of_wilhelmina(used_home, action_dir)
    packed = tmp_path / "all.partner"
    async with living(used_home, action_dir) as (partner, _):
        await partner.backup.write(packed)
        await forgotten(partner, ForgetSelection(words="Wilhelmina"))

    def restored(*more: str) -> tuple[int, str]:
        command = run_cli_arguments("--home", str(used_home.root), "restore", str(packed), *more)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    code, said = restored()
    assert (code, "that you had forgotten since" in said) == (2, True)
    assert standing_in(used_home, "wilhelmina") == []
    assert restored("--forgotten")[0] == 0
    assert standing_in(used_home, "wilhelmina") != []


async def approve(partner: Partner) -> None:
    """The person's yes to the one card that waits."""
    (card,) = [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]
    await partner.actions.approve(card.id, scope="once")
    await partner.settled()
    await partner.forgetting.settled()


@pytest.mark.parametrize(
    ("said", "order", "word"),
    [
        (LANDLADY, "Please forget everything about my landlady Wilhelmina.", "wilhelmina"),
        (LANDLADY, "forget that", "wilhelmina"),
        ("我的房东叫欧阳明月，她住在乌尔姆。", "忘掉关于欧阳明月的一切", "欧阳明月"),
        ("我的房东叫欧阳明月，她住在乌尔姆。", "忘掉刚才说的话", "欧阳明月"),
    ],
)
async def test_words_put_a_card_there_that_shows_what_would_go_and_a_yes_does_it(
    partner: Partner, watcher: Watcher, said: str, order: str, word: str
) -> None:
    here = await say(partner, watcher, said)
    await say(partner, watcher, order, here)
    (card,) = await partner.actions.list()
    assert (card.status, card.params["messages"]) == (ActionStatus.WAITING, 2)
    assert said[:12] in str(card.params["what"])
    assert standing_in(partner.home, word)
    await approve(partner)
    assert standing_in(partner.home, word) == []
    told = [each.text for each in await partner.messages.list(here)]
    done = "已忘记：2 条消息" if order.startswith("忘掉") else "Forgotten: 2 messages"
    assert any(text.startswith(done) for text in told)


async def test_words_about_what_was_never_said_are_told_so_and_other_words_are_no_order(
    partner: Partner, watcher: Watcher
) -> None:
    here = await say(partner, watcher, "Forget everything about zebras.")
    assert any("Nothing was said about “zebras”" in one.error for one in await partner.actions.list())
    await say(partner, watcher, "Forget it.", here)
    assert not [one for one in await partner.actions.list() if one.status is ActionStatus.WAITING]


async def test_a_message_is_chosen_by_whatever_names_it(partner: Partner, watcher: Watcher) -> None:
    here = await say(partner, watcher, LANDLADY)
    there = await say(partner, watcher, "The harbour of Ulm is a harbour on the Danube.")
    await partner.memory.roll(there)
    (one,) = await partner.memory.slices()
    (message, *_) = await partner.messages.list(here)
    (topic, *_) = [path for path, _ in await partner.memory.topics()]
    today = message.created_at.astimezone().date()
    chosen = {
        "message": ForgetSelection(message_ids=(message.id,)),
        "slice": ForgetSelection(slice_ids=(one.id,)),
        "topic": ForgetSelection(topic=topic),
        "conversation": ForgetSelection(conversation_id=here),
        "day": ForgetSelection(day=today),
        "another day": ForgetSelection(day=today.replace(year=2001)),
        "words": ForgetSelection(words="harbours"),
        "words there": ForgetSelection(words="harbours", conversation_id=here),
        "alone": ForgetSelection(message_ids=(message.id,), quotes=False),
    }
    counts = {name: (await partner.forgetting.preview(each)).count for name, each in chosen.items()}
    assert counts == {
        "message": 2, "slice": 2, "topic": 2, "conversation": 2, "day": 4, "another day": 0, "words": 2,
        "words there": 0, "alone": 1,
    }  # fmt: skip
    for wrong, words in [
        (ForgetSelection(), "Say what to forget"),
        (ForgetSelection(words="the and of"), "says too little"),
        (ForgetSelection(slice_ids=("none",)), "There is no slice"),
        (ForgetSelection(entity_id="none"), "is known under"),
    ]:
        with pytest.raises(UsageError, match=words):
            await partner.forgetting.preview(wrong)


async def test_what_was_done_because_of_it_goes_with_its_copies_and_what_still_waits_is_told(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    note = tmp_path / "wilhelmina.txt"
    await say(partner, watcher, f"Write “Wilhelmina has a red door” into {note}")
    (card,) = await partner.actions.list()
    told = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
    assert any("it is not over yet" in sentence for sentence in told.kept)
    await partner.actions.approve(card.id, scope="once")
    await partner.settled()
    assert note.exists()
    assert await forgotten(partner, ForgetSelection(words="Wilhelmina")) >= 1
    assert await partner.actions.list() == []
    assert standing_in(partner.home, "wilhelmina") == []
    assert note.exists(), "what the person asked to be written is the person's"


async def test_what_still_waits_goes_when_it_is_over(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with living(used_home, action_dir) as (partner, watcher):
        await say(partner, watcher, f"Write “Wilhelmina has a red door” into {tmp_path / 'wilhelmina.txt'}")
        (card,) = await partner.actions.list()
        await forgotten(partner, ForgetSelection(words="Wilhelmina"))
        assert [one.id for one in await partner.actions.list()] == [card.id]
        with closing(sqlite3.connect(used_home.database)) as database:
            ((plan,),) = database.execute("SELECT plan FROM forgettings").fetchall()
        assert card.id in plan
        assert "wilhelmina" not in plan.casefold()
        await partner.actions.reject(card.id)
        await partner.settled()
    async with living(used_home, action_dir) as (partner, _):
        await partner.forgetting.settled()
        assert await partner.actions.list() == []
        assert standing_in(used_home, "wilhelmina") == []


async def test_what_partner_quotes_and_copies_in_branches_go_too(partner: Partner, watcher: Watcher) -> None:
    here = await say(partner, watcher, "My landlady wants 80 marks for the broken window by Friday.")
    (first, *_) = await partner.messages.list(here)
    branch = await partner.conversations.branch(first.id)
    asked = await say(partner, watcher, "What does my landlady want by Friday?")
    assert any("80 marks" in each.text for each in await partner.messages.list(asked))
    preview = await partner.forgetting.preview(ForgetSelection(message_ids=(first.id,)))
    reasons = {item.turn.conversation_id: item.reason for item in preview.items}
    assert reasons[branch.id] == reasons[asked] == "quote"
    await forgotten(partner, ForgetSelection(message_ids=(first.id,)))
    assert standing_in(partner.home, "80 marks") == []
    assert "What does my landlady want by Friday?" in [
        each.text for each in await partner.messages.list(asked)
    ]


@pytest.mark.promise("memory.edit")
async def test_a_slice_is_seen_edited_pinned_exported_and_brought_in_elsewhere(
    partner: Partner, watcher: Watcher, home: Home, action_dir: Path, tmp_path: Path
) -> None:
    here = await say(partner, watcher, LANDLADY)
    await partner.memory.roll(here)
    (one,) = await partner.memory.slices()
    assert (await partner.memory.show(one.id)).turns[0].text == LANDLADY
    edited = await partner.memory.edit_slice(one.id, "  What the   landlady wants ")
    assert edited.summary == "What the landlady wants"
    assert (await partner.memory.pin(one.id)).pinned
    with pytest.raises(UsageError, match=r"2,000 characters; this one has 2,001"):
        await partner.memory.edit_slice(one.id, "x" * 2_001)
    (after,) = await partner.memory.slices(pinned=True)
    assert after.summary == "What the landlady wants"
    path = tmp_path / "slices.jsonl"
    assert await partner.memory.export_to(path) == 1
    elsewhere = Home(tmp_path / "elsewhere")
    async with living(elsewhere, action_dir) as (other, _):
        assert (await brought_in(other, path)).chats == 1
        assert (await other.memory.recall("When does she want the rent?")).passages


async def test_somebody_is_forgotten_with_all_that_is_known_of_them(
    partner: Partner, watcher: Watcher
) -> None:
    here = await say(partner, watcher, "My sister Wilhelmina lives in Ulm.")
    await say(partner, watcher, "My brother Tom lives in Bonn.", here)
    (found,) = await partner.entities.list("Wilhelmina")
    await partner.entities.add_fact(found.id, "note", "plays the bassoon")
    preview = await partner.forgetting.preview(ForgetSelection(entity_id=found.id))
    assert preview.held_counts["entity"] >= 3
    await forgotten(partner, ForgetSelection(entity_id=found.id))
    assert standing_in(partner.home, "wilhelmina") == standing_in(partner.home, "bassoon") == []
    assert [one.name for one in await partner.entities.list("Tom")] == ["Tom"]
    assert await partner.entities.list("Wilhelmina") == []
    await partner.forgetting.do_not_remember(here)
    assert await partner.entities.list("Tom") == []
    await say(partner, watcher, "My aunt Clementine lives in Trier.", here)
    assert await partner.entities.list("Clementine") == []


async def test_whom_words_name_goes_under_former_names_too(partner: Partner, watcher: Watcher) -> None:
    here = await say(partner, watcher, "My sister is Wilhelmina.")
    await say(partner, watcher, "Wilhelmina lives in Ulm.", here)
    await say(partner, watcher, "my sister is Clementine, not Wilhelmina", here)
    await say(partner, watcher, "The weather is nice.", here)
    await forgotten(partner, ForgetSelection(words="Clementine"))
    assert standing_in(partner.home, "wilhelmina") == standing_in(partner.home, "clementine") == []
    assert "The weather is nice." in [
        each.text for each in await partner.messages.list(here, before=None, limit=20)
    ]


async def test_what_partner_is_still_saying_of_it_goes_when_it_is_said(
    used_home: Home, action_dir: Path
) -> None:
    gate = asyncio.Event()
    mind = ScriptedMind(lambda request: ["Your landlady ", gate, "Wilhelmina wants the rent.", "It is due."])
    async with talking(used_home, action_dir, mind) as (partner, watcher):
        message = await partner.messages.send(LANDLADY)
        await watcher.until(lambda event: isinstance(event, ReplyEvent))
        preview = await partner.forgetting.preview(ForgetSelection(message_ids=(message.id,)))
        assert (await partner.forgetting.forget(preview.id)).state == "forgotten"
        gate.set()
        await partner.forgetting.settled()
        assert standing_in(used_home, "wilhelmina") == standing_in(used_home, "landlady") == []
        assert await partner.conversations.list() == []


async def test_summaries_that_say_it_of_another_talk_go_too(partner: Partner, watcher: Watcher) -> None:
    here = await say(partner, watcher, "The rent is due on Friday, as she said.")
    await partner.memory.roll(here)
    (one,) = await partner.memory.slices()
    await partner.memory.edit_slice(one.id, "What Wilhelmina wants")
    await say(partner, watcher, LANDLADY)
    preview = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
    assert preview.held_counts["slice"] == 1
    await forgotten(partner, ForgetSelection(words="Wilhelmina"))
    assert standing_in(partner.home, "wilhelmina") == []
    assert "The rent is due on Friday, as she said." in [
        each.turn.text for each in (await partner.memory.recall("When is the rent due?")).turns
    ]
    assert [each.id for each in await partner.memory.slices()] == [one.id]


async def test_what_happens_to_be_said_alike_elsewhere_stays_with_what_was_made_of_it(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    (tmp_path / "pears.txt").touch()
    listing = f"List the files in {tmp_path}"
    home = await say(partner, watcher, "I live in Berlin.")
    kept = [await say(partner, watcher, said) for said in ("Good evening", listing)]
    await partner.entities.known()
    for again in ("Berlin", "Good evening", listing):
        here = await say(partner, watcher, again)
        await forgotten(partner, ForgetSelection(conversation_id=here))
    person = (await partner.entities.known()).person
    assert [fact.value for fact in person.facts if fact.attribute == "home"] == ["Berlin"]
    titles = {one.id: one.title for one in await partner.conversations.list()}
    assert [titles[one][:20] for one in (home, *kept)] == ["I live in Berlin.", "Good evening", listing[:20]]
    assert [one.conversation_id for one in await partner.actions.list()] == [kept[-1]]


async def test_what_is_rolled_while_it_is_forgotten_keeps_nothing_of_it(
    partner: Partner, watcher: Watcher
) -> None:
    here = await say(partner, watcher, LANDLADY)
    await say(partner, watcher, "I bought bread and a pound of butter.", here)
    preview = await partner.forgetting.preview(ForgetSelection(words="Wilhelmina"))
    outcome, _ = await asyncio.gather(
        partner.forgetting.forget(preview.id), partner.memory.roll(here), return_exceptions=True
    )
    assert not isinstance(outcome, BaseException)
    assert outcome.state == "forgotten"
    await partner.forgetting.settled()
    assert standing_in(partner.home, "wilhelmina") == []
    await partner.memory.roll(here)
    assert standing_in(partner.home, "wilhelmina") == []
    assert [unit.conversation_id for unit in await partner.memory.units(here)] == [here]


async def test_in_a_terminal_it_is_shown_and_done_with_a_yes_only(used_home: Home, action_dir: Path) -> None:
    async with living(used_home, action_dir) as (partner, watcher):
        await say(partner, watcher, LANDLADY)
    place = ["--home", str(used_home.root), "--action-dir", str(action_dir)]

    async def run(*words: str) -> tuple[int, str]:
        started = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "partner_desktop", "memory", *words, *place,
            cwd=REPOSITORY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        async with asyncio.timeout(_DEATH_S):
            told, _ = await started.communicate()
        return started.returncode or 0, told.decode()

    code, told = await run("forget", "Wilhelmina")
    assert (code, "Nothing was forgotten." in told) == (1, True)
    assert "2 messages in 1 conversation would be forgotten" in told
    code, told = await run("forget", "Wilhelmina", "--yes")
    assert (code, "Forgotten: 2 messages." in told) == (0, True)
    assert standing_in(used_home, "wilhelmina") == []
    assert (await run("forget", "Wilhelmina", "--yes"))[0] == 1
