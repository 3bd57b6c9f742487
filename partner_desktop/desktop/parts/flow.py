"""A layout that fills lines from left to right and wraps, for pills and examples."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from partner_desktop.desktop.parts.boxes import discard


class FlowLayout(QLayout):
    """Lines of items, each line as high as its highest item, items centred in their line."""

    def __init__(self, *, gap: int = 8, line_gap: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self._gap = gap
        self._line_gap = line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem:
        # Qt asks one past the end to learn where the items stop and takes null; the stub knows no None.
        return self._items[index] if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def takeAt(self, index: int) -> QLayoutItem:
        return self._items.pop(index) if 0 <= index < len(self._items) else None  # type: ignore[return-value]

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

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
    """Widgets in lines."""
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
            discard(widget)
