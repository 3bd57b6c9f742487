"""Wishes: several things said together, as one request in pieces or as requests of their own. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.domain.evidence import NoAbility
from partner_desktop.mind.port import NEAR_SCORE, IntentEvaluation
from partner_desktop.runtime.flow import FlowInput

#: How many of the nearest abilities are offered when none fits.
_NEAREST = 3


@dataclass(frozen=True)
class Wish:
    """What belongs together, and what it asks for."""

    inputs: tuple[FlowInput, ...]
    evaluation: IntentEvaluation


def divided(alone: Sequence[tuple[FlowInput, IntentEvaluation]]) -> list[Wish]:
    """One wish for each ability that is clearly chosen by an input on its own, in order.

    What chooses nothing belongs to the wish before it, at the beginning to the one after it. Inputs that
    choose the same ability one after the other are one wish. Without any choice there is no wish.
    """
    wishes: list[Wish] = []
    before: tuple[FlowInput, ...] = ()
    for item, evaluation in alone:
        chosen, last = evaluation.chosen, wishes[-1] if wishes else None
        if chosen is not None and (last is None or _key(last) != chosen.key):
            wishes.append(Wish((*before, item), evaluation))
            before = ()
        elif last is not None:
            wishes[-1] = Wish((*last.inputs, item), last.evaluation)
        else:
            before = (*before, item)
    return wishes


def none_fits(evaluation: IntentEvaluation, text: str) -> NoAbility:
    """Nothing is begun; what comes nearest can be named."""
    nearest = tuple(item for item in evaluation.ranked[:_NEAREST] if item.score > 0)
    near = bool(nearest) and nearest[0].score >= NEAR_SCORE
    return NoAbility(tuple(item.info for item in nearest), near=near, text=text)


def _key(wish: Wish) -> str:
    return wish.evaluation.chosen.key if wish.evaluation.chosen is not None else ""
