"""The list of conversations in view: choosing, renaming in place, and the menu of each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.sidebar.delegate import ConversationDelegate
from partner_desktop.desktop.sidebar.model import ConversationModel, ListRow
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import Words, say

_BATCH = 100


class ConversationList(QListView):
    """`conversation_chosen(id)`, `rename_wanted(id, title)`, `delete_wanted(id)`, `export_wanted(id)`,
    `import_wanted()`."""

    conversation_chosen = Signal(str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    export_wanted = Signal(str)
    import_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.rows = ConversationModel()
        self.menu = QMenu(self)
        """Filled anew each time it opens."""
        say(self, self.setAccessibleName, lambda: self.tr("Conversations"))
        self.setModel(self.rows)
        self._delegate = ConversationDelegate(theme, self)
        self._delegate.renamed.connect(self.rename_wanted)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.more_button = MoreButton(theme, self, lambda: self.tr("More for this conversation"))
        self.more_button.clicked.connect(self._open_menu_of_button)
        theme.changed.connect(self.doItemsLayout)

    def rename(self, index: QModelIndex) -> None:
        """Write the title in place."""
        if index.isValid():
            self.setCurrentIndex(index)
            self.edit(index)

    @property
    def pointed_at(self) -> str:
        """The conversation that the keyboard stands on, while it is in this list."""
        row = row_at(self.currentIndex()) if self.hasFocus() else None
        return row.conversation_id if row is not None else ""

    def point_at(self, conversation_id: str) -> None:
        """Put the keyboard back after the rows changed; empty leaves it."""
        if conversation_id:
            self._go_to(conversation_id)

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation and go there; empty marks none."""
        if self._delegate.open_id != conversation_id:
            self._delegate.open_id = conversation_id
            self.viewport().update()
        self._go_to(conversation_id)

    def _go_to(self, conversation_id: str) -> None:
        """Nothing moves while a title is being written."""
        index = self.rows.index_of(conversation_id)
        if self.state() == QAbstractItemView.State.EditingState or index == self.currentIndex():
            return
        self.setCurrentIndex(index)
        if not index.isValid():
            self.clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = row_at(self.currentIndex())
        by_menu_key = event.key() == Qt.Key.Key_Menu or (
            event.key() == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        )
        if by_menu_key:
            self._open_menu(self.currentIndex(), self.visualRect(self.currentIndex()).bottomLeft())
        elif event.key() == Qt.Key.Key_Delete and row is not None:
            self.delete_wanted.emit(row.conversation_id)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # What is marked is what is open; asking for a menu opens nothing.
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.visualRect(self.currentIndex()).bottomLeft()
            self._open_menu(self.currentIndex(), place)
        else:
            self._open_menu(self.indexAt(event.pos()), event.pos())

    def _choose(self, index: QModelIndex) -> None:
        row = row_at(index)
        if row is not None:
            self.conversation_chosen.emit(row.conversation_id)

    def _open_menu_of_button(self) -> None:
        self._open_menu(self.more_button.index, self.more_button.geometry().bottomLeft())

    def _open_menu(self, index: QModelIndex, place: QPoint) -> None:
        if self.menu.isVisible():  # some systems send both the key and the wish for a menu
            return
        self.menu.clear()
        row = row_at(index)
        if row is not None:
            self._fill_menu(self.menu, row)
        self.menu.addAction(self.tr("Import a conversation…"), self.import_wanted.emit)
        self.menu.popup(self.viewport().mapToGlobal(place))

    def _fill_menu(self, menu: QMenu, row: ListRow) -> None:
        one = row.conversation_id
        menu.addAction(self.tr("Rename") + "\tF2", lambda: self.rename(self.rows.index_of(one)))
        menu.addAction(self.tr("Export…"), lambda: self.export_wanted.emit(one))
        menu.addAction(self.tr("Delete") + "\tDel", lambda: self.delete_wanted.emit(one))
        menu.addSeparator()


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
