"""EventLog: the latest events of one conversation, numbered, ready to be sent."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import NamedTuple

from partner_desktop.base.ids import new_id
from partner_desktop.domain.events import Event, ProposalEvent
from partner_desktop.gateways.websocket.protocol import EventNotification

MOST_EVENTS = 2_000
MOST_BYTES = 4 * 1024 * 1024


class Logged(NamedTuple):
    """One event as it is sent."""

    text: str
    card: tuple[str, str] | None
    """The action whose card it shows, and the version of that card."""


class EventLog:
    """Numbers count from 1 within an `epoch`, without a gap; the oldest texts go when it is full."""

    def __init__(self) -> None:
        self.epoch = new_id()
        self.last = 0
        """The number of the newest event; 0 before there is one."""
        self._texts: deque[Logged] = deque()
        self._size_bytes = 0

    @property
    def reaches_back_to(self) -> int:
        """Everything after this number is held."""
        return self.last - len(self._texts)

    def append(self, event: Event) -> None:
        """Give an event the next number."""
        self.last += 1
        text = EventNotification(event.conversation_id, self.epoch, self.last, event.to_json()).text()
        card = (event.action.id, event.version) if isinstance(event, ProposalEvent) else None
        self._texts.append(Logged(text, card))
        self._size_bytes += len(text)
        while self._texts and (len(self._texts) > MOST_EVENTS or self._size_bytes > MOST_BYTES):
            self._size_bytes -= len(self._texts.popleft().text)

    def next_after(self, seq: int) -> Logged | None:
        """The event after `seq`; None where there is none, or where it is no longer held."""
        index = seq - self.reaches_back_to
        if not 0 <= index < len(self._texts):
            return None
        return next(islice(self._texts, index, index + 1))

    def why_not_after(self, seq: int, epoch: str | None) -> str:
        """Why the events after `seq`, counted in `epoch`, cannot follow; empty where they can."""
        if epoch != self.epoch or seq > self.last:
            return "These events were counted in another epoch."
        if seq < self.reaches_back_to:
            return f"Only the events after {self.reaches_back_to} are still held."
        return ""
