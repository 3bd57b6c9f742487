"""Paints the conversation list, and makes the field in which a title is rewritten."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from partner_desktop.desktop.parts.paint import (
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.sidebar.model import ListRow
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.theme import Theme

_PAD = 12
_GAP = 3
_DOT = 7
#: What the button for more takes on the row where it stands.
_MORE_ROOM = 28
_LONGEST_TITLE = 200
_ID = "conversation_id"


class ConversationDelegate(QStyledItemDelegate):
    """Heads small and muted; titles on one line, the open one bold on a soft ground, a ring where the
    keyboard is; a dot where work goes on.

    `renamed(id, title)` when a title was rewritten.
    """

    renamed = Signal(str, str)

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.open_id = ""
        """The conversation that is shown in the chat."""
        self._heights: dict[bool, QSize] = {}
        theme.changed.connect(self._heights.clear)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        # Asked for every row of thousands.
        row: ListRow = index.data(ROW_ROLE)
        is_head = not row.conversation_id
        if is_head not in self._heights:
            metrics = QFontMetrics(self._theme.font(self._theme.sizes.body))
            height = section_head_height(self._theme) if is_head else metrics.height() + 16 + _GAP
            self._heights[is_head] = QSize(0, height)
        return self._heights[is_head]

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
        is_open = row.conversation_id == self.open_id
        under_pointer = bool(state & QStyle.StateFlag.State_MouseOver)
        has_keys = bool(state & QStyle.StateFlag.State_HasFocus)
        if is_open or under_pointer or has_keys:
            fill = "accent_soft" if is_open else "hover" if under_pointer else "background"
            ring = theme.color("accent") if has_keys else None
            paint_ground(painter, rect, theme.color(fill), line=ring)
        room = is_open or under_pointer or bool(state & QStyle.StateFlag.State_Selected)
        text = rect.adjusted(_PAD, 0, -(_MORE_ROOM + 4 if room else _PAD), 0)
        if row.busy:
            self._paint_dot(painter, text)
            text.setLeft(text.left() + _DOT + 7)
        paint_line(painter, text, row.text, theme, points=theme.sizes.body, color="ink", strong=is_open)

    def _paint_dot(self, painter: QPainter, text: QRect) -> None:
        place = QRect(text.left(), text.center().y() - _DOT // 2, _DOT, _DOT)
        paint_ground(painter, place, self._theme.color("accent"), radius=_DOT / 2)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        row: ListRow = index.data(ROW_ROLE)
        editor = QLineEdit(parent)
        set_look(editor, "rename")
        editor.setAccessibleName(self.tr("New title"))
        editor.setMaxLength(_LONGEST_TITLE)
        # Rows move while one writes: what is renamed is the conversation, not the row.
        editor.setProperty(_ID, row.conversation_id)
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
            editor.selectAll()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        editor.setGeometry(option.rect.adjusted(0, 0, 0, -_GAP))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QLineEdit) and editor.isModified() and editor.text().strip():
            self.renamed.emit(str(editor.property(_ID)), editor.text().strip())
