"""Garbage collection on the window's own thread.

Python collects cycles on whatever thread happens to allocate. A Qt object in such a cycle would then be
destroyed off the window's thread, on the database's or a run's, and take the process down. So the automatic
collection is switched off while the window lives, and done here by the same thresholds.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 1_000
#: A round over everything holds the loop for tens of milliseconds; what needs one can wait this long.
_FULL_ROUND_S = 300.0


def _give_back() -> None:
    """What start-up asked of the C library and freed again goes back to the system (malloc_trim(3))."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(ctypes.c_size_t(0))


class GarbageCollector(QObject):
    """Collects while it lives; `close` gives the job back to Python."""

    def __init__(self) -> None:
        super().__init__()
        self._was_enabled = gc.isenabled()
        self._full_round_at_s = time.monotonic()
        gc.disable()
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._collect_due)
        self._timer.start()

    @staticmethod
    def started_up() -> None:
        """What start-up made stays for good: leave it out of later rounds, which keeps them short.

        Without a round before it, which would hold the loop; the little that start-up dropped stays too.
        """
        gc.freeze()
        _give_back()

    def _collect_due(self) -> None:
        """The oldest generation that is due takes the younger ones along."""
        if time.monotonic() - self._full_round_at_s > _FULL_ROUND_S:
            gc.collect()
            self._full_round_at_s = time.monotonic()
            return
        for generation in (1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return

    def close(self) -> None:
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
