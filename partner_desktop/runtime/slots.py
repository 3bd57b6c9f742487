"""TurnSlots: how many turns may run at once, first come, first served."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class TurnSlots:
    """A fair limit that may change at any time; turns that run keep their slot."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot for the length of the block."""
        await self._take()
        try:
            yield
        finally:
            self._taken -= 1
            self.look()

    async def _take(self) -> None:
        if not self._waiting and self._taken < self._limit():
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given a slot in the same moment
                self._taken -= 1
            elif turn in self._waiting:
                self._waiting.remove(turn)
            self.look()
            raise

    def look(self) -> None:
        """Let in who has room; also after the limit was changed."""
        while self._waiting and self._taken < self._limit():
            turn = self._waiting.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)
