"""Fits the weights of `memory/ranking.py` from questions whose evidence is known; how well they rank.

Listwise: the likelihood of the evidence among the candidates of each question, weights by gradient ascent
with a small penalty. What is reported of a conversation comes from weights that were fitted without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from partner_desktop.memory.ranking import SIGNALS

Array = NDArray[np.float64]

DEPTHS = (5, 10, 25)


@dataclass(frozen=True)
class Asked:
    """One question and its candidates, in the order in which they were recalled."""

    conversation: str
    category: str
    ids: tuple[str, ...]
    """Of the candidates, best first."""
    signals: Array
    """(candidates, SIGNALS)"""
    evidence: frozenset[str]
    confidence: float
    latency_ms: float = 0.0
    letters: int = 0
    """Of a question without spaces, those that stand side by side in one of the first five turns."""


def row(signals: Mapping[str, float]) -> list[float]:
    """One candidate's signals in the order of the columns."""
    return [signals.get(name, 0.0) for name in SIGNALS]


def fit(asked: Sequence[Asked], *, steps: int = 300, penalty: float = 2e-4) -> Array:
    """One weight a signal."""
    packs = []
    for one in asked:
        found = np.array([each in one.evidence for each in one.ids], dtype=float)
        if found.any():
            packs.append((one.signals, found / found.sum()))
    weights = np.zeros(len(SIGNALS))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        slope = np.zeros_like(weights)
        for signals, wanted in packs:
            scores = signals @ weights
            likely = np.exp(scores - scores.max())
            slope += signals.T @ (likely / likely.sum() - wanted)
        slope = slope / max(1, len(packs)) + penalty * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights -= 0.3 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def ranked(one: Asked, weights: Array) -> list[str]:
    """The candidates, best first by these weights."""
    order = np.argsort(-(one.signals @ weights), kind="stable")
    return [one.ids[place] for place in order]


def found(one: Asked, ids: Sequence[str], depth: int) -> float:
    """The share of the evidence among the first `depth`."""
    return len(one.evidence.intersection(ids[:depth])) / len(one.evidence)


def sure(one: Asked, weights: Array) -> tuple[float, float]:
    """The best words and the best meaning among the first five."""
    first = one.signals[np.argsort(-(one.signals @ weights), kind="stable")[:5]]
    if not len(first):
        return 0.0, 0.0
    return float(first[:, SIGNALS.index("words")].max()), float(first[:, SIGNALS.index("meaning")].max())


def cross_validated(asked: Sequence[Asked]) -> dict[str, list[str]]:
    """Question's number → its candidates by weights fitted on the other conversations."""
    result: dict[str, list[str]] = {}
    for name in sorted({one.conversation for one in asked}):
        weights = fit([one for one in asked if one.conversation != name and one.evidence])
        for number, one in enumerate(asked):
            if one.conversation == name:
                result[str(number)] = ranked(one, weights)
    return result


def fit_sureness(answerable: Array, never: Array, *, pace: float = 20.0) -> Array:
    """Logistic: base, words, meaning; both kinds weigh the same."""
    x = np.concatenate([answerable, never])
    x = np.concatenate([np.ones((len(x), 1)), x], axis=1)
    y = np.concatenate([np.ones(len(answerable)), np.zeros(len(never))])
    share = np.where(y == 1, 0.5 / len(answerable), 0.5 / max(1, len(never)))
    weights = np.zeros(x.shape[1])
    for _ in range(4_000):
        likely = 1 / (1 + np.exp(-(x @ weights)))
        weights -= pace * (x.T @ ((likely - y) * share) + 1e-5 * weights)
    return weights


def sureness(weights: Array, sure: Array) -> Array:
    """0 to 1 for each row of best words and meaning."""
    result: Array = 1 / (1 + np.exp(-(weights[0] + sure @ weights[1:])))
    return result
