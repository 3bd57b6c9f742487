"""Whose call goes first: a server mostly takes calls as they come, so what can wait is held back here."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from partner_desktop.model.chat import Priority

#: Servers compute some calls at once; more would only wait there, where nobody puts them in order.
MOST_AT_ONCE = 4


@dataclass(order=True)
class _Waiting:
    priority: Priority
    number: int
    go: asyncio.Future[None] = field(compare=False)


class Turns:
    """Lets the more urgent call go first, and one in the background only while no other is under way."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._waiting: list[_Waiting] = []
        self._under_way: list[Priority] = []
        self._numbers = count()

    @asynccontextmanager
    async def turn(self, priority: Priority) -> AsyncIterator[None]:
        """One call's."""
        mine = _Waiting(priority, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, mine)
        self._go_on()
        try:
            await mine.go
            yield
        finally:
            if mine.go.done() and not mine.go.cancelled():
                self._under_way.remove(priority)
            else:
                mine.go.cancel()
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting and len(self._under_way) < self._most:
            first = self._waiting[0]
            if first.go.cancelled():
                heapq.heappop(self._waiting)
                continue
            if (
                first.priority is Priority.BACKGROUND
                and min(self._under_way, default=first.priority) < first.priority
            ):
                return
            heapq.heappop(self._waiting)
            self._under_way.append(first.priority)
            first.go.set_result(None)
