"""AttachmentController: what goes with a message: dropped, pasted, chosen or named with an `@`, then sent,
then shown under it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.chat.attachment_tray import TrayItem, attachment_chips
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.completion_list import Completion
from partner_desktop.desktop.opener import open_document, open_folder
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.session.shown_pictures import ShownPictures
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.attachment import MOST_ATTACHED, Attachable, Attachment, AttachmentKind
from partner_desktop.domain.message import LONGEST_TEXT
from partner_desktop.runtime.attachment_store import described_path

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class AttachmentController(Controller):
    """Fills the composer's tray and its list of names, and puts chips under messages; owns its pictures."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._composer = self._window.page.composer
        self._tray = self._composer.tray
        self._feed = self._window.page.feed
        self._pictures = ShownPictures(context)
        self._composer.mention_typed.connect(self._suggest)
        self._composer.edit.text_refused.connect(self._tell_length)
        self._feed.entry_added.connect(self._show_under)

    def close(self) -> None:
        self._pictures.close()

    def show(self, files: Sequence[Path]) -> list[Path]:
        """Put the pictures among some files into the tray; the others."""
        return self._pictures.take_files(files)

    def attach(self, files: Sequence[Path]) -> None:
        """Put files and folders into the tray, pictures as such; more than fit are told of."""
        others = self.show(files)
        if len(self._tray.items) + self._tray.expected + len(others) > MOST_ATTACHED:
            self._tell_limit()
        elif others:
            self._context.work.start("attach", self._add(asyncio.to_thread(_described, others)))

    def _tell_limit(self) -> None:
        text = tr("A message carries at most {count} files, folders and conversations.")
        self._context.notices.fault(text.format(count=MOST_ATTACHED))

    def _tell_length(self, length: int) -> None:
        text = tr(
            "Not pasted: it has {length} characters, and a message holds {most}. "
            "Save it as a file and drop that here."
        )
        self._context.notices.fault(text.format(length=f"{length:,}", most=f"{LONGEST_TEXT:,}"))

    async def _add(self, looking: Awaitable[Sequence[Attachment]]) -> None:
        """What it finds, but for what is there already."""
        in_round = self._tray.expect()
        items: list[TrayItem] = []
        complete = False
        try:
            items = [TrayItem(each.name, attachment=each) for each in await looking]
            complete = True
        finally:
            taken = self._tray.arrive(items, in_round, complete=complete)
        if taken:
            self._composer.edit.setFocus()

    # Named with an `@`.

    def _suggest(self, words: str) -> None:
        self._request("what can be attached", lambda partner: self._offer(partner, words))

    async def _offer(self, partner: Partner, words: str) -> None:
        place = self._context.navigation.conversation_id
        offered = await partner.attachments.suggest(words[:200], conversation_id=place)
        if self._composer.mention != words:  # more was written meanwhile
            return
        completions = [
            Completion(
                each.path or each.conversation_id,
                shown(each.name),
                partial(self._take_named, each),
                text=each.place,
                moment=_kind_words(each.kind),
            )
            for each in offered
        ]
        name = lambda: tr("Files and conversations to attach")  # noqa: E731 - words of a language
        self._composer.completions.offer(completions, name=name)

    def _take_named(self, chosen: Attachable) -> None:
        if len(self._tray.items) + self._tray.expected >= MOST_ATTACHED:
            self._tell_limit()
            return
        talk = chosen.kind is AttachmentKind.TALK
        self._composer.complete_mention(f"“{chosen.name}”" if talk else chosen.name)
        if talk:
            talks = (chosen.conversation_id,)
            self._request("attach", lambda partner: self._add(partner.attachments.describe((), talks)))
        else:
            self.attach([Path(chosen.path)])

    # Under a message.

    def _show_under(self, key: str) -> None:
        entry = self._feed.entry(key)
        if entry is None or not isinstance(entry.widget, Bubble):
            return
        bubble, parts = entry.widget, list[QWidget]()
        pictures = self._pictures.view_of(bubble)
        seen = pictures is not None  # and what is seen needs no chip beside it
        named = [each for each in bubble.attachments if not (seen and each.kind is AttachmentKind.PICTURE)]
        if named:
            parts.append(attachment_chips(self._window.theme, named, self._open))
        if pictures is not None:
            parts.append(pictures)
        if len(parts) == 1:
            bubble.show_below(parts[0])
        elif parts:
            both = QWidget()
            vbox(*parts, into=both, gap=6, margins=None)
            bubble.show_below(both)

    def _open(self, attachment: Attachment) -> None:
        if attachment.kind is AttachmentKind.TALK:
            self._context.navigation.open(attachment.conversation_id)
            return
        path = Path(attachment.path)
        if attachment.kind is AttachmentKind.FOLDER or not open_document(path):
            open_folder(path if attachment.kind is AttachmentKind.FOLDER else path.parent)


def _kind_words(kind: AttachmentKind) -> str:
    if kind is AttachmentKind.TALK:
        return tr("Conversation")
    return tr("Folder") if kind is AttachmentKind.FOLDER else tr("File")


def _described(files: Sequence[Path]) -> list[Attachment]:
    """Blocking; before Partner is there, too.

    Raises:
        UsageError: One is not there, or is no file and no folder.
    """
    return [described_path(file) for file in files]
