"""Slips of the fingers: which known word a word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

#: Shorter words differ by meaning, not by a slip of the fingers (`world`, `word`).
MIN_LENGTH = 6
#: Two swapped neighbours are a slip from this length on.
MIN_SWAP_LENGTH = 5
#: From this length on two edits may be a slip.
TWO_EDITS_LENGTH = 9
#: Shared trigrams (Dice) that are looked at closer.
MIN_LIKENESS = 0.4
#: What a word with an error counts, by its number of edits.
SLIP_VALUE = {1: 0.9, 2: 0.75}


@lru_cache(maxsize=4_096)
def trigrams(word: str) -> frozenset[str]:
    """The character trigrams of a word, with its ends marked."""
    padded = f"^{word}$"
    return frozenset(padded[index : index + 3] for index in range(len(padded) - 2))


def likeness(first: str, second: str) -> float:
    """Dice coefficient of the trigrams, 0 to 1."""
    ours, theirs = trigrams(first), trigrams(second)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def edits(first: str, second: str, most: int = 99) -> int:
    """How many letters are wrong, missing, too many or swapped; more than `most` is `most + 1`.

    Optimal string alignment, the restricted distance of Damerau and Levenshtein.
    """
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, ours in enumerate(first, 1):
        older, before, row = before, row, [i]
        for j, theirs in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (ours != theirs))
            if i > 1 and j > 1 and ours == second[j - 2] and first[i - 2] == theirs:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def meant_word(word: str, known: Iterable[str]) -> tuple[str, float] | None:
    """The known word that `word` is a slip for, with what it still counts; `None` when there is none."""
    if len(word) < MIN_SWAP_LENGTH or not word.isascii():
        return None
    best: tuple[str, float] | None = None
    for other in known:
        value = _slip_value(word, other)
        if value and (best is None or value > best[1]):
            best = (other, value)
    return best


def _slip_value(word: str, other: str) -> float:
    if word[:1] != other[:1] or abs(len(word) - len(other)) > 2:
        return 0.0
    if sorted(word) == sorted(other):
        return SLIP_VALUE[1] if edits(word, other) == 1 else 0.0
    dropped = len(other) == len(word) + 1 == MIN_LENGTH
    if (min(len(word), len(other)) < MIN_LENGTH and not dropped) or likeness(word, other) < MIN_LIKENESS:
        return 0.0
    allowed = 2 if len(word) >= TWO_EDITS_LENGTH else 1
    count = edits(word, other)
    return SLIP_VALUE[count] if 1 <= count <= allowed else 0.0
