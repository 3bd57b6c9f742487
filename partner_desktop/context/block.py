"""ContextBlock: one piece of context in three lengths. It never changes; the workspace keeps its score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from partner_desktop.context.score import UNFADING, Fades, Tier
from partner_desktop.domain.evidence import Evidence

__all__ = ["GLOBAL", "ContextBlock", "Domain", "Fades", "Tier", "Urgency"]


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


#: The scope of what every conversation may see.
GLOBAL = ""


@dataclass(frozen=True, eq=False)
class ContextBlock:
    """What a module has to say. Blocks of one name, source and scope replace each other."""

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
    fades: Fades = UNFADING
    """From `context/block_settings.py`."""
    evidence: Evidence | None = None
    """The typed fact behind the text, where there is one."""
    turn_id: str = ""
    """The turn whose outcome this is, and with which it ends; empty for standing blocks."""
    also: tuple[Domain, ...] = ()
    """Further domains that it is about."""
    supply: bool = False
    """It stands beside the person's words, in `<input>`, and not in `<context>`."""
    housekeeping: bool = False
    """Written again and again by a clock: it never takes the room of what somebody asked for."""

    @property
    def domains(self) -> tuple[Domain, ...]:
        """All that it is about, the main one first."""
        return (self.domain, *self.also)

    def text(self, tier: Tier) -> str:
        """The block's words at a tier."""
        if tier is Tier.FULL:
            return self.full
        compact = self.compact or self.full
        return compact if tier is Tier.COMPACT else self.abstract or compact
