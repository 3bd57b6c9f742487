"""Calibration: from what speaks for an ability to one score, 0 to 1, where `CHOOSE_SCORE` is the place to act.

A logistic model with few, rounded weights. They were fitted on a public routing set (517 requests, 80 of them
for abilities that are not there), each fold's threshold set without that fold; the weights of meaning were
held up and those of the form of a question held down against that fit, because abilities on a desktop are
described better than functions are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from partner_desktop.mind.starter.givens import Givens, Wants

#: From this score on an ability is what was meant.
CHOOSE_SCORE = 0.5
#: From this score on an ability is worth naming as the nearest.
NEAR_SCORE = 0.2
#: Abilities whose odds differ by less than this factor's logarithm are both what may have been meant.
TIE = 0.35

#: Weights: likeness in meaning of the whole description and of the name (or an alias), and likeness in words.
_DESCRIPTION, _NAME, _WORDS = 4.0, 2.0, 5.0
#: A question of fact; one that gives nothing to work on; any other message that gives nothing; too few numbers.
_WONDERS, _WONDERS_EMPTY, _EMPTY, _TOO_FEW = -1.25, -2.0, -0.6, -3.0
#: Where the odds are even.
_EVEN = 2.45


@dataclass(frozen=True)
class Signs:
    """What speaks for one ability."""

    words: float
    """0 to 1, by words (`scoring`)."""
    description: float
    """Cosine of message and description."""
    name: float
    """Cosine of message and name, or of the nearest alias."""
    called: bool
    """Its name or an alias was said in full: nothing else needs to speak for it."""


def score(signs: Signs, givens: Givens, wants: Wants) -> float:
    """How sure it is that this ability was meant."""
    odds = _DESCRIPTION * signs.description + _NAME * signs.name + _WORDS * signs.words - _EVEN
    if not signs.called:
        odds += _doubt(givens, wants)
    return 1.0 / (1.0 + math.exp(-odds))


def _doubt(givens: Givens, wants: Wants) -> float:
    doubt = _WONDERS if givens.wonders else 0.0
    if wants.anything and givens.nothing:
        doubt += _WONDERS_EMPTY if givens.wonders else _EMPTY
    if wants.numbers > givens.numbers:
        doubt += _TOO_FEW
    return doubt


def odds_of(probability: float) -> float:
    """The logarithm of the odds."""
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(bounded / (1 - bounded))
