"""Rolling: what becomes of a dialog that is long, or over, and what a prompt has of it. Nothing is lost."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.base.text_compression import LONG, compressed, sentences
from partner_desktop.domain.message import MessageState
from partner_desktop.domain.remembered import RememberedTurn, UnrolledDialog
from partner_desktop.mind.question import Summarise
from partner_desktop.rolling.roller import DueRoll, RollingSettings, due_roll
from tests.rolling.long_talk import (
    dialog_of,
    history_of,
    line,
    opened,
    plain_mind,
    rolled,
    rolled_in_time,
    rolls,
    say,
    talking,
)
from tests.runtime.minds import ScriptedMind
from tests.support import FakeClock
from tests.tables import all_rows

# Real Partners, one for each test: the whole gate's business.
pytestmark = pytest.mark.integration

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def facts(first: int, past: int) -> list[str]:
    return [f"number{number}: crate {number} stands in hall {number % 7}." for number in range(first, past)]


# At the threshold.


@pytest.mark.promise("rolling.threshold")
async def test_at_72_messages_all_but_12_are_summed_up_and_the_next_prompt_begins_there(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = plain_mind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, facts(0, 35))
        assert await partner.memory.units(one) == []
        await say(partner, watcher, facts(35, 36), one)
        unit = await rolled(watcher)
        whole = await line(partner, one)
        assert len(whole) == 72, "nothing of it leaves the chat"
        assert (unit.reason, unit.ends_session, unit.origin) == ("length", False, "")
        assert [unit] == list(await partner.memory.units(one))
        assert await opened(partner, unit) == whole[:60]
        assert (unit.first, unit.past) == (0, whole[60][0])
        slices = await partner.memory.slices(conversation_id=one)
        assert all(each.summary for each in slices)
        assert 0 < len(unit.summary) <= 1_000
        await say(partner, watcher, ["and now?"], one)
        prompt = mind.asked[-1].prompt
        assert dialog_of(prompt) == [text for _, text in whole[60:]]
        assert unit.summary.splitlines()[0] in history_of(prompt)
        names = [part.name for part in prompt]
        assert names[:3] == ["persona", "capabilities", "dialog_history"]


@pytest.mark.promise("rolling.threshold")
async def test_the_beginning_of_the_prompts_moves_with_a_roll_and_only_then_and_rolls_do_not_overlap(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = plain_mind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        await partner.config.set("rolling", ("messages",), value=12)
        one, begins = "", []
        for text in facts(0, 24):
            one = await say(partner, watcher, [text], one)
            begins.append((dialog_of(mind.asked[-1].prompt)[:1], history_of(mind.asked[-1].prompt)))
            if len(await line(partner, one)) in (12, 22, 32, 42):
                await rolled(watcher)
        units = await partner.memory.units(one)
        assert [len(await opened(partner, unit)) for unit in units] == [10, 10, 10, 10]
        whole = await line(partner, one)
        assert [each for unit in units for each in await opened(partner, unit)] == whole[:40]
        assert [unit.first for unit in units[1:]] == [unit.past for unit in units[:-1]]
        moved = [number for number in range(2, len(begins)) if begins[number] != begins[number - 1]]
        assert moved == [6, 11, 16, 21]
        assert history_of(mind.asked[-1].prompt).count("<part ") == 4
        for number, text in enumerate(facts(0, 20)):
            found = await partner.memory.recall(f"where does crate {number} stand?", conversation_id=one)
            assert text in [each.turn.text for each in found.turns]


@pytest.mark.promise("rolling.threshold")
async def test_a_small_room_in_tokens_rolls_earlier_and_no_prompt_ever_leaves_a_message_out(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = plain_mind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        await partner.config.set("context", ("dialog_tokens",), value=700)
        one = ""
        for number in range(16):
            one = await say(partner, watcher, [f"number{number}: " + "tea and toast, " * 10], one)
            await partner.memory.units(one)
        units = await partner.memory.units(one)
        assert len(units) > 1
        assert {unit.reason for unit in units} == {"length"}
        whole = await line(partner, one)
        assert len(whole) == 32
        assert [each for unit in units for each in await opened(partner, unit)] == [
            each for each in whole if each[0] < units[-1].past
        ]
        fills = await partner.context.turns(one)
        assert [each.left_out_messages for each in fills] == [0] * 16
        for asked in mind.asked:
            carried = [part for part in asked.prompt if part.name.startswith("dialog")]
            assert sum(part.tokens for part in carried) <= 700


def dialog(*minutes: float, past: int = 1_000) -> UnrolledDialog:
    """One turn a minute that is named, at positions 10, 20, …"""
    turns = [
        RememberedTurn(f"m{number}", "c", "", 10 * number, "user", "x" * 10, NOON + timedelta(minutes=minute))
        for number, minute in enumerate(minutes, 1)
    ]
    return UnrolledDialog(0, past, tuple(turns))


@all_rows(
    "found, now, room, due",
    [
        (dialog(), 900, 1e9, None),
        (dialog(0), 900, 1e9, None),
        (dialog(0, 1), 60, 1e9, None),
        (dialog(0, 1), 61, 1e9, DueRoll(1_000, "idle")),
        (dialog(0, 1, 61), 70, 1e9, DueRoll(30, "idle")),
        (dialog(0, 60, 61), 70, 1e9, None),
        (dialog(0, 1, 61, 62, 122), 130, 1e9, DueRoll(30, "idle", plain=True)),
        (dialog(*range(71)), 80, 1e9, None),
        (dialog(*range(72)), 80, 1e9, DueRoll(610, "length")),
        (dialog(*range(74)), 80, 1e9, DueRoll(620, "length")),
        (dialog(*range(200)), 210, 1e9, DueRoll(730, "length", plain=True)),
        (dialog(0, 1, 2, 3, 4, 5), 9, 80, DueRoll(60, "length")),
        (dialog(0, 1, 2), 9, 41, None),
        (dialog(0), 9, 12, DueRoll(1_000, "length")),
        (dialog(0, 100_000), -100_000, 1e9, None),
        (dialog(100_000, 0), 10, 1e9, None),
    ],
)
def test_what_is_due(found: UnrolledDialog, now: float, room: float, due: DueRoll | None) -> None:
    at = NOON + timedelta(minutes=now)

    def share(said: object) -> float:
        assert isinstance(said, list)
        return sum(len(text) for _, text in said) / room

    assert due_roll(found, RollingSettings(), share=share, now=at) == due
    if due is not None and due.reason == "idle":
        assert due_roll(found, RollingSettings(idle_minutes=0), share=share, now=at) is None


# After an hour of rest.


@pytest.mark.promise("rolling.idle")
async def test_after_an_hour_of_rest_all_of_it_is_summed_up_and_a_new_session_begins(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    clock, mind = FakeClock(NOON), plain_mind()
    async with talking(home, action_dir, mind, clock=clock, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, ["Ann's train leaves at 9:14.", "She likes green tea."])
        for _ in range(59):
            clock.move(timedelta(minutes=1))
            assert await partner.memory.units(one) == []
        unit = await rolled_in_time(partner, watcher, clock)
        assert (unit.reason, unit.ends_session) == ("idle", True)
        assert await opened(partner, unit) == await line(partner, one)
        assert "9:14" in unit.summary
        await say(partner, watcher, ["hello again"], one)
        prompt = mind.asked[-1].prompt
        assert dialog_of(prompt) == []
        assert "9:14" in history_of(prompt)
        await say(partner, watcher, ["what was it?"], one)
        assert dialog_of(mind.asked[-1].prompt)[0] == "hello again"


@pytest.mark.promise("rolling.idle")
async def test_who_was_closed_for_the_night_finds_the_day_before_summed_up(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    async with talking(home, action_dir, plain_mind(), clock=FakeClock(NOON), used=fresh_home) as (
        partner,
        watcher,
    ):
        one = await say(partner, watcher, ["number1: the fuses are in the blue tin.", "It is a green one."])
        other = await say(partner, watcher, ["A single question?"])
    clock, mind = FakeClock(NOON + timedelta(hours=20)), plain_mind()
    async with talking(home, action_dir, mind, clock=clock) as (partner, watcher):
        found = {(await rolled_in_time(partner, watcher, clock)).conversation_id for _ in range(2)}
        assert found == {one, other}
        (unit,) = await partner.memory.units(one)
        assert (unit.reason, await opened(partner, unit)) == ("idle", await line(partner, one))


@pytest.mark.promise("rolling.idle")
async def test_a_rest_that_nobody_saw_is_made_up_for_after_the_next_turn(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    async with talking(home, action_dir, plain_mind(), clock=FakeClock(NOON), used=fresh_home) as (
        partner,
        watcher,
    ):
        one = await say(partner, watcher, ["number1: the fuses are in the blue tin.", "It is a green one."])
    clock, mind = FakeClock(NOON + timedelta(hours=20)), plain_mind()
    async with talking(home, action_dir, mind, clock=clock) as (partner, watcher):
        await say(partner, watcher, ["Good day to you"], one)
        unit = await rolled(watcher)
        whole = await line(partner, one)
        assert (unit.reason, await opened(partner, unit)) == ("idle", whole[:4])
        await say(partner, watcher, ["And another"], one)
        assert dialog_of(mind.asked[-1].prompt) == [text for _, text in whole[4:]]
        assert "blue tin" in history_of(mind.asked[-1].prompt)


# Long messages.

_STORY = " ".join(f"Sentence {number} tells of Dr. Lee and her {number} boats." for number in range(60))
_CHINESE = "".join(f"第{number}句话说的是船和港口的故事。" for number in range(150))


@pytest.mark.promise("rolling.compress")
@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        (
            _STORY,
            "Sentence 0 tells of Dr. Lee and her 0 boats.",
            "Sentence 59 tells of Dr. Lee and her 59 boats.",
        ),
        (_CHINESE, "第0句话说的是船和港口的故事。", "第149句话说的是船和港口的故事。"),
        (
            "\n".join(f"def f{number}(): return {number}" for number in range(90)),
            "def f0(): return 0\n",
            "return 89",
        ),
        ("word " * 400, "word word", "word"),
        ("x" * 5_000, "xxx", "xxx"),
    ],
)
def test_a_long_message_is_shortened_where_sentences_end_and_says_so(
    text: str, begins: str, ends: str
) -> None:
    short = compressed(text)
    head, mark, tail = short.rpartition(" characters left out …]\n")
    head, _, number = head.rpartition("\n[… ")
    assert mark
    assert short.startswith(begins)
    assert short.endswith(ends)
    assert text.startswith(head)
    assert text.rstrip().endswith(tail.rstrip())
    assert int(number.replace(",", "")) == len(text) - len(head) - len(tail)
    assert len(short) <= 960
    assert compressed(short) == short
    if "." in text or "。" in text:
        assert head[-1] in ".。"
    assert "".join(sentences(text)) == text


def test_a_message_that_is_not_long_stays_as_it_is() -> None:
    for text in ("", "short", "a. " * (LONG // 3)):
        assert compressed(text) == text
    assert sentences("He came at 3.5 with Mr. Fox, e.g. late. Then? Yes!") == [
        "He came at 3.5 with Mr. Fox, e.g. late. ",
        "Then? ",
        "Yes!",
    ]


@pytest.mark.promise("rolling.compress")
async def test_a_long_message_is_kept_shortened_beside_its_unit_and_opens_as_it_was_said(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = plain_mind()
    summarised: list[Summarise] = []

    async def summarise(question: Summarise) -> str:
        summarised.append(question)
        return await mind.starter.ask(question)

    mind.add(Summarise.answered_by(summarise))
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        await partner.config.set("rolling", ("messages",), value=12)
        one = await say(partner, watcher, [_STORY, *facts(1, 5), _STORY.replace("boats", "cats")])
        unit = await rolled(watcher)
        assert (await opened(partner, unit))[0][1] == _STORY
        (first,) = [turn for turn in summarised[0].turns if turn.text.startswith("Sentence 0")]
        assert first.text == compressed(_STORY)
        await say(partner, watcher, [_STORY.replace("boats", "dogs")], one)
        carried = dialog_of(mind.asked[-1].prompt)
        assert carried[0] == compressed(_STORY.replace("boats", "cats"))
        await say(partner, watcher, ["and?"], one)
        assert carried == dialog_of(mind.asked[-1].prompt)[: len(carried)]
        assert _STORY.replace("boats", "dogs") in dialog_of(mind.asked[-1].prompt)
    with closing(sqlite3.connect(home.database)) as database:
        assert database.execute("SELECT position, text FROM memory_compressed").fetchall() == [
            (first.position, compressed(_STORY))
        ]


# What goes on meanwhile.


class HeldMind(ScriptedMind):
    """Sums up only when it may."""

    def __init__(self) -> None:
        super().__init__(lambda request: [f"Fine, {(request.text.split() or ['so'])[0]}."])
        self.add(Summarise.answered_by(self.summarise))
        self.may, self.asked_to = asyncio.Event(), asyncio.Event()

    async def summarise(self, question: Summarise) -> str:
        self.asked_to.set()
        await self.may.wait()
        return await self.starter.ask(question)


@pytest.mark.promise("rolling.concurrent")
async def test_what_is_said_while_it_rolls_is_answered_at_once_and_stays_as_it_was_said(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = HeldMind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        await partner.config.set("rolling", ("messages",), value=12)
        one = await say(partner, watcher, facts(0, 6))
        await mind.asked_to.wait()
        await say(partner, watcher, facts(6, 9), one)
        assert await partner.memory.units(one) == []
        assert len(dialog_of(mind.asked[-1].prompt)) == 16, "nothing is left out while it is not done"
        mind.may.set()
        unit = await rolled(watcher)
        whole = await line(partner, one)
        assert len(whole) == 18
        assert await opened(partner, unit) == whole[:10]
        await say(partner, watcher, ["and now?"], one)
        assert dialog_of(mind.asked[-1].prompt) == [text for _, text in whole[10:]]


@pytest.mark.promise("rolling.concurrent")
async def test_a_message_that_is_said_anew_while_it_rolls_is_in_the_unit_as_it_stands_then(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = HeldMind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, facts(0, 3))
        rolling = asyncio.ensure_future(partner.memory.roll(one))
        await mind.asked_to.wait()
        last = [each for each in await partner.messages.list(one) if each.role == "user"][-1]
        await partner.messages.edit(last.id, "number9: something else")
        await watcher.until(lambda event: event.type == "done")
        mind.may.set()
        unit = await rolling
        assert unit is not None
        assert "number2" not in unit.summary
        whole = await line(partner, one)
        assert await opened(partner, unit) == [each for each in whole if each[0] < unit.past]


async def test_a_conversation_that_is_deleted_while_it_rolls_leaves_nothing(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = HeldMind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, facts(0, 3))
        rolling = asyncio.ensure_future(partner.memory.roll(one))
        await mind.asked_to.wait()
        await partner.conversations.delete(one)
        mind.may.set()
        assert await rolling is None
        assert rolls(watcher.events) == []


async def test_a_reply_that_is_still_being_written_is_no_part_of_a_roll(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    gate = asyncio.Event()
    mind = ScriptedMind(lambda request: ["Well,", gate, " done."] if "hold on" in request.text else ["Fine."])
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, facts(0, 2))
        await partner.messages.send("hello, hold on", conversation_id=one)
        await mind.waits.wait()
        unit = await partner.memory.roll(one)
        assert unit is not None
        gate.set()
        await watcher.until(lambda event: event.type == "done")
        assert [text for _, text in await opened(partner, unit)][-1] == "hello, hold on"
        rest = await partner.memory.roll(one)
        assert rest is not None
        assert await opened(partner, rest) == (await line(partner, one))[-1:]
        assert (await partner.messages.list(one))[-1].state is MessageState.DONE


async def test_what_is_set_aside_leaves_the_summary_and_the_next_turn_has_the_words_until_it_is_made_anew(
    home: Home, action_dir: Path, fresh_home: Path
) -> None:
    mind = plain_mind()
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        one = await say(partner, watcher, ["Ann keeps bees.", "Bo keeps 14 hens.", "Cy keeps a goat."])
        before = await partner.memory.roll(one)
        assert before is not None
        assert "14 hens" in before.summary
        watcher.events.clear()
        said = next(each for each in await partner.messages.list(one) if each.text == "Bo keeps 14 hens.")
        await partner.messages.edit(said.id, "Bo keeps 15 ducks.")
        await watcher.until(lambda event: event.type == "done")
        assert dialog_of(mind.asked[-1].prompt)[0] == "Ann keeps bees."
        assert "14 hens" not in history_of(mind.asked[-1].prompt)
        unit = await rolled(watcher)
        assert unit.id == before.id
        assert "14 hens" not in unit.summary
        assert "bees" in unit.summary
        assert (await partner.memory.units(one))[0].summary == unit.summary


async def test_what_was_brought_in_is_summed_up_when_the_chat_goes_on(
    home: Home, action_dir: Path, fresh_home: Path, tmp_path: Path
) -> None:
    from tests.memory.chats import MARCH, brought_in, turn, written  # noqa: PLC0415 - of this test only

    mind = plain_mind()
    lines = [turn(f"Fact {number}: the tower has {number} steps.", conversation="old", at=MARCH.isoformat())
             for number in range(30)]  # fmt: skip
    async with talking(home, action_dir, mind, used=fresh_home) as (partner, watcher):
        await brought_in(partner, written(tmp_path / "old.jsonl", lines))
        (one,) = await partner.conversations.list()
        await say(partner, watcher, ["hello, going on"], one.id)
        assert len(dialog_of(mind.asked[-1].prompt)) == 30
        unit = await rolled(watcher)
        assert (unit.origin, bool(unit.summary)) == ("jsonl", True)
        await say(partner, watcher, ["and on"], one.id)
        assert dialog_of(mind.asked[-1].prompt) == ["hello, going on", "Fine, hello,."]
        assert "steps" in history_of(mind.asked[-1].prompt)
