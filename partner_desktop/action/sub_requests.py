"""Sub-requests: several things said together, as one request in pieces or as requests of their own. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.action.chain.compound import goes_on, may_be_compound
from partner_desktop.domain.evidence import NoAbility
from partner_desktop.mind.question import NEAR_SCORE, IntentEvaluation
from partner_desktop.runtime.flow import FlowInput, joined

#: How many of the nearest abilities are offered when none fits.
_NEAREST = 3


@dataclass(frozen=True)
class SubRequest:
    """What belongs together, and what it asks for."""

    inputs: tuple[FlowInput, ...]
    evaluation: IntentEvaluation

    @property
    def text(self) -> str:
        """All of it, one line an input."""
        return joined(self.inputs)

    @property
    def may_be_compound(self) -> bool:
        """Whether it may ask for several things: a request that was typed in pieces is one for all that."""
        texts = [item.text for item in self.inputs]
        near = max((item.score for item in self.evaluation.ranked), default=0.0) >= NEAR_SCORE
        return near and (any(map(may_be_compound, texts)) or any(map(goes_on, texts[1:])))


def spoken_together(said: Sequence[FlowInput]) -> list[tuple[FlowInput, ...]]:
    """The inputs, with each that goes on where the one before ended beside that one: `and then zip it`."""
    groups: list[tuple[FlowInput, ...]] = []
    for item in said:
        if groups and goes_on(item.text):
            groups[-1] = (*groups[-1], item)
        else:
            groups.append((item,))
    return groups


def divided(alone: Sequence[tuple[tuple[FlowInput, ...], IntentEvaluation]]) -> list[SubRequest]:
    """One wish for each ability that is clearly chosen by inputs on their own, in order.

    What chooses nothing belongs to the wish before it, at the beginning to the one after it. Inputs that
    choose the same ability one after the other are one wish. Without any choice there is no wish.
    """
    wishes: list[SubRequest] = []
    before: tuple[FlowInput, ...] = ()
    for items, evaluation in alone:
        chosen, last = evaluation.chosen, wishes[-1] if wishes else None
        if chosen is not None and (last is None or _key(last) != chosen.key):
            wishes.append(SubRequest((*before, *items), evaluation))
            before = ()
        elif last is not None:
            wishes[-1] = SubRequest((*last.inputs, *items), last.evaluation)
        else:
            before = (*before, *items)
    return wishes


def none_fits(evaluation: IntentEvaluation, text: str) -> NoAbility:
    """Nothing is begun; what comes nearest can be named."""
    nearest = tuple(item for item in evaluation.ranked[:_NEAREST] if item.score > 0)
    near = bool(nearest) and nearest[0].score >= NEAR_SCORE
    return NoAbility(tuple(item.info for item in nearest), near=near, text=text)


def _key(wish: SubRequest) -> str:
    return wish.evaluation.chosen.key if wish.evaluation.chosen is not None else ""
