"""What tests of endpoints share: a model of a server, and what comes out of a call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from partner_desktop.base.clock import Clock
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.chat import ChatEvent, ChatMessage, ChatPiece, ChatRequest, ChatUsage, Sampling
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.settings import EndpointModel
from tests.model.endpoint.badly import BadServer, Behaviour
from tests.support import WAIT_S, HastyClock

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"choice": {"enum": ["reply", "act"]}, "why": {"type": "string"}},
    "required": ["choice"],
    "additionalProperties": False,
}


@asynccontextmanager
async def model_of(
    server: BadServer | str,
    *,
    key: str = "",
    dialects: Path | None = None,
    clock: Clock | None = None,
    **settings: Any,
) -> AsyncIterator[EndpointChatModel]:
    """An EndpointChatModel called `cluster`, with the model `parrot` where nothing else is said."""

    async def given() -> str:
        return key

    address = server if isinstance(server, str) else server.address
    given_settings = {"name": "cluster", "base_url": address, "model": "parrot", **settings}
    clock = clock or HastyClock()
    model = EndpointChatModel(
        EndpointModel(**given_settings), key=given, clock=clock, dialects=DialectMemory(dialects, clock=clock)
    )
    try:
        yield model
    finally:
        await model.shutdown()


def request(
    text: str = "Hello", *, schema: JsonObject | None = None, max_tokens: int = 64, **more: Any
) -> ChatRequest:
    messages = (ChatMessage("system", "You are brief."), ChatMessage("user", text))
    return ChatRequest(
        messages, sampling=Sampling(temperature=0.0, max_tokens=max_tokens), schema=schema, **more
    )


async def events(model: EndpointChatModel, asked: ChatRequest | None = None) -> list[ChatEvent]:
    """All that comes, in time."""
    async with asyncio.timeout(WAIT_S):
        return [event async for event in model.chat(asked or request())]


async def answer(model: EndpointChatModel, asked: ChatRequest | None = None) -> tuple[str, ChatUsage]:
    """The text and the usage."""
    said = await events(model, asked)
    usage = said[-1]
    assert isinstance(usage, ChatUsage)
    return text_of(said), usage


def text_of(said: list[ChatEvent]) -> str:
    return "".join(event.text for event in said if isinstance(event, ChatPiece) and not event.reasoning)


@asynccontextmanager
async def served(*script: Behaviour, **settings: Any) -> AsyncIterator[tuple[BadServer, EndpointChatModel]]:
    """A server that behaves so, and a model of it."""
    async with BadServer(*script) as server, model_of(server, **settings) as model:
        yield server, model
