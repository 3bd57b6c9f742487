"""StartGate: so many servers may begin at the same instant; one that hangs keeps no other waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

#: Processes that are started at the same instant.
AT_ONCE = 8
#: After so long a start has done what makes it heavy, or hangs: the next one may begin.
_TURN_S = 0.5


class StartGate:
    """Shared by all servers of a Partner."""

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Callable[[], None]]:
        """Wait for a place; what it gives lets go of it before the end of the block, as does time."""
        await self._places.acquire()
        held = True

        def let_go() -> None:
            nonlocal held
            if held:
                held = False
                self._places.release()

        timer = asyncio.get_running_loop().call_later(_TURN_S, let_go)
        try:
            yield let_go
        finally:
            timer.cancel()
            let_go()
