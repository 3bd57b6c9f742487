"""ContextWindow: how long a prompt may be, and the counter that says how long it is."""

from __future__ import annotations

from typing import Protocol

from partner_desktop.base.late_dataclass import dataclass


class CountsTokens(Protocol):
    """As `context/tokens.py` has it: pure, safe on any thread, and told apart by its name."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 for none."""
        ...


@dataclass(frozen=True)
class ContextWindow:
    """How long a prompt may be."""

    model: str
    context_tokens: int
    """What the model holds at once, prompt and answer together."""
    answer_tokens: int
    """Of them, kept free for the answer."""
    counter: CountsTokens


def answer_share(context_tokens: int, max_tokens: int) -> int:
    """How long an answer may be: never more than half of what the model holds, where that is known."""
    return min(max_tokens, max(1, context_tokens // 2)) if context_tokens else max_tokens
