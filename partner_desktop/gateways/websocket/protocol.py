"""The protocol of the websocket gateway, as far as it is not an operation's: results, notifications, and
all of it for programs that read it.

Which client gets which event is told by addresses; each followed conversation has a log.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from itertools import islice
from typing import ClassVar, Final, NamedTuple, Protocol

from pydantic import TypeAdapter

from partner_desktop.api.operations import Operation
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller
from partner_desktop.domain.events import Event, NoticeEvent, ProposalEvent
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.wire import json_line

VERSION: Final = 1


@dataclass(frozen=True)
class Connected:
    """The client is known. `host` is another after each start of the gateway."""

    version: int
    host: str
    max_frame_bytes: int


@dataclass(frozen=True)
class Opened:
    """A conversation is followed; its next new event has the number `seq` + 1.

    `resumed`: all events after the one that was named follow. Where they do not, `reason` says why, and
    `messages.list` has what was said meanwhile.
    """

    conversation_id: str
    title: str
    epoch: str
    seq: int
    resumed: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Notification:
    """Root of what is told without being asked for."""

    method: ClassVar[str]

    def text(self) -> str:
        """As it crosses the wire."""
        return json_line({"jsonrpc": "2.0", "method": self.method, "params": dict(vars(self))})


@dataclass(frozen=True)
class EventNotification(Notification):
    """Something happened in a conversation that is followed; a notice for all has no conversation."""

    method: ClassVar[str] = "event"
    conversation_id: str
    epoch: str
    seq: int
    event: JsonObject


@dataclass(frozen=True)
class ReplayedNotification(Notification):
    """Everything missed was sent, `count` events up to `seq`; what follows is new."""

    method: ClassVar[str] = "replayed"
    conversation_id: str
    seq: int
    count: int


def protocol(operations: Iterable[Operation], caller: Caller) -> JsonObject:
    """What `caller` may ask for and what is told, with the JSON Schema of each. Blocking.

    Who is attached is told nothing but what it asked for.
    """
    notifications: list[Json] = [
        {"method": each.method, "text": each.__doc__, "parameters": TypeAdapter(each).json_schema()}
        for each in (Notification.__subclasses__() if caller is Caller.CLIENT else ())
    ]
    kinds = {each.type: each for each in Event.__subclasses__()}
    schemas, shared = TypeAdapter.json_schemas(
        [(kind, "serialization", TypeAdapter(each)) for kind, each in kinds.items()]
    )
    return {
        "version": VERSION,
        "caller": caller.name.lower(),
        "operations": [one.described(caller) for one in operations if one.caller <= caller],
        "notifications": notifications,
        "events": {kind: schemas[kind, "serialization"] for kind in kinds},
        **shared,
    }


#: Logs of conversations that nobody follows just now are kept for whoever reconnects, the latest ones.
MOST_LOGS = 32


class Follower(Protocol):
    """A client, as far as addressing is concerned."""

    def tell(self, text: str) -> None:
        """Send this notification."""
        ...

    def news(self, conversation_id: str) -> None:
        """The log of this conversation has grown."""
        ...


class Addressing:
    """On the loop only; never blocks."""

    def __init__(self) -> None:
        self._logs: OrderedDict[str, EventLog] = OrderedDict()
        self._followers: dict[str, list[Follower]] = {}
        self._clients: list[Follower] = []

    def deliver(self, event: Event) -> None:
        """Take an event of the host."""
        conversation_id = event.conversation_id
        if not conversation_id:
            if isinstance(event, NoticeEvent):
                text = EventNotification("", "", 0, event_without_places(event.to_json())).text()
                for client in tuple(self._clients):
                    client.tell(text)
            return
        log = self._logs.get(conversation_id)
        if log is None:
            return
        log.append(event)
        for follower in tuple(self._followers.get(conversation_id, ())):
            follower.news(conversation_id)

    def enter(self, client: Follower) -> None:
        """A client is known now: it gets what is meant for all."""
        self._clients.append(client)

    def follow(self, conversation_id: str, client: Follower) -> EventLog:
        """Let a client know of what happens in a conversation; the log, from now on complete.

        Of a client that has left nothing is kept: what it asked for last may be done after it.
        """
        log = self._logs.get(conversation_id) or EventLog()
        self._logs[conversation_id] = log
        self._logs.move_to_end(conversation_id)
        if client in self._clients:
            followers = self._followers.setdefault(conversation_id, [])
            if client not in followers:
                followers.append(client)
        self._forget_the_oldest()
        return log

    def unfollow(self, conversation_id: str, client: Follower) -> None:
        followers = self._followers.get(conversation_id, [])
        if client in followers:
            followers.remove(client)
        if not followers:
            self._followers.pop(conversation_id, None)

    def leave(self, client: Follower) -> None:
        """The client is gone."""
        if client in self._clients:
            self._clients.remove(client)
        for conversation_id in tuple(self._followers):
            self.unfollow(conversation_id, client)

    def _forget_the_oldest(self) -> None:
        free = [key for key in self._logs if key not in self._followers]
        for key in free[: max(0, len(self._logs) - MOST_LOGS)]:
            del self._logs[key]


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
        told = event_without_places(event.to_json())
        text = EventNotification(event.conversation_id, self.epoch, self.last, told).text()
        card = (event.action.id, event.version) if isinstance(event, ProposalEvent) else None
        self._texts.append(Logged(text, card))
        self._size_bytes += len(text)
        while len(self._texts) > 1 and (len(self._texts) > MOST_EVENTS or self._size_bytes > MOST_BYTES):
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


#: Of an attachment, what tells a program nothing about the person's disk or other conversations.
_OPEN_OF_ATTACHMENTS = ("name", "kind", "size_bytes", "mime")


def without_places(value: Json) -> Json:
    """Without where attachments lie, what else they are part of, and whether they could be read."""
    if isinstance(value, list):
        return [without_places(one) for one in value]
    return event_without_places(value) if isinstance(value, dict) else value


def event_without_places(value: JsonObject) -> JsonObject:
    """The same of an object."""
    found: JsonObject = {}
    for key, one in value.items():
        if key == "attachments" and isinstance(one, list):
            kept = [each for each in one if isinstance(each, dict)]
            found[key] = [{name: each.get(name) for name in _OPEN_OF_ATTACHMENTS} for each in kept]
        else:
            found[key] = without_places(one)
    return found
