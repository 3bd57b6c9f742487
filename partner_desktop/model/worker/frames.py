"""The protocol between the app and its model worker.

A frame is four bytes of length (big-endian) and that many bytes of JSON, an object with a `type`. The worker
speaks first, with `hello`. Every request carries an id; its answer is one final frame with that id, and a
stream is any number of frames with that id before the final one. `cancel` names the request to give up,
which is then answered by a `failure` of the kind `cancelled`, unless its answer was under way already.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

#: Raised with every change that the other side would not understand.
PROTOCOL = 1
MAX_FRAME_BYTES = 16 * 1024 * 1024

_LENGTH = struct.Struct(">I")

T = TypeVar("T")

FailureKind = Literal["engine", "model", "request", "cancelled", "protocol"]


class FrameError(Exception):
    """What came through the pipe is not a frame; the connection cannot go on."""


class Frame(BaseModel):
    """What all frames share. Validators are built on first use: the window's start need not wait for them."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Hello(Frame):
    """The worker is there. What a newer one adds is passed over, so that the versions can be compared."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)

    type: Literal["hello"] = "hello"
    protocol: int
    pid: int


class Load(Frame):
    """Open the model that this worker runs; answered by `loaded`."""

    type: Literal["load"] = "load"
    id: int
    path: str
    kind: Literal["embed", "chat"]
    context_tokens: int = Field(gt=0)
    threads: int = Field(gt=0)


class Embed(Frame):
    """Turn texts into vectors; answered by `embedded`. An urgent one goes before what waits."""

    type: Literal["embed"] = "embed"
    id: int
    texts: tuple[str, ...]
    urgent: bool = False


class Ping(Frame):
    """Answered by `pong` at once, also while a model works."""

    type: Literal["ping"] = "ping"
    id: int


class Cancel(Frame):
    """Give up the request `id`."""

    type: Literal["cancel"] = "cancel"
    id: int


class Loaded(Frame):
    """The model is ready."""

    type: Literal["loaded"] = "loaded"
    id: int
    dimensions: int
    context_tokens: int


class Embedded(Frame):
    """One vector a text, in order: float32, little-endian, length 1, in base64."""

    type: Literal["embedded"] = "embedded"
    id: int
    dimensions: int
    data: str


class Pong(Frame):
    """The worker's pipes are served."""

    type: Literal["pong"] = "pong"
    id: int


class Failure(Frame):
    """A request failed; without an id it was the connection, and the worker ends."""

    type: Literal["failure"] = "failure"
    id: int | None = None
    kind: FailureKind
    message: str


Request: TypeAlias = Load | Embed | Ping | Cancel
Answer: TypeAlias = Loaded | Embedded | Pong | Failure
Reply: TypeAlias = Hello | Answer


def packed(frame: Frame) -> bytes:
    """The bytes of a frame.

    Raises:
        FrameError: It is larger than the other side would take.
    """
    body = frame.model_dump_json().encode("utf-8")
    if len(body) > MAX_FRAME_BYTES:
        raise FrameError(f"A frame of {len(body)} bytes is above the limit of {MAX_FRAME_BYTES}.")
    return _LENGTH.pack(len(body)) + body


class Unpacker:
    """Cuts a stream of bytes into the bodies of frames."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next bytes; yields every body that is whole now.

        Raises:
            FrameError: A length is above the limit, so this is no stream of frames.
        """
        self._held += data
        while len(self._held) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._held)
            if length > MAX_FRAME_BYTES:
                raise FrameError(f"A frame of {length} bytes is above the limit of {MAX_FRAME_BYTES}.")
            end = _LENGTH.size + length
            if len(self._held) < end:
                return
            body = bytes(self._held[_LENGTH.size : end])
            del self._held[:end]
            yield body


@cache
def _requests() -> TypeAdapter[Request]:
    return TypeAdapter(Annotated[Request, Field(discriminator="type")])


@cache
def _replies() -> TypeAdapter[Reply]:
    return TypeAdapter(Annotated[Reply, Field(discriminator="type")])


def read_request(body: bytes) -> Request:
    """What the app asks.

    Raises:
        FrameError: It is not a request of this protocol.
    """
    return _read(_requests(), body)


def read_reply(body: bytes) -> Reply:
    """What the worker says.

    Raises:
        FrameError: It is not a reply of this protocol.
    """
    return _read(_replies(), body)


def _read(adapter: TypeAdapter[T], body: bytes) -> T:
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FrameError(f"A garbled frame: {where + ': ' if where else ''}{first['msg']}.") from error
