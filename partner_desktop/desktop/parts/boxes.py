"""Widgets beside, below and after each other: a box is said in one call, as it will look.

`StackLayout` puts full-width items below each other, each as high as it wants to be. Qt's own box lays out
what it holds before it is given more room: with each line that a long text gains, all the others are
squeezed, moved and moved back. In a stack nothing depends on the height that is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.theme.theme import set_look

#: The same on all sides, or left, top, right and bottom; `None`: as the style has them.
Margins: TypeAlias = int | tuple[int, int, int, int] | None

_Box = TypeVar("_Box", bound=QBoxLayout)
_FILLS = Qt.AlignmentFlag(0)


@dataclass(frozen=True)
class Placed:
    """An item with its share of the room that is left, and its side; `None`: only the room."""

    item: QWidget | QLayout | None
    factor: int = 0
    side: Qt.AlignmentFlag = _FILLS


#: A number is so many pixels of air.
BoxItem: TypeAlias = QWidget | QLayout | Placed | int


def vbox(
    *items: BoxItem, into: QWidget | None = None, gap: int | None = 0, margins: Margins = 0
) -> QVBoxLayout:
    """Items below each other, as the layout of `into`; `gap` is between two, `None`: as the style has it."""
    return _filled(QVBoxLayout() if into is None else QVBoxLayout(into), items, gap, margins)


def hbox(
    *items: BoxItem, into: QWidget | None = None, gap: int | None = 0, margins: Margins = 0
) -> QHBoxLayout:
    """Items beside each other."""
    return _filled(QHBoxLayout() if into is None else QHBoxLayout(into), items, gap, margins)


def grid(*, across: int, down: int, wide: int = 1, into: QWidget | None = None) -> QGridLayout:
    """Items in lines and columns; the column `wide` takes the room that is left."""
    made = QGridLayout() if into is None else QGridLayout(into)
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(across)
    made.setVerticalSpacing(down)
    made.setColumnStretch(wide, 1)
    return made


def pairs(lines: Iterable[tuple[QWidget, QWidget]], *, across: int, down: int) -> QGridLayout:
    """What stands before each thing at its top, and the thing."""
    made = grid(across=across, down=down)
    for line, (name, value) in enumerate(lines):
        made.addWidget(name, line, 0, Qt.AlignmentFlag.AlignTop)
        made.addWidget(value, line, 1)
    return made


def grow(item: QWidget | QLayout, factor: int = 1) -> Placed:
    """It takes the room that is left."""
    return Placed(item, factor)


def stretch(factor: int = 0) -> Placed:
    """Nothing takes the room that is left."""
    return Placed(None, factor)


def aligned(item: QWidget, side: Qt.AlignmentFlag, factor: int = 0) -> Placed:
    """It keeps its size, at a side of its room."""
    return Placed(item, factor, side)


def at_left(item: QWidget) -> Placed:
    """It keeps its size, at the left."""
    return Placed(item, 0, Qt.AlignmentFlag.AlignLeft)


def at_middle(item: QWidget) -> Placed:
    """It keeps its height, half way down."""
    return Placed(item, 0, Qt.AlignmentFlag.AlignVCenter)


def scrolled(inner: QWidget) -> QScrollArea:
    """What is as wide as its place and may be higher; Tab goes to what is in it."""
    inner.setObjectName("clear")  # it has no ground of its own
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    return area


def drop_widget(widget: QWidget) -> None:
    """Take it away for good: out of view at once, deleted when nothing uses it any more."""
    widget.hide()
    widget.deleteLater()


def holds_keyboard(part: QWidget | None) -> bool:
    """Whether the keyboard is in it, or will be when its window is in front again."""
    focused: QWidget | None = part.window().focusWidget() if part is not None else None
    return part is not None and focused is not None and part.isAncestorOf(focused)


def _filled(box: _Box, items: tuple[BoxItem, ...], gap: int | None, margins: Margins) -> _Box:
    if gap is not None:
        box.setSpacing(gap)
    if margins is not None:
        box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    for item in items:
        if isinstance(item, int):
            box.addSpacing(item)
            continue
        placed = item if isinstance(item, Placed) else Placed(item)
        match placed.item:
            case QWidget():
                box.addWidget(placed.item, placed.factor, placed.side)
            case QLayout():
                box.addLayout(placed.item, placed.factor)
            case None:
                box.addStretch(placed.factor)
    return box


class ItemsLayout(QLayout):
    """Items in their order, without margins; how high they are depends on the width alone."""

    def __init__(self) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def _forget(self) -> None:
        """What was measured may be otherwise now."""
        raise NotImplementedError

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._forget()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        # Qt asks one past the end to learn where the items stop and takes null; the stub knows no None.
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        self._forget()
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        self._forget()
        super().invalidate()


class FlowLayout(ItemsLayout):
    """Lines of items, each line as high as its highest item, items centred in their line."""

    def __init__(self, *, gap: int = 8, line_gap: int = 6) -> None:
        self._heights: dict[int, int] = {}
        super().__init__()
        self._gap = gap
        self._line_gap = line_gap

    def _forget(self) -> None:
        self._heights.clear()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown) + self._gap * max(0, len(shown) - 1)
        return QSize(width, max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        for line in self._lines(rect.width()):
            height = max(size.height() for _, size in line)
            if move:
                _place_line(line, QPoint(rect.x(), y), height, self._gap)
            y += height + self._line_gap
        return max(0, y - self._line_gap - rect.y())

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        used = 0
        for item in self._shown():
            hint = item.sizeHint()
            size = QSize(min(hint.width(), max(width, 1)), hint.height())
            if not lines or used + self._gap + size.width() > width:
                lines.append([])
                used = -self._gap
            lines[-1].append((item, size))
            used += self._gap + size.width()
        return lines


def flow(*widgets: QWidget, gap: int = 8) -> FlowLayout:
    layout = FlowLayout(gap=gap)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def _place_line(line: list[tuple[QLayoutItem, QSize]], start: QPoint, height: int, gap: int) -> None:
    x = start.x()
    for item, size in line:
        item.setGeometry(QRect(QPoint(x, start.y() + (height - size.height()) // 2), size))
        x += size.width() + gap


def widget_at(layout: QLayout, index: int) -> QWidget | None:
    """The widget at a place of a layout, if there is one."""
    item = layout.itemAt(index)
    return item.widget() if item is not None else None


def clear_layout(layout: QLayout) -> None:
    """Remove and delete every widget of a layout."""
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            drop_widget(widget)


def horizontal_rule() -> QFrame:
    line = QFrame()
    line.setFixedHeight(1)
    set_look(line, "rule")
    return line


def vertical_rule() -> QFrame:
    line = QFrame()
    line.setFixedWidth(1)
    set_look(line, "rule")
    return line


@runtime_checkable
class FoldingPlace(Protocol):
    """A list in which things are folded out and in."""

    def stay_in_view(self) -> None: ...


def before_unfolding(part: QWidget) -> None:
    """It is about to grow or shrink because the person asked for that: the list around it is told."""
    around: QWidget | None = part
    while around is not None and not isinstance(around, FoldingPlace):
        around = around.parentWidget()
    if around is not None:
        around.stay_in_view()


_MARGIN_PX = 24


def bring_into_view(target: QWidget, part: QRect | None = None) -> None:
    """Every scroll area around it moves as little as it must; `part`: for so much of it."""
    parent = target.parentWidget()
    while parent is not None:
        inner = parent.widget() if isinstance(parent, QScrollArea) else None
        if isinstance(parent, QScrollArea) and (inner is None or part is None):
            parent.ensureWidgetVisible(target, 0, _MARGIN_PX)
        elif isinstance(parent, QScrollArea) and inner is not None and part is not None:
            place = target.mapTo(inner, part.center())
            parent.ensureVisible(place.x(), place.y(), 0, part.height() // 2 + _MARGIN_PX)
        parent = parent.parentWidget()


class StackLayout(ItemsLayout):
    """No gaps; hidden items take no room."""

    def __init__(self) -> None:
        self._heights: dict[int, list[int]] = {}
        self._widths: tuple[int, int] | None = None
        super().__init__()

    def heightForWidth(self, width: int) -> int:
        return sum(self._measured(width))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.y()
        for item, height in zip(self._items, self._measured(rect.width()), strict=True):
            if height:
                item.setGeometry(QRect(rect.x(), top, rect.width(), height))
            top += height

    def sizeHint(self) -> QSize:
        width = self._measured_widths()[1]
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:
        return QSize(self._measured_widths()[0], 0)

    def _measured_widths(self) -> tuple[int, int]:
        """The least and the wanted width; Qt asks for them with every change of a neighbour."""
        if self._widths is None:
            least = max((item.minimumSize().width() for item in self._items), default=0)
            wanted = max((item.sizeHint().width() for item in self._items), default=0)
            self._widths = (least, wanted)
        return self._widths

    def _forget(self) -> None:
        self._heights.clear()
        self._widths = None

    def _measured(self, width: int) -> list[int]:
        if width not in self._heights:
            self._heights[width] = [_height(item, width) for item in self._items]
        return self._heights[width]


def _height(item: QLayoutItem, width: int) -> int:
    if item.isEmpty():
        return 0
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def stay_painted(*widgets: QWidget) -> None:
    """When these grow, only what is new is painted: else a reply that gains a line is painted as a whole."""
    for widget in widgets:
        widget.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
