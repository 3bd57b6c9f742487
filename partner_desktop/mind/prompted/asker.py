"""Asker: puts a structured question to the model and brings back a checked answer, or nothing.

Contract: an answer that cannot be used is asked for once more, with one sentence on what was wrong and never
with the answer itself; after that, and when the model fails, the person is told and the caller falls back. A
model that failed or kept silent is not asked again in the same turn. Cancelling stops the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from partner_desktop.base import log
from partner_desktop.base.errors import ContextOverflowError, ModelError, StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import prompt_text
from partner_desktop.capabilities import ModelCapability, PrefixCapability, PromptPrefix
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.prompted.answers import Answer, object_schema, read_answer
from partner_desktop.mind.prompted.prompts import (
    Arranged,
    Flaw,
    FlawError,
    Tell,
    arranged,
    calling_tail,
    correction,
    sentence,
    tail_of,
)
from partner_desktop.mind.question import Question
from partner_desktop.model.chat import ChatEvent, ChatPiece, ToolChoice, ToolDefinition

_log = log.area("mind")

#: The longest wait for the next piece. The model may have to be read from a slow disk first; a worker or a
#: server that hangs is found sooner by those who own them.
SILENCE_S = 300.0
#: The longest answer: small pieces are a sign of life, but a reply waits for them, and a module's time ends.
ANSWER_S = 420.0
#: Characters of an answer that anybody could still mean.
_LONGEST = 200_000

T = TypeVar("T")


@dataclass(frozen=True)
class Offered:
    """How a question is put to a model whose chat template has words for tools."""

    tools: tuple[ToolDefinition, ...]
    closing: str
    """The prompt that ends the question then."""
    shown: Mapping[str, str]
    """What is shown otherwise than in words alone, as the tools tell it already."""
    otherwise: JsonObject | None = None
    """The answer where none is called; `None`: one must be."""
    arguments: bool = True
    """Whether they are wanted: without, the name is the answer."""

    def choice(self, asked: str) -> ToolChoice:
        """As a request has it; `asked` is its last message."""
        return ToolChoice(self.tools, asked, self.otherwise, self.arguments)


class Asker:
    """Shared by the structured questions of a PromptedMind."""

    def __init__(
        self,
        models: ModelCapability,
        prefix: PrefixCapability,
        tell: Tell,
        *,
        silence_s: float = SILENCE_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._models = models
        self._prefix = prefix
        self._tell = tell
        self._silence_s, self._answer_s = silence_s, answer_s
        self._given_up = ""
        """The turn in which the model failed."""

    @property
    def language(self) -> str:
        return self._models.language()

    async def ask(
        self,
        asked: Question[Any],
        check: Callable[[Answer], T],
        shown: Mapping[str, str],
        keys: Mapping[str, Json],
        *,
        max_tokens: int,
        turn: TurnRef | None = None,
        offered: Offered | None = None,
    ) -> T | None:
        """What `check` makes of the model's answer, which has these keys; else as with `ask_text`."""
        schema = object_schema(**keys)

        def read(text: str) -> T:
            return check(read_answer(schema, text))

        return await self.ask_text(
            asked,
            read,
            shown,
            turn=turn or asked.turn,
            schema=schema,
            max_tokens=max_tokens,
            offered=offered,
        )

    async def ask_text(
        self,
        asked: Question[Any],
        read: Callable[[str], T],
        shown: Mapping[str, str],
        *,
        turn: TurnRef | None,
        schema: JsonObject | None = None,
        max_tokens: int | None = None,
        prompt: str = "",
        offered: Offered | None = None,
    ) -> T | None:
        """What `read` makes of the model's answer, made in a thread; `None`: there is none, the person knows.

        `read` raises `FlawError` for what cannot be used. The question's own prompt, or another `prompt`, is
        filled with what is `shown`. What is `offered` besides changes nothing of what `read` gets.
        """
        question = asked.name
        conversation_id = turn.conversation_id if turn is not None else asked.conversation_id
        given_up = turn is not None and turn.turn_id == self._given_up
        if given_up or not self._models.serves(question, conversation_id):
            return None
        tail, called = self._tails(prompt or question, shown, offered, turn)
        prefix = await self._prefix_of(question, turn)
        put = partial(self._models.call, question, turn=turn, schema=schema, max_tokens=max_tokens)
        again, what, reason = "", "unusable", ""
        try:
            for _ in range(2):
                try:
                    whole = arranged(prefix.parts, prefix.fresh, tail, again)
                    if offered is not None:
                        words = arranged(prefix.parts, prefix.fresh, called, again).messages[-1].text
                        put = partial(put, tools=offered.choice(words))
                    return await asyncio.to_thread(read, await self._answer(question, put, whole))
                except FlawError as error:
                    again = correction(error.flaw, self.language, error.nearest)
                    _log.info("the model's answer to %s could not be used: %s", question, error)
        except TimeoutError:
            what = "silent"
        except ModelError as error:
            what, reason = "failed", str(error)
        if what != "unusable":
            self._given_up = turn.turn_id if turn is not None else ""
        self._say(question, what, reason)
        return None

    def _tails(
        self, name: str, shown: Mapping[str, str], offered: Offered | None, turn: TurnRef | None
    ) -> tuple[str, str]:
        """A question's own part of the prompt, and the same where tools are offered."""
        tails = [tail_of(name, self.language, **shown)]
        if offered is not None:
            tails.append(calling_tail(name, offered.closing, self.language, **{**shown, **offered.shown}))
        if turn is not None and turn.pictures:
            told = tail_of("pictures_attached", self.language, count=str(turn.pictures))
            tails = [f"{tail}\n\n{told}" for tail in tails]
        return tails[0], tails[-1]

    def _say(self, question: str, what: str, reason: str = "") -> None:
        self._tell(question, sentence(what, self.language, question=question, reason=reason))

    async def _prefix_of(self, question: str, turn: TurnRef | None) -> PromptPrefix:
        """The turn's prefix, spoken by whom the settings name for this question."""
        own = self._models.persona(question)
        shipped = PromptPart("system", "persona", own or prompt_text("persona", self.language), 0)
        if turn is None:
            return PromptPrefix((shipped,))
        try:
            prefix = await self._prefix.prefix(turn)
        except StorageError as error:
            _log.warning("%s is asked without the dialog: %s", question, error)
            return PromptPrefix((shipped,))
        if not own:
            return prefix
        parts = [replace(part, text=own) if part.name == "persona" else part for part in prefix.parts]
        return replace(prefix, parts=tuple(parts))

    async def _answer(
        self, question: str, put: Callable[..., AsyncGenerator[ChatEvent, None]], prompt: Arranged
    ) -> str:
        try:
            return await self._collect(put(prompt.messages, trunk=prompt.trunk))
        except ContextOverflowError:
            if prompt.undialogued == prompt:
                raise
        self._say(question, "undialogued")
        prompt = prompt.undialogued
        return await self._collect(put(prompt.messages, trunk=prompt.trunk))

    async def _collect(self, call: AsyncGenerator[ChatEvent, None]) -> str:
        """The whole text of an answer.

        Raises:
            FlawError: It was not finished.
            TimeoutError: The model kept silent for too long.
        """
        text, end = "", "stop"
        loop = asyncio.get_running_loop()
        async with (
            asyncio.timeout(self._answer_s),
            asyncio.timeout(self._silence_s) as silence,
            aclosing(call),
        ):
            async for event in call:
                silence.reschedule(loop.time() + self._silence_s)
                if not isinstance(event, ChatPiece):
                    end = event.end
                elif not event.reasoning:
                    text += event.text
                if len(text) > _LONGEST:
                    raise FlawError(Flaw.TOO_LONG)
        if end == "length":
            raise FlawError(Flaw.TOO_LONG)
        if end != "stop":
            raise ModelError("mind.broke_off")
        if not text.strip():
            raise FlawError(Flaw.EMPTY)
        return text
