"""A real chat model on a tiny file, and what tests do with its worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from partner_desktop.base.clock import SystemClock
from partner_desktop.model.chat import ChatMessage, ChatModel, ChatPiece, ChatRequest, ChatUsage, Sampling
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.settings import FileModel
from partner_desktop.model.worker.watchdog import RestartPolicy, SilenceLimits

#: A worker that hangs is found at once.
HASTY = RestartPolicy(delays_s=(0.0,) * 6, patience=SilenceLimits(look_s=0.1, looks=5))


@asynccontextmanager
async def chat_model(
    path: Path,
    *,
    policy: RestartPolicy | None = None,
    on_change: Callable[[], None] = lambda: None,
    recommended: Mapping[str, float] | None = None,
    **entry: Any,
) -> AsyncIterator[LocalChatModel]:
    """A model, always closed. `recommended`: of how it chooses its words; `entry`: further keys of its entry
    in the settings.
    """
    settings = FileModel(name="tiny", path=str(path), threads=1, **entry)
    one = LocalChatModel(
        settings,
        clock=SystemClock(),
        policy=policy,
        on_change=on_change,
        sampling_of=lambda _path: recommended or {},
    )
    try:
        yield one
    finally:
        await one.shutdown()


def asked(text: str = "hello", *, tokens: int = 40, **more: Any) -> ChatRequest:
    """A request whose answer is the same each time."""
    return ChatRequest((ChatMessage("user", text),), sampling=Sampling(max_tokens=tokens, seed=1), **more)


async def answer(model: ChatModel, request: ChatRequest) -> tuple[str, ChatUsage]:
    """The whole answer."""
    pieces: list[str] = []
    usage: ChatUsage | None = None
    async with aclosing(model.chat(request)) as events:
        async for event in events:
            if isinstance(event, ChatPiece):
                pieces.append(event.text)
            else:
                usage = event
    assert usage is not None
    return "".join(pieces), usage


def endless(text: str = "hello", **more: Any) -> ChatRequest:
    """A request whose answer lasts until somebody ends it, for all that tests can tell."""
    return asked(text, tokens=100_000, **more)


class Reader:
    """Reads an answer in a task of its own."""

    def __init__(self, model: ChatModel, request: ChatRequest) -> None:
        self.pieces: list[str] = []
        self.begun = asyncio.Event()
        self.task = asyncio.create_task(self._read(model, request))

    async def _read(self, model: ChatModel, request: ChatRequest) -> None:
        async with aclosing(model.chat(request)) as events:
            async for event in events:
                if isinstance(event, ChatPiece):
                    self.pieces.append(event.text)
                    self.begun.set()
