"""Outbox: what goes to one client, in what order, and when it is too far behind.

Contract: nothing is copied for a client. Of each conversation it keeps how far it has come in the shared
log, so that a client that does not read costs no memory; one that is too far behind is let go.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.gateways.websocket.addressing import EventLog
from partner_desktop.gateways.websocket.protocol import ReplayedNotification

#: Events of one conversation that may wait for a client to read.
MOST_WAITING = 1_000
#: Cards whose version is remembered for a client.
MOST_SHOWN = 1_000
#: Answers and notices that may wait, and their signs together.
MOST_ANSWERS = 512
MOST_ANSWER_SIGNS = 16 * 1024 * 1024


@dataclass
class _Place:
    """How far a client has come in a conversation."""

    log: EventLog
    seq: int
    replay_from: int | None = None
    replay_to: int = 0


class ClientQueue:
    """Filled on the loop at any time, emptied by the client's one sender."""

    def __init__(self, *, most_waiting: int = MOST_WAITING) -> None:
        self.too_slow = asyncio.Event()
        self.shown: OrderedDict[str, str] = OrderedDict()
        """Of the actions whose cards were sent: the version that was sent last."""
        self._most_waiting = most_waiting
        self._answers: deque[str] = deque()
        self._answer_signs = 0
        self._places: dict[str, _Place] = {}
        self._filled = asyncio.Event()

    def __contains__(self, conversation_id: str) -> bool:
        return conversation_id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def put(self, text: str) -> None:
        """An answer or a notice; these go before events."""
        self._answers.append(text)
        self._answer_signs += len(text)
        if len(self._answers) > MOST_ANSWERS or self._answer_signs > MOST_ANSWER_SIGNS:
            self.too_slow.set()
        self._filled.set()

    def follow(self, conversation_id: str, log: EventLog, *, seq: int, replays: bool = False) -> None:
        """Send the events of this log after `seq`; with `replays`, say when those held now were sent."""
        replay_from = seq if replays else None
        self._places[conversation_id] = _Place(log, seq, replay_from, log.last)
        self._filled.set()

    def unfollow(self, conversation_id: str) -> None:
        self._places.pop(conversation_id, None)

    def news(self, conversation_id: str) -> None:
        """The log of a conversation has grown."""
        place = self._places.get(conversation_id)
        if place is None:
            return  # it is being opened; the log keeps the event
        missed = place.seq < place.log.reaches_back_to
        replaying = place.replay_from is not None
        if missed or (not replaying and place.log.last - place.seq > self._most_waiting):
            self.too_slow.set()
        self._filled.set()

    async def next(self) -> str:
        """What to send next; waits for it."""
        while True:
            self._filled.clear()
            text = self._take()
            if text is not None:
                return text
            await self._filled.wait()

    def _take(self) -> str | None:
        if self._answers:
            text = self._answers.popleft()
            self._answer_signs -= len(text)
            return text
        for conversation_id, place in self._places.items():
            if place.replay_from is not None and place.seq >= place.replay_to:
                count, place.replay_from = place.seq - place.replay_from, None
                return ReplayedNotification(conversation_id, place.seq, count).text()
            event = place.log.next_after(place.seq)
            if event is not None:
                place.seq += 1
                text, card = event
                if card is not None:
                    self._note(*card)
                # Each conversation in its turn.
                self._places[conversation_id] = self._places.pop(conversation_id)
                return text
        return None

    def _note(self, action_id: str, version: str) -> None:
        self.shown[action_id] = version
        self.shown.move_to_end(action_id)
        if len(self.shown) > MOST_SHOWN:
            self.shown.popitem(last=False)
