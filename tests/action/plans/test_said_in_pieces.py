"""Requests that come in several messages of one turn: pieces of one, or several."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, ReplyEvent, TurnEvent
from tests.action.plans.asking import Desk, desk_of, stages
from tests.support import FakeClock

pytestmark = pytest.mark.integration


class Pieces:
    """Messages that come before the pause is over."""

    def __init__(self, desk: Desk, quiet: FakeClock) -> None:
        self.desk = desk
        self._quiet = quiet

    async def say(self, *texts: str) -> str:
        """All of them in one turn; the last answer."""
        for text in texts:
            message = await self.desk.partner.messages.send(text, conversation_id=self.desk.conversation_id)
            self.desk.conversation_id = message.conversation_id
        await self._until(lambda event: isinstance(event, TurnEvent) and event.state == "ended")
        return [each.text for each in self.desk.watcher.events if isinstance(each, ReplyEvent) and each.done][
            -1
        ]

    async def answered(self, text: str) -> None:
        """Say it, and wait for the answer, which may still be taken back."""
        message = await self.desk.partner.messages.send(text, conversation_id=None)
        self.desk.conversation_id = message.conversation_id
        await self.desk.watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)

    async def _until(self, fits: object) -> Event:
        waiting = asyncio.ensure_future(self.desk.watcher.until(fits))  # type: ignore[arg-type]  # a predicate
        while not waiting.done():
            self._quiet.move(timedelta(milliseconds=100))
            await asyncio.wait([waiting], timeout=0.01)
        return waiting.result()


@pytest.fixture
async def pieces(home: Home, action_dir: Path, user_home: Path) -> AsyncIterator[Pieces]:
    (user_home / "Pictures").mkdir()
    quiet = FakeClock()
    desk = desk_of(home, action_dir, quiet=quiet)
    await desk.partner.launch()
    try:
        yield Pieces(desk, quiet)
    finally:
        await desk.partner.close()


@pytest.mark.promise("actions.extract")
async def test_a_message_that_goes_on_with_the_one_before_is_a_stage_of_the_same_action(
    pieces: Pieces,
) -> None:
    await pieces.say("find duplicates in ~/Pictures", "and then zip it")
    chain = await pieces.desk.chain()
    assert [step.title for step in chain.steps] == ["Find duplicates", "Zip folder"]


async def test_messages_that_begin_anew_are_actions_of_their_own(pieces: Pieces) -> None:
    await pieces.say("zip ~/Pictures", "find duplicates in ~/Pictures")
    actions = await pieces.desk.partner.actions.list()
    assert sorted(action.title for action in actions) == ["Find duplicates", "Zip folder"]
    assert all(action.chain is None for action in actions)
    assert pieces.desk.mind.put == [], "neither is compound, and together they are no request"


async def test_what_was_left_out_is_told_also_when_the_turn_runs_again(pieces: Pieces) -> None:
    pieces.desk.mind.cut = stages("find duplicates in ~/Pictures", "dance the tango", "zip it")
    await pieces.answered("find duplicates in ~/Pictures, dance the tango and zip it")
    pieces.desk.mind.cut = None
    answer = await pieces.say("thanks")
    assert len(pieces.desk.mind.put) == 1, "what was begun is not begun again"
    assert "Find duplicates" in answer
    assert "I left out “dance the tango”" in answer
