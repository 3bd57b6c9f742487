"""A model of a certain size, for tests: it counts exactly, and refuses what it cannot hold."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field

from partner_desktop.base.errors import ContextOverflowError
from partner_desktop.capabilities import ContextWindow
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.model.chat import ChatEvent, ChatMessage, ToolChoice
from tests.runtime.minds import ScriptedMind


@dataclass
class Sizes:
    """A ModelCapability that only knows how long a prompt may be."""

    context_tokens: int
    answer_tokens: int
    model: str = "small"
    known: bool = True
    persona_text: str = ""
    spoken: str = "en"

    def serves(self, question: str, conversation_id: str = "") -> str:
        return self.model

    def persona(self, question: str) -> str:
        return self.persona_text

    def language(self) -> str:
        return self.spoken

    def context_window(self, question: str, conversation_id: str = "") -> ContextWindow | None:
        if not self.known:
            return None
        return ContextWindow(self.model, self.context_tokens, self.answer_tokens, EstimatedTokens())

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
        nothing: tuple[ChatEvent, ...] = ()
        for event in nothing:
            yield event


@dataclass
class SmallModelMind(ScriptedMind):
    """Answers what fits; `dearer` is how many of its tokens one token of the estimate is."""

    sizes: Sizes = field(default_factory=lambda: Sizes(2_048, 512))
    dearer: float = 1.0
    answer: str = "Yes."
    refused: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def tokens(self, request: ReplyRequest) -> int:
        """What the prompt takes, with a template's five a message."""
        counter = EstimatedTokens()
        return sum(round(self.dearer * counter.count(part.text)) + 5 for part in request.prompt)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        tokens = self.tokens(request)
        if tokens + self.sizes.answer_tokens > self.sizes.context_tokens:
            self.refused.append(tokens)
            raise ContextOverflowError(
                "The prompt is too long.", prompt_tokens=tokens, context_tokens=self.sizes.context_tokens
            )
        self.asked.append(request)
        yield self.answer
