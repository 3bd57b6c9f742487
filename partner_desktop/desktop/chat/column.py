"""The text column: entries below each other, centred, never wider than the eye likes."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.tokens import COLUMN_WIDTH, Space

#: The name of widgets inside of an entry that are taken down before it, each on its own.
SWEPT_APART = "swept_apart"

_ENTRY_GAP = 18
_SWEEP_MS = 15
_SWEPT_AT_ONCE = 3


def column_margin(width: int) -> int:
    """The space left and right of the text column in a chat of this width."""
    least = int(Space.XXL) if width >= 560 else int(Space.L)
    return max(least, (width - zoomed(COLUMN_WIDTH)) // 2)


class Column(QScrollArea):
    """A scrolling column of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inner = QWidget()
        self._inner.setObjectName("clear")
        self._layout = QVBoxLayout(self._inner)
        self._layout.setSpacing(_ENTRY_GAP)
        self._layout.addStretch(1)
        self.setWidget(self._inner)
        self._gone: deque[QWidget] = deque()
        self._sweep = QTimer(self, interval=_SWEEP_MS)
        self._sweep.timeout.connect(self._sweep_some)
        self._set_margins()

    def __len__(self) -> int:
        return self._layout.count() - 1

    def insert(self, index: int, widget: QWidget) -> None:
        """Put an entry at a place; -1 is the end."""
        at = len(self) if index < 0 else index
        self._layout.insertWidget(at, widget)
        widget.show()

    def remove(self, widget: QWidget) -> None:
        """Take an entry away for good."""
        self._layout.removeWidget(widget)
        widget.hide()
        self._gone.extend(widget.findChildren(QWidget, SWEPT_APART))
        self._gone.append(widget)
        self._sweep.start()

    def show_widget(self, widget: QWidget) -> None:
        """Bring an entry to view, its beginning where it is higher than the view."""
        self._layout.activate()
        top = widget.y() - (self.viewport().height() - min(widget.height(), self.viewport().height())) // 3
        self.verticalScrollBar().setValue(max(0, top))

    def _sweep_some(self) -> None:
        """A long conversation that was left is taken down in small steps."""
        for _ in range(min(_SWEPT_AT_ONCE, len(self._gone))):
            self._gone.popleft().deleteLater()
        if not self._gone:
            self._sweep.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_margins()

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        # The bar stands in the right margin, so that the column keeps its width with and without it.
        bar = self.verticalScrollBar()
        right = max(0, side - (bar.width() if bar.isVisible() else 0))
        margins = self._layout.contentsMargins()
        if (margins.left(), margins.right(), margins.top()) != (side, right, Space.XL):
            self._layout.setContentsMargins(side, Space.XL, right, Space.XL)
