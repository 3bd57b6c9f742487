"""Paints the rows of the Context tab: name and length, reason and tokens, and the score as a thin line."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from partner_desktop.desktop.panel.context.rows import ContextRow
from partner_desktop.desktop.panel.context.sheet import BlockSheet
from partner_desktop.desktop.parts.paint import (
    RowPaint,
    paint_ground,
    paint_section_head,
    section_head_height,
)

_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_BAR = 3
_SIGN = 14
#: What is open begins within the air below its row.
_UP = 9
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class ContextPaint(RowPaint[ContextRow]):
    """Blocks have a third line for their score, calls one of words."""

    def sheet(self, row: ContextRow) -> BlockSheet:
        return BlockSheet(row)

    def sheet_place(self, rect: QRect) -> QRect:
        return rect.adjusted(_PAD_X, -_UP, -_PAD_X, -_PAD_Y - _GAP)

    def paint(
        self, painter: QPainter, rect: QRect, row: ContextRow, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        if row.kind == "head":
            self._paint_head(painter, rect.adjusted(4, 0, -4, 0), row)
            return
        theme = self._theme
        card = rect.adjusted(0, 0, 0, -_GAP)
        fill = "hover" if hovered and not sheet else "surface"
        if row.kind == "left_out":
            fill = "hover" if hovered and not sheet else "raised"
        paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else "line"))
        inner = QRect(card.x() + _PAD_X, card.y() + _PAD_Y, card.width() - 2 * _PAD_X, 0)
        first = QRect(inner.x(), inner.y(), inner.width(), self._first_height())
        second = QRect(inner.x(), first.bottom() + 1, inner.width(), self._second_height())
        self._paint_first(painter, first, row, unfolded=bool(sheet))
        color = "muted" if row.kind == "left_out" else "ink"
        self._paint_quiet(painter, second, row.reason, row.tokens_words, left=_SIGN, color=color)
        if row.kind == "call":
            third = second.translated(0, second.height())
            self._paint_quiet(painter, third, row.more, row.more_right, left=_SIGN)
        elif row.kind in ("block", "left_out"):
            self._paint_score(painter, QRect(inner.x(), second.bottom() + 5, inner.width(), _BAR), row)

    def _paint_head(self, painter: QPainter, rect: QRect, row: ContextRow) -> None:
        theme = self._theme
        width = QFontMetrics(theme.font(theme.sizes.head)).horizontalAdvance(row.tokens_words) + 8
        paint_section_head(painter, rect.adjusted(0, 0, -width, 0), row.title, theme)
        painter.drawText(rect.adjusted(0, 6, 0, 0), _RIGHT, row.tokens_words)

    def _paint_first(self, painter: QPainter, rect: QRect, row: ContextRow, *, unfolded: bool) -> None:
        self._paint_sign(painter, QPointF(rect.x() + 4, rect.center().y() + 1), unfolded=unfolded)
        color = "muted" if row.kind == "left_out" else "ink"
        self._paint_title(painter, rect.adjusted(_SIGN, 0, 0, 0), row, row.title, color)

    def _paint_score(self, painter: QPainter, rect: QRect, row: ContextRow) -> None:
        theme = self._theme
        whole = QRectF(rect.adjusted(_SIGN, 0, 0, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.setBrush(theme.color("muted" if row.kind == "left_out" else "accent"))
        whole.setWidth(whole.width() * row.share)
        painter.drawRoundedRect(whole, 1.5, 1.5)

    def _measure(self, row: ContextRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        lines = self._first_height() + self._second_height()
        below = {"part": 0, "call": self._second_height()}.get(row.kind, _BAR + 5)
        return 2 * _PAD_Y + lines + below + _GAP
