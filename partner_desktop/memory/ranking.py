"""How turns are ranked for a question: signals, one weight each, and how sure it is that anything fits.

The weights were fitted on public dialogs (`tests/benchmarks/recall.py --fit` makes them anew; the figures that
it reports are cross-validated by conversation). Without vectors, other weights hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

#: Every signal, in the order of the columns that `turn_table` makes.
SIGNALS: Final = (
    "words",
    "meaning",
    "speaker",
    "words_before",
    "words_after",
    "words_before_2",
    "words_after_2",
    "meaning_before",
    "meaning_after",
    "meaning_before_2",
    "meaning_after_2",
    "asks",
    "after_question",
    "length",
    "time_wanted",
    "number_wanted",
    "name_wanted",
    "date",
    "topic",
)

WITH_MEANING: Final[Mapping[str, float]] = {
    "words": 6.71, "meaning": 5.66, "speaker": 2.39,
    "words_before": 3.64, "words_after": 0.69, "words_before_2": 2.55, "words_after_2": 1.24,
    "meaning_before": 1.1, "meaning_after": 1.56, "meaning_before_2": 0.66, "meaning_after_2": 0.49,
    "asks": -0.9, "after_question": 0.24, "length": 0.67,
    "time_wanted": 2.07, "number_wanted": 1.34, "name_wanted": 1.77, "date": 3.0, "topic": 0.0,
}  # fmt: skip
WORDS_ALONE: Final[Mapping[str, float]] = WITH_MEANING | {
    "words": 9.0, "meaning": 0.0,
    "meaning_before": 0.0, "meaning_after": 0.0, "meaning_before_2": 0.0, "meaning_after_2": 0.0,
}  # fmt: skip

#: How sure it is that anything fits, from the best turn's words and meaning.
_SURE_WITH_MEANING: Final = (-6.0, 5.0, 9.0)
_SURE_BY_WORDS: Final = (-4.0, 8.0)


def confidence(words: float, meaning: float, *, by_meaning: bool, dated: bool) -> float:
    """0 to 1, from the best words and the best meaning of the turns that were found.

    `dated`: the question gives a day, on which something was said, and nothing else to look for.
    """
    if dated:
        return 1.0
    if by_meaning:
        base, of_words, of_meaning = _SURE_WITH_MEANING
        total = base + of_words * words + of_meaning * meaning
    else:
        total = _SURE_BY_WORDS[0] + _SURE_BY_WORDS[1] * words
    return 1 / (1 + math.exp(-total))
