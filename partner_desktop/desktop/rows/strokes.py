"""What rows are painted with: grounds, texts in lines, pills, dots, switches and small signs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPen,
    QPolygonF,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
    QTransform,
)

from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.theme.signs import SignName, sign_path
from partner_desktop.desktop.theme.theme import Theme

AT_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
AT_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_CENTER = int(Qt.AlignmentFlag.AlignCenter)
_PILL_PAD = 8


def section_head_height(theme: Theme) -> int:
    """Room for a section's name and the air above it."""
    return QFontMetrics(theme.font(theme.sizes.head)).height() + 22


def paint_section_head(painter: QPainter, rect: QRect, text: str, theme: Theme) -> None:
    """A section's name in small capitals' manner."""
    painter.setFont(theme.font(theme.sizes.head))
    painter.setPen(theme.color("muted"))
    painter.drawText(rect.adjusted(0, 6, 0, 0), AT_LEFT, text.upper())


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
        rect, AT_LEFT, QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
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
    edge = "line" if kind == "plain" else ink if theme.high_contrast else ""
    line = theme.color(edge) if edge else None
    paint_ground(painter, rect, theme.color(fill), line=line, radius=height / 2)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(rect, _CENTER, text)
    return rect


def paint_dot(painter: QPainter, middle: QPointF, color: QColor, radius: float) -> None:
    """How something stands, as a colour beside the words."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(middle, radius, radius)


def paint_angle(painter: QPainter, middle: QPointF, theme: Theme, *, unfolded: bool) -> None:
    """A small angle: to the right where there is more, down where it is shown."""
    angle = [middle + QPointF(-2, -4), middle + QPointF(2, 0), middle + QPointF(-2, 4)]
    if unfolded:
        angle = [middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme.color("muted"), 1.4)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF(angle))


def paint_sign(painter: QPainter, place: QRect, sign: SignName, theme: Theme) -> None:
    """One of the window's signs, as large as its place."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("muted"), 1.4, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    size = min(place.width(), place.height())
    corner = QTransform.fromTranslate(place.x(), place.y() + (place.height() - size) / 2)
    painter.setTransform(corner, combine=True)
    painter.scale(size / 16, size / 16)
    painter.drawPath(sign_path(sign))
    painter.restore()


def paint_dots(painter: QPainter, place: QRect, theme: Theme) -> None:
    """What opens a menu."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("muted"))
    middle = QRectF(place).center()
    for step in (-5.0, 0.0, 5.0):
        painter.drawEllipse(middle + QPointF(step, 0.5), 1.5, 1.5)


def paint_switch(painter: QPainter, place: QRect, theme: Theme, *, on: bool) -> None:
    """A knob at the right of its groove, or at the left."""
    rect = QRectF(place)
    radius = rect.height() / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent" if on else "muted"))
    painter.drawRoundedRect(rect, radius, radius)
    x = rect.right() - radius if on else rect.left() + radius
    painter.setBrush(theme.color("surface"))
    painter.drawEllipse(QPointF(x, rect.center().y()), radius - 2.5, radius - 2.5)


def paint_share(painter: QPainter, place: QRect, share: float, theme: Theme, *, color: str) -> None:
    """A thin bar, so far filled."""
    whole = QRectF(place)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("sunken"))
    painter.drawRoundedRect(whole, 1.5, 1.5)
    painter.setBrush(theme.color(color))
    whole.setWidth(whole.width() * share)
    painter.drawRoundedRect(whole, 1.5, 1.5)


#: After these signs a path may go on in the next line.
_BREAKS = re.compile(r"([/_.:-])(?=\S)")
#: The ellipsis is never wider than this many characters.
_MOST_CUT = 4


def row_text(
    text: str,
    font: QFont,
    width: int,
    most: int,
    *,
    marks: Sequence[tuple[int, int]] = (),
    mark_color: QColor | None = None,
) -> QTextLayout:
    """At most so many lines; the last ends in an ellipsis where they do not hold all of it."""
    if not marks:
        text = _BREAKS.sub("\\1\u200b", text)
    layout, fitting = _laid_out(text, font, width, most, marks, mark_color)
    if fitting == text:
        return layout
    for less in range(_MOST_CUT + 1):
        shorter = fitting[: max(0, len(fitting) - less)].rstrip() + "…"
        layout, holds = _laid_out(shorter, font, width, most, marks, mark_color)
        if holds == shorter:
            break
    return layout


def _laid_out(
    text: str,
    font: QFont,
    width: int,
    most: int,
    marks: Sequence[tuple[int, int]],
    mark_color: QColor | None,
) -> tuple[QTextLayout, str]:
    """The text in lines of a width, and as much of it as they hold."""
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption()
    modes = QTextOption.WrapMode
    # One line is cut where it is full; in more, words stay whole.
    option.setWrapMode(modes.WrapAnywhere if most == 1 else modes.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_bold(text, start, end, mark_color) for start, end in marks if start < len(text)])
    layout.beginLayout()
    reached, y = 0, 0.0
    for _ in range(most):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y))
        y += line.height()
        reached = line.textStart() + line.textLength()
    layout.endLayout()
    return layout, text.encode("utf-16-le")[: 2 * reached].decode("utf-16-le", "ignore")


def _bold(text: str, start: int, end: int, color: QColor | None) -> QTextLayout.FormatRange:
    mark = QTextLayout.FormatRange()
    mark.start, mark.length = _units(text[:start]), _units(text[start:end])
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    if color is not None:
        look.setForeground(color)
    mark.format = look
    return mark


def _units(text: str) -> int:
    """How long Qt takes a text for: an emoji counts twice."""
    return len(text.encode("utf-16-le")) // 2
