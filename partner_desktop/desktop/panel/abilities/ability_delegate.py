"""Paints the list of abilities: name, how it stands, its controls, and one line of what it does.

A server has its state on its second line, counted down where it is tried again, and under it why it failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Literal, TypeAlias

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QTransform
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from partner_desktop.desktop.panel.abilities.ability_rows import AbilityRow
from partner_desktop.desktop.panel.server.server_words import phase_color, phase_words
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.parts.lists.list_rows import (
    ROW_ROLE,
    paint_ground,
    paint_line,
    paint_pill,
    paint_section_head,
    pill_width,
    section_head_height,
)
from partner_desktop.desktop.theme.signs import sign_path
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.mcp_server import ServerPhase

_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_FAULT_LINES = 5
#: How far the tools of a server stand in from it.
_INDENT = 12
_WRAP = int(Qt.TextFlag.TextWordWrap)
#: After these signs a path may go on in the next line.
_BREAKS = re.compile(r"([/_.:-])(?=\S)")


class AbilityDelegate(QStyledItemDelegate):
    """A working ability takes two lines; a broken one as many as its reason needs, within limits."""

    def __init__(self, theme: Theme, view: QAbstractItemView, now: Callable[[], datetime]) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._now = now

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: AbilityRow = index.data(ROW_ROLE)
        if row.kind == "head":
            return QSize(0, section_head_height(self._theme))
        height = self._title_height() + 2 * _PAD_Y + _GAP
        width = self._view.viewport().width()
        if row.kind == "broken":
            return QSize(0, height + self._fault_height(row.text, width))
        if row.kind == "server":
            reason = self._fault_height(row.text, width - self._dot_room()) if row.text else 0
            return QSize(0, height + self._small().height() + reason)
        return QSize(0, height + (self._small().height() if row.text else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: AbilityRow = index.data(ROW_ROLE)
        painter.save()
        if row.kind == "head":
            paint_section_head(painter, option.rect.adjusted(4, 0, -4, 0), row.title, self._theme)
        else:
            rect = option.rect.adjusted(_INDENT if row.inner else 0, 0, 0, -_GAP)
            self._paint_row(painter, rect, row, option.state)
        painter.restore()

    def first_line(self, rect: QRect) -> QRect:
        """The line of a row's name and controls, within the row's whole place."""
        inner = rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y - _GAP)
        return QRect(inner.x(), inner.y(), inner.width(), self._title_height())

    def control_at(self, rect: QRect, row: AbilityRow, place: QPoint) -> Control:
        """What lies under the pointer, within the row's whole place."""
        line = self.first_line(rect)
        if row.tools and self.fold_place(rect, row).contains(place):
            return "fold"
        return control_at(line, row, place)

    def fold_place(self, rect: QRect, row: AbilityRow) -> QRect:
        """A server's words with the arrow behind them: where its tools are folded."""
        second = self._second_line(self.first_line(rect))
        return second.united(self._arrow_place(second, row)) if row.tools else QRect()

    def _second_line(self, line: QRect) -> QRect:
        """Under the first, behind the dot."""
        height = self._small().height()
        return QRect(line.x() + self._dot_room(), line.bottom() + 1, line.width() - self._dot_room(), height)

    def _arrow_place(self, second: QRect, row: AbilityRow) -> QRect:
        words = phase_words(row.server, self._now()) if row.server is not None else ""
        size = second.height()
        return fold_rect(second, min(self._small().horizontalAdvance(words), second.width() - size - 4))

    def _dot_room(self) -> int:
        return self._small().height()

    def _paint_row(self, painter: QPainter, rect: QRect, row: AbilityRow, state: QStyle.StateFlag) -> None:
        theme = self._theme
        self._paint_ground(painter, rect, row, state)
        inner = rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y)
        line = QRect(inner.x(), inner.y(), inner.width(), self._title_height())
        paint_controls(painter, line, row, theme)
        title = line.adjusted(0, 0, -controls_width(row), 0)
        if row.kind == "server":
            self._paint_state(painter, line, row)
            title.adjust(self._dot_room(), 0, 0, 0)
            inner.adjust(self._dot_room(), self._small().height(), 0, 0)
        if row.tag:
            kind: PillKind = "bad" if row.kind == "broken" else "plain"
            paint_pill(painter, title.right() + 1, line.center().y(), row.tag, kind, theme)
            title.adjust(0, 0, -pill_width(row.tag, theme) - 8, 0)
        ink = "muted" if row.off else "ink"
        paint_line(painter, title, row.title, theme, points=theme.sizes.body, color=ink, strong=True)
        rest = inner.adjusted(0, self._title_height(), 0, 0)
        if row.kind in ("broken", "server"):
            painter.setFont(theme.font(theme.sizes.small))
            painter.setPen(theme.color("bad"))
            painter.drawText(rest, _WRAP, _breakable(row.text))
        else:
            paint_line(painter, rest, row.text, theme, points=theme.sizes.small, color="muted")

    def _paint_state(self, painter: QPainter, line: QRect, row: AbilityRow) -> None:
        """The dot before the name, the words below it, and the fold behind the words."""
        assert row.server is not None
        theme = self._theme
        radius = self._dot_room() / 4
        middle = QPointF(line.x() + radius, line.center().y() + 0.5)
        paint_dot(painter, middle, theme.color(phase_color(row.server)), radius)
        second = self._second_line(line)
        room = second
        if row.tools:
            arrow = self._arrow_place(second, row)
            paint_fold(painter, arrow, theme, folded=row.folded)
            room = second.adjusted(0, 0, arrow.left() - second.right() - 2, 0)
        words = phase_words(row.server, self._now())
        paint_line(painter, room, words, theme, points=theme.sizes.small, color="muted")

    def _paint_ground(self, painter: QPainter, rect: QRect, row: AbilityRow, state: QStyle.StateFlag) -> None:
        theme = self._theme
        failed = row.server is not None and row.server.phase is ServerPhase.FAILED
        ring = "bad" if row.kind == "broken" or failed else "line"
        if state & QStyle.StateFlag.State_HasFocus:
            ring = "accent"
        fill = "hover" if state & QStyle.StateFlag.State_MouseOver else "surface"
        paint_ground(painter, rect, theme.color(fill), line=theme.color(ring))

    def _small(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(self._theme.sizes.small))

    def _title_height(self) -> int:
        return QFontMetrics(self._theme.font(self._theme.sizes.body, strong=True)).height() + 2

    def _fault_height(self, text: str, width: int) -> int:
        metrics = self._small()
        room = QRect(0, 0, max(width - 2 * _PAD_X, 80), 10_000)
        bounds = metrics.boundingRect(room, _WRAP, _breakable(text))
        return min(bounds.height(), _FAULT_LINES * metrics.lineSpacing()) + 2


def _breakable(text: str) -> str:
    """The text with places where a long path may be broken."""
    return _BREAKS.sub("\\1\u200b", text)


Control: TypeAlias = Literal["switch", "menu", "fold", ""]

_DOTS = 22
# The controls are painted: a thousand rows must cost little. The keyboard has Space and the menu key.
_SWITCH_WIDTH, _SWITCH_HEIGHT = 28, 16
_CONTROLS_GAP = 8
#: Around a control what is near counts as on it.
_NEAR_PX = 5


def menu_rect(line: QRect) -> QRect:
    """The place of the dots on a row's first line."""
    return QRect(line.right() + 1 - _DOTS, line.center().y() - _DOTS // 2, _DOTS, _DOTS)


def switch_rect(line: QRect) -> QRect:
    """The place of the switch, left of the dots."""
    left = menu_rect(line).left() - _CONTROLS_GAP // 2 - _SWITCH_WIDTH
    return QRect(left, line.center().y() - _SWITCH_HEIGHT // 2 + 1, _SWITCH_WIDTH, _SWITCH_HEIGHT)


def controls_width(row: AbilityRow) -> int:
    """How much of the line they take."""
    return _DOTS + _CONTROLS_GAP // 2 + (_SWITCH_WIDTH + _CONTROLS_GAP if row.switchable else 0)


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
    return QRect(second.left() + words + _CONTROLS_GAP // 2, second.top(), second.height(), second.height())


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
