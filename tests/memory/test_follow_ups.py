"""Questions about the passage that was shown last are answered from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.message import Role
from partner_desktop.language.ellipsis import follow_up
from tests.memory.chats import brought_in, living, turn, written
from tests.support import Watcher
from tests.tables import all_rows

TALK = [
    turn("We saw the house in Pelham, it has a walled garden.", conversation="a", title="StatusController"),
    turn("How lovely. How big is it?", "assistant", conversation="a"),
    turn("Six rooms, and they want 410,000 for it.", conversation="a"),
    turn("That is a lot.", "assistant", conversation="a"),
    turn("My sister Odile would lend us the rest.", conversation="a"),
    turn("The ferry to Jersey leaves at 6:40 from pier nine.", conversation="b", title="Ferry"),
    turn("Be there early.", "assistant", conversation="b"),
    turn("我在青岛订了一间海景民宿，老板姓冯。", conversation="c", title="民宿"),
    turn("听起来很好。", "assistant", conversation="c"),
    turn("一晚四百二，五月三号入住。", conversation="c"),
]
for number, each in enumerate(TALK):
    each["at"] = f"2026-03-{'abc'.index(str(each['conversation'])) + 2:02}T10:{number:02}:00+00:00"

HOUSE, PRICE, SISTER, FERRY, INN, NIGHT = (TALK[number]["text"] for number in (0, 2, 4, 5, 7, 9))
ABOUT_HOUSE, ABOUT_INN = "what did I tell you about the walled garden?", "我说过的民宿怎么样？"


async def answer(partner: Partner, watcher: Watcher, text: str, conversation: str = "") -> tuple[str, str]:
    """What is answered, and in which conversation."""
    watcher.events.clear()
    said = await partner.messages.send(text, conversation_id=conversation or None)
    await watcher.done()
    messages = await partner.messages.list(said.conversation_id, before=None, limit=5)
    return [one.text for one in messages if one.role is Role.PARTNER][-1], said.conversation_id


@pytest.fixture
async def told(partner: Partner, tmp_path: Path) -> Partner:
    await brought_in(partner, written(tmp_path / "talk.jsonl", TALK))
    return partner


@pytest.mark.integration
@pytest.mark.promise("memory.answer")
@pytest.mark.parametrize(
    ("first", "asked", "wanted"),
    [
        (ABOUT_HOUSE, "when was that?", ("2 March 2026", HOUSE)),
        (ABOUT_HOUSE, "who said that?", ("**You:** " + str(HOUSE),)),
        (ABOUT_HOUSE, "where did I say that?", ("“StatusController”", HOUSE)),
        (ABOUT_HOUSE, "what else did I say about it?", (PRICE, SISTER)),
        (ABOUT_HOUSE, "how much do they want for it?", (PRICE,)),
        (ABOUT_HOUSE, "and the ferry?", (FERRY, "3 March 2026")),
        (ABOUT_HOUSE, "what about my sister?", (SISTER,)),
        (ABOUT_HOUSE, "and the submarine?", ("I find nothing about that",)),
        (ABOUT_INN, "那是什么时候？", ("2026年3月4日", INN)),
        (ABOUT_INN, "谁说的？", ("**你：** " + str(INN),)),
        (ABOUT_INN, "我还说了什么？", (NIGHT,)),
        (ABOUT_INN, "那ferry呢？", (FERRY,)),
    ],
)
async def test_a_question_about_the_passage_shown_last_is_answered_from_it(
    told: Partner, watcher: Watcher, first: str, asked: str, wanted: tuple[str, ...]
) -> None:
    shown, conversation = await answer(told, watcher, first)
    assert str(HOUSE if first is ABOUT_HOUSE else INN) in shown
    again, _ = await answer(told, watcher, asked, conversation)
    assert [part for part in wanted if str(part) not in again] == []


@pytest.mark.integration
async def test_where_the_last_reply_showed_no_passage_nothing_is_meant_by_that(
    told: Partner, watcher: Watcher
) -> None:
    await answer(told, watcher, ABOUT_HOUSE)
    for before in ("", "thanks"):
        conversation = (await answer(told, watcher, before))[1] if before else ""
        reply, _ = await answer(told, watcher, "when was that?", conversation)
        assert str(HOUSE) not in reply


@pytest.mark.integration
async def test_a_restart_and_a_deletion_are_minded(home: Home, action_dir: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "talk.jsonl", TALK)
    async with living(home, action_dir) as (partner, watcher):
        await brought_in(partner, file)
        _, conversation = await answer(partner, watcher, ABOUT_HOUSE)
    async with living(home, action_dir) as (partner, watcher):
        assert "2 March 2026" in (await answer(partner, watcher, "when was that?", conversation))[0]
        house = next(one for one in await partner.conversations.list() if one.title == "StatusController")
        await partner.conversations.delete(house.id)
        assert str(HOUSE) not in (await answer(partner, watcher, "when was that?", conversation))[0]


@all_rows(
    "text, kind",
    [
        ("when was that?", "place"),
        ("那是哪天？", "place"),
        ("在哪儿说的？", "place"),
        ("how much did it cost?", "detail"),
        ("how many rooms does it have?", "detail"),
        ("它多少钱一晚？", "detail"),
        ("anything else?", "more"),
        ("还有别的吗？", "more"),
        ("what about the bees?", "other"),
        ("土豆呢？", "other"),
        ("what else did I say about the flight?", ""),
        ("delete that file", ""),
        ("can you do that?", ""),
        ("what about you?", ""),
        ("你呢？", ""),
        ("and the next step is to copy the file", ""),
        ("and then?", ""),
    ],
)
def test_what_asks_about_what_was_shown_is_told_from_what_does_not(text: str, kind: str) -> None:
    found = follow_up(text)
    assert (found.kind if found is not None else "") == kind
