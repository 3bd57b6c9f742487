"""EventLog: the latest events of one conversation, numbered, ready to be sent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from partner_desktop.base.ids import new_id

MOST_EVENTS = 2_000
MOST_BYTES = 4 * 1024 * 1024


class Logged(NamedTuple):
    """One event as it is sent."""

    text: str
    card: tuple[str, str] | None
    """The action whose card it shows, and the version of that card."""


class EventLog:
    """Numbers count from 1 within an `epoch`, without a gap; the oldest texts go when it is full."""

    def __init__(self, *, most_events: int = MOST_EVENTS, most_bytes: int = MOST_BYTES) -> None:
        self.epoch = new_id()
        self.last = 0
        """The number of the newest event; 0 before there is one."""
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._texts: deque[Logged] = deque()
        self._size_bytes = 0

    @property
    def reaches_back_to(self) -> int:
        """Everything after this number is held."""
        return self.last - len(self._texts)

    def append(self, render: Callable[[int], str], *, card: tuple[str, str] | None = None) -> None:
        """Add an event; `render` makes its text from its number. `card`: see `Logged`."""
        text = render(self.last + 1)
        self.last += 1
        self._texts.append(Logged(text, card))
        self._size_bytes += len(text)
        while self._texts and (len(self._texts) > self._most_events or self._size_bytes > self._most_bytes):
            self._size_bytes -= len(self._texts.popleft().text)

    def next_after(self, seq: int) -> Logged | None:
        """The event after `seq`; None where there is none, or where it is no longer held."""
        index = seq - self.reaches_back_to
        if not 0 <= index < len(self._texts):
            return None
        return next(islice(self._texts, index, index + 1))
