"""Places: which conversation is open, what is said there, and the ways to something in another one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from partner_desktop.base.errors import UsageError
from partner_desktop.desktop.chat.attachment_tray import TrayItem
from partner_desktop.desktop.runs.pictures import ask_about_link
from partner_desktop.desktop.session.draft_controller import DraftController
from partner_desktop.desktop.session.history import History, ReplyParts
from partner_desktop.desktop.session.outbox import Outbox, Place
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.message import PLACE_SCHEME, ConversationHit, Message, Role, read_place_address
from partner_desktop.domain.window_request import read_link

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.desktop.chat.day_sheet import DaySheet
    from partner_desktop.desktop.panel.record.record_controller import RecordController


#: Messages of a conversation that are looked at for one's own.
_RECALLED = 100


class Places(Controller):
    """The `Navigation` of its window."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        context.navigation = self
        self._page = page = self._window.page
        self._feed = page.feed
        self.outbox = Outbox(page.feed, page.composer, context.notices)
        self.history = History(page.feed)
        self._places: dict[str, Place] = {}
        self._rounds: dict[int, Place] = {}
        """Which place something is still looked at for."""
        self.drafts = DraftController(context, self.outbox)
        self.outbox.begun = self._register
        page.composer.tray.came_late.connect(self._take_late)
        self._warm = False
        self._reply_parts = ReplyParts()
        page.composer.submitted.connect(lambda text: self._submit(text, page.composer.tray.take()))
        page.composer.edit.textChanged.connect(self._warm_up)
        page.composer.recall.wanted.connect(lambda: self._request("said before", self._recall))
        page.composer.stop_pressed.connect(self._stop)
        page.answers.answered.connect(self._submit)
        page.feed.older_wanted.connect(lambda: self._request("older messages", self.history.older))
        page.feed.newer_wanted.connect(lambda: self._request("newer messages", self._add_newer))
        self._window.day_wanted.connect(lambda: self._request("days", self._ask_for_day))
        self._window.beginning_wanted.connect(lambda: self._go_to(0))
        page.feed.latest_wanted.connect(self._latest)
        page.feed.link_clicked.connect(self._follow_link)
        sidebar, actions = self._window.sidebar, self._window.panel.actions_tab
        sidebar.new_pressed.connect(lambda: self.open(""))
        sidebar.conversation_chosen.connect(self.open)
        sidebar.hit_chosen.connect(self._show_hit)
        actions.action_chosen.connect(self._show_card)
        actions.record_wanted.connect(self.show_record)

    @property
    def conversation_id(self) -> str:
        """The open conversation; empty for a new chat."""
        return self.outbox.place.conversation_id

    async def open_first(self, partner: Partner) -> None:
        """The window shows what it was opened for: what was typed meanwhile, or what was last at work: a
        draft, or the latest conversation.
        """
        composer = self._page.composer
        typed = bool(composer.text.strip() or composer.tray.items)
        draft = await self.drafts.read(partner, self._place)
        in_use = [one for one in self._store.conversations.values() if not one.archived]
        latest = max(in_use, key=lambda one: one.updated_at, default=None)
        unsent = draft is not None and (latest is None or draft.updated_at > latest.updated_at)
        typed = typed or bool(self.outbox.letters or composer.tray.expected)
        if typed or (unsent and draft is not None and not draft.conversation_id):
            self._send()
        elif unsent and draft is not None:
            self.open(draft.conversation_id)
        elif latest is not None:
            self.open(latest.id)

    def open(self, conversation_id: str) -> None:
        """Show a conversation; empty for a new chat."""
        page, before = self._page, self.outbox.place
        if conversation_id and before.conversation_id == conversation_id:
            return
        before.draft, before.items = page.composer.draft, page.composer.tray.items
        place = self.outbox.place = self._place(conversation_id)
        self.history.forget()
        page.feed.clear()
        if place is not before:
            if page.composer.tray.expected:
                self._rounds[page.composer.tray.round] = before
            page.composer.begin_other()
            page.composer.set_text(place.draft)
            page.composer.tray.put(place.items)
        self._context.place_changed.emit()
        self._window.columns.uncover()
        page.composer.edit.setFocus()
        if conversation_id and self._store.ready:
            page.show_feed()
            self._request(f"open {conversation_id}", lambda partner: self._fill(partner, place))
        else:
            page.show_welcome()

    async def _fill(self, partner: Partner, place: Place) -> None:
        await self._reply_parts.ready()
        count = await self.history.open(partner, place.conversation_id)
        if self.outbox.place is not place:
            return
        self._context.place_filled.emit()
        self.outbox.show_pending()
        if not count and not self._feed.entries:
            self._page.show_welcome()

    def _place(self, conversation_id: str) -> Place:
        if not conversation_id:
            return self.drafts.fresh()
        known = self.outbox.place
        if known.conversation_id != conversation_id:
            known = Place(conversation_id)
        return self._places.setdefault(conversation_id, known)

    async def conversation(self, partner: Partner) -> str:
        """The open conversation; a new chat becomes one."""
        place = self.outbox.place
        await self._reply_parts.ready()
        if not place.conversation_id:
            place.conversation_id = (await partner.conversations.create()).id
            self.drafts.note(place)
        self._register(place)
        if self.outbox.place is place:
            self._page.show_feed()
            self._context.place_changed.emit()
        return place.conversation_id

    def _register(self, place: Place) -> None:
        self._places.setdefault(place.conversation_id, place)

    def _take_late(self, items: Sequence[TrayItem], in_round: int) -> None:
        """What was looked at when another conversation was opened goes with the message it was for."""
        place = self._rounds[in_round]
        self.outbox.give_back(place, "", items)
        self.drafts.note(place)

    # Elsewhere in the open one.

    def _go_to(self, position: int) -> None:
        self._request("go to a place", lambda partner: self.history.go_to(partner, position))

    async def _ask_for_day(self, partner: Partner) -> None:
        place = self.outbox.place
        days = await partner.messages.days(place.conversation_id) if place.conversation_id else ()
        if self.outbox.place is place:
            self._day_sheet.open_with(days, self._feed.shown_day)

    @cached_property
    def _day_sheet(self) -> DaySheet:
        from partner_desktop.desktop.chat.day_sheet import DaySheet  # noqa: PLC0415 - seldom needed

        sheet = DaySheet(self._window.theme, self._window)
        self._window.add_sheet(sheet)
        sheet.chosen.connect(self._go_to)
        return sheet

    async def _add_newer(self, partner: Partner) -> None:
        if await self.history.newer(partner):
            self._context.place_filled.emit()
            self.outbox.show_pending()

    # What is said.

    async def _recall(self, partner: Partner) -> None:
        """The messages of the person's before those that the composer knows; all others are passed over."""
        place, recall = self.outbox.place, self._page.composer.recall
        texts: list[str] = []
        while not texts and place.conversation_id and not recall.complete:
            page = await partner.messages.list(place.conversation_id, before=recall.position, limit=_RECALLED)
            if self.outbox.place is not place:
                return
            recall.position = page[0].position if page else 0
            recall.complete = len(page) < _RECALLED
            texts = [one.text for one in reversed(page) if one.role is Role.USER and not one.speaker]
        recall.offer(texts)

    def _warm_up(self) -> None:
        """With the first letters of the first message."""
        if self._store.ready and not self._warm and self._page.composer.text.strip():
            self._warm = True
            place = self.conversation_id
            self._request("warm up", lambda partner: partner.warm_up(place))
            self._request("parts of replies", lambda _partner: self._reply_parts.ready())

    def _latest(self) -> None:
        """The feed shows an old stretch: go back to the end."""
        if self._store.ready:
            self._feed.clear()
            self._request("latest messages", lambda partner: self._fill(partner, self.outbox.place))

    def _submit(self, text: str, items: Sequence[TrayItem] = ()) -> None:
        if self._feed.detached:
            self._latest()
        self._page.show_feed()
        self.outbox.put(text, items)
        self._send()

    def _send(self) -> None:
        self._request("send", self._send_all)

    async def _send_all(self, partner: Partner) -> None:
        if self.outbox.letters:
            await self._reply_parts.ready()
        await self.outbox.send_all(partner)
        self._context.place_changed.emit()
        if not self._feed.entries:
            self._page.show_welcome()

    def _stop(self) -> None:
        place = self.conversation_id
        if place:
            self._request("stop", lambda partner: partner.conversations.stop(place))

    # Ways to something.

    @cached_property
    def records(self) -> RecordController:
        """Of the page of one run; made with the first that is read."""
        from partner_desktop.desktop.panel.record.record_controller import RecordController  # noqa: PLC0415

        return RecordController(self._context)

    def show_record(self, record: ActionRecord) -> None:
        self.records.open(record)

    def show_end(self, conversation_id: str) -> None:
        self._page.close_aside()
        self.open(conversation_id)
        self._window.columns.uncover()
        self._feed.follow.follow()

    def show_action(self, action_id: str) -> None:
        """The card of an action that is known."""
        record = self._store.actions.get(action_id)
        if record is not None:
            self._show_card(record)

    def _show_card(self, record: ActionRecord) -> None:
        if self._store.ready:
            self._page.close_aside()
            self.open(record.conversation_id)
            self._request("show action", lambda partner: self._reach(partner, record))

    async def _reach(self, partner: Partner, record: ActionRecord) -> None:
        await self.history.reach(partner, lambda: self._feed.card(record.id) is not None)
        self._window.columns.uncover()
        if not self._feed.show_card(record.id):
            # A question in words has no card yet: it is answered at the end of the chat.
            self._feed.follow.follow()
            self._page.composer.edit.setFocus()

    def _show_hit(self, hit: ConversationHit) -> None:
        self.show_message(hit.conversation.id, hit.message_id, hit.position)

    def show_message(self, conversation_id: str, message_id: str, position: int) -> None:
        """A message in its conversation; without an id the conversation alone."""
        self._page.close_aside()
        self.open(conversation_id)
        self._window.columns.uncover()
        if message_id:
            self._request(
                "show message",
                lambda partner: self._reach_message(partner, conversation_id, message_id, position),
            )

    async def _reach_message(
        self, partner: Partner, conversation_id: str, message_id: str, position: int
    ) -> None:
        feed = self._feed
        # Another conversation may be opened meanwhile: nothing is looked for in that one.
        over = lambda: conversation_id != self.conversation_id or feed.has(message_id)  # noqa: E731 - asked for again
        await self.history.reach(partner, over, position=position)
        if feed.has(message_id):
            feed.show_message(message_id)
        elif conversation_id == self.conversation_id:
            self._context.notices.fault(_gone)

    def _follow_link(self, address: str) -> None:
        """A link in the chat: a place in it is shown at once, everything else is asked about."""
        place = read_place_address(address)
        if place is not None:
            self._request("find place", lambda partner: self._find_place(partner, *place))
        elif address.lower().startswith(PLACE_SCHEME):
            self._context.notices.fault(lambda: tr("This link leads to no message of a conversation."))
        else:
            ask_about_link(self._page, address)

    def open_link(self, address: str) -> None:
        """A link from outside: a place in a conversation, or words, which nobody sends but the person."""
        link = read_link(address)
        if link is None or (link.conversation_id and link.conversation_id not in self._store.conversations):
            self._context.notices.fault(lambda: tr("This link leads to no message of a conversation."))
            return
        self._page.close_aside()
        if link.message_id:
            self._request(
                "find place",
                lambda partner: self._find_place(partner, link.message_id, link.conversation_id),
            )
        elif link.conversation_id:
            self.open(link.conversation_id)
        else:
            self._lay_out(link.text)

    def _lay_out(self, text: str) -> None:
        composer = self._page.composer
        if self.conversation_id:
            self.open("")
        composer.set_text("\n".join(part for part in (composer.text.strip(), text) if part))
        composer.edit.setFocus()
        if text:
            self._context.tell(
                lambda: tr("A link put these words here; they are sent only if you send them.")
            )

    async def _find_place(self, partner: Partner, message_id: str, conversation_id: str) -> None:
        found: Message | None = None
        with suppress(UsageError):
            found = await partner.messages.get(message_id)
        if found is not None and found.conversation_id == conversation_id:
            self.show_message(conversation_id, message_id, found.position)
        else:
            self._context.notices.fault(_gone)


def _gone() -> str:
    return tr("This message is not there any more: it or its conversation was deleted, or said anew.")
