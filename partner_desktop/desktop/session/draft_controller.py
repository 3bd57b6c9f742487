"""DraftController: what is typed in each place and not sent survives a switch, a restart and a crash.

Contract: a draft is on the disk a moment after its last letter, and while somebody types on, every such
moment; nothing waits for it. Nothing is written before what is there was read. What was sent stays a draft
until Partner has accepted it. At the end of the window everything is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.chat.attachment_tray import TrayItem
from partner_desktop.desktop.session.outbox import Outbox, Place
from partner_desktop.desktop.session.shown_pictures import small_picture
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.message_draft import DraftItem, MessageDraft

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: From a letter to its being written down; letters in between are written with it.
SOON_MS = 300


class DraftController(Controller):
    """One window's; `outbox` says which place is open."""

    def __init__(self, context: WindowContext, outbox: Outbox) -> None:
        super().__init__(context)
        self._outbox = outbox
        self._composer = self._window.page.composer
        self._unsaved: dict[Place, None] = {}
        self._saving = asyncio.Lock()
        self._told = False
        self._are_read = False
        """Until then nothing is written: it would take the place of what is not read yet."""
        self.new = outbox.place
        """The new chat, as long as it is none."""
        self._soon = QTimer(self._composer, interval=SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._save_soon)
        self._composer.edit.textChanged.connect(self._changed)
        self._composer.tray.changed.connect(self._changed)
        outbox.draft_changed = self.note

    def fresh(self) -> Place:
        """The new chat; another one where it has become a conversation, or is about to."""
        begun = any(letter.place is self.new for letter in self._outbox.letters)
        if self.new.conversation_id or begun:
            self.new = Place()
        return self.new

    def note(self, place: Place) -> None:
        """What is typed there, or goes with it, may be otherwise."""
        if self._is_left(place):
            place = self._joined(place)
        self._unsaved[place] = None
        if not self._soon.isActive():
            self._soon.start()

    def _is_left(self, place: Place) -> bool:
        """Whether it was about to become a conversation and did not: the new chat has what was typed there.

        Nothing is written for it any more: on the disk both are the new chat, and it has nothing.
        """
        waits = any(letter.place is place for letter in self._outbox.letters)
        return place is not self.new and not place.conversation_id and not waits

    def _joined(self, other: Place) -> Place:
        """One new chat of two: what was about to become a conversation did not, and nothing leads there."""
        gone, self.new = (self.new, other) if other is self._outbox.place else (other, self.new)
        text, items = gone.draft, gone.items
        gone.draft, gone.items, gone.kept = "", (), ("", ())
        self._outbox.give_back(self.new, text, items)
        return self.new

    def _changed(self) -> None:
        self.note(self._outbox.place)

    def _save_soon(self) -> None:
        if self._unsaved and self._are_read:
            self._request("keep drafts", self.save, on_fault=self._tell_once)

    def _tell_once(self, sentence: str) -> None:
        """A disk that is full stays so: whoever types on is not told with every letter."""
        if not self._told:
            self._told = True
            self._context.notices.fault(sentence)

    async def read(self, partner: Partner, place_of: Callable[[str], Place]) -> MessageDraft | None:
        """Give every place what was typed there the last time; the draft that was written last."""
        drafts = await partner.drafts.list()
        for draft in drafts:
            place = place_of(draft.conversation_id) if draft.conversation_id else self.fresh()
            items = await asyncio.to_thread(_tray_items, draft.items)
            place.kept_as, place.kept = draft.conversation_id, (draft.text, items)
            self._outbox.give_back(place, draft.text, items)
        self._are_read = True
        self._soon.start()
        return next(iter(drafts), None)

    async def save(self, partner: Partner) -> None:
        """Write down all that is not.

        Raises:
            PartnerError: Something could not be; it is tried again with the next, and when the window goes.
        """
        failed: dict[Place, PartnerError] = {}
        async with self._saving:
            while self._unsaved and self._are_read:
                place = next(iter(self._unsaved))
                del self._unsaved[place]
                if self._is_left(place):
                    continue
                try:
                    await self._save(partner, place)
                except PartnerError as error:
                    failed[place] = error
            self._unsaved |= dict.fromkeys(failed)
        if failed:
            raise next(iter(failed.values()))
        self._told = False

    async def close(self, partner: Partner) -> None:
        """The window goes: write down what is not, and nothing any more."""
        with suppress(PartnerError):  # the disk is full: it was told
            await self.save(partner)
        self._are_read = False

    async def _save(self, partner: Partner, place: Place) -> None:
        key = place.conversation_id
        if place.kept_as != key:  # the new chat became a conversation
            if any(place.kept):
                await partner.drafts.keep(place.kept_as)
                await partner.drafts.attach(place.kept_as)
            place.kept_as, place.kept = key, ("", ())
            if self.new is not place and any(self.new.kept):
                self.new.kept = ("", ())
                self._unsaved[self.new] = None
        text, items = self._content(place)
        kept_text, kept_items = place.kept
        if text != kept_text:
            await partner.drafts.keep(key, text)
            place.kept = (text, kept_items)
        if items != kept_items:
            await partner.drafts.attach(key, [_draft_item(item) for item in items])
            place.kept = (text, items)

    def _content(self, place: Place) -> tuple[str, tuple[TrayItem, ...]]:
        """What is typed there, behind what was sent and is not accepted."""
        text, items = place.draft, place.items
        if place is self._outbox.place:
            text, items = self._composer.draft, self._composer.tray.items
        letters = [letter for letter in self._outbox.letters if letter.place is place]
        if letters:
            text = "\n".join([*(letter.text for letter in letters), text]).rstrip()
            items = (*(item for letter in letters for item in letter.items), *items)
        return text if text.strip() else "", items


def _draft_item(item: TrayItem) -> DraftItem:
    return DraftItem(item.name, str(item.picture) if item.picture is not None else "", item.attachment)


def _tray_items(items: Sequence[DraftItem]) -> tuple[TrayItem, ...]:
    """Blocking. A picture whose file is gone is left out."""
    found = []
    for item in items:
        picture = Path(item.picture) if item.picture else None
        if picture is None or picture.is_file():
            small = small_picture(picture) if picture is not None else None
            found.append(TrayItem(item.name, picture, small, item.attachment))
    return tuple(found)
