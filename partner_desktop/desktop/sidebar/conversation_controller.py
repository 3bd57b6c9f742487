"""The left column: conversations in order, looked for, renamed, deleted and brought back, exported."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from partner_desktop.desktop.operations.conversation_verbs import (
    delete_conversations,
    export_conversation,
    look_at_conversation,
    organize_conversations,
    put_back_conversations,
    rename_conversation,
    rename_folder,
    restore_conversations,
    title_words,
    titles_words,
)
from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.sidebar.conversation_rows import MOVE
from partner_desktop.desktop.sidebar.search_filters import SearchFilter
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.events import ConversationEvent, ConversationGoneEvent, Event
from partner_desktop.domain.message import Conversation, ConversationHit

if TYPE_CHECKING:
    from partner_desktop.app import Partner


#: Making a list so long anew takes milliseconds, and chats from elsewhere come in by the thousand.
_MANY = 500
_PAUSE_MS = 200


class ConversationController(Controller):
    """The left column: all conversations in order, or what was found in them.

    The list is made anew once for all that happens together; a long one only after a moment.
    """

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._sidebar = sidebar = self._window.sidebar
        self._reopened: set[str] = set()
        self._wanted = ""
        self._in_work: set[str] = set()
        self._behind = False
        self._pause = QTimer(sidebar, singleShot=True)
        self._pause.timeout.connect(self._catch_up)
        self.looked_at = ""
        """The conversation that somebody looks at; empty: none."""
        self._look_soon = QTimer(sidebar, interval=0, singleShot=True)
        self._look_soon.timeout.connect(self._look)
        self._search_soon = QTimer(sidebar, interval=0, singleShot=True)
        self._search_soon.timeout.connect(lambda: self.search(self._wanted, again=True))
        self._taken: list[Conversation] = []
        self._tell_soon = QTimer(sidebar, interval=0, singleShot=True)
        self._tell_soon.timeout.connect(self._tell_deleted)
        sidebar.search.search_wanted.connect(self.search)
        sidebar.search.left.connect(self._window.page.composer.edit.setFocus)
        sidebar.filters.changed.connect(lambda: self.search(self._wanted))
        sidebar.rename_wanted.connect(partial(rename_conversation, context))
        sidebar.folder_renamed.connect(partial(rename_folder, context))
        sidebar.asked.connect(self.act)
        sidebar.view_changed.connect(lambda: self._list(now=True))
        self._window.page.header.title_changed.connect(self._rename_open)
        self._store.conversations.changed.connect(lambda _ids, _gone: self._list())
        self._store.actions.changed.connect(self._look_at_work)
        self._store.turns.changed.connect(self._look_at_work)
        context.place_changed.connect(self._look_soon.start)
        self._attention = Attention(self._window)
        self._attention.changed.connect(self._look_soon.start)
        in_every_language(sidebar, lambda: self._list(now=True))

    def _begin(self, partner: Partner) -> None:
        self._look_soon.start()
        if self._wanted:
            self.search(self._wanted)

    # The list.

    def _look_at_work(self, _ids: tuple[str, ...], _gone: tuple[str, ...]) -> None:
        """A turn or a run may have begun or ended somewhere."""
        if self._store.in_work != self._in_work:
            self._list()

    def _list(self, *, now: bool = False) -> None:
        self._behind = self._pause.isActive() and not now
        if not self._behind:
            known, self._in_work = self._store.conversations.values(), self._store.in_work
            self._sidebar.show_conversations(known, self._now, self._in_work)
            self._pause.start(_PAUSE_MS if len(known) > _MANY else 0)

    def _catch_up(self) -> None:
        if self._behind:
            self._list()

    @property
    def _now(self) -> datetime:
        return self._context.clock.now().astimezone()

    def _look(self) -> None:
        """Partner knows which conversation somebody looks at: what comes there is not new to anybody."""
        place = self._context.navigation.conversation_id if self._attention.is_given else ""
        if self._store.ready and place != self.looked_at:
            self.looked_at = place
            look_at_conversation(self._context, place)

    # Search.

    def search(self, text: str, *, again: bool = False) -> None:
        """Look for `text`; empty, with nothing that narrows it either, shows the conversations again.

        `again`: for the same as before; what is in view and marked stays so.
        """
        self._wanted = text
        chosen = self._sidebar.filters.chosen
        if text or chosen.finds_alone:
            self._request("search", lambda partner: self._find(partner, text, chosen, again=again))
        else:
            self._sidebar.show_list()

    async def _find(self, partner: Partner, text: str, chosen: SearchFilter, *, again: bool) -> None:
        here = self._context.navigation.conversation_id if chosen.place == "here" else ""
        hits: Sequence[ConversationHit] = ()
        if here or chosen.place != "here":  # in a new chat nothing was said
            hits = await partner.conversations.search(
                text,
                conversation_id=here,
                archived=True if chosen.place == "archive" else None,
                said_by=chosen.said_by,
                since=chosen.since(self._now.date()),
                attached=chosen.attached,
            )
        # Otherwise something else is looked for by now.
        if text == self._wanted and chosen == self._sidebar.filters.chosen:
            self._sidebar.show_hits(text, hits, self._now, again=again)

    # What is done with some. What follows from a deletion comes with the event, whoever deleted.

    def act(self, verb: str, ids: Sequence[str]) -> None:
        """Do what a verb of the list says; see `conversation_verbs`."""
        known = self._store.conversations.those(ids)
        if not known:
            return
        organize = partial(organize_conversations, self._context, ids)
        if verb in ("pin", "unpin"):
            organize({"pinned": verb == "pin"})
        elif verb in ("unread", "read"):
            organize({"unread": verb == "unread"})
        elif verb in ("archive", "unarchive"):
            put_away = verb == "archive"
            organize({"archived": put_away}, lambda: _archived_words(known, put_away=put_away))
        elif verb.startswith(MOVE):
            folder = verb.removeprefix(MOVE)
            # What is pinned would not be seen in its folder.
            change = {"folder": folder, "pinned": False} if folder else {"folder": folder}
            organize(change, lambda: _moved_words(known, folder))
        elif verb == "new-folder":
            self._request("new folder", lambda partner: self._make_folder(partner, known))
        elif verb == "export":
            self.ask_where_to_export(ids[0])
        elif verb == "delete":
            delete_conversations(self._context, ids)

    async def _make_folder(self, partner: Partner, known: Sequence[Conversation]) -> None:
        """It comes into being under a name that is free, and is named where it stands."""
        taken = {one.name.casefold() for one in await partner.conversations.folders()}
        free = (tr("New folder"), *(f"{tr('New folder')} {number}" for number in range(2, 10_000)))
        folder = next(name for name in free if name.casefold() not in taken)
        await partner.conversations.organize([one.id for one in known], folder=folder, pinned=False)
        self._context.tell(
            lambda: _moved_words(known, folder),
            undo=lambda: put_back_conversations(self._context, known, ("folder", "pinned")),
        )
        self._list(now=True)
        self._sidebar.begin_folder_name(folder)

    def _rename_open(self, title: str) -> None:
        rename_conversation(self._context, self._context.navigation.conversation_id, title)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ConversationGoneEvent) and not event.erased:
            self._take_away(event.conversation)
        if isinstance(event, (ConversationGoneEvent, ConversationEvent)) and self._sidebar.searching:
            self._search_soon.start()  # one search for all that happens together

    def _take_away(self, conversation: Conversation) -> None:
        in_list = self._sidebar.list.hasFocus()
        if self._context.navigation.conversation_id == conversation.id:
            self._reopened.add(conversation.id)
            self._context.navigation.open("")
            if in_list:  # the next key is for the list, or takes the deletion back
                self._sidebar.list.setFocus()
        self._taken.append(conversation)
        self._tell_soon.start()

    def _tell_deleted(self) -> None:
        """Once for all that went together."""
        taken, self._taken = self._taken, []
        self._context.tell(
            lambda: tr("Deleted {conversations}").format(conversations=titles_words(taken)),
            undo=lambda: restore_conversations(self._context, [one.id for one in taken], self._reopened),
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


class Attention(QObject):
    """Whether somebody looks at a window. `changed()`: that may be otherwise now."""

    changed = Signal()
    _EVENTS = frozenset(
        (
            QEvent.Type.Show,
            QEvent.Type.Hide,
            QEvent.Type.WindowStateChange,
            QEvent.Type.ActivationChange,
        )
    )

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    @property
    def is_given(self) -> bool:
        """It is in view, and in front."""
        window = self._window
        in_front = window.isActiveWindow() or QApplication.activePopupWidget() is not None
        return window.isVisible() and not window.isMinimized() and in_front

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self._EVENTS:
            self.changed.emit()
        return super().eventFilter(watched, event)


def _archived_words(conversations: Sequence[Conversation], *, put_away: bool) -> str:
    words = tr("Archived {conversations}") if put_away else tr("{conversations} back from the archive")
    return words.format(conversations=titles_words(conversations))


def _moved_words(conversations: Sequence[Conversation], folder: str) -> str:
    words = (
        tr("Moved {conversations} to “{folder}”") if folder else tr("Took {conversations} out of the folder")
    )
    return words.format(conversations=titles_words(conversations), folder=folder)


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
