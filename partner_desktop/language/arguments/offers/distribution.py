"""Which offer goes to which parameter: the best distribution of all, not the best of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.domain.json_value import Json

#: Distributions kept while parameters are added one by one, and offers looked at for each.
_BEAM, _OFFERS = 32, 8
#: What it is worth that values stand in the order in which their parameters are declared.
_IN_ORDER = 0.12


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
                _State(state.score + offer.score + _order(state.taken, offer), (*state.taken, (name, offer)))
                for offer in best
                if _free(state.taken, offer)
            ]
        states = sorted(grown, key=lambda state: -state.score)[:_BEAM]
    return dict(states[0].taken)


def _free(taken: Sequence[tuple[str, Offer]], offer: Offer) -> bool:
    if not offer.claims:
        return True
    return all(offer.end <= other.start or offer.start >= other.end for _, other in taken if other.claims)


def _order(taken: Sequence[tuple[str, Offer]], offer: Offer) -> float:
    alike = [other for _, other in taken if other.kind == offer.kind and offer.kind]
    return _IN_ORDER if alike and alike[-1].start < offer.start else 0.0
