"""Blocking work of a builtin, in a thread that ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from partner_desktop.action.runner.builtin.ground import Stop

T = TypeVar("T")


async def off_loop(work: Callable[[Stop], T]) -> T:
    """Run `work` in a thread. A cancellation tells it to stop, and is raised when it has: what was half made
    is cleaned up by then.

    Raises:
        Whatever `work` raises.
    """
    stop = Stop()
    task = asyncio.get_running_loop().run_in_executor(None, work, stop)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([task], timeout=_CLEAN_UP_S)
        if task.done() and not task.cancelled():
            task.exception()  # it was told to stop: how it did is nobody's business
        raise


#: Seconds that stopped work is given to clean up after itself.
_CLEAN_UP_S = 4.0
