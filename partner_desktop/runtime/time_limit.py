"""One step of a shutdown, held within its time: it may raise, hang or cancel itself, and the next one comes.

Contract: `bounded` returns when the step ended, or when its time and the grace after it are over; it raises
nothing but the caller's own cancellation. A step that does not end even when it is cancelled is left behind
and named.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from partner_desktop.base import log
from partner_desktop.base.clock import Clock

_log = log.area("lifecycle")

#: What a step that was cancelled may take to clean up.
GRACE_S = 1.0


async def bounded(
    name: str, step: Callable[[], Awaitable[None]], *, limit_s: float, clock: Clock
) -> asyncio.Task[None] | None:
    """Run `step` for at most `limit_s`; the task that had to be left behind, if any."""
    task = asyncio.get_running_loop().create_task(_contained(name, step), name=f"close:{name}")
    try:
        await asyncio.sleep(0)  # most steps have nothing to wait for, and need no timer
        if not task.done() and not await _ended(task, limit_s, clock):
            _log.error("%s did not shut down within %s s", name, limit_s)
            task.cancel()
            if not await _ended(task, GRACE_S, clock):
                return task
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.cancelled():
        _log.error("%s was cancelled while it shut down", name)
    return None


async def _contained(name: str, step: Callable[[], Awaitable[None]]) -> None:
    try:
        await step()
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - one failing step never keeps the others open
        _log.error("shutdown of %s failed", name, exc_info=error)


async def _ended(task: asyncio.Task[None], limit_s: float, clock: Clock) -> bool:
    """Whether it ended by itself in time."""
    timer = asyncio.get_running_loop().create_task(_wait(clock, limit_s), name="close:timer")
    try:
        await asyncio.wait((task, timer), return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()
        await asyncio.wait((timer,))
    return task.done()


async def _wait(clock: Clock, limit_s: float) -> None:
    await clock.sleep(limit_s)
