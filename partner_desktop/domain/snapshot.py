"""What a turn's prompt was made of: kept for every turn, so that it can be shown again, block by block."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass


class BlockFate(StrEnum):
    """What became of a block in a resolve."""

    SHOWN = "shown"
    """At the tier that its score and exposure allow."""
    DEMOTED = "demoted"
    """At a lower tier than that: the token budget asked for it."""
    DROPPED = "dropped"
    """Left out: the budget had no room even for its abstract."""


@dataclass(frozen=True)
class SnapshotBlock:
    """One block as it was resolved for a turn."""

    name: str
    source: str
    domain: str
    """`cognition`, `action`, `memory`, `perceive` or `communication`."""
    scope: str
    """A conversation's id; empty: global."""
    tier: str
    """`full`, `compact` or `abstract`; with DROPPED the one that was tried last."""
    exposure: str
    """`primary` or `secondary`."""
    score: float
    """0 to 100, before this resolve refreshed it."""
    tokens: int
    """Of `text` as it stands in the prompt, with the element around it; 0 when dropped."""
    fate: BlockFate
    reason: str
    """One plain sentence: why this tier, or why it was left out."""
    text: str
    """The words that went into the prompt; empty when dropped."""
    urgency: str = "normal"


@dataclass(frozen=True)
class PromptPart:
    """One part of the prompt, in order."""

    role: str
    """`system`, `user` or `assistant`."""
    name: str
    """In this order: `persona`, `capabilities`, `dialog` (one part a message), `context`, `abilities` (what
    came or went since the capabilities were written down), `input`."""
    text: str
    tokens: int
    message_id: str = ""
    """With `dialog`: the message it is; when that was erased or changed since, `text` says so."""


@dataclass(frozen=True, kw_only=True)
class PromptFill:
    """How full the model was; 0 where nobody knows."""

    context_tokens: int = 0
    """What the model can hold at once, prompt and answer together."""
    answer_tokens: int = 0
    """Of them, kept free for the answer."""
    prompt_tokens: int = 0
    """Of the whole prompt: the model's own count where it told it, an estimate otherwise."""
    left_out_messages: int = 0
    """The oldest messages of the conversation, which the prompt had no room for."""

    @property
    def fullness(self) -> float:
        """How much of the room for prompts is taken, 0 to 1 and beyond; 0 where the room is not known."""
        room = self.context_tokens - self.answer_tokens
        return self.prompt_tokens / room if room > 0 else 0.0


NO_FILL = PromptFill()


@dataclass(frozen=True)
class ContextSnapshot(PromptFill):
    """The exact prompt of one turn, and the blocks it was made of, best first."""

    turn_id: str
    conversation_id: str
    at: datetime
    mind: str
    """Who answered: `starter`, later a model's name."""
    budget_tokens: int
    """What the blocks may hold together; the other parts have no part in it."""
    used_tokens: int
    """What they hold."""
    blocks: tuple[SnapshotBlock, ...]
    prompt: tuple[PromptPart, ...]
    counted_by: str = "estimate"
    """`estimate`, or the tokenizer that counted."""


@dataclass(frozen=True)
class TurnSummary(PromptFill):
    """One line of the list of past turns."""

    turn_id: str
    conversation_id: str
    at: datetime
    text: str
    """The beginning of what was said; empty in a turn that Partner started itself."""
    used_tokens: int
    budget_tokens: int
    blocks: int
    """How many were shown."""
    dropped: int
    """How many were left out."""
    position: int = 0
    """Grows over the whole database; pages end at it."""
