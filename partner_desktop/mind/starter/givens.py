"""Givens: which kinds of values a message offers, and whether an ability has what it cannot do without.

A request mostly carries its values (`back up ~/Notes`, `a 5 by 7 rectangle`); general knowledge
(`what is a paper folder?`) shares words with an ability and gives it nothing to work on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, terms
from partner_desktop.mind.starter.profile import AbilityProfile

_COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred"
    r"|thousand|million|half|dozen)\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(r"^\W{0,9}(?:what|who|whom|whose|when|where|which|why|how)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Givens:
    """What a message gives to work on."""

    numbers: int
    """Numbers and moments."""
    names: int
    """Names, quotations, paths, addresses."""
    wonders: bool
    """A question of fact by its form."""

    @property
    def nothing(self) -> bool:
        return not self.numbers and not self.names


@dataclass(frozen=True)
class Wants:
    """What an ability cannot do without."""

    numbers: int
    others: int

    @property
    def anything(self) -> bool:
        return bool(self.numbers or self.others)


def givens_of(text: str) -> Givens:
    """Read a message once."""
    spans = find_spans(text)
    digits = sum(span.kind in (SpanKind.NUMBER, SpanKind.MOMENT) for span in spans)
    rest = terms(blank(text, spans))
    names = sum(term.capital and term.weight > FUNCTION_WEIGHT for term in rest)
    return Givens(
        numbers=digits + len(_COUNTED.findall(text[:4_000])),
        names=names + len(spans) - digits,
        wonders=bool(_WONDERS.match(text)),
    )


def wants_of(profile: AbilityProfile) -> Wants:
    """Required parameters without a default, by kind."""
    needed = [slot for slot in slots_of(profile.info) if slot.required and "default" not in slot.schema]
    numbers = sum(slot.is_number for slot in needed)
    return Wants(numbers, len(needed) - numbers)
