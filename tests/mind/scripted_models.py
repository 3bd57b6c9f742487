"""Models made for tests: they say what a test gives them, and remember what they were asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from partner_desktop.capabilities import ContextWindow, PromptPrefix
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.prompted.mind import PromptedMind
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.chat import ChatEvent, ChatMessage, ChatPiece, ChatUsage, ToolChoice

#: One answer: a text, its events, what it fails with, or an event that never comes.
Said = str | Sequence[ChatEvent | Exception | asyncio.Event] | Exception

TURN = TurnRef("chat", "turn")


@dataclass(frozen=True)
class Call:
    """What was asked."""

    question: str
    messages: tuple[ChatMessage, ...]
    trunk: int
    turn: TurnRef | None
    schema: JsonObject | None
    max_tokens: int | None
    tools: ToolChoice | None = None

    @property
    def tail(self) -> str:
        return self.messages[-1].text


class ScriptedModels:
    """A `ModelCapability`. `answers` are given in turn; asking for one more is an error of the test."""

    def __init__(self, *answers: Said, name: str = "small", language: str = "en") -> None:
        self.answers = list(answers)
        self.model, self.spoken = name, language
        self.personas: dict[str, str] = {}
        self.calls: list[Call] = []
        self.closed = 0
        self.asked, self.left = asyncio.Event(), asyncio.Event()

    def serves(self, question: str, conversation_id: str = "") -> str:
        return self.model

    def persona(self, question: str) -> str:
        return self.personas.get(question, "")

    def language(self) -> str:
        return self.spoken

    def context_window(self, question: str, conversation_id: str = "") -> ContextWindow | None:
        return None

    def take(self, question: str) -> Said:
        """The next answer."""
        assert self.answers, f"{question} was asked once too often"
        return self.answers.pop(0)

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
        self.calls.append(Call(question, tuple(messages), trunk, turn, schema, max_tokens, tools))
        self.asked.set()
        said = self.take(question)
        try:
            for event in _events(said):
                if isinstance(event, Exception):
                    raise event
                if isinstance(event, asyncio.Event):
                    await event.wait()
                else:
                    yield event
        finally:
            self.closed += 1
            self.left.set()


def _events(said: Said) -> Sequence[ChatEvent | Exception | asyncio.Event]:
    if isinstance(said, str):
        half = len(said) // 2
        return [ChatPiece(said[:half]), ChatPiece(said[half:]), ChatUsage()]
    return [said] if isinstance(said, Exception) else said


class FixedPrefix:
    """A `PrefixCapability` whose prefix a test gives."""

    def __init__(self, *dialog: tuple[str, str], fresh: str = "") -> None:
        system = [PromptPart("system", "persona", "You are Partner.", 4)]
        system.append(PromptPart("system", "capabilities", "What can be done here: much.", 6))
        parts = [PromptPart(role, "dialog", text, 2) for role, text in dialog]
        self.value = PromptPrefix((*system, *parts), fresh)
        self.failure: Exception | None = None

    async def prefix(self, turn: TurnRef) -> PromptPrefix:
        if self.failure is not None:
            raise self.failure
        return self.value


class Prompted:
    """A PromptedMind over scripted models, and what it told the person."""

    def __init__(
        self,
        *answers: Said,
        language: str = "en",
        prefix: FixedPrefix | None = None,
        starter: StarterMind | None = None,
    ) -> None:
        self.models = ScriptedModels(*answers, language=language)
        self.prefix = prefix or FixedPrefix()
        self.told: list[tuple[str, str]] = []
        self.starter = starter or StarterMind()
        self.mind = self.make()

    def make(self, *, silence_s: float = 5.0, answer_s: float = 5.0) -> PromptedMind:
        return PromptedMind(
            self.models,
            self.prefix,
            self.starter,
            lambda question, words: self.told.append((question, words)),
            silence_s=silence_s,
            answer_s=answer_s,
        )
