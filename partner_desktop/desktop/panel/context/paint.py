"""Paints the rows of the Context tab: name and length, reason and tokens, and the score as a thin line."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF

from partner_desktop.desktop.panel.context.rows import ContextRow
from partner_desktop.desktop.panel.context.sheet import BlockSheet
from partner_desktop.desktop.parts.paint import (
    paint_ground,
    paint_line,
    paint_pill,
    paint_section_head,
    pill_width,
    section_head_height,
)
from partner_desktop.desktop.theme.theme import Theme

_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_BAR = 3
_SIGN = 14
#: What is open begins within the air below its row.
_UP = 9
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class ContextPaint:
    """Heights are measured once for each size of text."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._heights: dict[str, int] = {}
        theme.changed.connect(self._heights.clear)

    def height(self, row: ContextRow) -> int:
        known = self._heights.get(row.kind)
        if known is None:
            known = self._heights[row.kind] = self._measure(row)
        return known

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
        self._paint_second(painter, second, row)
        if row.kind == "call":
            self._paint_third(painter, second.translated(0, second.height()), row)
        elif row.kind in ("block", "left_out"):
            self._paint_score(painter, QRect(inner.x(), second.bottom() + 5, inner.width(), _BAR), row)

    def _paint_head(self, painter: QPainter, rect: QRect, row: ContextRow) -> None:
        theme = self._theme
        width = QFontMetrics(theme.font(theme.sizes.head)).horizontalAdvance(row.tokens_words) + 8
        paint_section_head(painter, rect.adjusted(0, 0, -width, 0), row.title, theme)
        painter.drawText(rect.adjusted(0, 6, 0, 0), _RIGHT, row.tokens_words)

    def _paint_first(self, painter: QPainter, rect: QRect, row: ContextRow, *, unfolded: bool) -> None:
        theme = self._theme
        self._paint_sign(painter, QPointF(rect.x() + 4, rect.center().y() + 1), unfolded=unfolded)
        if row.tag:
            paint_pill(painter, rect.right() + 1, rect.center().y(), row.tag, row.tag_kind, theme)
        title = rect.adjusted(_SIGN, 0, -(pill_width(row.tag, theme) + 8 if row.tag else 0), 0)
        color = "muted" if row.kind == "left_out" else "ink"
        paint_line(painter, title, row.title, theme, points=theme.sizes.body, color=color, strong=True)

    def _paint_second(self, painter: QPainter, rect: QRect, row: ContextRow) -> None:
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(row.tokens_words)
        painter.setFont(font)
        painter.setPen(theme.color("muted" if row.kind == "left_out" else "ink"))
        painter.drawText(rect, _RIGHT, row.tokens_words)
        words = rect.adjusted(_SIGN, 0, -width - (12 if width else 0), 0)
        paint_line(painter, words, row.reason, theme, points=theme.sizes.small, color="muted")

    def _paint_third(self, painter: QPainter, rect: QRect, row: ContextRow) -> None:
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(row.more_right)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _RIGHT, row.more_right)
        words = rect.adjusted(_SIGN, 0, -width - (12 if width else 0), 0)
        paint_line(painter, words, row.more, theme, points=theme.sizes.small, color="muted")

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

    def _paint_sign(self, painter: QPainter, middle: QPointF, *, unfolded: bool) -> None:
        """A small angle: to the right where there is more, down where it is shown."""
        side, long = QPointF(-2, -4), QPointF(2, 0)
        angle = [middle + side, middle + long, middle + QPointF(-2, 4)]
        if unfolded:
            angle = [middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.color("muted"), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(angle))

    def _measure(self, row: ContextRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        lines = self._first_height() + self._second_height()
        below = {"part": 0, "call": self._second_height()}.get(row.kind, _BAR + 5)
        return 2 * _PAD_Y + lines + below + _GAP

    def _first_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 3

    def _second_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2
