"""Dialog that is over: units and slices that open as it was said, topics in their order, what is pinned."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import messages
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.remembered import MemorySlice, MemoryUnit
from partner_desktop.memory.topics import TopicSource, profile, topic_score
from tests.memory.chats import MARCH, brought_in, living, texts, turn, written
from tests.support import REPOSITORY, FakeClock, Watcher
from tests.tables import all_rows

pytestmark = pytest.mark.integration

_DEATH_S = 60


async def say(partner: Partner, watcher: Watcher, text: str, conversation_id: str | None = None) -> str:
    """Say something, to its end; the conversation's id."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation_id)
    await watcher.done()
    return message.conversation_id


async def in_line(partner: Partner, conversation_id: str) -> list[tuple[str, str]]:
    """What is shown of a conversation, but for cards."""
    found: Sequence[Message] = await partner.messages.list(conversation_id)
    return [(each.id, each.text) for each in found if each.role is not Role.ACTION]


async def reopened(partner: Partner, conversation_id: str) -> list[tuple[str, str]]:
    """The messages of a conversation's slices, in their order, one slice after the other.

    They lie in their units without a gap, and so do the units.
    """
    units = await partner.memory.units(conversation_id)
    slices = sorted(await partner.memory.slices(conversation_id=conversation_id), key=lambda one: one.first)
    assert_joined(units)
    for unit in units:
        own = [one for one in slices if one.unit_id == unit.id]
        assert_joined(own)
        assert (own[0].first, own[-1].past) == (unit.first, unit.past)
    found = []
    for one in slices:
        opened = await partner.memory.show(one.id)
        assert opened.slice == one
        assert all(one.first <= each.position < one.past for each in opened.turns)
        found += [(each.message_id, each.text) for each in opened.turns]
    return found


async def whole(partner: Partner, title: str) -> list[tuple[str, str, datetime, str]]:
    """A conversation, by its title."""
    (one,) = [each for each in await partner.conversations.list() if each.title == title]
    messages = await partner.messages.list(one.id)
    return [(each.role, each.text, each.created_at, each.speaker) for each in messages]


def assert_joined(stretches: Sequence[MemoryUnit] | Sequence[MemorySlice]) -> None:
    """Each begins where the one before ends."""
    assert [one.past for one in stretches[:-1]] == [one.first for one in stretches[1:]]
    assert all(one.first < one.past for one in stretches)


@pytest.mark.promise("memory.slices")
async def test_dialog_that_is_over_is_a_unit_whose_slices_open_as_it_was_said(
    partner: Partner, watcher: Watcher
) -> None:
    one = await say(partner, watcher, "hello 0")
    for number in range(1, 8):
        await say(partner, watcher, f"hello {number} 🏝️\n\n  with   spaces", one)
    unit = await partner.memory.roll(one)
    assert unit is not None
    assert [unit] == await partner.memory.units(one)
    assert unit.origin == ""
    line = await in_line(partner, one)
    assert len(line) >= 16
    assert await reopened(partner, one) == line
    assert len(await partner.memory.slices(conversation_id=one)) == 2
    assert await partner.memory.roll(one) is None, "nothing was said since"
    other = await say(partner, watcher, "something else")
    await say(partner, watcher, "hello 8", one)
    await say(partner, watcher, "more of it", other)
    await say(partner, watcher, "hello 9", one)
    assert await partner.memory.roll(one) is not None
    assert await reopened(partner, one) == await in_line(partner, one)
    assert await reopened(partner, other) == []
    await partner.memory.roll(other)
    assert await reopened(partner, other) == await in_line(partner, other)
    assert (await partner.memory.recall("hello 3")).passages[0].slice_id


@pytest.mark.promise("memory.slices")
async def test_what_is_said_differently_later_is_in_one_slice_and_what_was_set_aside_in_none(
    partner: Partner, watcher: Watcher
) -> None:
    one = await say(partner, watcher, "hello first")
    await say(partner, watcher, "hello second", one)
    await partner.memory.roll(one)
    before = await in_line(partner, one)
    assert await reopened(partner, one) == before
    said = next(each for each in await partner.messages.list(one) if each.text == "hello second")
    watcher.events.clear()
    await partner.messages.edit(said.id, "hello instead")
    await watcher.done()
    assert texts(await partner.memory.recall("second", conversation_id=one)) == []
    await partner.memory.roll(one)
    after = await in_line(partner, one)
    assert "hello second" not in dict(after).values()
    assert await reopened(partner, one) == after
    (fork,) = (await partner.messages.line(one)).forks
    await partner.messages.choose(fork.takes[0])
    assert await in_line(partner, one) == before
    assert await reopened(partner, one) == before
    assert texts(await partner.memory.recall("second", conversation_id=one))[0] == "hello second"
    assert "hello instead" not in texts(await partner.memory.recall("instead", conversation_id=one))


@pytest.mark.promise("memory.slices")
async def test_a_pause_ends_a_slice_and_a_chat_that_goes_on_ends_in_a_unit_of_its_own(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    minutes = [0, 5, 40, 41, 60, 120]
    lines = [
        turn(f"at {minute}", conversation="pauses", at=(MARCH + timedelta(minutes=minute)).isoformat())
        for minute in minutes
    ]
    await brought_in(partner, written(tmp_path / "pauses.jsonl", lines))
    (one,) = await partner.conversations.list()
    slices = sorted(await partner.memory.slices(), key=lambda each: each.first)
    opened = [[each.text for each in (await partner.memory.show(part.id)).turns] for part in slices]
    assert opened == [["at 0", "at 5"], ["at 40", "at 41", "at 60"], ["at 120"]]
    assert [part.at for part in slices] == [MARCH + timedelta(minutes=minute) for minute in (0, 40, 120)]
    await say(partner, watcher, "hello again", one.id)
    unit = await partner.memory.roll(one.id)
    assert unit is not None
    assert [each.origin for each in await partner.memory.units(one.id)] == ["jsonl", ""]
    assert await reopened(partner, one.id) == await in_line(partner, one.id)


async def test_what_is_no_slice_is_said(partner: Partner, watcher: Watcher) -> None:
    for ask in (partner.memory.show, partner.memory.pin, partner.memory.unpin):
        with pytest.raises(UsageError, match="There is no slice nowhere"):
            await ask("nowhere")
    assert await partner.memory.roll("nowhere") is None
    assert await partner.memory.about("\ud800 \0 ->") == []
    one = await say(partner, watcher, "hello there")
    await partner.memory.roll(one)
    (part,) = await partner.memory.slices()
    await partner.conversations.delete(one)
    with pytest.raises(UsageError, match="There is no slice"):
        await partner.memory.show(part.id)
    assert await partner.memory.slices() == []
    await partner.conversations.restore(one)
    assert [each.id for each in await partner.memory.slices()] == [part.id]


async def test_slices_come_page_by_page_without_those_of_deleted_conversations(
    partner: Partner, watcher: Watcher
) -> None:
    ids = [await say(partner, watcher, f"thing {number} about the garden") for number in range(6)]
    for one in ids:
        await partner.memory.roll(one)
    await partner.conversations.delete(ids[3])
    found: list[MemorySlice] = []
    while page := await partner.memory.slices(limit=2, before=found[-1].id if found else ""):
        assert len(page) <= 2
        found += page
    assert [one.conversation_id for one in found] == [ids[at] for at in (5, 4, 2, 1, 0)]
    assert found == await partner.memory.slices()
    assert (found[-1].opening, found[-1].messages) == ("thing 0 about the garden", 2)
    assert found[-1].title
    topics = await partner.memory.topics()
    for path, count in topics:
        assert len(await partner.memory.slices(topic=path)) <= count
    with pytest.raises(UsageError, match="There is no slice nowhere"):
        await partner.memory.slices(before="nowhere")


# Topics.

DAY = timedelta(days=1)


def profiled(activation: float = 0.55, diffusion: float = 0.35, independence: float = 0.5) -> MemorySlice:
    return MemorySlice("s", "u", "c", 1, 2, MARCH, "", activation, diffusion, independence)


@pytest.mark.promise("memory.topics")
@all_rows(
    "one, source, age, score",
    [
        (profiled(), TopicSource.PRIMARY, timedelta(0), 1.00 + 0.30 + 0.275 + 0.15 + 0.2 * 0.3 * 0.35),
        (profiled(), TopicSource.PRIMARY, DAY, 1.00 + 0.30 + 0.275 + 0.15 + 0.021),
        (profiled(), TopicSource.PRIMARY, 1.1 * DAY, 1.00 + 0.22 + 0.275 + 0.15 + 0.021),
        (profiled(), TopicSource.RELATED, 3 * DAY, 0.65 + 0.22 + 0.275 + 0.15 + 0.2 * 1.0 * 0.35),
        (profiled(), TopicSource.RELATED, 3.1 * DAY, 0.65 + 0.15 + 0.275 + 0.15 + 0.07),
        (profiled(), TopicSource.PARENT, 7 * DAY, 0.45 + 0.15 + 0.275 + 0.15 + 0.2 * 0.2 * 0.35),
        (profiled(), TopicSource.PARENT, 7.1 * DAY, 0.45 + 0.08 + 0.275 + 0.15 + 0.014),
        (profiled(), TopicSource.PRIMARY, 30 * DAY, 1.00 + 0.08 + 0.275 + 0.15 + 0.021),
        (profiled(), TopicSource.PRIMARY, 30.1 * DAY, 1.00 + 0.275 + 0.15 + 0.021),
        (profiled(), TopicSource.PRIMARY, -2 * DAY, 1.00 + 0.30 + 0.275 + 0.15 + 0.021),
        (profiled(1.0, 0.0, 0.0), TopicSource.PARENT, 90 * DAY, 0.45 + 0.5),
        (profiled(0.0, 1.0, 0.0), TopicSource.RELATED, 90 * DAY, 0.65 + 0.2),
        (profiled(0.0, 0.0, 1.0), TopicSource.PRIMARY, 90 * DAY, 1.00 + 0.3),
    ],
)
def test_the_score_is_what_the_formula_says(
    one: MemorySlice, source: TopicSource, age: timedelta, score: float
) -> None:
    assert topic_score(one, source, age) == pytest.approx(score)


#: What each hour is about, and what is spoken of beside it.
HOURS = [
    *[("tomatoes", "tomatoes"), ("tomatoes", "roses"), ("roses", "tomatoes")],
    *[("roses", "compost"), ("compost", "compost"), ("hedges", "hedges"), ("hedges", "hedges")],
]


@pytest.mark.promise("memory.topics")
async def test_a_topic_brings_its_own_slices_then_those_akin_and_those_beside_it_five_at_most(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    lines = []
    for hour, (own, beside) in enumerate(HOURS):
        at = (MARCH + timedelta(hours=hour)).isoformat()
        lines.append(turn(f"The garden has {own}, {own} and {own}.", conversation="garden", at=at))
        lines.append(turn(f"A garden of {own} and {beside}.", "assistant", conversation="garden", at=at))
    clock = FakeClock(datetime(2026, 3, 6, 9, 0, tzinfo=UTC))
    async with living(used_home, action_dir, clock=clock) as (partner, _):
        await brought_in(partner, written(tmp_path / "garden.jsonl", lines))
        assert await partner.memory.topics() == [
            ("garden", 7), ("garden->compost", 1), ("garden->hedges", 2), ("garden->roses", 2),
            ("garden->tomatoes", 2),
        ]  # fmt: skip
        primary, akin, parent = 1.0, 0.65 + 0.2 * 1.0 * 0.35, 0.45 + 0.2 * 0.2 * 0.35
        rest = 0.15 + 0.275 + 0.15  # five days old
        expected = [
            ("garden->tomatoes", 1, primary + 0.021 + rest), ("garden->tomatoes", 0, primary + 0.021 + rest),
            ("garden->roses", 3, akin + rest), ("garden->roses", 2, akin + rest),
            ("garden->hedges", 6, parent + rest),
        ]  # fmt: skip
        for asked in ("tomatoes", "Tomato", "garden->tomatoes"):
            found = await partner.memory.about(asked)
            told = [(one.topics[0], (one.at - MARCH) // timedelta(hours=1), score) for one, score in found]
            assert [each[:2] for each in told] == [each[:2] for each in expected]
            assert [each[2] for each in told] == pytest.approx([each[2] for each in expected])
        whole = await partner.memory.about("garden")
        assert [(one.at - MARCH) // timedelta(hours=1) for one, _ in whole] == [6, 5, 4, 3, 2]
        assert await partner.memory.about("weather") == []


# What is kept in sight, and written down.


async def test_a_slice_is_pinned_until_it_is_not_and_written_with_its_turns(
    home: Home, used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    del used_home
    lines = [
        turn(f"The key of door{number} is under the mat.", conversation=f"d{number}", title=f"Door {number}",
             at=(MARCH + timedelta(days=number)).isoformat())
        for number in range(3)
    ]  # fmt: skip
    target = tmp_path / "memory.jsonl"
    async with living(home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "doors.jsonl", lines))
        newest = (await partner.memory.slices())[0]
        assert not newest.pinned
        assert (await partner.memory.pin(newest.id)).pinned
        assert (await partner.memory.status()).pinned == 1
    async with living(home, action_dir) as (partner, _):
        assert [each.id for each in await partner.memory.slices(pinned=True)] == [newest.id]
        best = (await partner.memory.recall("the key of door2?")).passages[0]
        assert (best.slice_id, best.pinned) == (newest.id, True)
        assert await partner.memory.export_to(target) == 3
        target.write_text("of somebody's own", encoding="utf-8")
        with pytest.raises(
            UsageError, match=r"memory\.jsonl is there already; name another file, or replace"
        ):
            await partner.memory.export_to(target)
        assert target.read_text(encoding="utf-8") == "of somebody's own"
        assert await partner.memory.export_to(target, force=True) == 3
        written_down = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
        assert [each["title"] for each in written_down] == ["Door 0", "Door 1", "Door 2"]
        assert [each["pinned"] for each in written_down] == [False, False, True]
        assert written_down[0]["turns"] == [
            {"speaker": "user", "at": MARCH.isoformat(), "text": "The key of door0 is under the mat."}
        ]
        assert not (await partner.memory.unpin(newest.id)).pinned
        assert await partner.memory.slices(pinned=True) == []
        for place in (tmp_path / "nowhere" / "memory.jsonl", tmp_path):
            with pytest.raises(UsageError, match="cannot be written"):
                await partner.memory.export_to(place)
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith((".part", ".tmp"))] == []


async def test_what_was_exported_comes_into_another_home_as_it_was_and_into_its_own_not_twice(
    partner: Partner, watcher: Watcher, tmp_path: Path, fresh_home: Path
) -> None:
    lines = [
        {
            "text": f"{speaker} dug hole {number}.",
            "speaker": speaker,
            "conversation": "dig",
            "title": "Digging",
        }
        | {"at": (MARCH + timedelta(hours=number)).isoformat()}
        for number, speaker in enumerate(["Ann", "Bo", "Ann", "Bo"])
    ]
    await brought_in(partner, written(tmp_path / "dig.jsonl", lines))
    one = await say(partner, watcher, "hello 🏝️ there")
    await say(partner, watcher, "hello\n\nagain", one)
    await partner.memory.roll(one)
    target = tmp_path / "memory.jsonl"
    assert await partner.memory.export_to(target) == 5
    again = await brought_in(partner, target)
    assert (again.chats, again.known, again.left_out) == (0, 2, 0)
    shutil.copytree(fresh_home, tmp_path / "other")
    async with living(Home(tmp_path / "other"), partner.action_dir) as (other, _):
        there = await brought_in(other, target)
        assert (there.chats, there.turns, there.left_out) == (2, 8, 0)
        for title in ("Digging", "hello 🏝️ there"):
            here = await whole(partner, title)
            assert await whole(other, title) == here
            assert len(here) == 4


# What nobody has saved.


@pytest.mark.promise("memory.unsaved")
async def test_what_is_said_in_a_chat_that_goes_on_outlives_a_restart_and_a_crash(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    lines = [turn("The anchor weighs nine tons.", conversation="ship", at=MARCH.isoformat())]
    async with living(used_home, action_dir) as (partner, watcher):
        await brought_in(partner, written(tmp_path / "ship.jsonl", lines))
        (one,) = await partner.conversations.list()
        await say(partner, watcher, "hello, the rudder is made of oak", one.id)
    died = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.memory.dying", str(used_home.root), str(action_dir), "talk", one.id,
         "hello, the mast is made of pine"],
        cwd=REPOSITORY,
        timeout=_DEATH_S,
        check=False,
    )  # fmt: skip
    assert died.returncode == -signal.SIGKILL
    async with living(used_home, action_dir) as (partner, watcher):
        said = [text for _, text in await in_line(partner, one.id)]
        for asked, text in (
            ("what does the anchor weigh?", "The anchor weighs nine tons."),
            ("what did I say about the rudder?", "hello, the rudder is made of oak"),
            ("what did I tell you about the mast?", "hello, the mast is made of pine"),
        ):
            assert text in said
            best = (await partner.memory.recall(asked)).passages[0].hit.turn
            assert (best.text, best.conversation_id) == (text, one.id)
        unit = await partner.memory.roll(one.id)
        assert unit is not None
        assert await reopened(partner, one.id) == await in_line(partner, one.id)
        memory = [event for event in watcher.events if isinstance(event, NoticeEvent)]
        assert [event.text for event in memory if event.title == "Memory"] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_topic_comes_of_what_partner_says_to_anything(language: str) -> None:
    starter = messages("starter", language)
    reply = f"{starter['told']}\n\n{starter['model_note']}"
    slices = [["The kettle is old.", reply, "The kettle leaks.", reply], ["The ferry was late.", reply]]
    assert [one.path for one in profile(slices)] == ["kettle->leaks", "kettle->ferry"]
    assert [one.path for one in profile([[reply, reply]])] == [""]
