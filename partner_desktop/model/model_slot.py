"""ModelSlot: one model of the registry, with what the registry knows of it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeAlias

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.model_status import ModelKind, ModelStatus
from partner_desktop.model.chat import ChatEvent, ChatModel, ChatRequest, ChatUsage, CountsTokens
from partner_desktop.model.settings import EndpointModel, FileModel
from partner_desktop.model.usage import Prices

Entry: TypeAlias = FileModel | EndpointModel
#: Makes a model of its entry; the second argument is to be called with every change of its status.
Maker: TypeAlias = Callable[[Entry, Callable[[], None]], ChatModel]

#: Seconds for which a server that failed is left alone; the starter mind answers meanwhile.
_ENDPOINT_REST_S = 15.0


class ModelSlot:
    """A `ChatModel` and its entry in the settings, which never changes: another entry is another slot."""

    def __init__(
        self,
        entry: Entry,
        model: ChatModel,
        *,
        estimate: CountsTokens,
        clock: Clock,
        touch: Callable[[], None],
    ) -> None:
        self.entry = entry
        self.model = model
        self._touch = touch
        self.calibration = Calibration(entry.name, estimate)
        self._clock = clock
        self._context_tokens = 0
        self._failed_s: float | None = None
        self._calls = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @property
    def prices(self) -> Prices:
        """What its tokens cost."""
        entry = self.entry
        return Prices(entry.price_in, entry.price_out) if isinstance(entry, EndpointModel) else Prices()

    @property
    def can_be_tried(self) -> bool:
        """Whether asking it is worth it now."""
        if self.model.status().state != "failed":
            return True
        if entry_kind(self.entry) == "file":
            return False  # it says itself when it may be tried again
        # A server tells that it is back only by answering.
        return self._failed_s is None or self._clock.monotonic_s() - self._failed_s > _ENDPOINT_REST_S

    @property
    def context_tokens(self) -> int:
        """What it holds at once; 0 while nobody knows."""
        return self.model.status().context_tokens or self._context_tokens

    def status(self, *, in_use: bool) -> ModelStatus:
        """How it is now."""
        return replace(self.model.status(), in_use=in_use)

    async def load(self) -> None:
        """As the model's own; a person asks for it, so what failed before counts no more."""
        self._failed_s = None
        await self._told(self.model.load())

    async def unload(self) -> None:
        """As the model's own."""
        self._failed_s = None
        await self._told(self.model.unload())

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        """Not every model tells of its changes itself."""
        self._touch()
        try:
            await work
        finally:
            self._touch()

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """As the model's own; what it tells of itself is kept."""
        self._calls += 1
        self._quiet.clear()
        self._touch()
        try:
            async with aclosing(self.model.chat(request)) as events:
                async for event in events:
                    if isinstance(event, ChatUsage):
                        self._learn(request, event)
                    yield event
            self._failed_s = None
        except ModelError:
            self._failed_s = self._clock.monotonic_s()
            raise
        finally:
            self._calls -= 1
            self._touch()
            if not self._calls:
                self._quiet.set()

    def _learn(self, request: ChatRequest, usage: ChatUsage) -> None:
        self._context_tokens = usage.context_tokens or self._context_tokens
        if request.has_pictures:
            return  # they take tokens, too, and no text tells how many
        text = "\n".join(message.text for message in request.messages)
        self.calibration.learn(text, usage.prompt_tokens)

    async def idle(self) -> None:
        """Wait until no call is under way."""
        await self._quiet.wait()


def entry_kind(entry: Entry) -> ModelKind:
    """`file` or `endpoint`."""
    return "file" if isinstance(entry, FileModel) else "endpoint"


_LEAST, _MOST = 0.5, 3.0
#: The correction goes in steps: counts are cached by the counter's name, and the name carries it.
_STEP = 0.05
#: Prompts that are estimated shorter tell more of the template around them than of the words.
_LEAST_TOKENS = 64
#: How much of a prompt that was shorter than expected counts; one that was longer counts at once.
_PATIENCE = 0.1


@dataclass(frozen=True)
class CalibratedTokens:
    """Pure; a better correction is another counter."""

    model: str
    estimate: CountsTokens
    ratio: float = 1.0

    @property
    def name(self) -> str:
        return f"{self.model}, {self.estimate.name} × {self.ratio:.2f}"

    def count(self, text: str) -> int:
        return math.ceil(self.ratio * self.estimate.count(text))


class Calibration:
    """What one model's own counts teach: rather too many tokens than too few."""

    def __init__(self, model: str, estimate: CountsTokens) -> None:
        self._model, self._estimate = model, estimate
        self._ratio = 1.0

    def learn(self, text: str, tokens: int) -> None:
        """A prompt of this text had so many tokens, its template included."""
        expected = self._estimate.count(text)
        if expected < _LEAST_TOKENS or tokens <= 0:
            return
        seen = min(_MOST, max(_LEAST, tokens / expected))
        self._ratio = seen if seen > self._ratio else self._ratio + _PATIENCE * (seen - self._ratio)

    @property
    def counter(self) -> CalibratedTokens:
        """The counter as it is best now."""
        steps = math.ceil(round(self._ratio / _STEP, 6))
        return CalibratedTokens(self._model, self._estimate, min(_MOST, steps * _STEP))
