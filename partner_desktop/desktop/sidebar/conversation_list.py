"""The list of conversations in view: choosing, renaming in place, and the menu of each."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.desktop.parts.controls import IconButton
from partner_desktop.desktop.parts.lists.list_rows import (
    ROW_ROLE,
    RowsList,
    RowsModel,
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import LazyText, tr

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation

_BATCH = 100


class ConversationList(RowsList):
    """`conversation_chosen(id)`, `rename_wanted(id, title)`, `delete_wanted(id)`, `export_wanted(id)`,
    `import_wanted()`."""

    conversation_chosen = Signal(str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    export_wanted = Signal(str)
    import_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        self.rows = ConversationModel()
        super().__init__(self.rows, lambda: self.tr("Conversations"))
        self.menu = QMenu(self)
        """Filled anew each time it opens."""
        self._delegate = ConversationDelegate(theme, self)
        self._delegate.renamed.connect(self.rename_wanted)
        self.setItemDelegate(self._delegate)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.DoubleClicked)
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
        self.menu.addAction(self.tr("Import conversations…"), self.import_wanted.emit)
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

    def __init__(self, theme: Theme, view: QListView, name: LazyText) -> None:
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


_WEEK_DAYS = 7


class ListRow(NamedTuple):
    """A conversation, or the head over some; a head has no id."""

    conversation_id: str
    text: str
    busy: bool = False
    """Something goes on in it."""


class ConversationModel(RowsModel[ListRow]):
    """Heads can be neither chosen nor reached."""

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        """Show these; `now` says which day it is, in the person's zone; in `busy` work goes on."""
        rows: list[ListRow] = []
        untitled = tr("New chat")
        head, day_began = "", datetime.max.replace(tzinfo=UTC)
        for conversation in sorted(conversations, key=lambda each: each.updated_at, reverse=True):
            if conversation.updated_at < day_began:  # of thousands, most are of the same day as the last
                day = conversation.updated_at.astimezone(now.tzinfo).date()
                day_began = datetime.combine(day, time.min, tzinfo=now.tzinfo)
                words = day_words(day, now.date())
                if words != head:
                    head = words
                    rows.append(ListRow("", head))
            title = conversation.title or untitled
            rows.append(ListRow(conversation.id, title, conversation.id in busy))
        self.set_rows(rows)

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Where a conversation stands; invalid when it is not there."""
        for number, row in enumerate(self.rows):
            if row.conversation_id == conversation_id and conversation_id:
                return self.index(number)
        return QModelIndex()

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self.rows[index.row()].conversation_id:
            flags = Qt.ItemFlag
            return flags.ItemIsEnabled | flags.ItemIsSelectable | flags.ItemIsEditable
        return Qt.ItemFlag.NoItemFlags

    def describe(self, row: ListRow, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("{title}, at work").format(title=row.text) if row.busy else row.text
        return row.text if role == Qt.ItemDataRole.ToolTipRole and row.conversation_id else None


def day_words(day: date, today: date) -> str:
    """Today, Yesterday, Previous 7 days, then months: by the person's calendar, not by hours."""
    age = (today - day).days
    if age <= 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    if age <= _WEEK_DAYS:
        return tr("Previous 7 days")
    month = QLocale().standaloneMonthName(day.month)
    return month if day.year == today.year else tr("{month} {year}").format(month=month, year=day.year)


_PAD = 12
_ROW_GAP = 3
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
            height = section_head_height(self._theme) if is_head else metrics.height() + 16 + _ROW_GAP
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
            self._paint_title(painter, rect.adjusted(0, 0, 0, -_ROW_GAP), row, state)
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
        editor.setGeometry(option.rect.adjusted(0, 0, 0, -_ROW_GAP))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QLineEdit) and editor.isModified() and editor.text().strip():
            self.renamed.emit(str(editor.property(_ID)), editor.text().strip())
