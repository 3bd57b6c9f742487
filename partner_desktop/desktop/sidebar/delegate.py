"""Paints the conversation list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from partner_desktop.desktop.parts.paint import (
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.sidebar.model import ListRow
from partner_desktop.desktop.theme.theme import Theme

_PAD = 12
_GAP = 3


class ConversationDelegate(QStyledItemDelegate):
    """Heads small and muted; titles on one line, the open one on a soft ground."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: ListRow = index.data(ROW_ROLE)
        if not row.conversation_id:
            return QSize(0, section_head_height(self._theme))
        metrics = QFontMetrics(self._theme.font(self._theme.sizes.body))
        return QSize(0, metrics.height() + 16 + _GAP)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: ListRow = index.data(ROW_ROLE)
        rect, state = option.rect, option.state
        painter.save()
        if not row.conversation_id:
            paint_section_head(painter, rect.adjusted(_PAD, 0, -_PAD, 0), row.text, self._theme)
        else:
            self._paint_title(painter, rect.adjusted(0, 0, 0, -_GAP), row, state)
        painter.restore()

    def _paint_title(self, painter: QPainter, rect: QRect, row: ListRow, state: QStyle.StateFlag) -> None:
        theme = self._theme
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            ring = theme.color("accent") if state & QStyle.StateFlag.State_HasFocus else None
            paint_ground(painter, rect, theme.color("accent_soft"), line=ring)
        elif state & QStyle.StateFlag.State_MouseOver:
            paint_ground(painter, rect, theme.color("hover"))
        text = rect.adjusted(_PAD, 0, -_PAD, 0)
        paint_line(painter, text, row.text, theme, points=theme.sizes.body, color="ink", strong=selected)
