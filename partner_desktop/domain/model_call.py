"""What calls of models cost: one record a call, and sums of them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

CallEnd = Literal["stop", "length", "cancelled", "failed"]


@dataclass(frozen=True)
class ModelCall:
    """One call. Tokens are the model's own; an endpoint that does not tell them leaves 0."""

    id: str
    at: datetime
    model: str
    """Its name in the settings."""
    question: str
    """What the mind was asked: `reply`, `evaluate_intent`, …"""
    conversation_id: str = ""
    turn_id: str = ""
    prompt_tokens: int = 0
    reused_tokens: int = 0
    """Of the prompt: what the model still knew from the call before."""
    output_tokens: int = 0
    trunk_tokens: int = 0
    """Of the prompt: what the calls of a conversation share."""
    context_tokens: int = 0
    """What the model can hold at once; 0: unknown."""
    first_token_ms: float = 0.0
    duration_ms: float = 0.0
    end: CallEnd = "stop"
    cost: float | None = None
    """In the currency of the settings' prices; `None` where none is set."""

    @property
    def evaluated_tokens(self) -> int:
        """Of the prompt: what had to be read anew."""
        return self.prompt_tokens - self.reused_tokens

    @property
    def tokens_per_s(self) -> float:
        """While it wrote; 0 where nothing was measured."""
        writing_ms = self.duration_ms - self.first_token_ms
        if self.output_tokens < 2 or writing_ms <= 0:
            return 0.0
        return 1000 * (self.output_tokens - 1) / writing_ms


@dataclass(frozen=True)
class CallTotals:
    """All calls of a conversation together."""

    calls: int = 0
    prompt_tokens: int = 0
    reused_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """`None` where no call had a price."""
