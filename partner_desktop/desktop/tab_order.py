"""Tab goes as the eye does: region by region, and in each from the top down.

Qt's own chain is the order in which widgets were made; cards and items come later than what stands below
them. So the order is read from the screen when Tab is pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

from partner_desktop.desktop.parts.text_view import TextView

#: Widgets whose middles lie this close stand in one line.
_LINE_PX = 14


def tab_stops(regions: Iterable[QWidget], current: QWidget | None = None) -> list[QWidget]:
    """Everything in view of the regions that Tab can reach, in order; `current` too, however it got there."""
    stops: list[QWidget] = []
    for region in regions:
        if region.isVisible():
            found = [each for each in region.findChildren(QWidget) if each is current or _reachable(each)]
            stops.extend(_by_lines(found, region))
    return stops


def next_stop(stops: Sequence[QWidget], current: QWidget | None, *, forward: bool) -> QWidget | None:
    """The stop after `current`, around the end; the first when it is none of them."""
    if not stops:
        return None
    if current not in stops:
        return stops[0 if forward else -1]
    return stops[(stops.index(current) + (1 if forward else -1)) % len(stops)]


def _reachable(widget: QWidget) -> bool:
    if isinstance(widget, QAbstractItemView) and not widget.model().rowCount():
        return False  # nothing in it that could be marked
    if isinstance(widget, TextView):
        by_tab = widget.has_links
    else:
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _by_lines(widgets: list[QWidget], region: QWidget) -> list[QWidget]:
    """From the top down; what stands in one line from left to right."""
    places = sorted(((_middle(widget, region), widget) for widget in widgets), key=lambda place: place[0].y())
    ordered: list[QWidget] = []
    line: list[tuple[QPoint, QWidget]] = []
    for place in places:
        if line and place[0].y() - line[0][0].y() > _LINE_PX:
            ordered += [widget for _, widget in sorted(line, key=lambda one: one[0].x())]
            line = []
        line.append(place)
    return ordered + [widget for _, widget in sorted(line, key=lambda one: one[0].x())]


def _middle(widget: QWidget, region: QWidget) -> QPoint:
    """Where the eye meets it; a list comes before what is open within it."""
    if isinstance(widget, QAbstractItemView):
        return widget.mapTo(region, QPoint(widget.width() // 2, 1))
    return widget.mapTo(region, widget.rect().center())
