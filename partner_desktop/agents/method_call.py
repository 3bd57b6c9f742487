"""Calling a method of an agent, which is somebody else's code, so that it keeps nothing of ours from running.

One that is no coroutine runs on a thread of its own. Such a thread cannot be stopped: one that never returns
is left behind, and holds up neither the loop nor the end of the process. Whatever it raises comes out of
here; what would end the loop itself is held back by whoever calls.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from partner_desktop.base.clock import Clock

T = TypeVar("T")


async def call_method(method: Callable[..., object], arguments: Mapping[str, object]) -> object:
    """What it gives."""
    if inspect.iscoroutinefunction(method):
        found: object = await method(**arguments)
        return found
    return await on_own_thread(lambda: method(**arguments))


async def on_own_thread(work: Callable[[], T]) -> T:
    """Run something that may block for ever."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    results: list[T] = []
    errors: list[BaseException] = []
    context = contextvars.copy_context()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is raised on where it is waited for
            errors.append(error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="agent method", daemon=True).start()
    await done.wait()
    if errors:
        raise errors[0]
    return results[0]


async def within_limit(limit_s: float, work: Awaitable[T], clock: Clock) -> T:
    """The result, if it is there in time by this clock.

    Raises:
        TimeoutError: It is not; the work was cancelled.
    """
    task = asyncio.ensure_future(work)
    timer = asyncio.ensure_future(clock.sleep(limit_s))
    try:
        await asyncio.wait((task, timer), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        for each in (task, timer):
            each.cancel()
        await asyncio.wait((task, timer), timeout=1.0)
