"""Paints the rows of the audit log: when, what, how it came out; below, why, and of which version."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF

from partner_desktop.desktop.audit.rows import AuditRow
from partner_desktop.desktop.audit.sheet import AuditSheet
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
_PAD_Y = 7
_GAP = 4
_SIGN = 14
_BESIDE = 12
#: What is open begins within the air below its row.
_UP = 6
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class AuditPaint:
    """Heights are measured once for each size of text."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._heights: dict[str, int] = {}
        theme.changed.connect(self._heights.clear)

    def height(self, row: AuditRow) -> int:
        known = self._heights.get(row.kind)
        if known is None:
            known = self._heights[row.kind] = self._measure(row)
        return known

    def sheet(self, row: AuditRow) -> AuditSheet:
        return AuditSheet(row)

    def sheet_place(self, rect: QRect) -> QRect:
        return rect.adjusted(_PAD_X + _SIGN, -_UP, -_PAD_X, -_PAD_Y - _GAP)

    def paint(
        self, painter: QPainter, rect: QRect, row: AuditRow, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        theme = self._theme
        if row.kind == "head":
            paint_section_head(painter, rect.adjusted(4, 0, -4, 0), row.title, theme)
            return
        card = rect.adjusted(0, 0, 0, -_GAP)
        fill = "hover" if hovered and not sheet else "surface"
        paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else "line"))
        first = QRect(card.x() + _PAD_X, card.y() + _PAD_Y, card.width() - 2 * _PAD_X, self._first_height())
        second = QRect(first.x(), first.bottom() + 1, first.width(), self._second_height())
        self._paint_sign(painter, QPointF(first.x() + 4, first.center().y() + 1), unfolded=bool(sheet))
        self._paint_first(painter, first.adjusted(_SIGN, 0, 0, 0), row)
        self._paint_second(painter, second.adjusted(_SIGN, 0, 0, 0), row)

    def _paint_first(self, painter: QPainter, rect: QRect, row: AuditRow) -> None:
        theme = self._theme
        if row.tag:
            paint_pill(painter, rect.right() + 1, rect.center().y(), row.tag, row.tag_kind, theme)
        title = rect.adjusted(self._time_width(), 0, -(pill_width(row.tag, theme) + 8 if row.tag else 0), 0)
        painter.setFont(theme.font(theme.sizes.small))
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _LEFT, row.time)
        paint_line(painter, title, row.title, theme, points=theme.sizes.body, color="ink", strong=True)

    def _paint_second(self, painter: QPainter, rect: QRect, row: AuditRow) -> None:
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(row.version)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _RIGHT, row.version)
        words = rect.adjusted(self._time_width(), 0, -width - (_BESIDE if width else 0), 0)
        paint_line(painter, words, row.more, theme, points=theme.sizes.small, color="muted")

    def _paint_sign(self, painter: QPainter, middle: QPointF, *, unfolded: bool) -> None:
        """A small angle: to the right where there is more, down where it is shown."""
        angle = [middle + QPointF(-2, -4), middle + QPointF(2, 0), middle + QPointF(-2, 4)]
        if unfolded:
            angle = [middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.color("muted"), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(angle))

    def _measure(self, row: AuditRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        return 2 * _PAD_Y + self._first_height() + self._second_height() + _GAP

    def _time_width(self) -> int:
        metrics = QFontMetrics(self._theme.font(self._theme.sizes.small))
        return metrics.horizontalAdvance("00:00:00") + _BESIDE

    def _first_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 3

    def _second_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2
