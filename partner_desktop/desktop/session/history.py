"""Fills the feed with what was said before: the newest page first, older pages when they are scrolled to.

Widgets are made a few at a time, the newest first, with the loop free in between: a long page never holds
the window. What is summed up is marked in it, as far as it is in view, and what is not to be remembered.
What shows replies (markdown, colours of code, views) is brought in with the first text, not before.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.events import DialogRolledEvent, Event, TakeEvent
from partner_desktop.domain.message import Message
from partner_desktop.domain.remembered import MemoryUnit

if TYPE_CHECKING:
    from partner_desktop.app import Partner

PAGE = 50
#: The loop is given back after this much work.
_SLICE_S = 0.004
#: So many come to view together: with each, all that stands there is laid out and painted.
_SHOWN_AT_ONCE = 5
_MOST_PAGES = 40
#: Pages that are read again at the end before the place of a change is shown by itself.
_MOST_RENEWED = 3
#: What is more positions back than this is shown by itself.
_NEAR = 2 * PAGE
#: Positions after the one that is looked for; most of them are of the same conversation.
_AFTER = PAGE // 2


class History:
    """The pages of one conversation at a time."""

    def __init__(self, feed: MessageList) -> None:
        self._feed = feed
        self._conversation_id = ""
        self._first: int | None = None
        self._loading: object | None = None
        self._renewal: object | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._complete = True
        feed.trimmed.connect(self._trimmed)

    async def open(self, partner: Partner, conversation_id: str) -> int:
        """Show the newest page; returns how many messages it had."""
        self._renewal = None
        self._conversation_id = conversation_id
        self._first, self._complete = None, False
        return await self._load(partner)

    def forget(self) -> None:
        self._conversation_id, self._complete = "", True

    async def older(self, partner: Partner) -> bool:
        """Show the page before; false when there is none, or one is on its way."""
        if self._loading is not None or self._complete or not self._conversation_id:
            return False
        return await self._load(partner) > 0

    async def newer(self, partner: Partner) -> bool:
        """Show the page after an old stretch; true when what is shown now goes up to the end.

        What comes meanwhile is lost on nobody: once the end is near it is joined, so that news is added as it
        comes, and only then is read what had come before.
        """
        last = self._feed.last_position
        if self._loading is not None or not self._feed.detached or last is None:
            return False
        conversation_id = self._conversation_id
        self._loading = mine = object()

        shown = self._feed.showing

        def here() -> bool:
            same = conversation_id == self._conversation_id and self._loading is mine
            return same and self._feed.showing is shown

        self._idle.clear()
        try:
            page = await partner.messages.list(conversation_id, after=last, limit=PAGE)
            if here():
                await self._add(page, here)
                self._feed.trim_oldest()
            if not here() or len(page) == PAGE:
                return False
            self._feed.join_end()
            last = page[-1].position if page else last
            await self._add(await partner.messages.list(conversation_id, after=last, limit=PAGE), here)
            return here()
        finally:
            if self._loading is mine:
                self._loading = None
                self._idle.set()

    async def reach(
        self, partner: Partner, there: Callable[[], bool], *, position: int | None = None
    ) -> None:
        """Page back until something is there; with its position, straight to it where that is far."""
        await self._idle.wait()
        if position is not None and self._first is not None and not there():
            last = self._feed.last_position
            # What is shown may be an old stretch that the wanted one comes after.
            if position < self._first - _NEAR or (last is not None and position > last):
                await self._jump(partner, position)
        for _ in range(_MOST_PAGES):
            if there() or not await self.older(partner):
                break

    async def go_to(self, partner: Partner, position: int) -> None:
        """Show what was said at a position, or first after it."""
        conversation_id = self._conversation_id
        await self._idle.wait()
        if conversation_id != self._conversation_id:
            return
        first, last = self._feed.first_position, self._feed.last_position
        if first is None or last is None or not first <= position <= last:
            await self._jump(partner, position)
        if conversation_id == self._conversation_id:
            found = next((one for one in self._feed.entries if one.whole_position >= position), None)
            if found is not None:
                self._feed.show_message(found.key)

    async def renew(self, partner: Partner, change: TakeEvent) -> None:
        """What stands from a position on is another now: it is read again, what is above stays as it is.

        Where that is more than a few pages, its beginning is shown by itself.
        """
        await self._idle.wait()
        conversation_id, position = change.conversation_id, change.from_position
        self._conversation_id = conversation_id  # a chat that began here was never opened
        feed = self._feed
        self._renewal = mine = object()
        shown = feed.first_position
        out_of_view = feed.detached or shown is None or (position < shown and not self._complete)
        feed.cut(position)
        if out_of_view:
            feed.clear()
            self._first, self._complete = None, False
            await self._load(partner)
            return
        found: list[Message] = []
        before: int | None = None
        for _ in range(_MOST_RENEWED):
            page = await partner.messages.list(conversation_id, before=before, limit=PAGE)
            if self._renewal is not mine or conversation_id != self._conversation_id:
                return
            found = [*page, *found]
            if len(page) < PAGE or page[0].position < position:
                below = [one for one in found if one.position >= position]
                await self._add(below, lambda: self._renewal is mine)
                return
            before = page[0].position
        await self._jump(partner, change.first_position or position)

    async def _add(self, messages: Iterable[Message], goes_on: Callable[[], bool]) -> None:
        """A few at a time, for as long as nothing else is asked for."""
        column = self._feed.column
        started = time.perf_counter()
        column.gather()
        try:
            for number, message in enumerate(messages, 1):
                self._feed.add_message(message)
                if number % _SHOWN_AT_ONCE == 0:
                    column.show_gathered()
                    column.gather()
                if time.perf_counter() - started > _SLICE_S:
                    await asyncio.sleep(0)
                    started = time.perf_counter()
                if not goes_on():
                    return
        finally:
            column.show_gathered()
        await self._drawn()
        # What was added last is laid out in the next rounds of the loop.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self._feed.column.lay_out()

    async def _jump(self, partner: Partner, position: int) -> None:
        """Show the stretch around a position alone; older pages come as always, the end by its button."""
        self._feed.clear()
        self._feed.detach()
        # Positions go over all conversations: what stands at this one and after it is asked for by itself.
        after = await partner.messages.list(self._conversation_id, after=position - 1, limit=_AFTER)
        past = after[-1].position + 1 if after else position
        self._first, self._complete = past, False
        await self._load(partner)

    def _trimmed(self) -> None:
        """What was given up can be asked for again."""
        self._first, self._complete = self._feed.first_position, False

    async def _load(self, partner: Partner) -> int:
        conversation_id, shown = self._conversation_id, self._feed.showing
        self._loading = mine = object()
        self._idle.clear()
        try:
            page = await partner.messages.list(conversation_id, before=self._first, limit=PAGE)
            if conversation_id != self._conversation_id or self._feed.showing is not shown:
                return 0
            self._complete = len(page) < PAGE
            if page:
                self._first = min(message.position for message in page)
            await self._show(page, conversation_id)
            return len(page)
        finally:
            if self._loading is mine:
                self._loading = None
                self._idle.set()

    async def _show(self, page: Sequence[Message], conversation_id: str) -> None:
        shown = self._feed.showing
        here = lambda: conversation_id == self._conversation_id and self._feed.showing is shown  # noqa: E731
        self._feed.follow.hold()
        try:
            await self._add(reversed(page), here)
        finally:
            self._feed.follow.release()
        if conversation_id == self._conversation_id and not self._feed.follow.following:
            self._feed.trim_newest()

    async def _drawn(self) -> None:
        """Wait for long replies, which are drawn in slices."""
        news = asyncio.Event()
        self._feed.drawn.connect(news.set)
        try:
            while self._feed.drawing:
                news.clear()
                await news.wait()
        finally:
            self._feed.drawn.disconnect(news.set)


class RolledMarks(Controller):
    """Of the open conversation."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._units: Sequence[MemoryUnit] = ()
        self._units_of = ""
        self._feed = self._window.page.feed
        self._feed.entry_added.connect(self._came)
        context.place_filled.connect(self.refresh)
        self._window.page.header.remember_toggled.connect(self._remember)

    def _place(self) -> str:
        return self._context.navigation.conversation_id

    def refresh(self) -> None:
        """Read what of the open conversation is summed up, and mark it."""
        place = self._place()
        if place != self._units_of:
            self._units, self._units_of = (), place
        if place:
            self._request("units", lambda partner: self._read(partner, place))

    async def _read(self, partner: Partner, place: str) -> None:
        units = await partner.memory.units(place)
        if place == self._place() == self._units_of:
            before, self._units = self._units, [unit for unit in units if unit.reason]
            for gone in {unit.id for unit in before} - {unit.id for unit in self._units}:
                self._feed.remove(gone)
            for unit in self._units:
                self._mark(unit)

    def deliver(self, event: Event) -> None:
        rolled = isinstance(event, DialogRolledEvent) and event.unit.conversation_id == self._place()
        if rolled or (isinstance(event, TakeEvent) and event.conversation_id == self._place()):
            self.refresh()

    def _came(self, key: str) -> None:
        """A message came into view: what it belongs to may be summed up."""
        entry = self._feed.entry(key)
        if entry is None or not entry.whole_position or self._units_of != self._place():
            return
        for unit in self._units:
            if unit.first <= entry.whole_position < unit.past and not self._feed.has(unit.id):
                self._mark(unit)

    def _mark(self, unit: MemoryUnit) -> None:
        """Only below a message of its own that is in view."""
        first, last = self._feed.first_position, self._feed.last_position
        if first is not None and last is not None and first < unit.past and last >= unit.first:
            self._feed.add_mark(unit)

    def _remember(self, remembered: bool) -> None:
        place = self._place()

        async def remember(partner: Partner) -> None:
            await partner.forgetting.do_not_remember(place, on=not remembered)
            words = tr("What is said here is found from other conversations again.")
            if not remembered:
                words = tr("What is said here is found from nowhere else, and is not summed up for others.")
            self._context.tell(words, about=f"remember:{place}")

        if place:
            self._request("remember", remember)


#: Without Qt, and too long for one step: a thread brings them in.
_ASIDE = (
    "linkify_it",
    "markdown_it",
    "pygments.lexer",
    "pygments.lexers",
    "partner_desktop.desktop.markup.reader",
    "partner_desktop.desktop.markup.highlight",
)

#: Leaves first, so that no single step takes long.
_VIEWS = (
    "partner_desktop.desktop.chat.reply.typeset",
    "partner_desktop.desktop.chat.reply.code_block",
    "partner_desktop.desktop.chat.reply.table_block",
    "partner_desktop.desktop.chat.reply.reply",
)


class ReplyParts:
    """Imported once, with the loop free in between. Whoever is about to show a reply awaits `ready`."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._there = False

    async def ready(self) -> None:
        async with self._lock:
            if self._there:
                return
            for name in _ASIDE:
                await asyncio.to_thread(importlib.import_module, name)
            await asyncio.to_thread(_prepare_markdown)
            for name in _VIEWS:
                importlib.import_module(name)
                await asyncio.sleep(0)
            self._there = True


def _prepare_markdown() -> None:
    """The first parsers are made, with their patterns."""
    from partner_desktop.desktop.markup.grammar import block_parser, inline_parser  # noqa: PLC0415

    block_parser()
    inline_parser().parseInline("https://example.org/")
