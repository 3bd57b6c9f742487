"""A change of all that a window shows: in small steps, yet what is in view changes at one stroke.

What has its size from what is in it, and from no layout, has a method `refit`: it is called when all of that
is changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from partner_desktop.desktop.slices import Slices


class WindowChange(QObject):
    """Goes through the widgets of all windows, parents first. `settled()` when it has been everywhere.

    What is in view comes first, and nothing is painted meanwhile. Another one takes the place of one that
    goes on.
    """

    settled = Signal()

    def __init__(self, parent: QObject, *, now: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(parent)
        self._slices = Slices(self, now=now)
        self._slices.idle.connect(self.settled)

    @property
    def busy(self) -> bool:
        """Whether some widgets are still to come."""
        return self._slices.busy

    def start(self, act: Callable[[QWidget], None]) -> None:
        """Call `act` with each widget."""
        self._slices.start(self, _everywhere(act))


def _everywhere(act: Callable[[QWidget], None]) -> Iterator[None]:
    windows = [one for one in QApplication.topLevelWidgets() if one.parentWidget() is None]
    for window in sorted(windows, key=QWidget.isHidden):
        if isValid(window):
            yield from _through(window, act)


def _through(window: QWidget, act: Callable[[QWidget], None]) -> Iterator[None]:
    later: list[QWidget] = []
    window.setUpdatesEnabled(False)
    try:
        for widget in _in_view(window, window.rect(), later):
            act(widget)
            yield
    finally:
        if isValid(window):
            window.setUpdatesEnabled(True)
    for root in later:
        for widget in _whole(root):
            act(widget)
            yield


def _in_view(widget: QWidget, view: QRect, later: list[QWidget]) -> Iterator[QWidget]:
    """It and all below it that shows in `view`, its own coordinates; what does not is noted for `later`."""
    yield widget
    for child in _children(widget):
        place = child.geometry() & view
        if child.isHidden() or child.isWindow() or place.isEmpty():
            later.append(child)
        else:
            yield from _in_view(child, place.translated(-child.pos()), later)
    _refit(widget)


def _whole(widget: QWidget) -> Iterator[QWidget]:
    """It and all below it, as far as it is still there."""
    if isValid(widget):
        yield widget
    for child in _children(widget):
        yield from _whole(child)
    _refit(widget)


def _children(widget: QWidget) -> Iterator[QWidget]:
    for child in widget.children() if isValid(widget) else ():
        if isValid(child) and isinstance(child, QWidget):
            yield child


def _refit(widget: QWidget) -> None:
    refit = getattr(widget, "refit", None) if isValid(widget) else None
    if refit is not None:
        refit()
