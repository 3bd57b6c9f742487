"""How turns are ranked for a question: signals, one weight each, and how sure it is that anything fits.

The weights were fitted on public dialogs: `python -m tests.benchmarks recall --data DIR --weights` makes them
anew, and reports figures that are cross-validated by conversation. Without vectors, other weights hold, which
were fitted the same way with meaning switched off.
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
    "words": 6.35, "meaning": 7.35, "speaker": 2.92,
    "words_before": 3.75, "words_after": 1.0, "words_before_2": 2.6, "words_after_2": 0.92,
    "meaning_before": 0.8, "meaning_after": 1.13, "meaning_before_2": 0.69, "meaning_after_2": 0.68,
    "asks": -0.89, "after_question": 0.31, "length": 0.71,
    "time_wanted": 2.26, "number_wanted": 1.3, "name_wanted": 1.96, "date": 3.17, "topic": 0.1,
}  # fmt: skip
WORDS_ALONE: Final[Mapping[str, float]] = {
    "words": 10.6, "speaker": 2.8,
    "words_before": 5.39, "words_after": 2.5, "words_before_2": 3.85, "words_after_2": 2.22,
    "asks": -0.75, "after_question": 0.47, "length": 0.92,
    "time_wanted": 2.2, "number_wanted": 1.76, "name_wanted": 1.87, "date": 2.63, "topic": 0.29,
}  # fmt: skip

#: How sure it is that anything fits: base, words, meaning.
_SURE_WITH_MEANING: Final = (-7.51, 9.66, 14.3)
_SURE_BY_WORDS: Final = (-4.4, 18.29)
#: The same of a question without spaces: base, words, letters. A single common word is shared by chance.
_SURE_BY_LETTERS: Final = (-4.92, 8.89, 1.05)


def confidence(words: float, meaning: float, letters: int | None = None) -> float:
    """0 to 1, from the best words and the best meaning of the first turns; no meaning: none was compared.

    `letters`: of a question without spaces, those that stand side by side in a turn too.
    """
    if letters is not None:
        base, of_words, of_letters = _SURE_BY_LETTERS
        total = base + of_words * words + of_letters * letters
    elif meaning > 0:
        base, of_words, of_meaning = _SURE_WITH_MEANING
        total = base + of_words * words + of_meaning * meaning
    else:
        total = _SURE_BY_WORDS[0] + _SURE_BY_WORDS[1] * words
    return 1 / (1 + math.exp(-total))
