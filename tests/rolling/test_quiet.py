"""A model sums up while nobody waits for an answer: a turn that begins ends its work, which is done later."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.capabilities import SumUp
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import DialogRolledEvent, Event, NoticeEvent, TurnEvent
from partner_desktop.domain.remembered import MemoryUnit, RememberedTurn, RollReason, UnrolledDialog
from partner_desktop.mind.question import Summarise
from partner_desktop.rolling.roller import DialogRoller, RollingSettings
from tests.mind.scripted_models import ScriptedModels
from tests.runtime.minds import ScriptedMind
from tests.support import FakeClock

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class OneDialog:
    """A `UnitCapability` over one conversation of ten turns."""

    def __init__(self, problem: UsageError | None = None) -> None:
        self.kept: list[MemoryUnit] = []
        self.problem = problem
        self.most: list[int] = []
        """Turns that were asked for at once."""

    async def units(self, conversation_id: str) -> list[MemoryUnit]:
        return self.kept

    async def unrolled(self, conversation_id: str, *, most: int = 2**62) -> UnrolledDialog:
        self.most.append(most)
        if self.kept:
            return UnrolledDialog(11, 11, ())
        turns = [
            RememberedTurn(f"m{number}", "c", "", number, "user", f"Fact {number}", AT)
            for number in range(1, 11)
        ]
        return UnrolledDialog(0, 11, tuple(turns))

    async def resting(self, since: datetime, until: datetime) -> list[str]:
        return ["c"]

    async def keep(
        self,
        conversation_id: str,
        first: int,
        past: int,
        *,
        origin: str = "",
        reason: RollReason = "",
        sum_up: SumUp | None = None,
    ) -> MemoryUnit | None:
        if self.problem is not None:
            raise self.problem
        assert sum_up is not None
        turns = (await self.unrolled(conversation_id)).turns
        summaries = await sum_up([turns])
        unit = MemoryUnit("u", conversation_id, first, past, AT, summary=summaries.unit, reason=reason)
        self.kept.append(unit)
        return unit

    async def sum_anew(self, unit: MemoryUnit, sum_up: SumUp) -> MemoryUnit | None:
        raise AssertionError("nothing has lost its summary")


class SlowModel(ScriptedMind):
    """A mind whose summaries come when they may; plain ones come at once."""

    def __init__(self) -> None:
        super().__init__()
        self.add(Summarise.answered_by(self.summarise))
        self.asked_for, self.may = asyncio.Queue[None](), asyncio.Event()

    async def summarise(self, question: Summarise) -> str:
        if question.plain:
            return "by words"
        self.asked_for.put_nowait(None)
        await self.may.wait()
        return "by the model"


class Rolling:
    """A roller, and what it told."""

    def __init__(self, problem: UsageError | None = None) -> None:
        self.events: list[Event] = []
        self.dialog, self.mind = OneDialog(problem), SlowModel()
        settings = ConfigHandle("rolling", RollingSettings())
        clock = FakeClock(AT + timedelta(hours=2))
        self.roller = DialogRoller(self.dialog, ScriptedModels(), settings, self.events.append, clock=clock)
        self.roller.think_with(self.mind)

    def turn(self, *, ends: bool) -> None:
        event = TurnEvent(turn_id="t", state="ended" if ends else "started")
        assert self.roller.accepts(event)
        self.roller.deliver(event)


async def test_a_turn_that_begins_has_the_model_for_itself_and_the_summary_is_made_after_it() -> None:
    rolling = Rolling()
    work = asyncio.ensure_future(rolling.roller.roll_due("c"))
    await rolling.mind.asked_for.get()
    rolling.turn(ends=False)
    await asyncio.sleep(0)
    rolling.mind.may.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert rolling.mind.asked_for.empty(), "nothing is asked while somebody waits"
    assert not work.done()
    rolling.turn(ends=True)
    assert await work
    assert [unit.summary for unit in rolling.dialog.kept] == ["by the model"]
    assert rolling.dialog.most[0] < 200, "a dialog of ten thousand would be read whole for each unit"
    assert [
        event.unit for event in rolling.events if isinstance(event, DialogRolledEvent)
    ] == rolling.dialog.kept


async def test_who_is_interrupted_too_often_does_without_a_model() -> None:
    rolling = Rolling()
    work = asyncio.ensure_future(rolling.roller.roll_due("c"))
    for _ in range(3):
        await rolling.mind.asked_for.get()
        rolling.turn(ends=False)
        await asyncio.sleep(0)
        rolling.turn(ends=True)
    assert await work
    assert [unit.summary for unit in rolling.dialog.kept] == ["by words"]


@pytest.mark.promise("rolling.concurrent")
async def test_two_rolls_at_once_come_one_after_the_other_and_take_nothing_twice() -> None:
    rolling = Rolling()
    rolling.mind.may.set()
    by_hand, due = await asyncio.gather(rolling.roller.roll_all("c"), rolling.roller.roll_due("c"))
    assert due
    assert by_hand is not None
    assert rolling.dialog.kept == [by_hand]


async def test_what_cannot_be_rolled_is_told_in_one_sentence_and_by_hand_raised() -> None:
    rolling = Rolling(UsageError("It keeps changing."))
    assert not await rolling.roller.roll_due("c")
    (notice,) = rolling.events
    assert isinstance(notice, NoticeEvent)
    assert notice.text == "A conversation could not be summed up, and stays as it is: It keeps changing."
    assert not await rolling.roller.roll_due("c"), "it is tried again"
    assert rolling.events == [notice], "and not told again"
    with pytest.raises(UsageError, match="It keeps changing"):
        await rolling.roller.roll_all("c")
