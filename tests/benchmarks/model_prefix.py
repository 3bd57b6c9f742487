"""Part of `model`: what fifty turns of a conversation make a real worker read, on the tiny model.

Each turn asks a structured question and for a reply, both on the conversation's prefix. Counted by the model
itself: a turn may read what was appended to the prefix since the turn before, and its tails.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.events import Event, UsageEvent
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.mind.prompted.mind import PromptedMind
from partner_desktop.mind.prompted.prompts import arranged
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.conversation_models import ConversationModels
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.model_registry import ModelRegistry
from partner_desktop.model.settings import FileModel, ModelSettings
from partner_desktop.model.usage import UsageBook
from tests.communication.talk import Talk
from tests.model.tiny import make_tiny_model

#: What a turn may read, in what was appended and its tails.
LIMIT = 1.05
TURNS = 50
CONTEXT_TOKENS = 16_384
_QUESTION = "Does the person ask for something that can be done here?\n\n{text}"
_SCHEMA: Any = {  # Any: a JSON schema
    "type": "object",
    "properties": {"act": {"type": "boolean"}},
    "required": ["act"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class TurnTokens:
    """The calls of one turn, and what it may have read."""

    calls: tuple[ModelCall, ...]
    appended: int
    """To the prefix, since the turn before."""

    @property
    def evaluated(self) -> int:
        return sum(call.evaluated_tokens for call in self.calls)

    @property
    def allowed(self) -> int:
        """Appended, and the tails."""
        return self.appended + sum(call.prompt_tokens - call.trunk_tokens for call in self.calls)


def settings_of(path: Path, *, context_tokens: int, answer_tokens: int, temperature: float) -> ModelSettings:
    """One tiny model."""
    file = FileModel(name="tiny", path=str(path), context_tokens=context_tokens)
    return ModelSettings(use="tiny", file=(file,), max_tokens=answer_tokens, temperature=temperature)


def registry_on(talk: Talk, settings: ModelSettings) -> tuple[ModelRegistry, UsageBook]:
    """The models of the settings; its book writes into the talk's database."""
    usage = UsageBook(talk.database, publish=talk.channels.publish)
    registry = ModelRegistry(
        ConfigHandle("model", settings),
        {"file": _local},
        conversations=ConversationModels(talk.database),
        usage=usage,
        estimate=EstimatedTokens(),
        publish=talk.channels.publish,
        clock=SystemClock(),
    )
    return registry, usage


def _local(entry: object, changed: Callable[[], None]) -> LocalChatModel:
    assert isinstance(entry, FileModel)
    return LocalChatModel(entry, clock=SystemClock(), on_change=changed)


@asynccontextmanager
async def talk_with_model(
    place: Path,
    *,
    context_tokens: int = CONTEXT_TOKENS,
    answer_tokens: int = 24,
    temperature: float = 1.0,
    most_messages: int = 4 * TURNS,
    clock: Clock | None = None,
) -> AsyncIterator[tuple[Talk, ModelRegistry]]:
    """A conversation with the tiny model in a worker of its own."""
    path = make_tiny_model(place / "tiny.gguf", context_tokens=context_tokens)
    made: list[tuple[ModelRegistry, UsageBook]] = []

    def models(talk: Talk) -> ModelRegistry:
        settings = settings_of(
            path, context_tokens=context_tokens, answer_tokens=answer_tokens, temperature=temperature
        )
        made.append(registry_on(talk, settings))
        return made[0][0]

    def mind(talk: Talk) -> PromptedMind:
        return PromptedMind(made[0][0], talk.prefixes, StarterMind(), lambda question, text: None)

    talk = Talk(
        Home(place / "home"), mind, clock=clock or SystemClock(), models=models, most_messages=most_messages
    )
    async with talk:
        registry, usage = made[0]
        await registry.launch()
        try:
            await registry.load("tiny")
            yield talk, registry
        finally:
            await registry.shutdown()
            await usage.shutdown()


async def turns(
    talk: Talk, registry: ModelRegistry, *, count: int = TURNS, after: Sequence[TurnTokens] = ()
) -> list[TurnTokens]:
    """Drive the conversation, from where `after` ended; what each turn read."""
    found: list[TurnTokens] = []
    trunk_tokens = after[-1].calls[-1].trunk_tokens if after else 0
    for number in range(len(after), len(after) + count):
        flow = await talk.flow(f"Number {number}: what do you say to this?")
        prefix = await talk.prefixes.prefix(flow.ref)
        question = arranged(prefix.parts, prefix.fresh, _QUESTION.format(text=flow.text))
        call = registry.call(
            "evaluate_intent", question.messages, trunk=question.trunk, turn=flow.ref, schema=_SCHEMA
        )
        async with aclosing(call):
            async for _ in call:
                pass
        await talk.producer.execute(flow)
        calls = await _calls(talk, flow.turn_id, 2)
        found.append(TurnTokens(calls, calls[-1].trunk_tokens - trunk_tokens))
        trunk_tokens = calls[-1].trunk_tokens
    return found


async def _calls(talk: Talk, turn_id: str, count: int) -> tuple[ModelCall, ...]:
    """The calls of a turn; they are told when they are written down."""

    def of_turn() -> list[ModelCall]:
        told = (event for event in talk.watcher.events if isinstance(event, UsageEvent))
        return [event.call for event in told if event.call.turn_id == turn_id]

    def last(event: Event) -> bool:
        return isinstance(event, UsageEvent) and event.call.turn_id == turn_id and len(of_turn()) >= count

    await talk.watcher.until(last)
    return tuple(of_turn())


async def _measure(place: Path) -> dict[str, Any]:
    async with talk_with_model(place) as (talk, registry):
        found = await turns(talk, registry)
    for number, turn in enumerate(found):
        for call in turn.calls:
            print(
                f"turn {number:>2} {call.question:<16} prompt {call.prompt_tokens:>5}, trunk "
                f"{call.trunk_tokens:>5}: reused {call.reused_tokens:>5}, read {call.evaluated_tokens:>4}"
            )
    ratios = [turn.evaluated / turn.allowed for turn in found]
    return {
        "turns": len(found),
        "evaluated_tokens": sum(turn.evaluated for turn in found),
        "appended_and_tails_tokens": sum(turn.allowed for turn in found),
        "prompt_tokens": sum(call.prompt_tokens for turn in found for call in turn.calls),
        "worst_ratio": round(max(ratios), 4),
        "ok": max(ratios) <= LIMIT,
    }


def measure() -> dict[str, Any]:
    """The figures, and whether they keep the limit; a line a call is printed."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        return asyncio.run(_measure(Path(place)))
