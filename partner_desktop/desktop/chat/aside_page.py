"""What every page that stands in place of the chat is made of."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from partner_desktop.desktop.chat.column import column_margin
from partner_desktop.desktop.parts.boxes import grow, scrolled, vbox
from partner_desktop.desktop.theme.theme import Space

_VIEW_MARGIN_PX = 24


class AsidePage(QWidget):
    """A head over a column that scrolls, both as wide as the chat's. `closed()`: back to the chat."""

    closed = Signal()

    head: QWidget
    area: QScrollArea
    _fault: QLabel
    _head: QHBoxLayout
    _column: QVBoxLayout

    def _build(self, head: QHBoxLayout, column: QVBoxLayout) -> None:
        self._head, self._column = head, column
        self.head, inner = QWidget(), QWidget()
        self.head.setLayout(head)
        inner.setLayout(column)
        self.area = scrolled(inner)
        self.area.verticalScrollBar().rangeChanged.connect(self._set_margins)
        vbox(self.head, grow(self.area), into=self)

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """Its parts as Tab goes through them."""
        return (self.head, self.area)

    @property
    def fault(self) -> str:
        """Why what was asked for here did not work."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def _bring_to_view(self, part: QWidget | None) -> None:
        if part is not None:
            self.area.ensureWidgetVisible(part, 0, _VIEW_MARGIN_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_margins()

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        scrolls = self.area.verticalScrollBar()
        bar = scrolls.sizeHint().width() if scrolls.maximum() else 0
        self._head.setContentsMargins(side, Space.L, side, Space.S)
        self._column.setContentsMargins(side, Space.XS, max(0, side - bar), Space.XL)
