"""The protocol of the websocket gateway, as far as it is not an operation's: results, notifications, and
all of it for programs that read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from pydantic import TypeAdapter

from partner_desktop.api.operations import Operation
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller
from partner_desktop.domain.events import Event
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
