"""The left column: conversations in order, looked for, renamed, deleted and brought back, exported."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.operations.conversation_verbs import (
    delete_conversation,
    export_conversation,
    rename_conversation,
    restore_conversation,
    title_words,
)
from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.events import ConversationEvent, ConversationGoneEvent, Event
from partner_desktop.domain.message import Conversation

if TYPE_CHECKING:
    from partner_desktop.app import Partner


#: Making a list so long anew takes milliseconds, and chats from elsewhere come in by the thousand.
_MANY = 500
_PAUSE_MS = 200


class ConversationController(Controller):
    """The left column: all conversations in order, or what was found in them.

    A long list follows what happens only after a moment.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._sidebar = sidebar = self._window.sidebar
        self._reopened: set[str] = set()
        self._wanted = ""
        self._in_work: set[str] = set()
        self._behind = False
        self._pause = QTimer(sidebar, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._catch_up)
        sidebar.search.search_wanted.connect(self.search)
        sidebar.search.left.connect(self._window.page.composer.edit.setFocus)
        sidebar.rename_wanted.connect(partial(rename_conversation, context))
        sidebar.delete_wanted.connect(partial(delete_conversation, context))
        sidebar.export_wanted.connect(self.ask_where_to_export)
        self._window.page.header.title_changed.connect(self._rename_open)
        self._store.conversations.changed.connect(lambda _ids, _gone: self._list())
        self._store.actions.changed.connect(self._look_at_work)
        self._store.turns.changed.connect(self._look_at_work)
        in_every_language(sidebar, self._list)

    def _begin(self, partner: Partner) -> None:
        if self._wanted:
            self.search(self._wanted)

    # The list.

    def _look_at_work(self, _ids: tuple[str, ...], _gone: tuple[str, ...]) -> None:
        """A turn or a run may have begun or ended somewhere."""
        if self._store.in_work != self._in_work:
            self._list()

    def _list(self) -> None:
        self._behind = self._pause.isActive()
        if not self._behind:
            known, self._in_work = self._store.conversations.values(), self._store.in_work
            self._sidebar.show_conversations(known, self._context.clock.now().astimezone(), self._in_work)
            if len(known) > _MANY:
                self._pause.start()

    def _catch_up(self) -> None:
        if self._behind:
            self._list()

    # Search.

    def search(self, text: str) -> None:
        """Look for `text`; empty shows the conversations again."""
        self._wanted = text
        if not text:
            self._sidebar.show_list()
        else:
            self._request("search", lambda partner: self._find(partner, text))

    async def _find(self, partner: Partner, text: str) -> None:
        hits = await partner.conversations.search(text)
        if text == self._wanted:  # otherwise something else is looked for by now
            self._sidebar.show_hits(text, hits)

    # One of them. What follows from a deletion comes with the event, whoever deleted.

    def _rename_open(self, title: str) -> None:
        rename_conversation(self._context, self._context.navigation.conversation_id, title)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ConversationGoneEvent) and not event.erased:
            self._take_away(event.conversation)
        if isinstance(event, (ConversationGoneEvent, ConversationEvent)) and self._wanted:
            self.search(self._wanted)

    def _take_away(self, conversation: Conversation) -> None:
        in_list = self._sidebar.list.hasFocus()
        if self._context.navigation.conversation_id == conversation.id:
            self._reopened.add(conversation.id)
            self._context.navigation.open("")
            if in_list:  # the next key is for the list, or takes the deletion back
                self._sidebar.list.setFocus()
        self._context.tell(
            lambda: tr("Deleted “{title}”").format(title=title_words(conversation)),
            undo=lambda: restore_conversation(self._context, conversation.id, self._reopened),
        )

    def ask_where_to_export(self, conversation_id: str) -> None:
        """Let a file be chosen, and write the conversation to it."""
        conversation = self._store.conversations.get(conversation_id)
        if conversation is not None:
            ask_for_export(
                self._window,
                title_words(conversation),
                lambda path: export_conversation(self._context, conversation_id, path),
            )


_UNFIT_FOR_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 80


def file_name(title: str) -> str:
    """A title as the name of a file, without an ending."""
    fit = " ".join(_UNFIT_FOR_NAMES.sub(" ", title).split())
    return fit[:_LONGEST_NAME].strip(" .") or "conversation"


def ask_for_export(window: QWidget, title: str, chosen: Callable[[Path], object]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the kind that was chosen."""
    endings = {tr("Markdown, to read (*.md)"): "md", tr("JSON, to import again (*.json)"): "json"}
    return ask_where(window, tr("Export this conversation"), chosen, endings=endings, name=file_name(title))
