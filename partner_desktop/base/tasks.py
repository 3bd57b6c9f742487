"""Supervised background tasks.

Contract: every task has a name and an owner (the TaskSet it was started in). A task that raises is
logged and reported, never lost: to its owner, or to whoever takes the errors of the loop (`take_errors`)
where the owner does not. `close` cancels what still runs, waits for it within a limit, and names what did
not end. Cancellation is never swallowed.
"""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from partner_desktop.base import log

_log = log.area("tasks")

#: Seconds that cancelled tasks are given to clean up.
CLOSE_TIMEOUT_S = 5.0


T = TypeVar("T")
P = ParamSpec("P")


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end even if the caller is cancelled meanwhile; the cancellation is raised after it.

    For steps that must not stop half-way. Keep them short: nothing else can end them.
    """
    task = asyncio.get_running_loop().create_task(work, name="uninterrupted")
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):  # the first one is raised on below
                await asyncio.wait([task])
        if not task.cancelled() and task.exception() is not None:
            _log.error("an uninterrupted step failed", exc_info=task.exception())
        raise


def uninterruptible(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Each call of a method runs `uninterrupted`."""

    @wraps(work)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await uninterrupted(work(*args, **kwargs))

    return run


#: Every set that lives; for `still_running` only.
_sets: weakref.WeakSet[TaskSet] = weakref.WeakSet()

#: Takes an error and the name of its task.
TakeError = Callable[[BaseException, str], None]
_takers: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, list[TakeError]] = weakref.WeakKeyDictionary()


def take_errors(take: TakeError) -> Callable[[], None]:
    """Take the errors of every set of the running loop whose owner does not; the newest taker gets them.

    Returns the undo.
    """
    takers = _takers.setdefault(asyncio.get_running_loop(), [])
    takers.append(take)
    return lambda: takers.remove(take) if take in takers else None


def still_running() -> list[asyncio.Task[Any]]:
    """The tasks of this loop that outlived the closing of their set; their names are `owner:name`."""
    loop = asyncio.get_running_loop()
    return [task for each in _sets for task in each.left_behind if task.get_loop() is loop]


class TaskSet:
    """The tasks of one owner."""

    def __init__(self, owner: str, *, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._owner = owner
        self._on_error = on_error
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        _sets.add(self)

    @property
    def left_behind(self) -> list[asyncio.Task[Any]]:
        """What still runs although the set was closed."""
        return [task for task in self._tasks if not task.done()] if self._closed else []

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` in the background under `name`.

        Raises:
            RuntimeError: The set is closed; `work` is closed unrun.
        """
        if self._closed:
            work.close()
            raise RuntimeError(f"{self._owner} is closed; {name} was not started")
        task = asyncio.get_running_loop().create_task(work, name=f"{self._owner}:{name}")
        self._tasks.add(task)
        task.add_done_callback(self._settled)
        return task

    def _settled(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        takers = _takers.get(task.get_loop())
        if self._on_error is None and takers:
            takers[-1](error, task.get_name())  # who takes it logs it too
            return
        _log.error("%s failed", task.get_name(), exc_info=error)
        if self._on_error is not None:
            self._on_error(error)

    async def close(self) -> None:
        """Cancel and await everything; idempotent."""
        self._closed = True
        pending = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in pending:
            task.cancel()
        if pending:
            _, stuck = await asyncio.wait(pending, timeout=CLOSE_TIMEOUT_S)
            for task in stuck:
                _log.error("%s did not end within %s s", task.get_name(), CLOSE_TIMEOUT_S)
