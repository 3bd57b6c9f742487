"""Paints the rows of the Memory tab: what was said, and below it when, where and how much."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QTextLayout

from partner_desktop.desktop.panel.memory.entity_sheet import EntitySheet
from partner_desktop.desktop.panel.memory.memory_rows import MemoryRow
from partner_desktop.desktop.panel.memory.memory_sheets import SliceSheet, TurnSheet
from partner_desktop.desktop.parts.paint import (
    RowPaint,
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.placed_view import Sheet
from partner_desktop.desktop.theme.theme import Theme

_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_SIGN = 14
#: What is open begins within the air below its row.
_UP = 5
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class MemoryHands(QObject):
    """What is pressed in what is open: `opened(row)` when it needs what is behind it; `asked(verb, row)`."""

    opened = Signal(object)
    asked = Signal(str, object)


class MemoryPaint(RowPaint[MemoryRow]):
    """Heads have one line, what was said three, all others two."""

    def __init__(self, theme: Theme, hands: MemoryHands) -> None:
        super().__init__(theme)
        self._hands = hands

    def sheet(self, row: MemoryRow) -> Sheet[MemoryRow]:
        sheet: SliceSheet | TurnSheet | EntitySheet
        if row.kind == "entity":
            sheet = EntitySheet(self._theme, row)
        else:
            sheet = SliceSheet(row) if row.kind == "slice" else TurnSheet(row)
        sheet.asked.connect(self._hands.asked)
        if row.kind == "slice":
            self._hands.opened.emit(row)
        return sheet

    def sheet_place(self, rect: QRect) -> QRect:
        return rect.adjusted(_PAD_X, -_UP, -_PAD_X, -_PAD_Y - _GAP)

    def paint(
        self, painter: QPainter, rect: QRect, row: MemoryRow, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        if row.kind == "head":
            self._paint_head(painter, rect.adjusted(4, 0, -4, 0), row)
            return
        theme = self._theme
        fill = "hover" if hovered and not sheet else "surface"
        card = rect.adjusted(0, 0, 0, -_GAP)
        paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else "line"))
        inner = QRect(card.x() + _PAD_X, card.y() + _PAD_Y, card.width() - 2 * _PAD_X, 0)
        first = QRect(inner.x(), inner.y(), inner.width(), self._first_height())
        second = QRect(inner.x(), first.bottom() + 1, inner.width(), self._second_height())
        self._paint_sign(painter, QPointF(first.x() + 4, first.center().y() + 1), unfolded=bool(sheet))
        self._paint_first(painter, first.adjusted(_SIGN, 0, 0, 0), row)
        if row.kind == "turn":
            self._paint_said(painter, second.adjusted(_SIGN, 0, 0, second.height()), row.said)
            return
        if row.kind == "slice":
            small = theme.sizes.small
            paint_line(painter, second.adjusted(_SIGN, 0, 0, 0), row.said, theme, points=small, color="ink")
            second.moveTop(second.top() + second.height())
        self._paint_quiet(painter, second, row.quiet, row.right, left=_SIGN)

    def _paint_first(self, painter: QPainter, rect: QRect, row: MemoryRow) -> None:
        """The title, its pill, and when it was."""
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(row.moment)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _RIGHT, row.moment)
        self._paint_title(painter, rect.adjusted(0, 0, -width - (8 if width else 0), 0), row, row.title)

    def _paint_said(self, painter: QPainter, rect: QRect, words: str) -> None:
        """Two lines; the second ends in an ellipsis where there is more."""
        theme = self._theme
        layout = QTextLayout(words, theme.font(theme.sizes.small))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(rect.width())
        layout.endLayout()
        place = rect.adjusted(0, 0, 0, -rect.height() // 2)
        for part in (words[: line.textLength()], words[line.textLength() :]):
            paint_line(painter, place, part.strip(), theme, points=theme.sizes.small, color="ink")
            place.moveTop(place.top() + place.height())

    def _paint_head(self, painter: QPainter, rect: QRect, row: MemoryRow) -> None:
        theme = self._theme
        width = QFontMetrics(theme.font(theme.sizes.head)).horizontalAdvance(row.right) + 8
        paint_section_head(painter, rect.adjusted(0, 0, -width, 0), row.title, theme)
        painter.drawText(rect.adjusted(0, 6, 0, 0), _RIGHT, row.right)

    def _measure(self, row: MemoryRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        lines = 2 if row.kind in ("slice", "turn") else 1
        return 2 * _PAD_Y + self._first_height() + lines * self._second_height() + _GAP
