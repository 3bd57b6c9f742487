"""Marks in the chat what is summed up, as far as it is in view; and what is not to be remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.events import DialogRolledEvent, Event, TakeEvent
from partner_desktop.domain.remembered import MemoryUnit

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class RolledMarks(Controller):
    """`place()` says which conversation is open; empty: none yet."""

    def __init__(self, window: MainWindow, work: Work, place: Callable[[], str]) -> None:
        super().__init__(window, work)
        self._place = place
        self._units: Sequence[MemoryUnit] = ()
        self._units_of = ""
        self._feed = window.page.feed
        self._feed.entry_added.connect(self._came)
        window.page.header.remember_toggled.connect(self._remember)

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
            self._window.notices.tell("", words, about=f"remember:{place}")

        if place:
            self._request("remember", remember)
