"""CallMeter: one call of a model while it runs, and what it came to."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from partner_desktop.base.clock import Clock
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.model_call import CallEnd, ModelCall
from partner_desktop.model.chat import ChatEvent, ChatPiece, ChatUsage

_PRICED_TOKENS = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Of a million tokens; `None`: none is set."""

    prompt: float | None = None
    answer: float | None = None

    def cost(self, prompt_tokens: int, answer_tokens: int) -> float | None:
        """What so many cost; `None` where no price is set."""
        if self.prompt is None and self.answer is None:
            return None
        spent = prompt_tokens * (self.prompt or 0.0) + answer_tokens * (self.answer or 0.0)
        return spent / _PRICED_TOKENS


@dataclass
class CallMeter:
    """Sees every event of a call; `end` is what it is until something else is known."""

    model: str
    question: str
    turn: TurnRef | None
    prices: Prices
    clock: Clock
    end: CallEnd = "cancelled"
    usage: ChatUsage = field(default_factory=ChatUsage)
    at: datetime = field(init=False)
    pace: TokenPace = field(init=False)

    def __post_init__(self) -> None:
        self.at, self.pace = self.clock.now(), TokenPace(self.clock)

    def take(self, event: ChatEvent) -> None:
        """The next event."""
        if isinstance(event, ChatPiece):
            self.pace.take(event.tokens)
            self.usage = event.known or self.usage
        else:
            self.usage, self.end = event, event.end

    def call(self) -> ModelCall:
        """The record, once it is over."""
        used = self.usage
        written = used.output_tokens or self.pace.tokens
        return ModelCall(
            id=new_id(),
            at=self.at,
            model=self.model,
            question=self.question,
            conversation_id=self.turn.conversation_id if self.turn else "",
            turn_id=self.turn.turn_id if self.turn else "",
            prompt_tokens=used.prompt_tokens,
            reused_tokens=used.reused_tokens,
            output_tokens=written,
            trunk_tokens=used.trunk_tokens,
            context_tokens=used.context_tokens,
            first_token_ms=self.pace.first_ms,
            duration_ms=self.pace.total_ms,
            end=self.end,
            cost=self.prices.cost(used.prompt_tokens, written),
        )


class TokenPace:
    """Tokens by time, from the first on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun_s = clock.monotonic_s()
        self._first_s: float | None = None
        self._last_s = self._begun_s
        self._first_tokens = 0
        self._told = 0
        self.tokens = 0
        """All that came."""

    def take(self, tokens: int) -> None:
        """So many more came just now."""
        self._last_s = self._clock.monotonic_s()
        if self._first_s is None:
            self._first_s, self._first_tokens = self._last_s, tokens
        self.tokens += tokens

    def fresh(self) -> int:
        """How many came since this was asked the last time."""
        told, self._told = self._told, self.tokens
        return self.tokens - told

    @property
    def first_ms(self) -> float:
        """Until the first token; 0 where none came."""
        return 0.0 if self._first_s is None else 1000 * (self._first_s - self._begun_s)

    @property
    def total_ms(self) -> float:
        """Until now."""
        return 1000 * (self._clock.monotonic_s() - self._begun_s)

    @property
    def tokens_per_s(self) -> float:
        """After the first; since the beginning where all came at once; 0 where nothing was measured."""
        if self._first_s is None:
            return 0.0
        at_once = self.tokens == self._first_tokens > 1
        begun_s, before = (self._begun_s, 0) if at_once else (self._first_s, self._first_tokens)
        span_s = self._last_s - begun_s
        return (self.tokens - before) / span_s if span_s > 0 else 0.0
