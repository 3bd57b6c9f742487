"""Supervised background tasks, what is made when it is first wanted, and the heartbeat of the loop they
run on.

Contract: every task has a name and an owner (the TaskSet it was started in). A task that raises is logged
and reported, never lost: to its owner, or to whoever takes the errors of the loop (`take_errors`) where
the owner does not. `close` cancels what still runs, waits for it within a limit, and names what did not
end. Cancellation is never swallowed.

Contract: what is Deferred is made once, in a thread, for making it may take a long import that nothing on
the loop should wait behind; who wants it meanwhile waits for the same one. A making that failed, or whose
waiter was cancelled, is tried anew.

Heartbeat: how long anything kept the loop from running. A gap is the time by which a beat came late.
Nothing on the loop may block, so gaps stay short. While nothing happens it rests: fifty beats a second
would be most of what an idle Partner costs. Whoever hears that something begins tells it (`quicken`); work
that nobody told of is seen by what the loop's thread spent on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from collections import deque
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

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


async def happens(event: asyncio.Event) -> None:
    """For a task that ends with an event."""
    await event.wait()


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


def report_error(error: BaseException, name: str, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Say that something failed that goes on all the same, as if a task of this name had ended by it."""
    takers = _takers.get(loop or asyncio.get_running_loop())
    if takers:
        takers[-1](error, name)  # who takes it logs it too
    else:
        _log.error("%s failed", name, exc_info=error)


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
        if self._on_error is None:
            report_error(error, task.get_name(), loop=task.get_loop())
            return
        _log.error("%s failed", task.get_name(), exc_info=error)
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


_heart_log = log.area("heartbeat")

PERIOD_S = 0.02
#: A gap above this is a defect.
LIMIT_S = 0.05
_KEPT = 5_000
#: Beats after which the thread is looked at, and how long a rest lasts at most.
_ROUND, _REST_S = 50, 2.0
#: Of its time. The beats themselves and a blinking caret take less.
_BUSY_SHARE = 0.04


class Heartbeat:
    """Beats on the running loop while its task runs; `gaps_s` holds the last lateness values."""

    def __init__(self) -> None:
        self.gaps_s: deque[float] = deque(maxlen=_KEPT)
        self._wanted = asyncio.Event()
        self._spent_s = self._looked_s = 0.0

    def quicken(self) -> None:
        """Something begins."""
        self._wanted.set()

    async def run(self) -> None:
        """Beat until cancelled."""
        self._busy()
        while True:
            for _ in range(_ROUND):
                await self._beat(PERIOD_S)
            if self._wanted.is_set() or self._busy():
                self._wanted.clear()
                continue
            while not self._wanted.is_set() and not self._busy():
                await self._beat(_REST_S)

    async def _beat(self, period_s: float) -> None:
        due = time.monotonic() + period_s
        if period_s == PERIOD_S:
            await asyncio.sleep(period_s)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), period_s)
        gap = max(0.0, time.monotonic() - due)
        self.gaps_s.append(gap)
        if gap > LIMIT_S:
            _heart_log.info("the loop was held for %.0f ms", gap * 1000)

    def _busy(self) -> bool:
        """Whether the loop's thread had work since the last look."""
        spent_s, now_s = time.thread_time(), time.monotonic()
        share = (spent_s - self._spent_s) / max(1e-3, now_s - self._looked_s)
        self._spent_s, self._looked_s = spent_s, now_s
        return share > _BUSY_SHARE


Made = TypeVar("Made")


class Deferred(Generic[Made]):
    """`make` is called in a thread, so it only builds: what it makes is used on the loop."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._making = asyncio.Lock()
        self._made: list[Made] = []

    async def get(self) -> Made:
        """The one that was made."""
        if not self._made:
            async with self._making:
                if not self._made:
                    self._made.append(await asyncio.to_thread(self._make))
        return self._made[0]
