"""The frames of the websocket gateway, each as a type, and the sentence for what is none of them."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from partner_desktop.base.errors import GatewayError
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.wire import json_line

VERSION = 1

Id = Annotated[str, Field(min_length=1, max_length=64)]

# What a client says.


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ref: str = Field(default="", max_length=64)
    """Chosen by the client; it comes back in the answer."""


class Hello(_Said):
    """The first frame."""

    type: Literal["hello"]
    token: str = Field(default="", max_length=256)
    client: str = Field(default="", max_length=64)
    """A name for the log."""


class New(_Said):
    """Begin a conversation and follow it."""

    type: Literal["new"]


class Open(_Said):
    """Follow a conversation, from now on or from what was seen last."""

    type: Literal["open"]
    conversation: Id
    after: int | None = Field(default=None, ge=0, le=2**53)
    """The `seq` of the last event seen; with the `epoch` that it was counted in."""
    epoch: Id | None = None
    position: int | None = Field(default=None, ge=0, le=2**53)
    """The position of the last message known."""

    @model_validator(mode="after")
    def _counted(self) -> Open:
        if self.after is not None and self.epoch is None:
            raise ValueError("`after` needs the `epoch` that it was counted in")
        return self


class Close(_Said):
    """Follow a conversation no longer."""

    type: Literal["close"]
    conversation: Id


class Say(_Said):
    """A message, in a conversation that is followed or in a new one."""

    type: Literal["say"]
    text: str = Field(min_length=1)
    conversation: Id | None = None


class Approve(_Said):
    """Let a proposed action run, once; without `version`, as it was last sent to this client."""

    type: Literal["approve"]
    action: Id
    version: str = Field(default="", max_length=64)
    scope: Literal["once"] = "once"


class Reject(_Said):
    """Turn a proposed action down."""

    type: Literal["reject"]
    action: Id


class Stop(_Said):
    """End the reply in progress and the running actions of a conversation."""

    type: Literal["stop"]
    conversation: Id


class List(_Said):
    """Which conversations there are, newest first."""

    type: Literal["list"]
    limit: int = Field(default=50, ge=1, le=500)


class Ping(_Said):
    """A sign of life on the level of frames."""

    type: Literal["ping"]


ClientFrame: TypeAlias = Hello | New | Open | Close | Say | Approve | Reject | Stop | List | Ping
_said: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])

EXAMPLES: dict[str, JsonObject] = {
    "hello": {"type": "hello", "token": "…", "client": "my program"},
    "new": {"type": "new"},
    "open": {"type": "open", "conversation": "4f6c…", "epoch": "91ab…", "after": 12},
    "close": {"type": "close", "conversation": "4f6c…"},
    "say": {"type": "say", "text": "hello", "conversation": "4f6c…"},
    "approve": {"type": "approve", "action": "77d0…"},
    "reject": {"type": "reject", "action": "77d0…"},
    "stop": {"type": "stop", "conversation": "4f6c…"},
    "list": {"type": "list"},
    "ping": {"type": "ping"},
}

# What the server says. Events are not modelled again: they are `domain/events.py`'s, as `--json` prints them.


class Answer(BaseModel):
    """Root of what the server says."""

    model_config = ConfigDict(frozen=True)

    def text(self) -> str:
        """As it goes over the wire."""
        return json_line(self.model_dump())


class Welcome(Answer):
    """The client is known now."""

    type: Literal["welcome"] = "welcome"
    version: int = VERSION
    host: str
    """Which start of the gateway this is."""
    max_frame_bytes: int
    ref: str = ""


class Opened(Answer):
    """A conversation is followed: its next event will be `seq` + 1."""

    type: Literal["opened"] = "opened"
    conversation: str
    epoch: str
    seq: int
    title: str = ""
    ref: str = ""


class Accepted(Answer):
    """The message is on the disk."""

    type: Literal["accepted"] = "accepted"
    message: str
    conversation: str
    position: int
    ref: str = ""


class Replayed(Answer):
    """Everything missed was sent; what follows is new."""

    type: Literal["replayed"] = "replayed"
    conversation: str
    seq: int
    count: int


class Gap(Answer):
    """The events since `after` are no longer held: the messages come instead, the next event is `seq` + 1."""

    type: Literal["gap"] = "gap"
    conversation: str
    epoch: str
    seq: int
    reason: str


class Messages(Answer):
    """Messages after a gap, oldest first."""

    type: Literal["messages"] = "messages"
    conversation: str
    messages: list[Any]  # Any: JSON of our own making; pydantic takes no recursive alias
    complete: bool = True
    """False: there are older ones between the known position and the first of these."""
    last: bool = False


class Conversations(Answer):
    """The answer to `list`."""

    type: Literal["conversations"] = "conversations"
    conversations: list[Any]  # Any: as above
    ref: str = ""


class Done(Answer):
    """What was asked for has been done (`approve`, `reject`, `stop`, `close`)."""

    type: Literal["done"] = "done"
    ref: str = ""


class Pong(Answer):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    ref: str = ""


class Refused(Answer):
    """Something did not fit or could not be done; the connection stays unless a close follows."""

    type: Literal["error"] = "error"
    message: str
    ref: str = ""


class FrameError(GatewayError):
    """What came is no frame; `ref` as far as it could be read."""

    def __init__(self, message: str, *, ref: str = "") -> None:
        super().__init__(message)
        self.ref = ref


def event_text(conversation: str, seq: int, event: JsonObject) -> str:
    """An event as it goes over the wire."""
    return json_line({"type": "event", "conversation": conversation, "seq": seq, "event": event})


def read_frame(data: str | bytes) -> ClientFrame:
    """What a client said.

    Raises:
        FrameError: It is no frame; the sentence names the field and has an example.
    """
    if isinstance(data, bytes):
        raise FrameError(f"A frame is text; this one is binary. {_example('say')}")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"This frame is not JSON. {_example('say')}") from error
    if not isinstance(body, dict):
        raise FrameError(f"A frame is one JSON object; this is {_kind(body)}. {_example('say')}")
    given = body.get("ref")
    ref = given if isinstance(given, str) and len(given) <= 64 and given.isprintable() else ""
    kind = body.get("type")
    if not isinstance(kind, str) or kind not in EXAMPLES:
        known = ", ".join(EXAMPLES)
        raise FrameError(f"`type` of a frame is one of {known}. {_example('say')}", ref=ref)
    try:
        return _said.validate_python(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        named = f"`{_short(place)}` of this {kind} frame" if place else f"This {kind} frame"
        raise FrameError(f"{named} does not fit: {first['msg']}. {_example(kind)}", ref=ref) from error


def _example(kind: str) -> str:
    return f"Example: {json.dumps(EXAMPLES[kind], ensure_ascii=False)}"


def _kind(body: Json) -> str:
    return "a list" if isinstance(body, list) else "a single value"


def _short(text: str) -> str:
    """A field's name came from outside: it may be long, and hold anything."""
    return shown(text[:40]) + ("…" if len(text) > 40 else "")
