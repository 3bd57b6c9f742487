"""Between Partner and the Context tab: which turns there are, which one is looked at, what went into it.

The tab follows the newest turn of the open conversation until the person looks at another one, and again
once the newest is chosen. It is filled only while it is in view. What belongs to a turn or to a conversation
that is no longer looked at is dropped when it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from partner_desktop.desktop.panel.context.tab import ContextTab
from partner_desktop.desktop.panel.panel import CONTEXT_TAB, Panel
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.domain.events import Event, ReplyEvent, TurnEvent, UsageEvent
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.snapshot import TurnSummary

if TYPE_CHECKING:
    from partner_desktop.app import Partner

PAGE = 50
_MOST_PAGES = 200
#: Replies of which the turn is known by its id.
_MOST_REPLIES = 2_000


class ContextController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tab: ContextTab | None = None
        self._meter = ContextMeter(self._window.panel)
        self._conversation_id = ""
        self._turns: list[TurnSummary] = []
        self._complete = False
        self._paging = False
        self._shown = ""
        self._follows = True
        self._stale = True
        self._asking: object = None
        self._running: dict[str, str] = {}
        self._turn_of_reply: dict[str, str] = {}
        self._window.panel.tab_shown.connect(self._tab_shown)
        self._window.page.feed.why_wanted.connect(self._why)
        context.place_changed.connect(self._open)

    def _begin(self, partner: Partner) -> None:
        self._look()

    @property
    def _place(self) -> str:
        return self._context.navigation.conversation_id

    def _open(self) -> None:
        """Another place may be open."""
        if self._place != self._conversation_id:
            self._follow_place()
            self._look()

    def deliver(self, event: Event) -> None:
        """The end of a turn brings a new one; replies are remembered with their turn."""
        if isinstance(event, TurnEvent):
            self._running[event.exchange_id] = self._running[event.conversation_id] = event.turn_id
            if event.state != "started":
                self._running.pop(event.exchange_id, None)
                if event.conversation_id == self._place:
                    self._follow_place()
                    self._stale = True
                    self._look()
        elif isinstance(event, ReplyEvent) and event.reply_id not in self._turn_of_reply:
            self._note_reply(event)
        elif isinstance(event, UsageEvent):
            if event.call.conversation_id == self._place:
                self._follow_place()
            self._meter.note(event)

    def _note_reply(self, event: ReplyEvent) -> None:
        """By its exchange; where several were answered at once, by the turn that began last there."""
        turn_id = self._running.get(event.exchange_id) or self._running.get(event.conversation_id)
        if turn_id:
            self._turn_of_reply[event.reply_id] = turn_id
            if len(self._turn_of_reply) > _MOST_REPLIES:
                del self._turn_of_reply[next(iter(self._turn_of_reply))]

    # What is in view.

    def _tab_shown(self, number: int) -> None:
        if number == CONTEXT_TAB:
            if self._tab is None:
                self._tab = self._window.panel.context_tab
                self._connect(self._tab)
            self._follow_place()
            self._look()

    def _connect(self, tab: ContextTab) -> None:
        tab.turn_chosen.connect(self._choose)
        tab.stepped.connect(self._step)
        tab.older_wanted.connect(self._older)
        tab.again_pressed.connect(self._again)

    def _follow_place(self) -> None:
        """The open conversation may be another, or a new chat may have become one."""
        if self._place != self._conversation_id:
            self._conversation_id = self._place
            self._turns, self._complete, self._shown = [], False, ""
            self._follows = self._stale = True
            self._asking = None
            self._window.panel.show_newest(None)
            self._meter.open(self._conversation_id)
            if self._tab is not None:
                self._tab.show_nothing()

    def _look(self) -> None:
        """Read what is new: all of it when someone looks, else only how full the newest prompt was."""
        tab = self._tab
        if self._store.partner is None or not self._stale or not self._conversation_id:
            return
        if tab is not None and self._window.panel.tab == CONTEXT_TAB:
            self._stale = False
            self._request("turns", lambda partner: self._read(partner, tab), on_fault=self._fault)
        else:
            self._request("newest turn", self._measure, on_fault=self._fault)

    async def _measure(self, partner: Partner) -> None:
        place = self._conversation_id
        newest = await partner.context.turns(place, limit=1)
        if place == self._conversation_id:
            self._window.panel.show_newest(newest[-1] if newest else None)
            await self._read_meter(partner, newest)

    async def _read_meter(self, partner: Partner, newest: Sequence[TurnSummary]) -> None:
        if newest:
            await self._meter.read(partner, newest[-1].turn_id)

    async def _read(self, partner: Partner, tab: ContextTab) -> None:
        place = self._conversation_id
        if not self._turns:
            tab.wait()
        newest = list(await partner.context.turns(place, limit=PAGE))
        if place != self._conversation_id:
            return
        self._take_newest(newest)
        await self._read_meter(partner, newest)
        if place != self._conversation_id:
            return
        if not self._turns:
            tab.show_nothing()
        elif self._follows:
            await self._show(partner, tab, self._turns[-1].turn_id, quiet=True)
        else:
            self._show_turns(tab)

    def _take_newest(self, newest: list[TurnSummary]) -> None:
        """Older pages that are known stay where the new page joins them."""
        self._window.panel.show_newest(newest[-1] if newest else None)
        first = newest[0].position if newest else 0
        joins = any(turn.position >= first for turn in self._turns)
        if newest and joins:
            self._turns = [turn for turn in self._turns if turn.position < first] + newest
        else:
            self._turns = newest
            self._complete = len(newest) < PAGE

    def _show_turns(self, tab: ContextTab) -> None:
        tab.show_turns(self._turns, self._shown, complete=self._complete)

    async def _show(self, partner: Partner, tab: ContextTab, turn_id: str, *, quiet: bool = False) -> None:
        """`quiet`: nobody asked, so what is in view stays until the new one is there."""
        place, self._shown = self._conversation_id, turn_id
        self._asking = mine = object()
        self._show_turns(tab)
        if not quiet:
            tab.wait()
        snapshot = await partner.context.snapshot(turn_id)
        calls = await partner.usage.calls(turn_id)
        totals = await partner.usage.totals(place) if calls else None
        if self._asking is mine and place == self._conversation_id:
            tab.show_snapshot(snapshot, calls, totals)

    def _fault(self, sentence: str) -> None:
        self._stale = True
        if self._tab is not None:
            self._tab.show_fault(sentence)

    # What the person asks for.

    def _choose(self, turn_id: str) -> None:
        tab = self._tab
        if tab is not None:
            self._follows = bool(self._turns) and turn_id == self._turns[-1].turn_id
            self._request("turn", lambda partner: self._show(partner, tab, turn_id), on_fault=self._fault)

    def _again(self) -> None:
        if self._shown and not self._follows:
            self._choose(self._shown)
        self._look()

    def _step(self, step: int) -> None:
        self._request("turn", lambda partner: self._go(partner, step), on_fault=self._fault)

    async def _go(self, partner: Partner, step: int) -> None:
        at = self._place_of(self._shown)
        if at is not None and at + step < 0 and await self._load_older(partner):
            at = self._place_of(self._shown)
        if at is not None and 0 <= at + step < len(self._turns):
            self._choose(self._turns[at + step].turn_id)
        elif self._tab is not None:
            self._show_turns(self._tab)

    def _place_of(self, turn_id: str) -> int | None:
        return next((at for at, turn in enumerate(self._turns) if turn.turn_id == turn_id), None)

    def _older(self) -> None:
        if not self._paging and not self._complete:
            self._request("older turns", self._page, on_fault=self._fault)

    async def _page(self, partner: Partner) -> None:
        if await self._load_older(partner) and self._tab is not None:
            self._show_turns(self._tab)

    async def _load_older(self, partner: Partner) -> bool:
        """One page before what is known; false when there is none."""
        if self._complete or self._paging or not self._turns:
            return False
        place, before = self._conversation_id, self._turns[0].position
        self._paging = True
        try:
            page = list(await partner.context.turns(place, before=before, limit=PAGE))
        finally:
            self._paging = False
        if place != self._conversation_id or not self._turns or self._turns[0].position != before:
            return False
        self._complete = len(page) < PAGE
        self._turns = page + self._turns
        return bool(page)

    # Why this answer?

    def _why(self, reply_id: str, at: datetime | None) -> None:
        """Show the turn of a reply: by its id where it was seen to come; else the newest not after it."""
        if self._store.partner is not None:
            self._stale = False
            self._window.show_tab(CONTEXT_TAB)
            self._request("why", lambda partner: self._explain(partner, reply_id, at), on_fault=self._fault)

    async def _explain(self, partner: Partner, reply_id: str, at: datetime | None) -> None:
        tab, turn_id = self._tab, self._turn_of_reply.get(reply_id, "")
        if tab is None:
            return
        self._follow_place()
        self._take_newest(list(await partner.context.turns(self._conversation_id, limit=PAGE)))
        for _ in range(_MOST_PAGES):
            found = self._find(turn_id, at)
            if found or not await self._load_older(partner):
                break
        turn_id = found or turn_id
        if turn_id:
            self._follows = bool(self._turns) and turn_id == self._turns[-1].turn_id
            await self._show(partner, tab, turn_id)
        elif self._turns:
            self._show_turns(tab)
            tab.show_snapshot(None)
        else:
            tab.show_nothing()
        tab.take_keyboard()

    def _find(self, turn_id: str, at: datetime | None) -> str:
        if turn_id:
            return turn_id if self._place_of(turn_id) is not None else ""
        before = (turn for turn in reversed(self._turns) if at is None or turn.at <= at)
        return next((turn.turn_id for turn in before), "")


#: The question whose prompt is the conversation; the others' are tails that nobody sees.
_REPLY = "reply"


class ContextMeter:
    """Of one conversation at a time; what another one's turns say is dropped."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._conversation_id = ""

    def open(self, conversation_id: str) -> None:
        """Another conversation: nothing is known of it yet."""
        self._conversation_id = conversation_id
        self._panel.show_call(None)

    def note(self, event: UsageEvent) -> None:
        """A model was called."""
        call = event.call
        if call.conversation_id == self._conversation_id and call.question == _REPLY and call.prompt_tokens:
            self._panel.show_call(call)

    async def read(self, partner: Partner, turn_id: str) -> None:
        """The newest turn ended, or the conversation was opened: what its last answer took."""
        place = self._conversation_id
        calls = await partner.usage.calls(turn_id)
        if place == self._conversation_id:
            counted = last_reply(calls)
            if counted is not None or not calls:  # a turn that was stopped uncounted changes little
                self._panel.show_call(counted)


def last_reply(calls: Sequence[ModelCall]) -> ModelCall | None:
    """The last answer among calls that was counted."""
    replies = (call for call in reversed(calls) if call.question == _REPLY and call.prompt_tokens)
    return next(replies, None)
