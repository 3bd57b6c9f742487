"""Reading: one message as extraction sees it, every kind of part found once; and which offer goes to which
parameter: the best distribution of all, not the best of each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.noun_phrases import Wording, wordings
from partner_desktop.language.spans import SCAN_LIMIT, Span, SpanKind, find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, first_sentence, stem, terms
from partner_desktop.language.values.moments import Moment
from partner_desktop.language.values.quantities import Quantity, find_quantities

_CLOSED = frozenset({SpanKind.QUOTE, SpanKind.URL, SpanKind.EMAIL, SpanKind.PATH})


@dataclass(frozen=True)
class Reading:
    """A message, the ability that it asks for, and the moments in it, which are slow to read."""

    text: str
    info: MetaActionInfo
    moments: tuple[Moment, ...] = ()

    @cached_property
    def said(self) -> str:
        """As much as is looked through."""
        return self.text[:SCAN_LIMIT]

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return find_spans(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return find_quantities(self.said)

    @cached_property
    def wordings(self) -> tuple[Wording, ...]:
        closed = [(span.start, span.end) for span in self.spans if span.kind in _CLOSED]
        closed += [
            (moment.start, moment.end) for moment in self.moments if moment.at or not moment.said.isalpha()
        ]
        closed += [
            (quantity.number_end, quantity.end)
            for quantity in self.quantities
            if quantity.unit and quantity.number_end and "money" not in quantity.dimensions
        ]
        return wordings(self.said, closed)

    @cached_property
    def ability_stems(self) -> frozenset[str]:
        """Stems of what the ability says it does: saying them asks for it, and names no value."""
        told = f"{self.info.name.replace('.', ' ')} {first_sentence(self.info.description)}"
        return frozenset(term.stem for term in terms(told) if term.weight > FUNCTION_WEIGHT)

    @cached_property
    def takes_path(self) -> bool:
        return any(schema.get("format") == "path" for schema in self.info.properties().values())

    @cached_property
    def parameter_stems(self) -> frozenset[str]:
        return frozenset(
            stem(word.word) for name in self.info.properties() for word in terms(name) if word.word
        )

    def in_moment(self, start: int, end: int) -> bool:
        return any(start < moment.end and moment.start < end for moment in self.moments)


#: Distributions kept while parameters are added one by one, and offers looked at for each.
_BEAM, _OFFERS = 32, 8
#: What it is worth that values stand in the order in which their parameters are declared.
_IN_ORDER = 0.12
#: The same for parameters that differ by a number alone.
_IN_FAMILY = 0.6
_NUMBERED = re.compile(r"\d+|first|second|third|fourth", re.IGNORECASE)


@dataclass(frozen=True)
class Offer:
    """A part of the message that may be a parameter's value."""

    value: Json
    start: int
    end: int
    score: float
    kind: str = ""
    """Parameters of one kind are expected in declared order."""
    claims: bool = True
    """Whether no other parameter may use the same part."""


@dataclass(frozen=True)
class _State:
    score: float
    taken: tuple[tuple[str, Offer], ...]


def settle(offers: dict[str, list[Offer]]) -> dict[str, Offer]:
    """The best distribution; parameters (in declared order) without an offer worth taking are left out."""
    states = [_State(0.0, ())]
    for name, mine in offers.items():
        best = sorted(mine, key=lambda offer: -offer.score)[:_OFFERS]
        grown = [*states]
        for state in states:
            grown += [
                _State(
                    state.score + offer.score + _order(state.taken, name, offer),
                    (*state.taken, (name, offer)),
                )
                for offer in best
                if _free(state.taken, offer)
            ]
        states = sorted(grown, key=lambda state: -state.score)[:_BEAM]
    return dict(states[0].taken)


def _free(taken: Sequence[tuple[str, Offer]], offer: Offer) -> bool:
    if not offer.claims:
        return True
    return all(offer.end <= other.start or offer.start >= other.end for _, other in taken if other.claims)


def _order(taken: Sequence[tuple[str, Offer]], name: str, offer: Offer) -> float:
    alike = [(other, place) for other, place in taken if place.kind == offer.kind and offer.kind]
    if not alike or alike[-1][1].start > offer.start:
        return 0.0
    return _IN_FAMILY if family(alike[-1][0]) == family(name) else _IN_ORDER


def family(name: str) -> str:
    """What parameters are called that differ by a number alone: `side1` and `side2`."""
    return _NUMBERED.sub("", name).strip("_")
