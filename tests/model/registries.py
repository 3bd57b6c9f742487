"""A registry of models that do what they are told, on real settings and a real database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.config.center import ConfigCenter
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.model.chat import ChatEvent, ChatMessage, ChatPiece, ChatRequest, ChatUsage
from partner_desktop.model.conversation_models import ConversationModels
from partner_desktop.model.model_registry import ModelRegistry
from partner_desktop.model.model_slot import Entry, entry_kind
from partner_desktop.model.settings import ModelSettings
from partner_desktop.model.usage import UsageBook
from partner_desktop.storage.database import Database
from tests.support import Watcher


class ToldModel:
    """A `ChatModel` that says `words`, then what it cost; it waits at `gate` before each word."""

    def __init__(self, entry: Entry, on_change: Callable[[], None]) -> None:
        self.entry = entry
        self._on_change = on_change
        self._status = ModelStatus(entry.name, entry_kind(entry), "here", context_tokens=entry.context_tokens)
        self.words: tuple[str, ...] = ("Well, ", "hello.")
        self.fault: Exception | None = None
        self.usage = ChatUsage(prompt_tokens=120, reused_tokens=20, output_tokens=2, context_tokens=1000)
        self.gate = asyncio.Event()
        self.gate.set()
        self.asked: list[ChatRequest] = []
        self.loads = 0
        self.closed = False

    @property
    def name(self) -> str:
        return self.entry.name

    def status(self) -> ModelStatus:
        return self._status

    def become(self, status: ModelStatus) -> None:
        self._status = status
        self._on_change()

    async def load(self) -> None:
        self.loads += 1
        self.become(replace(self._status, state="ready"))

    async def unload(self) -> None:
        self.become(replace(self._status, state="idle"))

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        self.asked.append(request)
        for word in self.words:
            await self.gate.wait()
            yield ChatPiece(word)
        if self.fault is not None:
            raise self.fault
        yield self.usage

    async def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    async def shutdown(self) -> None:
        self.closed = True


class Bench:
    """Everything around the registry; `made` are the models in the order in which they were made."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.said = Watcher()
        self.config = ConfigCenter(folder / "config", publish=self.said)
        self.handle = self.config.register("model", ModelSettings())
        self.file = folder / "config" / "model.toml"
        self.database = Database(folder / "partner.db", backups=folder / "backups", clock=clock)
        self.usage = UsageBook(self.database, publish=self.said)
        self.conversations = ConversationModels(self.database)
        self.made: list[ToldModel] = []
        self.refuse = ""
        self.registry = ModelRegistry(
            self.handle,
            {"file": self._make, "endpoint": self._make},
            conversations=self.conversations,
            usage=self.usage,
            estimate=EstimatedTokens(),
            publish=self.said,
            clock=clock,
        )

    def _make(self, entry: Entry, on_change: Callable[[], None]) -> ToldModel:
        if entry.name == self.refuse:
            raise ModelError(f"{entry.name} is not wanted.")
        self.made.append(ToldModel(entry, on_change))
        return self.made[-1]

    def model(self, name: str) -> ToldModel:
        """The newest one of that name."""
        return next(one for one in reversed(self.made) if one.name == name)

    def write(self, text: str) -> None:
        """Save the settings as an editor does."""
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text, encoding="utf-8")

    async def ask(self, question: str = "reply", text: str = "hello", *, turn: TurnRef | None = None) -> str:
        """Ask and read the whole answer."""
        call = self.registry.call(question, [ChatMessage("user", text)], trunk=0, turn=turn)
        async with aclosing(call) as events:
            return "".join([event.text async for event in events if isinstance(event, ChatPiece)])


@asynccontextmanager
async def registry_bench(folder: Path, clock: Clock, settings: str) -> AsyncIterator[Bench]:
    """A bench whose settings say this, always closed."""
    bench = Bench(folder, clock)
    bench.write(settings)
    parts = (bench.config, bench.database, bench.usage, bench.conversations, bench.registry)
    for part in parts:
        await part.launch()
    try:
        yield bench
    finally:
        for part in reversed(parts):
            await part.shutdown()
