"""WindowLoop: asyncio on Qt's loop, with one Qt timer for all that is due.

qasync alone starts a Qt timer for each callback, and keeps one that was cancelled until it would have been
due. Here callbacks run in the order in which they came, several in one event of Qt's, for a few milliseconds
at the most: then whatever else Qt has to do has its turn. A callback that waits in a loop of Qt's own (a
dialog) keeps no other from running meanwhile. While the loop does not run, nothing does, although somebody
may handle Qt's events: a task would find no running loop. It comes first when the loop runs again.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context
from itertools import count
from typing import Any

import qasync
from PySide6.QtCore import QBasicTimer, QObject, QTimerEvent
from PySide6.QtWidgets import QApplication

#: Seconds for which callbacks run before Qt's own events have their turn.
_TURN_S = 0.004
#: What is due within so many seconds is due: Qt counts milliseconds.
_EARLY_S = 0.0005
_LONGEST_MS = 2**31 - 1
#: Fewer than these are not looked through for cancelled ones.
_FEW = 64


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc] # qasync has no types
    """The window's loop."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._calls = DueCalls(self.is_running)

    def call_soon(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """As of asyncio, and as quick: each step of each task passes here."""
        handle = asyncio.Handle(callback, args, self, context=context)
        self._calls.add_now(handle)
        return handle

    def _add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        """Where qasync's other ways to call something later meet."""
        self._calls.add(handle, delay)
        return handle

    def close(self) -> None:
        super().close()
        self._calls.stop()


class DueCalls(QObject):
    """What is to be called, now and later, and the timer that calls it."""

    def __init__(self, runs: Callable[[], bool]) -> None:
        super().__init__()
        self._runs = runs
        """Whether anything may be called now."""
        self._ready: deque[asyncio.Handle] = deque()
        self._later: list[tuple[float, int, asyncio.Handle]] = []
        self._numbers = count()
        self._soon_timer, self._later_timer = QBasicTimer(), QBasicTimer()
        self._due_s = math.inf
        """When the timer of what is later goes off."""
        self._looked_through = _FEW
        self._stopped = False

    def add(self, handle: asyncio.Handle, delay_s: float) -> None:
        """Call it as soon as Qt's loop goes on, or so many seconds later."""
        if delay_s <= 0:
            self.add_now(handle)
            return
        due_s = time.monotonic() + delay_s
        heapq.heappush(self._later, (due_s, next(self._numbers), handle))
        self._forget_cancelled()
        if due_s < self._due_s:
            self._arm()

    def add_now(self, handle: asyncio.Handle) -> None:
        """Call it as soon as Qt's loop goes on."""
        self._ready.append(handle)
        self._wake()

    def stop(self) -> None:
        self._stopped = True
        self._soon_timer.stop()
        self._later_timer.stop()
        self._ready.clear()
        self._later.clear()

    def _wake(self) -> None:
        if not self._soon_timer.isActive() and not self._stopped:
            self._soon_timer.start(0, self)

    def _arm(self) -> None:
        """Let the timer go off when the next is due."""
        self._later_timer.stop()
        self._due_s = self._later[0][0] if self._later else math.inf
        if self._later and not self._stopped:
            wait_ms = math.ceil(1_000 * (self._due_s - time.monotonic()))
            self._later_timer.start(min(_LONGEST_MS, max(0, wait_ms)), self)

    def _forget_cancelled(self) -> None:
        """Of what is later; looked through again once there is twice as much."""
        if len(self._later) > self._looked_through:
            self._later = [one for one in self._later if not one[2].cancelled()]
            heapq.heapify(self._later)
            self._looked_through = max(_FEW, 2 * len(self._later))

    def timerEvent(self, event: QTimerEvent) -> None:
        # A timer does not go off within its own event: whoever opens a loop of Qt's gets a new one.
        if event.timerId() == self._later_timer.timerId():
            self._take_due()
        else:
            self._soon_timer.stop()
        self._run()

    def _take_due(self) -> None:
        now_s = time.monotonic() + _EARLY_S
        while self._later and self._later[0][0] <= now_s:
            self._ready.append(heapq.heappop(self._later)[2])
        self._arm()

    def _run(self) -> None:
        """Those that are ready now; what they add comes after Qt's own events."""
        end_s = time.monotonic() + _TURN_S
        for _ in range(len(self._ready)):
            if not self._ready or not self._runs() or time.monotonic() > end_s:
                break
            handle = self._ready.popleft()
            if self._ready:
                self._wake()  # also for a loop of Qt's that this one may open
            if not handle.cancelled():
                _call(handle)
        if self._ready:
            self._wake()
        else:
            self._soon_timer.stop()


def _call(handle: Any) -> None:  # noqa: ANN401 - what a loop does with it has no public name
    handle._run()  # noqa: SLF001 - as every loop does
