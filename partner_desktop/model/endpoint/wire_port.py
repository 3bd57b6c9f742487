"""The wire as the rest of this package sees it, and how it is laid: without importing `openai` first."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncGenerator
from typing import Protocol, cast

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.endpoint.failure import EndpointName

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
