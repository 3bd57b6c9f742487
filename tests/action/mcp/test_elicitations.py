"""The questions of servers belong to a run, and are answered by the person or not at all."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, Event, NoticeEvent
from partner_desktop.runner.mcp.elicitations import Elicitations
from tests.support import WAIT_S, FakeClock

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"day": {"type": "string", "format": "date"}, "seats": {"type": "integer", "maximum": 9}},
    "required": ["day"],
}
WRONG: list[dict[str, Any]] = [{}, {"day": "tomorrow"}, {"day": "2026-01-31", "seats": 10}]
RIGHT: dict[str, Any] = {"day": "2026-01-31", "seats": 2}


class Asking:
    """Questions of the run `run`, and what was told of them."""

    def __init__(self, *, in_window: bool = False) -> None:
        self.events: list[Event] = []
        self.clock = FakeClock()
        self.all = Elicitations(
            self.events.append,
            {"run": "exchange"}.__getitem__,
            clock=self.clock,
            patience=timedelta(minutes=30),
            reminder=timedelta(minutes=5),
            in_window=in_window,
        )

    def ask(self, name: str = "1", run: str = "run") -> asyncio.Task[ElicitationAnswer]:
        question = Elicitation(name, "booking", run, "conversation", "Which day?", SCHEMA)
        return asyncio.ensure_future(self.all.ask(question))

    def told(self) -> list[tuple[str, str, bool]]:
        events = [event for event in self.events if isinstance(event, ElicitationEvent)]
        return [(event.exchange_id, event.elicitation.id, event.open) for event in events]


async def until_open(asking: Asking, number: int = 1) -> None:
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(asking.all.open()) == number


async def test_an_answer_that_fits_reaches_the_server() -> None:
    asking = Asking()
    with asking.all.during("run"):
        answer = asking.ask()
        await until_open(asking)
        for wrong in WRONG:
            with pytest.raises(UsageError, match="does not fit"):
                await asking.all.answer("1", ElicitationAnswer("accept", wrong))
        await asking.all.answer("1", ElicitationAnswer("accept", RIGHT))
        assert await asyncio.wait_for(answer, WAIT_S) == ElicitationAnswer("accept", RIGHT)
    assert asking.told() == [("exchange", "1", True), ("exchange", "1", False)]
    with pytest.raises(UsageError, match="not open any more"):
        await asking.all.answer("1", ElicitationAnswer("decline"))


async def test_a_question_ends_with_its_run() -> None:
    asking = Asking()
    with asking.all.during("run"):
        answer = asking.ask()
        await until_open(asking)
    assert (await asyncio.wait_for(answer, WAIT_S)).verdict == "cancel"
    assert asking.all.open() == ()
    assert asking.told()[-1] == ("exchange", "1", False)


async def test_a_question_that_no_call_waits_for_is_not_put() -> None:
    asking = Asking()
    assert (await asyncio.wait_for(asking.ask(run="other"), WAIT_S)).verdict == "cancel"
    assert asking.told() == []


async def test_a_server_cannot_bury_the_person_in_questions() -> None:
    asking = Asking()
    with asking.all.during("run"):
        answers = [asking.ask(str(number)) for number in range(20)]
        await until_open(asking, 5)
        assert sum(answer.done() for answer in answers) == 15
    async with asyncio.timeout(WAIT_S):
        assert {(await answer).verdict for answer in answers} == {"cancel"}


def said(asking: Asking) -> list[str]:
    return [event.text for event in asking.events if isinstance(event, NoticeEvent)]


async def test_a_question_reminds_near_its_end_and_ends_as_cards_do() -> None:
    asking = Asking()
    with asking.all.during("run"):
        answer = asking.ask()
        await until_open(asking)
        asking.clock.move(timedelta(minutes=24, seconds=59))
        await until_open(asking)
        assert not said(asking)
        asking.clock.move(timedelta(seconds=1))
        await until_open(asking)
        assert said(asking) == ["It waits for an answer, for 5 minutes more. booking asks: Which day?"]
        asking.clock.move(timedelta(minutes=5))
        assert await asyncio.wait_for(answer, WAIT_S) == ElicitationAnswer("cancel")
    assert said(asking)[1:] == ["Nobody answered in time, so it was cancelled. booking asks: Which day?"]
    assert asking.told()[-1] == ("exchange", "1", False)


@pytest.mark.parametrize("in_window", [False, True])
async def test_where_nobody_can_be_asked_a_question_is_cancelled_at_once_unless_there_is_a_window(
    in_window: bool,
) -> None:
    asking = Asking(in_window=in_window)
    asking.all.nobody_in("exchange")
    with asking.all.during("run"):
        answer = asking.ask()
        if in_window:
            await until_open(asking)
            answer.cancel()
            return
        assert await asyncio.wait_for(answer, WAIT_S) == ElicitationAnswer("cancel")
    assert asking.told() == [("exchange", "1", False)]
    assert said(asking) == ["Nobody can be asked here, so it was cancelled. booking asks: Which day?"]
