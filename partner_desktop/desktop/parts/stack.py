"""A layout that puts full-width items below each other, each as high as it wants to be.

Qt's own box lays out what it holds before it is given more room: with each line that a long text gains, all
the others are squeezed, moved and moved back. Here nothing depends on the height that is there.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLayoutItem, QWidget

from partner_desktop.desktop.parts.boxes import ItemsLayout


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
