"""The window's loop: asyncio on the loop of Qt.

qasync takes a timer of Qt for each callback, and begins ten threads with the first that is asked for. Here
all that is due runs in one round behind one timer, as in asyncio's own loop, and threads come as they are
needed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context

import qasync
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

_MOST_THREADS = 10


class _Waker(QObject):
    """Told on any thread, heard on that of the window."""

    woken = Signal()


class WindowLoop(qasync.QEventLoop):  # type: ignore[misc] # qasync has no types
    """Callbacks run only while it runs; those that came before or after wait for the next time."""

    def __init__(self, app: QApplication) -> None:
        self._due: deque[asyncio.Handle] = deque()
        self._round = QTimer(interval=0)
        self._round.timeout.connect(self._run_due)
        self._waker = _Waker()
        self._waker.woken.connect(self._wake)
        super().__init__(app)
        self.set_default_executor(ThreadPoolExecutor(_MOST_THREADS, "window"))

    def call_soon(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """As of asyncio."""
        handle = asyncio.Handle(callback, args, self, context)
        self._due.append(handle)
        self._wake()
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        """As of asyncio."""
        handle = asyncio.Handle(callback, args, self, context)
        self._due.append(handle)
        self._waker.woken.emit()
        return handle

    def run_forever(self) -> None:
        """As of asyncio."""
        if self._due:
            self._wake()
        super().run_forever()

    def close(self) -> None:
        """As of asyncio."""
        super().close()
        self._round.stop()
        self._due.clear()

    def _wake(self) -> None:
        if not self._round.isActive() and not self.is_closed():
            self._round.start()

    def _run_due(self) -> None:
        """One round: what comes due in it has its turn in the next, after what Qt has."""
        count = len(self._due)
        self._round.start()  # anew: a menu that is open inside of this round has a loop that goes on
        while count and self._due and self.is_running():
            count -= 1
            handle = self._due.popleft()
            if not handle.cancelled():
                handle._run()  # noqa: SLF001 - the part of a loop
        if not self._due or not self.is_running():
            self._round.stop()
