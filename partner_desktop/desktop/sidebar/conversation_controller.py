"""What the person does with whole conversations: search, rename, delete and undo, export."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.parts.file_dialogs import ask_where
from partner_desktop.desktop.sidebar.sidebar import Sidebar
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.events import ConversationEvent, ConversationGoneEvent, Event
from partner_desktop.domain.message import Conversation, Message

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class ConversationController(Controller):
    """Wires the left column to Partner. `open_place(id)` shows a conversation; empty is a new chat."""

    def __init__(
        self,
        window: MainWindow,
        work: Work,
        book: ConversationBook,
        *,
        open_place: Callable[[str], None],
        is_open: Callable[[str], bool],
    ) -> None:
        super().__init__(window, work)
        self._sidebar = window.sidebar
        self._book = book
        self._open = open_place
        self._is_open = is_open
        self._reopened: set[str] = set()
        self._wanted = ""
        self._connect()

    def _connect(self) -> None:
        sidebar = self._sidebar
        sidebar.search.search_wanted.connect(self.search)
        sidebar.search.left.connect(self._window.page.composer.edit.setFocus)
        sidebar.list.rename_wanted.connect(self.rename)
        sidebar.list.delete_wanted.connect(self.delete)
        sidebar.list.export_wanted.connect(self.ask_where_to_export)

    def _begin(self, partner: Partner) -> None:
        if self._wanted:
            self.search(self._wanted)

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

    # Titles.

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a title."""
        self._request("rename", lambda partner: partner.conversations.rename(conversation_id, title))

    # Deletion. What follows from it comes with the event, whoever deleted.

    def delete(self, conversation_id: str) -> None:
        """Delete; a notice offers to take it back."""
        self._request("delete", lambda partner: partner.conversations.delete(conversation_id))

    async def _bring_back(self, partner: Partner, conversation_id: str) -> None:
        await partner.conversations.restore(conversation_id)
        for record in await partner.actions.list(limit=100):
            if record.conversation_id == conversation_id:
                self._window.panel.actions_tab.show_action(record)
        if conversation_id in self._reopened:
            self._reopened.discard(conversation_id)
            self._open(conversation_id)

    def deliver(self, event: Event) -> None:
        if isinstance(event, ConversationGoneEvent) and not event.erased:
            self._take_away(event.conversation)
        if isinstance(event, (ConversationGoneEvent, ConversationEvent)) and self._wanted:
            self.search(self._wanted)

    def _take_away(self, conversation: Conversation) -> None:
        in_list = self._sidebar.list.hasFocus()
        self._book.remove(conversation.id)
        self._window.panel.actions_tab.forget(conversation.id)
        if self._is_open(conversation.id):
            self._reopened.add(conversation.id)
            self._open("")
            if in_list:  # the next key is for the list, or takes the deletion back
                self._sidebar.list.setFocus()
        self._window.notices.tell(
            "",
            lambda: tr("Deleted “{title}”").format(title=title_words(conversation)),
            action=NoticeAction(
                lambda: tr("Undo"),
                lambda: self._request("restore", lambda partner: self._bring_back(partner, conversation.id)),
            ),
        )

    # Files.

    def ask_where_to_export(self, conversation_id: str) -> None:
        """Let a file be chosen, and write the conversation to it."""
        conversation = self._book.get(conversation_id)
        if conversation is not None:
            ask_for_export(
                self._window, title_words(conversation), lambda path: self.export(conversation_id, path)
            )

    def export(self, conversation_id: str, path: Path) -> None:
        """Write it to a file: Markdown or JSON, as the file's name says."""
        self._request("export", lambda partner: self._export(partner, conversation_id, path))

    async def _export(self, partner: Partner, conversation_id: str, path: Path) -> None:
        await partner.conversations.export_to(conversation_id, path, kind=kind_of(path))
        self._window.notices.tell("", lambda: tr("Exported to {file}").format(file=display_path(path)))


def title_words(conversation: Conversation) -> str:
    """What a conversation is called."""
    return conversation.title or tr("New chat")


_UNFIT_FOR_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 80


def kind_of(path: Path) -> Literal["markdown", "json"]:
    """What a file's name says it should hold."""
    return "json" if path.suffix.lower() == ".json" else "markdown"


def file_name(title: str) -> str:
    """A title as the name of a file, without an ending."""
    fit = " ".join(_UNFIT_FOR_NAMES.sub(" ", title).split())
    return fit[:_LONGEST_NAME].strip(" .") or "conversation"


def ask_for_export(window: QWidget, title: str, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a file to write; its ending is that of the kind that was chosen."""
    endings = {tr("Markdown, to read (*.md)"): "md", tr("JSON, to import again (*.json)"): "json"}
    return ask_where(window, tr("Export this conversation"), chosen, endings=endings, name=file_name(title))


#: Making a list so long anew takes milliseconds, and chats from elsewhere come in by the thousand.
_MANY = 500
_PAUSE_MS = 200


class ConversationBook:
    """Everything that is told of conversations comes here; the list follows, a long one after a moment."""

    def __init__(self, sidebar: Sidebar, clock: Clock) -> None:
        self._sidebar = sidebar
        self._clock = clock
        self._known: dict[str, Conversation] = {}
        self._work: dict[str, set[str]] = {}
        self._behind = False
        self._pause = QTimer(sidebar, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._catch_up)
        in_every_language(sidebar, self._list)

    def add(self, conversations: Iterable[Conversation]) -> None:
        """All there are."""
        self._known.update({each.id: each for each in conversations})
        self._list()

    def put(self, conversation: Conversation) -> None:
        """A conversation is new, or has another title."""
        self.add([conversation])

    def remove(self, conversation_id: str) -> None:
        """A conversation was deleted."""
        self._known.pop(conversation_id, None)
        self._list()

    def get(self, conversation_id: str) -> Conversation | None:
        """What is known of it."""
        return self._known.get(conversation_id)

    def move_up(self, message: Message) -> None:
        """The conversation that was spoken in last stands first."""
        known = self._known.get(message.conversation_id)
        if known is not None and message.created_at > known.updated_at:
            self.put(replace(known, updated_at=message.created_at))

    def note_work(self, conversation_id: str, work_id: str, *, goes_on: bool) -> None:
        """A turn or a run began or ended there."""
        work = self._work.setdefault(conversation_id, set())
        was_busy = bool(work)
        if goes_on:
            work.add(work_id)
        else:
            work.discard(work_id)
        if not work:
            del self._work[conversation_id]
        if bool(work) != was_busy and conversation_id in self._known:
            self._list()

    def _list(self) -> None:
        self._behind = self._pause.isActive()
        if not self._behind:
            now = self._clock.now().astimezone()
            self._sidebar.show_conversations(self._known.values(), now, self._work)
            if len(self._known) > _MANY:
                self._pause.start()

    def _catch_up(self) -> None:
        if self._behind:
            self._list()
