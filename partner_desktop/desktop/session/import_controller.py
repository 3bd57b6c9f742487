"""Conversations that come in from files: one that Partner exported, or all the chats of another program.

Contract: which of the two a file is, the file says. An import of chats shows how far it is, wherever it was
begun: in a notice that stays until the import ends, is stopped, or the person closes the notice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.operations.conversation_verbs import title_words
from partner_desktop.desktop.parts.file_dialogs import ask_for_path
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.events import ChatImportEvent, Event

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.domain.remembered import ChatImport


class ImportController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._shown: dict[str, int] = {}
        """Imports that go on, and the percents that are told of them."""
        self._window.sidebar.import_wanted.connect(self.ask_for_file)

    def ask_for_file(self) -> None:
        """Let a file be chosen, and take it in."""
        ask_for_import(self._window, self.take_in)

    def take_in(self, path: Path) -> None:
        """Import a conversation and show it, or begin to bring in the chats of another program."""
        self._request("import", lambda partner: self._import(partner, path))

    async def _import(self, partner: Partner, path: Path) -> None:
        from partner_desktop.runtime.conversations.importer import is_conversation_file  # noqa: PLC0415

        if not await asyncio.to_thread(is_conversation_file, path):
            self._show(await partner.memory.import_from(path))
            return
        conversation = await partner.conversations.import_from(path)
        self._context.navigation.open(conversation.id)
        self._context.tell(lambda: tr("Imported “{title}”").format(title=title_words(conversation)))

    def deliver(self, event: Event) -> None:
        if isinstance(event, ChatImportEvent):
            self._show(event.progress)

    def _show(self, one: ChatImport) -> None:
        """How far it is; how it ended is said by a notice of its own about the same."""
        notices, about = self._context.notices, f"memory:{one.id}"
        percent = round(100 * one.share)
        if one.state != "running":
            self._shown.pop(one.id, None)
            if one.state == "stopped":
                notices.tell("", _stopped_words(percent), about=about)
        elif one.id not in self._shown:
            stop = NoticeAction(lambda: tr("Stop"), lambda: self._stop(one.id), undoes=False)
            notices.tell("", _progress_words(percent), about=about, action=stop, stays=True)
            self._shown[one.id] = percent
        elif percent != self._shown[one.id]:
            notices.renew(about, _progress_words(percent))
            self._shown[one.id] = percent

    def _stop(self, import_id: str) -> None:
        self._request("stop import", lambda partner: partner.memory.stop_import(import_id))


def _progress_words(percent: int) -> LazyText:
    return lambda: tr("Bringing in chats: {percent} %").format(percent=percent)


def _stopped_words(percent: int) -> LazyText:
    return lambda: tr(
        "Stopped bringing in chats at {percent} %. What is in stays; import the same file again to go on."
    ).format(percent=percent)


#: What may hold chats, by the name of the file.
CHAT_FILES = (".json", ".jsonl", ".zip")


def ask_for_import(window: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for an exported file."""
    patterns = " ".join(f"*{ending}" for ending in CHAT_FILES)
    filters = (tr("Exported conversations ({patterns})").format(patterns=patterns), tr("All files (*)"))
    return ask_for_path(window, tr("Import conversations"), lambda path: chosen(Path(path)), filters=filters)
