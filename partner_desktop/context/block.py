"""ContextBlock: one piece of context in three lengths, with a score that decides which is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from partner_desktop.domain.evidence import Evidence

#: Scores at and above this are shown in full.
FULL_FROM = 70.0
#: Scores at and above this are shown compact; below, as the abstract.
COMPACT_FROM = 30.0
MAX_SCORE = 100.0


class Domain(StrEnum):
    """What a block is about."""

    COGNITION = "cognition"
    ACTION = "action"
    MEMORY = "memory"
    PERCEIVE = "perceive"
    COMMUNICATION = "communication"


class Urgency(StrEnum):
    """How pressing a block is."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    CRITICAL = "critical"


class Tier(StrEnum):
    """Which of the three forms is shown."""

    FULL = "full"
    COMPACT = "compact"
    ABSTRACT = "abstract"

    @classmethod
    def of(cls, score: float) -> Tier:
        """The tier of a score: full from 70, compact from 30, abstract below."""
        if score >= FULL_FROM:
            return cls.FULL
        return cls.COMPACT if score >= COMPACT_FROM else cls.ABSTRACT


@dataclass(frozen=True)
class Fades:
    """How a block loses score."""

    replace: float = 0.0
    """Points lost when a newer block of the same name and source arrives."""
    per_minute: float = 0.0
    """Points lost per minute, prorated."""
    activation: float = 0.0
    """Points regained when a resolve asks for its domain."""


#: The scope of what every conversation may see.
GLOBAL = ""


@dataclass(eq=False)
class ContextBlock:
    """Mutable only in its score, which the workspace owns."""

    name: str
    source: str
    domain: Domain
    full: str
    compact: str = ""
    """Empty: the same as `full`."""
    abstract: str = ""
    """Empty: the same as `compact`."""
    scope: str = GLOBAL
    """A conversation's id, or `GLOBAL`."""
    urgency: Urgency = Urgency.NORMAL
    fades: Fades = field(default_factory=Fades)
    evidence: Evidence | None = None
    """The typed fact behind the text, where there is one."""
    turn_id: str = ""
    """The turn whose outcome this is; empty for standing blocks."""
    supply: bool = False
    """It stands beside the person's words, in `<input>`, and not in `<context>`."""
    housekeeping: bool = False
    """Written again and again by a clock: it never takes the room of what somebody asked for."""
    score: float = MAX_SCORE
    updated_at: datetime | None = None

    def text(self, tier: Tier) -> str:
        """The block's words at a tier."""
        if tier is Tier.FULL:
            return self.full
        compact = self.compact or self.full
        return compact if tier is Tier.COMPACT else self.abstract or compact
