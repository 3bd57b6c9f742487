"""A request as the body of a call; with pictures it takes time, and is made on a thread.

The wire that carries it is laid without importing `openai` first.
"""

from __future__ import annotations

import asyncio
import base64
import heapq
import importlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Protocol, cast

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import PictureData
from partner_desktop.model.chat import ChatMessage, ChatRequest, Priority
from partner_desktop.model.endpoint.constraint import Constraint, Dialect, Rung
from partner_desktop.model.endpoint.failure import EndpointName

_INSTRUCTION = "Answer with one JSON value that keeps this JSON Schema, and with nothing around it.\n"


def body_of(
    request: ChatRequest, *, model: str, dialect: Dialect, constraint: Constraint | None
) -> JsonObject:
    """The body of a streamed chat completion. `top_k` and `min_p` are not OpenAI's, so they are left out."""
    if request.has_pictures and not dialect.pictures:
        request = request.in_words()
    sampling = request.sampling
    messages = request.messages
    body: JsonObject = {"model": model, "stream": dialect.stream}
    body["max_completion_tokens" if dialect.modern else "max_tokens"] = sampling.max_tokens
    if dialect.usage and dialect.stream:
        body["stream_options"] = {"include_usage": True}
    if dialect.sampling:
        body["temperature"], body["top_p"] = sampling.temperature, sampling.top_p
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if request.stop:
            body["stop"] = list(request.stop)
    if constraint is not None:
        messages = _with_schema(messages, constraint, dialect.rung)
        form = _response_format(constraint, dialect.rung)
        if form is not None:
            body["response_format"] = form
    body["messages"] = [{"role": message.role, "content": _content(message)} for message in messages]
    return body


def _content(message: ChatMessage) -> Json:
    """The words; with pictures, parts as Chat Completions has them, the pictures in their addresses."""
    words = _clean(message.text)
    if not message.pictures:
        return words
    shown: list[Json] = [
        {"type": "image_url", "image_url": {"url": _data_url(picture)}} for picture in message.pictures
    ]
    return [{"type": "text", "text": words}, *shown]


def _data_url(picture: PictureData) -> str:
    return f"data:{picture.mime};base64,{base64.b64encode(picture.data).decode('ascii')}"


def _response_format(constraint: Constraint, rung: Rung) -> Json:
    if rung == "schema":
        strict = constraint.strict is not None
        schema: Json = constraint.strict if strict else constraint.schema
        return {"type": "json_schema", "json_schema": {"name": "answer", "strict": strict, "schema": schema}}
    if rung == "prompt" or not constraint.is_object:
        return None
    return {"type": "json_object", **({"schema": constraint.schema} if rung == "json_schema" else {})}


def _with_schema(
    messages: tuple[ChatMessage, ...], constraint: Constraint, rung: Rung
) -> tuple[ChatMessage, ...]:
    """JSON mode and words alone need the schema in the prompt: at its end, so that what is shared stays."""
    if rung == "schema":
        return messages
    told = _INSTRUCTION + json.dumps(constraint.schema, ensure_ascii=False, separators=(",", ":"))
    if messages and messages[-1].role == "user":
        last = messages[-1]
        return (*messages[:-1], replace(last, text=f"{last.text}\n\n{told}"))
    return (*messages, ChatMessage("user", told))


def _clean(text: str) -> str:
    """Without halves of characters, which no server takes."""
    return text.encode("utf-8", "replace").decode()


#: Servers compute some calls at once; more would only wait there, where nobody puts them in order.
MOST_AT_ONCE = 4


@dataclass(order=True)
class _Waiting:
    priority: Priority
    number: int
    go: asyncio.Future[None] = field(compare=False)


class Turns:
    """Lets the more urgent call go first, and one in the background only while no other is under way."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._most = most
        self._waiting: list[_Waiting] = []
        self._under_way: list[Priority] = []
        self._numbers = count()

    @asynccontextmanager
    async def turn(self, priority: Priority) -> AsyncIterator[None]:
        """One call's."""
        mine = _Waiting(priority, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting, mine)
        self._go_on()
        try:
            await mine.go
            yield
        finally:
            if mine.go.done() and not mine.go.cancelled():
                self._under_way.remove(priority)
            else:
                mine.go.cancel()
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting and len(self._under_way) < self._most:
            first = self._waiting[0]
            if first.go.cancelled():
                heapq.heappop(self._waiting)
                continue
            if (
                first.priority is Priority.BACKGROUND
                and min(self._under_way, default=first.priority) < first.priority
            ):
                return
            heapq.heappop(self._waiting)
            self._under_way.append(first.priority)
            first.go.set_result(None)


_WIRE = "partner_desktop.model.endpoint.wire"


class Answer(Protocol):
    """See `wire.OpenAIAnswer`."""

    def bytes(self) -> AsyncGenerator[bytes, None]: ...

    async def close(self) -> None: ...


class Wire(Protocol):
    """See `wire.OpenAIWire`."""

    async def post(self, path: str, body: JsonObject) -> Answer: ...

    async def get(self, path: str) -> Answer: ...

    async def close(self) -> None: ...


async def prepare() -> None:
    """Import the library; for whoever counts the time of what comes then."""
    await asyncio.to_thread(importlib.import_module, _WIRE)


async def lay(place: EndpointName, key: str, *, connect_s: float, answer_s: float) -> Wire:
    """A wire to a server; nothing is sent yet. The first one imports the library, on a thread."""

    def make() -> Wire:
        module = importlib.import_module(_WIRE)
        return cast("Wire", module.OpenAIWire(place, key, connect_s=connect_s, answer_s=answer_s))

    return await asyncio.to_thread(make)
