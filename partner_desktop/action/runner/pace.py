"""Pace: from another thread to the loop, not more often than a person can look."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable

#: Seconds between two that are passed on. A program may print thousands of times in that time.
PACE_S = 0.1


class Pace:
    """Calls `work` on the loop soon after a `wake`, and then at most once in `pace_s` while wakes come.

    Made on the loop; `wake` is for any thread. `close`, on the loop, does what is left and ends it.
    """

    def __init__(self, work: Callable[[], None], *, pace_s: float = PACE_S) -> None:
        self._work = work
        self._pace_s = pace_s
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._wanted = self._awake = False
        self._pause: asyncio.TimerHandle | None = None
        self._over = False

    def wake(self) -> None:
        """There is something to do."""
        with self._lock:
            self._wanted = True
            if self._awake:
                return
            self._awake = True
        with contextlib.suppress(RuntimeError):  # the loop was closed under the run
            self._loop.call_soon_threadsafe(self._go_on)

    def close(self) -> None:
        """Do what is left; later wakes do nothing."""
        if self._over:
            return
        self._over = True
        if self._pause is not None:
            self._pause.cancel()
        if self._wanted:
            self._work()

    def _go_on(self) -> None:
        if self._over:
            return
        with self._lock:
            wanted, self._wanted = self._wanted, False
            self._awake = wanted
        if wanted:
            self._work()
            self._pause = self._loop.call_later(self._pace_s, self._go_on)
