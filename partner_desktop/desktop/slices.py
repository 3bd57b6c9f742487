"""Long work on the window's thread, a slice at a time, with the loop free in between.

For what may not leave the thread (documents, widgets) and what gains nothing by it: parsing in Python on a
second thread would make every call of Qt into Python wait for the interpreter. All work of a window shares
one slice a round, so that ten long replies hold the loop no longer than one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

#: What a round of work may take; the step that is under way then is still finished.
SLICE_S = 0.006
#: The pause after a slice: others come first.
_PAUSE_MS = 4


class Slices(QObject):
    """Runs generators: each `yield` is a place to pause. Work ends with the object it belongs to.

    `idle()` comes whenever nothing is left to do.
    """

    idle = Signal()

    def __init__(
        self, parent: QObject | None = None, *, now: Callable[[], float] = time.perf_counter
    ) -> None:
        super().__init__(parent)
        self._now = now
        self._work: dict[int, Iterator[None]] = {}
        self._owners: set[int] = set()
        self._deadline = 0.0
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._run_some)
        # What a slice made is shown, laid out and painted before this comes: only then the pause begins. Else
        # it would be over by then, and slice upon slice would keep the others waiting.
        self._shown = QTimer(self, interval=0, singleShot=True)
        self._shown.timeout.connect(self._pause.start)

    @property
    def busy(self) -> bool:
        return bool(self._work)

    def start(self, owner: QObject, work: Iterator[None]) -> None:
        """Begin `work` in place of what `owner` had; its first slice runs at once."""
        key = self._take(owner, work)
        # Work that is begun by other work shares its slice.
        self._run(key, self._deadline or self._now() + SLICE_S)
        self._tell()

    def queue(self, owner: QObject, work: Iterator[None]) -> None:
        """As `start`, but it begins with the next round: of many that are begun together."""
        self._take(owner, work)
        self._tell()

    def _take(self, owner: QObject, work: Iterator[None]) -> int:
        key = id(owner)
        if key not in self._owners:
            self._owners.add(key)
            owner.destroyed.connect(lambda: self._forget(key))
        self._work[key] = work
        return key

    def stop(self, owner: QObject) -> None:
        """Drop what `owner` has left to do."""
        self._work.pop(id(owner), None)
        self._tell()

    def _run_some(self) -> None:
        """The newest first: it stands where the eye is."""
        deadline = self._now() + SLICE_S
        for key in reversed(list(self._work)):
            if self._now() >= deadline:
                break
            self._run(key, deadline)
        self._tell()

    def _run(self, key: int, deadline: float) -> None:
        work = self._work.get(key)
        if work is None:
            return
        before, self._deadline = self._deadline, deadline
        try:
            for _ in work:
                if self._now() >= deadline or self._work.get(key) is not work:
                    return
        finally:
            self._deadline = before
        if self._work.get(key) is work:
            del self._work[key]

    def _tell(self) -> None:
        if self._work:
            self._pause.stop()
            self._shown.start()
        else:
            self.idle.emit()

    def _forget(self, key: int) -> None:
        self._work.pop(key, None)
        self._owners.discard(key)
