"""The protocol between the app and its model worker.

A frame is four bytes of length (big-endian) and that many bytes of JSON, an object with a `type`. The worker
speaks first, with `hello`. Every request carries an id; its answer is one final frame with that id, and a
stream (`loading`, `piece`) is any number of frames with that id before the final one. `cancel` names the
request to give up, which is then answered by a `failure` of the kind `cancelled`, unless its answer was
under way already.

Frames go out in order; pieces of answers go out together when they come faster than anybody reads. Each
frame costs both sides some work. A first piece and every slow one leave at once; of a fast model's, what has
gathered leaves every few milliseconds, and before anything else that is said.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
import time
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

#: Raised with every change that the other side would not understand.
PROTOCOL = 5
MAX_FRAME_BYTES = 32 * 1024 * 1024
#: Of one request, before they are written in base64: they leave room for the words in a frame.
MOST_PICTURES_BYTES = 20 * 1024 * 1024

_LENGTH = struct.Struct(">I")

T = TypeVar("T")

FailureKind = Literal[
    "engine",
    "model",
    "request",
    "cancelled",
    "protocol",
    "overflow",
    "schema",
    "memory",
    "picture",
    "projector",
]


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


class IdFrame(Frame):
    """A request, or what belongs to the request of this id."""

    id: int


class Load(IdFrame):
    """Open the model that this worker runs; answered by any number of `loading`, then by `loaded`."""

    type: Literal["load"] = "load"
    path: str
    kind: Literal["embed", "chat"]
    context_tokens: int = Field(ge=0)
    """0: what model and memory allow (chat only)."""
    threads: int = Field(gt=0)
    gpu_layers: int = Field(default=0, ge=-1)
    """-1: all, where there is a device for them."""
    projector: str = ""
    """The file that sees for it; empty: none (chat only)."""


class Embed(IdFrame):
    """Turn texts into vectors; answered by `embedded`. An urgent one goes before what waits."""

    type: Literal["embed"] = "embed"
    texts: tuple[str, ...]
    urgent: bool = False


class PromptMessage(Frame):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[str, ...] = ()
    """What is shown with it: files, each in base64."""


class CallableTool(Frame):
    """A tool that an answer may call. `parameters` is the JSON Schema of its arguments, as JSON; `answer` is
    the JSON object that a call stands for, and its arguments come over that.
    """

    name: str = Field(min_length=1)
    description: str
    parameters: str
    answer: str


class ToolOffer(Frame):
    """The same question for a model whose chat template knows tools: `text` is the last message then.

    `otherwise` is the answer, as JSON, where none is called; without it one must be. Without `arguments` the
    answer is whole with the name of a tool.
    """

    tools: tuple[CallableTool, ...] = Field(min_length=1)
    text: str
    otherwise: str | None = None
    arguments: bool = True


class Chat(IdFrame):
    """Write an answer; answered by any number of `piece`, then by `written`.

    `trunk`: how many of the messages, from the first, later calls will share. `rank`: lower goes first, also
    between two tokens of another answer. `grammar_schema`: JSON Schema, as JSON, that the text must follow.
    With an `offer` it is what a call of a tool stands for, where the model's template has words for one.
    """

    type: Literal["chat"] = "chat"
    messages: tuple[PromptMessage, ...] = Field(min_length=1)
    trunk: int = Field(default=0, ge=0)
    rank: int = Field(default=1, ge=0, le=9)
    temperature: float = Field(default=0.7, ge=0)
    top_p: float = Field(default=0.95, gt=0, le=1)
    top_k: int = Field(default=40, ge=0)
    min_p: float = Field(default=0.05, ge=0, le=1)
    repeat_penalty: float = Field(default=1.0, ge=0.5, le=2)
    max_tokens: int = Field(gt=0)
    seed: int | None = None
    grammar_schema: str | None = None
    offer: ToolOffer | None = None
    stop: tuple[str, ...] = ()


class Count(IdFrame):
    """Count the tokens of texts; answered by `counted`."""

    type: Literal["count"] = "count"
    texts: tuple[str, ...]


class Ping(IdFrame):
    """Answered by `pong` at once, also while a model works."""

    type: Literal["ping"] = "ping"


class Cancel(IdFrame):
    """Give up the request `id`."""

    type: Literal["cancel"] = "cancel"


class Loading(IdFrame):
    """How far the model is read, 0 to 1."""

    type: Literal["loading"] = "loading"
    progress: float


class Loaded(IdFrame):
    """The model is ready. `dimensions` is of vectors, 0 for a chat model; the rest is what was chosen."""

    type: Literal["loaded"] = "loaded"
    dimensions: int
    context_tokens: int
    threads: int = 0
    gpu_layers: int = 0
    description: str = ""
    size_bytes: int = 0
    note: str = ""
    """What a person should know, such as a chat template that cannot be used; empty mostly."""
    recommended: dict[str, float] = Field(default_factory=dict)
    """How its words are best chosen, by whoever made the file: names and bounds are those of `chat`."""


class Piece(IdFrame):
    """The next words of an answer; `tokens` of them have gone by since the last piece.

    The first piece says what `written` will say of the prompt, for an answer that is given up before.
    """

    type: Literal["piece"] = "piece"
    text: str
    tokens: int = 1
    prompt_tokens: int = 0
    reused_tokens: int = 0
    trunk_tokens: int = 0


class Written(IdFrame):
    """An answer is whole. `reused_tokens` of the prompt were known from before.

    `form`: by what it was held to its schema, the schema's grammar or that of calls.
    """

    type: Literal["written"] = "written"
    prompt_tokens: int
    reused_tokens: int
    trunk_tokens: int
    output_tokens: int
    end: Literal["stop", "length"]
    form: Literal["", "grammar", "tools"] = ""


class Counted(IdFrame):
    """Tokens of each text, in order."""

    type: Literal["counted"] = "counted"
    tokens: tuple[int, ...]


class Embedded(IdFrame):
    """One vector a text, in order: float32, little-endian, length 1, in base64."""

    type: Literal["embedded"] = "embedded"
    dimensions: int
    data: str


class Pong(IdFrame):
    """The worker's pipes are served."""

    type: Literal["pong"] = "pong"


class Failure(Frame):
    """A request failed; without an id it was the connection, and the worker ends."""

    type: Literal["failure"] = "failure"
    id: int | None = None
    kind: FailureKind
    message: str
    prompt_tokens: int = 0
    context_tokens: int = 0
    """With `overflow`: how long the prompt is, and what the model holds; with `memory`: was to hold."""
    needed_bytes: int = 0
    free_bytes: int = 0
    """With `memory`: for that context, and what was free; 0: llama.cpp itself found it too much."""


Request: TypeAlias = Load | Embed | Chat | Count | Ping | Cancel
#: Ends a request.
Answer: TypeAlias = Loaded | Embedded | Written | Counted | Pong | Failure
#: Comes before the answer.
Passing: TypeAlias = Loading | Piece
Reply: TypeAlias = Hello | Passing | Answer


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


#: Below the distance of two tokens at 200 tokens a second: those go alone.
_GATHER_S = 0.004


class FrameWriter:
    """Before the pipe. Used from any thread; `start` once."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._lock = threading.Lock()
        self._gathering = threading.Condition(self._lock)
        self._id = 0
        self._texts: list[str] = []
        self._tokens = 0
        self._last_s = float("-inf")

    def start(self) -> None:
        """Begin to look after what is gathered and followed by nothing."""
        threading.Thread(target=self._look_after, name="pieces", daemon=True).start()

    def say(self, frame: Frame) -> None:
        """Send a frame, behind all pieces."""
        with self._lock:
            self._flush()
            self._pipes.send(frame)

    def piece(self, request_id: int, text: str, tokens: int) -> None:
        """The next words of an answer whose first went by `say`."""
        with self._lock:
            if request_id != self._id:
                self._flush()
                self._id = request_id
            self._texts.append(text)
            self._tokens += tokens
            if time.monotonic() >= self._last_s + _GATHER_S:
                self._flush()
            elif len(self._texts) == 1:
                self._gathering.notify()

    def _flush(self) -> None:
        if not self._texts:
            return
        self._pipes.send(Piece(id=self._id, text="".join(self._texts), tokens=self._tokens))
        self._texts, self._tokens = [], 0
        self._last_s = time.monotonic()

    def _look_after(self) -> None:
        with self._lock:
            while True:
                while not self._texts:
                    self._gathering.wait()
                due_s = self._last_s + _GATHER_S - time.monotonic()
                if due_s <= 0:
                    self._flush()
                else:
                    self._lock.release()
                    try:
                        time.sleep(due_s)
                    finally:
                        self._lock.acquire()


_CHUNK_BYTES = 64 * 1024


class Pipes:
    """stdin and stdout, taken out of everybody else's reach.

    Native code prints what it likes to descriptor 1: from here on that is stderr, never the protocol.
    """

    def __init__(self) -> None:
        self._in = os.dup(0)
        self._out = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._writing = threading.Lock()

    def bodies(self) -> Iterator[bytes]:
        """Every frame's body that comes, until the other side closes.

        Raises:
            FrameError: What comes is no stream of frames.
        """
        unpacker = Unpacker()
        while chunk := os.read(self._in, _CHUNK_BYTES):
            yield from unpacker.feed(chunk)

    def send(self, frame: Frame) -> None:
        """Write a frame, from any thread; a reader that is gone ends this process elsewhere."""
        rest = memoryview(packed(frame))
        with self._writing, contextlib.suppress(BrokenPipeError):
            while rest:
                rest = rest[os.write(self._out, rest) :]
