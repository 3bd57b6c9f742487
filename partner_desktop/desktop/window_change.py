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
    """Goes through the widgets of all windows. `settled()` when it has been everywhere.

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

    def start(self, act: Callable[[QWidget], None], *, parents_last: bool = False) -> None:
        """Call `act` with each widget. `parents_last`: whoever holds others has the last word on them; those
        that hold what was not in view are called once more for that.
        """
        self._slices.start(self, _everywhere(act, parents_last))


def _everywhere(act: Callable[[QWidget], None], parents_last: bool) -> Iterator[None]:
    windows = [one for one in QApplication.topLevelWidgets() if one.parentWidget() is None]
    for window in sorted(windows, key=QWidget.isHidden):
        if isValid(window):
            yield from _through(window, act, parents_last)


def _through(window: QWidget, act: Callable[[QWidget], None], parents_last: bool) -> Iterator[None]:
    later: list[QWidget] = []
    window.setUpdatesEnabled(False)
    try:
        for widget in _in_view(window, window.rect(), later, parents_last):
            act(widget)
            yield
    finally:
        if isValid(window):
            window.setUpdatesEnabled(True)
    for root in later:
        for widget in _whole(root, parents_last):
            act(widget)
            yield
    for widget in _holders(later) if parents_last else ():
        if isValid(widget):
            act(widget)
            yield


def _in_view(widget: QWidget, view: QRect, later: list[QWidget], parents_last: bool) -> Iterator[QWidget]:
    """It and all below it that shows in `view`, its own coordinates; what does not is noted for `later`."""
    if not parents_last:
        yield widget
    for child in _children(widget):
        place = child.geometry() & view
        if child.isHidden() or child.isWindow() or place.isEmpty():
            later.append(child)
        else:
            yield from _in_view(child, place.translated(-child.pos()), later, parents_last)
    if parents_last and isValid(widget):
        yield widget
    _refit(widget)


def _whole(widget: QWidget, parents_last: bool) -> Iterator[QWidget]:
    """It and all below it, as far as it is still there."""
    if not parents_last and isValid(widget):
        yield widget
    for child in _children(widget):
        yield from _whole(child, parents_last)
    if parents_last and isValid(widget):
        yield widget
    _refit(widget)


def _holders(widgets: list[QWidget]) -> list[QWidget]:
    """All that some widgets are in, the innermost first."""
    depths: dict[QWidget, int] = {}
    for widget in widgets:
        chain: list[QWidget] = []
        holder = widget.parentWidget() if isValid(widget) else None
        while holder is not None:
            chain.append(holder)
            holder = holder.parentWidget()
        depths |= {one: len(chain) - at for at, one in enumerate(chain)}
    return sorted(depths, key=lambda one: -depths[one])


def _children(widget: QWidget) -> Iterator[QWidget]:
    for child in widget.children() if isValid(widget) else ():
        if isValid(child) and isinstance(child, QWidget):
            yield child


def _refit(widget: QWidget) -> None:
    refit = getattr(widget, "refit", None) if isValid(widget) else None
    if refit is not None:
        refit()
