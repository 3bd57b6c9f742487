"""Painting shared by the delegates: section heads, grounds of rows, pills."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.theme.theme import Theme

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_CENTER = int(Qt.AlignmentFlag.AlignCenter)
_PILL_PAD = 8


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
