"""Painting shared by the lists: section heads, grounds of rows, pills, and rows of two lines that open."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.theme.theme import Theme

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_CENTER = int(Qt.AlignmentFlag.AlignCenter)
_PILL_PAD = 8
_BESIDE = 12


def section_head_height(theme: Theme) -> int:
    """Room for a section's name and the air above it."""
    return QFontMetrics(theme.font(theme.sizes.head)).height() + 22


def paint_section_head(painter: QPainter, rect: QRect, text: str, theme: Theme) -> None:
    """A section's name in small capitals' manner."""
    painter.setFont(theme.font(theme.sizes.head))
    painter.setPen(theme.color("muted"))
    painter.drawText(rect.adjusted(0, 6, 0, 0), _LEFT, text.upper())


def paint_line(
    painter: QPainter,
    rect: QRect,
    text: str,
    theme: Theme,
    *,
    points: float,
    color: str,
    strong: bool = False,
) -> None:
    """One line of text that ends in an ellipsis where it does not fit."""
    font = theme.font(points, strong=strong)
    painter.setFont(font)
    painter.setPen(theme.color(color))
    painter.drawText(
        rect, _LEFT, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    )


def paint_ground(
    painter: QPainter, rect: QRect, fill: QColor, *, line: QColor | None = None, radius: float = 10
) -> None:
    """A rounded ground, with a line around it when one is given."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill)
    painter.setPen(QPen(line, 1) if line is not None else Qt.PenStyle.NoPen)
    inset = 0.5 if line is not None else 0.0
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)


def pill_width(text: str, theme: Theme) -> int:
    """How wide a pill with this word is."""
    return QFontMetrics(theme.font(theme.sizes.head, strong=True)).horizontalAdvance(text) + 2 * _PILL_PAD


def paint_pill(painter: QPainter, right: int, middle: int, text: str, kind: PillKind, theme: Theme) -> QRect:
    """A pill whose right end is at `right`; returns its place."""
    font = theme.font(theme.sizes.head, strong=True)
    height = QFontMetrics(font).height() + 4
    rect = QRect(right - pill_width(text, theme), middle - height // 2, pill_width(text, theme), height)
    fill, ink = {
        "plain": ("raised", "muted"),
        "good": ("good_soft", "good"),
        "careful": ("careful_soft", "careful"),
        "bad": ("bad_soft", "bad"),
        "busy": ("accent_soft", "accent"),
    }[kind]
    line = theme.color("line") if kind == "plain" else None
    paint_ground(painter, rect, theme.color(fill), line=line, radius=height / 2)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(rect, _CENTER, text)
    return rect


class Drawn(Protocol):
    """What of a row is painted."""

    @property
    def kind(self) -> str: ...

    @property
    def tag(self) -> str: ...

    @property
    def tag_kind(self) -> PillKind: ...


D = TypeVar("D", bound=Drawn)


class RowPaint(Generic[D]):
    """Rows of a strong line and a quiet one. Heights are measured once for each size of text."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._heights: dict[str, int] = {}
        theme.changed.connect(self._heights.clear)

    def height(self, row: D) -> int:
        """Of the row itself."""
        if row.kind not in self._heights:
            self._heights[row.kind] = self._measure(row)
        return self._heights[row.kind]

    def _measure(self, row: D) -> int:
        raise NotImplementedError

    def _paint_title(self, painter: QPainter, rect: QRect, row: D, title: str, color: str = "ink") -> None:
        """The strong line from the left of `rect`, its pill at the right."""
        theme = self._theme
        if row.tag:
            paint_pill(painter, rect.right() + 1, rect.center().y(), row.tag, row.tag_kind, theme)
            rect = rect.adjusted(0, 0, -pill_width(row.tag, theme) - 8, 0)
        paint_line(painter, rect, title, theme, points=theme.sizes.body, color=color, strong=True)

    def _paint_quiet(
        self, painter: QPainter, rect: QRect, words: str, beside: str, *, left: int, color: str = "muted"
    ) -> None:
        """The quiet line: `beside` at the right, the words from `left` on in the room before it."""
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(beside)
        painter.setFont(font)
        painter.setPen(theme.color(color))
        painter.drawText(rect, _RIGHT, beside)
        room = rect.adjusted(left, 0, -width - (_BESIDE if width else 0), 0)
        paint_line(painter, room, words, theme, points=theme.sizes.small, color="muted")

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

    def _first_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 3

    def _second_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.small)).height() + 2
