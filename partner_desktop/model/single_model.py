"""SingleModel: a single model of the settings that answers every question, whoever else is in use.

Its calls are no turn's: they are not booked, and wait for those of turns.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Protocol

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.model.chat import (
    ChatEvent,
    ChatMessage,
    ChatPiece,
    ChatRequest,
    ChatUsage,
    ContextWindow,
    Priority,
    ToolChoice,
)
from partner_desktop.model.model_slot import ModelSlot
from partner_desktop.model.usage import TokenPace

#: Tokens of an answer that no question limits: with thoughts before it, too.
_MOST_TOKENS = 512


class MakesRequests(Protocol):
    """What it needs of the registry."""

    def persona(self, question: str) -> str: ...

    def slot(self, name: str) -> ModelSlot: ...

    def request(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        schema: JsonObject | None,
        max_tokens: int | None,
    ) -> ChatRequest: ...


class SingleModel:
    """A `ModelCapability`, with the prompts of `language`."""

    def __init__(self, registry: MakesRequests, name: str, *, language: str, clock: Clock) -> None:
        self._registry, self._name, self._language, self._clock = registry, name, language, clock
        self.calls = 0
        self.trouble = ""
        """Why the last call failed, in one sentence; empty: it did not."""
        self._tokens, self._writing_ms = 0, 0.0

    @property
    def tokens_per_s(self) -> float:
        """How fast it wrote, over all calls; 0: unknown."""
        return round(1000 * self._tokens / self._writing_ms, 1) if self._writing_ms > 0 else 0.0

    def serves(self, _question: str, _conversation_id: str = "") -> str:
        return self._name

    def persona(self, question: str) -> str:
        return self._registry.persona(question)

    def language(self) -> str:
        return self._language

    def context_window(self, _question: str, _conversation_id: str = "") -> ContextWindow | None:
        return None

    async def call(
        self,
        question: str,
        messages: Sequence[ChatMessage],
        *,
        trunk: int,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
        tools: ToolChoice | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        """See `ModelCapability.call`."""
        del turn
        self.calls += 1
        self.trouble = ""
        most = _MOST_TOKENS if max_tokens is None else max_tokens
        request = self._registry.request(question, messages, trunk=trunk, schema=schema, max_tokens=most)
        request = replace(request, priority=Priority.BACKGROUND, call=tools)
        pace, used = TokenPace(self._clock), ChatUsage()
        try:
            async with aclosing(self._registry.slot(self._name).chat(request)) as events:
                async for event in events:
                    if isinstance(event, ChatPiece):
                        pace.take(event.tokens)
                    else:
                        used = event
                    yield event
        except ModelError as error:
            self.trouble = str(error)
            raise
        finally:
            self._tokens += max(0, (used.output_tokens or pace.tokens) - 1)
            self._writing_ms += max(0.0, pace.total_ms - pace.first_ms)
