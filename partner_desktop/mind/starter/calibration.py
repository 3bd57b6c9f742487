"""Calibration: from what speaks for an ability to one score, 0 to 1; from `CHOOSE_SCORE` on it is acted upon.

A logistic model with few, rounded weights. They were fitted on a public routing set (517 requests, 80 of them
for abilities that are not there), each fold's threshold set without that fold; the weights of meaning were
held up and those of the form of a question held down against that fit, because abilities on a desktop are
described better than functions are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.mind.question import RankedAbility
from partner_desktop.mind.starter.givens import Givens, Wants

#: From this score on an ability is what was meant.
CHOOSE_SCORE = 0.5
#: Abilities whose odds differ by less than this (in logarithms) may both be what was meant.
TIE = 0.15
#: Abilities offered as a choice at most.
OFFERED = 3

#: Weights: likeness in meaning of the description and of the name (or an alias), and likeness in words.
_DESCRIPTION, _NAME, _WORDS = 4.0, 2.0, 5.0
#: A question of fact; one that gives nothing to work on; anything else that gives nothing; too few numbers.
_WONDERS, _WONDERS_EMPTY, _EMPTY, _TOO_FEW = -1.25, -2.0, -0.6, -3.0
#: Its name or an alias was said in full.
_CALLED = 1.0
#: A request leads with its verb, or with a word that it never leads with.
_LEAD, _OTHER_LEAD = 1.0, -0.4
#: Neither words nor meaning speak for it by themselves: two faint signs are no clear one. Behind a verb that
#: is not its own, more is faint.
_FAINT, _FAINT_WORDS, _FAINT_MEANING = -1.5, 0.45, 0.3
_FAINT_WORDS_ASIDE, _FAINT_MEANING_ASIDE = 0.55, 0.25
#: Where the odds are even.
_EVEN = 2.25


@dataclass(frozen=True)
class Signs:
    """What speaks for one ability."""

    words: float
    """0 to 1, by words (`scoring`)."""
    description: float
    """Cosine of message and description."""
    name: float
    """Cosine of message and name, or of the nearest alias."""
    lead: float
    """-1 to 1: whether it is led by the verb that the message leads with (`lead`)."""
    called: bool
    """Its name or an alias was said in full: nothing else needs to speak for it."""


def score(signs: Signs, givens: Givens, wants: Wants) -> float:
    """How sure it is that this ability was meant."""
    odds = _DESCRIPTION * signs.description + _NAME * signs.name + _WORDS * signs.words - _EVEN
    if not givens.wonders:
        odds += _LEAD * signs.lead if signs.lead > 0 else _OTHER_LEAD * -signs.lead
    if signs.called:
        odds += _CALLED
    else:
        odds += _doubt(givens, wants)
        odds += _FAINT if _faint(signs) else 0.0
    return 1.0 / (1.0 + math.exp(-odds))


def _faint(signs: Signs) -> bool:
    meaning = max(signs.description, signs.name)
    aside = signs.lead < 0 and signs.words < _FAINT_WORDS_ASIDE and meaning < _FAINT_MEANING_ASIDE
    return aside or (signs.words < _FAINT_WORDS and meaning < _FAINT_MEANING)


def _doubt(givens: Givens, wants: Wants) -> float:
    doubt = _WONDERS if givens.wonders else 0.0
    if wants.anything and givens.nothing:
        doubt += _WONDERS_EMPTY if givens.wonders else _EMPTY
    if wants.numbers > givens.numbers:
        doubt += _TOO_FEW
    return doubt


def near_ties(ranked: Sequence[RankedAbility]) -> tuple[MetaActionInfo, ...]:
    """The best and what fits about as well, all of them well enough."""
    best = odds_of(ranked[0].score)
    close = [item for item in ranked if item.score >= CHOOSE_SCORE and best - odds_of(item.score) < TIE]
    equal = [item for item in close if item.score >= ranked[0].score]
    if any(_is_here(item.info) for item in equal):
        close = [item for item in close if item not in equal or _is_here(item.info)]
    return tuple(item.info for item in close[:OFFERED])


def _is_here(info: MetaActionInfo) -> bool:
    """Whether it needs no server: of two that fit equally well, that one is meant."""
    return info.route is not Route.MCP or info.location == "local"


def odds_of(probability: float) -> float:
    """The logarithm of the odds."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(bounded / (1 - bounded))
