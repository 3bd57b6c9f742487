"""Paints the list of abilities: name, how it stands, its controls, and one line of what it does."""

from __future__ import annotations

import re

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from partner_desktop.desktop.panel.ability_controls import controls_width, paint_controls
from partner_desktop.desktop.panel.ability_model import AbilityRow
from partner_desktop.desktop.parts.labels import PillKind
from partner_desktop.desktop.parts.paint import (
    paint_ground,
    paint_line,
    paint_pill,
    paint_section_head,
    pill_width,
    section_head_height,
)
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.theme.theme import Theme

_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_FAULT_LINES = 5
_WRAP = int(Qt.TextFlag.TextWordWrap)
#: After these signs a path may go on in the next line.
_BREAKS = re.compile(r"([/_.:-])(?=\S)")


class AbilityDelegate(QStyledItemDelegate):
    """A working ability takes two lines; a broken one as many as its reason needs, within limits."""

    def __init__(self, theme: Theme, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: AbilityRow = index.data(ROW_ROLE)
        if row.kind == "head":
            return QSize(0, section_head_height(self._theme))
        height = self._title_height() + 2 * _PAD_Y + _GAP
        if row.kind == "broken":
            return QSize(0, height + self._fault_height(row.text, self._view.viewport().width()))
        return QSize(0, height + (self._small().height() if row.text else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: AbilityRow = index.data(ROW_ROLE)
        painter.save()
        if row.kind == "head":
            paint_section_head(painter, option.rect.adjusted(4, 0, -4, 0), row.title, self._theme)
        else:
            self._paint_row(painter, option.rect.adjusted(0, 0, 0, -_GAP), row, option.state)
        painter.restore()

    def first_line(self, rect: QRect) -> QRect:
        """The line of a row's name and controls, within the row's whole place."""
        inner = rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y - _GAP)
        return QRect(inner.x(), inner.y(), inner.width(), self._title_height())

    def _paint_row(self, painter: QPainter, rect: QRect, row: AbilityRow, state: QStyle.StateFlag) -> None:
        theme = self._theme
        self._paint_ground(painter, rect, row, state)
        inner = rect.adjusted(_PAD_X, _PAD_Y, -_PAD_X, -_PAD_Y)
        line = QRect(inner.x(), inner.y(), inner.width(), self._title_height())
        paint_controls(painter, line, row, theme)
        title = line.adjusted(0, 0, -controls_width(row), 0)
        if row.tag:
            kind: PillKind = "bad" if row.kind == "broken" else "plain"
            paint_pill(painter, title.right() + 1, line.center().y(), row.tag, kind, theme)
            title.adjust(0, 0, -pill_width(row.tag, theme) - 8, 0)
        ink = "muted" if row.off else "ink"
        paint_line(painter, title, row.title, theme, points=theme.sizes.body, color=ink, strong=True)
        rest = inner.adjusted(0, self._title_height(), 0, 0)
        if row.kind == "broken":
            painter.setFont(theme.font(theme.sizes.small))
            painter.setPen(theme.color("bad"))
            painter.drawText(rest, _WRAP, _breakable(row.text))
        else:
            paint_line(painter, rest, row.text, theme, points=theme.sizes.small, color="muted")

    def _paint_ground(self, painter: QPainter, rect: QRect, row: AbilityRow, state: QStyle.StateFlag) -> None:
        theme = self._theme
        ring = "bad" if row.kind == "broken" else "line"
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
