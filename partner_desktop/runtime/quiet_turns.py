"""QuietTurns: work for a mind that gives way to whoever waits for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from partner_desktop.domain.events import TurnEvent
from partner_desktop.runtime.interruption import Interruption

T = TypeVar("T")


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
