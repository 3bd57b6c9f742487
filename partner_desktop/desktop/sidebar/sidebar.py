"""The left column."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.sidebar.conversation_list import ConversationList
from partner_desktop.desktop.sidebar.results import ResultList
from partner_desktop.desktop.sidebar.search_field import SearchField
from partner_desktop.desktop.sidebar.status import StatusFoot
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language

if TYPE_CHECKING:
    from partner_desktop.domain.message import Conversation, ConversationHit


class Sidebar(QWidget):
    """`new_pressed()`, `conversation_chosen(id)`; more is said by `search`, `list` and `results`."""

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
        set_tip(self.new_button, lambda: self.tr("New chat (Ctrl+N)"))
        self.new_button.clicked.connect(self.new_pressed)
        self.search = SearchField(theme)
        self.list = ConversationList(theme)
        self.model = self.list.rows
        self.list.conversation_chosen.connect(self._choose)
        self.results = ResultList(theme)
        self.search.down_pressed.connect(self._take_keys)
        self.search.enter_pressed.connect(self.results.choose_first)
        self._sought = ""
        self.nothing = text_label("", "muted", wrap=True)
        in_every_language(self, self._say_nothing)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.nothing.setContentsMargins(12, 8, 12, 0)
        self._pages = QStackedWidget()
        for page in (self.list, self.results, self.nothing):
            self._pages.addWidget(page)
        self.status = StatusFoot(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 10)
        layout.setSpacing(8)
        for widget in (self.new_button, self.search):
            layout.addWidget(widget)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.status)

    @property
    def searching(self) -> bool:
        """Whether results stand in place of the conversations."""
        return self._pages.currentWidget() is not self.list

    def show_conversations(
        self, conversations: Iterable[Conversation], now: datetime, busy: Container[str] = ()
    ) -> None:
        """Fill the list anew."""
        pointed_at = self.list.pointed_at
        self.model.show_conversations(conversations, now, busy)
        self.show_current(self._current)
        self.list.point_at(pointed_at)

    def show_current(self, conversation_id: str) -> None:
        """Mark the open conversation; empty for a new chat."""
        self._current = conversation_id
        self.list.show_current(conversation_id)

    def show_hits(self, text: str, hits: Sequence[ConversationHit]) -> None:
        """What was found for `text`, or a sentence."""
        self.results.show_hits(hits)
        self._sought = text
        self._say_nothing()
        self._pages.setCurrentWidget(self.results if hits else self.nothing)

    def _say_nothing(self) -> None:
        if self._sought:
            self.nothing.setText(self.tr("Nothing was said about “{text}”.").format(text=self._sought))

    def show_list(self) -> None:
        """Nothing is looked for."""
        self._pages.setCurrentWidget(self.list)
        self.results.show_hits(())

    def _choose(self, conversation_id: str) -> None:
        if conversation_id != self._current:
            self.conversation_chosen.emit(conversation_id)

    def _take_keys(self) -> None:
        if self.searching:
            self.results.take_keys()
        else:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
