"""The two small controls at the right of an ability's row: a switch, and the dots that open its menu.

Painted, because a thousand rows must cost little; the keyboard has Space and the menu key for them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform

from partner_desktop.desktop.panel.ability_rows import AbilityRow
from partner_desktop.desktop.theme.signs import sign_path
from partner_desktop.desktop.theme.theme import Theme

Control: TypeAlias = Literal["switch", "menu", "fold", ""]

_DOTS = 22
_SWITCH_WIDTH, _SWITCH_HEIGHT = 28, 16
_GAP = 8
#: Around a control what is near counts as on it.
_NEAR_PX = 5


def menu_rect(line: QRect) -> QRect:
    """The place of the dots on a row's first line."""
    return QRect(line.right() + 1 - _DOTS, line.center().y() - _DOTS // 2, _DOTS, _DOTS)


def switch_rect(line: QRect) -> QRect:
    """The place of the switch, left of the dots."""
    left = menu_rect(line).left() - _GAP // 2 - _SWITCH_WIDTH
    return QRect(left, line.center().y() - _SWITCH_HEIGHT // 2 + 1, _SWITCH_WIDTH, _SWITCH_HEIGHT)


def controls_width(row: AbilityRow) -> int:
    """How much of the line they take."""
    return _DOTS + _GAP // 2 + (_SWITCH_WIDTH + _GAP if row.switchable else 0)


def control_at(line: QRect, row: AbilityRow, place: QPoint) -> Control:
    """What lies under the pointer."""
    near = (-_NEAR_PX, -_NEAR_PX, _NEAR_PX, _NEAR_PX)
    if menu_rect(line).adjusted(0, -_NEAR_PX, 2 * _NEAR_PX, _NEAR_PX).contains(place):
        return "menu"
    if row.switchable and switch_rect(line).adjusted(*near).contains(place):
        return "switch"
    return ""


def fold_rect(second: QRect, words: int) -> QRect:
    """The place of a server's fold, behind its words on its second line."""
    return QRect(second.left() + words + _GAP // 2, second.top(), second.height(), second.height())


def paint_fold(painter: QPainter, place: QRect, theme: Theme, *, folded: bool) -> None:
    """An arrow that says whether something is folded away."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("muted"), 1.4, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.save()
    size = min(place.width(), place.height())
    corner = QTransform.fromTranslate(place.x(), place.y() + (place.height() - size) / 2)
    painter.setTransform(corner, combine=True)
    painter.scale(size / 16, size / 16)
    painter.drawPath(sign_path("chevron_down" if folded else "chevron_up"))
    painter.restore()


def paint_dot(painter: QPainter, middle: QPointF, color: QColor, radius: float) -> None:
    """How it stands, as a colour beside the words."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(middle, radius, radius)


def paint_controls(painter: QPainter, line: QRect, row: AbilityRow, theme: Theme) -> None:
    """Both of them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("muted"))
    middle = QRectF(menu_rect(line)).center()
    for step in (-5.0, 0.0, 5.0):
        painter.drawEllipse(middle + QPointF(step, 0.5), 1.5, 1.5)
    if row.switchable:
        _paint_switch(painter, QRectF(switch_rect(line)), theme, on=not row.off)


def _paint_switch(painter: QPainter, rect: QRectF, theme: Theme, *, on: bool) -> None:
    radius = rect.height() / 2
    painter.setBrush(theme.color("accent" if on else "muted"))
    painter.drawRoundedRect(rect, radius, radius)
    x = rect.right() - radius if on else rect.left() + radius
    painter.setBrush(theme.color("surface"))
    painter.drawEllipse(QPointF(x, rect.center().y()), radius - 2.5, radius - 2.5)
