"""The small button that opens a row's menu: on the row under the pointer, else on the open one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QListView

from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.sidebar.model import ListRow
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import Words

_SIZE = 24
_FROM_RIGHT = 4
#: The air below a row belongs to it.
_GAP = 3


class MoreButton(IconButton):
    """A child of the list's viewport; the keyboard has the menu key instead."""

    def __init__(self, theme: Theme, view: QListView, name: Words) -> None:
        super().__init__(theme, "more", name)
        self._view = view
        self._index = QPersistentModelIndex()
        self.setParent(view.viewport())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.resize(_SIZE, _SIZE)
        self.hide()
        view.viewport().installEventFilter(self)
        view.selectionModel().currentChanged.connect(self._rest)
        view.verticalScrollBar().valueChanged.connect(self._rest)
        for changed in (view.model().dataChanged, view.model().rowsRemoved, view.model().rowsInserted):
            changed.connect(self._rest)

    @property
    def index(self) -> QModelIndex:
        """The row that it stands on."""
        return self._view.model().index(self._index.row(), 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            self._place(self._view.indexAt(event.position().toPoint()))
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.Resize):
            self._rest()
        return super().eventFilter(watched, event)

    def _rest(self, *_args: object) -> None:
        self._place(QModelIndex())

    def _place(self, index: QModelIndex) -> None:
        if row_at(index) is None:
            index = self._view.currentIndex()
        self._index = QPersistentModelIndex(index)
        rect = self._view.visualRect(index)
        shown = row_at(index) is not None and rect.intersects(self._view.viewport().rect())
        self.setVisible(shown)
        if shown:
            top = rect.top() + (rect.height() - _GAP - _SIZE) // 2
            self.move(rect.right() - _SIZE - _FROM_RIGHT, top)


def row_at(index: QModelIndex) -> ListRow | None:
    """The conversation at a place; `None` for heads and nothing."""
    row: ListRow | None = index.data(ROW_ROLE) if index.isValid() else None
    return row if row is not None and row.conversation_id else None
