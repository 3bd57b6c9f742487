"""The left column."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout, QWidget

from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.sidebar.delegate import ConversationDelegate
from partner_desktop.desktop.sidebar.model import ConversationModel, ListRow
from partner_desktop.desktop.sidebar.status import StatusFoot
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation


class Sidebar(QWidget):
    """`new_pressed()`, `conversation_chosen(id)`."""

    new_pressed = Signal()
    conversation_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current = ""
        self.new_button = push_button(
            lambda: self.tr("＋  New chat"), "new", name=lambda: self.tr("New chat")
        )
        say(self.new_button, self.new_button.setToolTip, lambda: self.tr("New chat (Ctrl+N)"))
        self.new_button.clicked.connect(self.new_pressed)
        self.model = ConversationModel()
        self.list = self._make_list(theme)
        self.status = StatusFoot(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self.new_button)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.status)
        theme.changed.connect(self.list.doItemsLayout)

    def _make_list(self, theme: Theme) -> QListView:
        view = QListView()
        say(view, view.setAccessibleName, lambda: self.tr("Conversations"))
        view.setModel(self.model)
        view.setItemDelegate(ConversationDelegate(theme, view))
        view.setMouseTracking(True)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        return view

    def show_conversations(self, conversations: Iterable[Conversation], now: datetime) -> None:
        """Fill the list anew."""
        self.model.show_conversations(conversations, now)
        self.show_current(self._current)

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation; empty for a new chat."""
        self._current = conversation_id
        index = self.model.index_of(conversation_id)
        if index.isValid():
            self.list.setCurrentIndex(index)
        else:
            self.list.clearSelection()
            self.list.setCurrentIndex(QModelIndex())

    def _choose(self, index: QModelIndex) -> None:
        row: ListRow | None = index.data(ROW_ROLE)
        if row is not None and row.conversation_id and row.conversation_id != self._current:
            self.conversation_chosen.emit(row.conversation_id)
