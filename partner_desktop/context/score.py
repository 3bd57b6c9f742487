"""Scores: 100 when a block is new, less with time and with newer ones of its name, more when asked for.

Pure rules, all in one place; at 0 a block is gone. What a score shows depends on the exposure: whether a
block is about what was asked for first (primary) or about a neighbouring domain (secondary).
"""

from __future__ import annotations

import math
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass

#: Scores at and above this are shown in full.
FULL_FROM = 70.0
#: Scores at and above this are shown compact; below, as the abstract.
COMPACT_FROM = 30.0
MAX_SCORE = 100.0

_BELOW_FULL = math.nextafter(FULL_FROM, 0)
_BELOW_COMPACT = math.nextafter(COMPACT_FROM, 0)


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


#: The forms, the longest first; a form's place in it is its level.
TIERS = (Tier.FULL, Tier.COMPACT, Tier.ABSTRACT)


class Exposure(StrEnum):
    """How a resolve met a block."""

    PRIMARY = "primary"
    """It is about the first of the domains that were asked for."""
    SECONDARY = "secondary"


@dataclass(frozen=True)
class Fades:
    """How a block loses score, and regains it."""

    replace: float = 0.0
    """Points lost when a newer block of the same name and source arrives."""
    per_minute: float = 0.0
    """Points lost per minute, prorated by seconds."""
    activation: float = 0.0
    """Points regained when a resolve asks for its domain: at most, see `activated`."""


#: Nothing takes from it.
UNFADING = Fades()


def decayed(score: float, per_minute: float, seconds: float) -> float:
    """The score after that time. A clock that went back takes nothing and gives nothing."""
    if seconds <= 0 or per_minute <= 0:
        return score
    return max(0.0, score - per_minute * seconds / 60)


def activated(score: float, exposure: Exposure, gain: float) -> float:
    """The score after having been asked for.

    Primary: in full regains all, below it 0.6; an abstract one rises to compact at most. Secondary: compact
    regains 0.2, abstract 0.1, full nothing; none changes its tier.
    """
    if exposure is Exposure.PRIMARY:
        if score >= FULL_FROM:
            return min(MAX_SCORE, score + gain)
        ceiling = MAX_SCORE if score >= COMPACT_FROM else _BELOW_FULL
        return min(ceiling, score + gain * 0.6)
    if score >= FULL_FROM:
        return score
    if score >= COMPACT_FROM:
        return min(_BELOW_FULL, score + gain * 0.2)
    return min(_BELOW_COMPACT, score + gain * 0.1)


def shown_level(score: float, exposure: Exposure) -> int:
    """The level of the form that is shown: primary at least compact, secondary never in full."""
    if exposure is Exposure.PRIMARY:
        return 0 if score >= FULL_FROM else 1
    return 1 if score >= COMPACT_FROM else 2
