"""Interruption: how a turn learns that more was said, and how slow work in it ends early.

Contract: an interruption is cooperative. What is done stays done; only what is awaited through
`unless_interrupted` ends at once, and that must be work without lasting effects (a question to a mind).

`QuietTurns` is work for a mind that gives way to whoever waits for an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from partner_desktop.domain.events import TurnEvent

T = TypeVar("T")


class TurnInterrupted(Exception):  # noqa: N818 - an outcome, not an error: it is never reported as a failure
    """More was said: this turn runs again with everything."""


class Interruption:
    """One run of a turn's modules, and whether it is to end early. Used on the loop only."""

    def __init__(self) -> None:
        self.asked = False
        """Whether more was said."""
        self._bell: asyncio.Future[None] | None = None

    def ask(self) -> None:
        """Let the run end as soon as it can."""
        self.asked = True
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    async def unless_asked(self, work: Coroutine[Any, Any, T]) -> T:
        """The outcome of `work`, which runs in a task of its own and is cancelled when more was said.

        Raises:
            TurnInterrupted: More was said before it was done.
        """
        if self.asked:
            work.close()
            raise TurnInterrupted
        loop = asyncio.get_running_loop()
        self._bell = self._bell or loop.create_future()
        task = loop.create_task(work, name="interruptible")
        try:
            first: set[asyncio.Future[Any]] = {task, self._bell}
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await _ended(task)
            raise
        if task.done():
            return task.result()
        await _ended(task)
        raise TurnInterrupted


async def _ended(task: asyncio.Task[Any]) -> None:
    """Cancel and wait for the clean-up; what it raises there matters to nobody any more.

    A cancellation that comes meanwhile is raised after it: who goes on must know how the work was left.
    """
    task.cancel()
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if not task.cancelled():
        task.exception()
    if cancelled:
        raise asyncio.CancelledError


class QuietTurns:
    """Hears of turns; used on the loop only."""

    def __init__(self) -> None:
        self._turns: set[str] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._asking = Interruption()

    def hear(self, event: TurnEvent) -> None:
        """A turn began, or is over."""
        if event.state == "started":
            self._turns.add(event.turn_id)
            self._quiet.clear()
            self._asking.ask()
        else:
            self._turns.discard(event.turn_id)
            if not self._turns:
                self._quiet.set()

    async def wait(self) -> None:
        """Until no turn goes on."""
        await self._quiet.wait()

    async def unless_disturbed(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives.

        Raises:
            TurnInterrupted: A turn began; the work is ended.
        """
        self._asking = Interruption()
        return await self._asking.unless_asked(work)
