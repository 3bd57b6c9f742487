"""WordPostings: which turns have a term, held in memory, four bytes for each pair of the two.

FTS5 keeps them on the disk, and reads a common term of a long memory slower than a question may take; read
as a whole, once, they are there at no cost.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Characters of numbers that are read in one go: the interpreter is held meanwhile.
_PORTION = 100_000


class WordPostings:
    """Filled once, then turn by turn. Terms are written as the tokenizer of the index writes them.

    What a turn had that is gone stays: whoever asks knows which turns there are.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._ends: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._positions: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._later: defaultdict[str, array[int]] = defaultdict(partial(array, "i"))

    def fill(self, terms: Iterable[tuple[str, int, str]]) -> None:
        """Take terms, how many turns each has, and their positions as text, with spaces."""
        counts: list[int] = [0]
        parts: list[NDArray[np.int32]] = []
        waiting: list[str] = []
        size = 0
        for term, count, positions in terms:
            self._numbers[term] = len(self._numbers)
            counts.append(count)
            waiting.append(positions)
            size += len(positions)
            if size > _PORTION:
                parts.append(_read(waiting))
                waiting, size = [], 0
        parts.append(_read(waiting))
        self._positions = np.concatenate(parts)
        self._ends = np.cumsum(counts, dtype=np.int64)

    def add(self, position: int, terms: Iterable[str]) -> None:
        """A turn that came in now."""
        for term in terms:
            self._later[as_indexed(term)].append(position)

    def positions(self, term: str) -> NDArray[np.int64]:
        """Of the turns that have a term, each once."""
        plain = as_indexed(term)
        # The tokenizer leaves the marks of some scripts, as those of kana, where they are.
        number = self._numbers.get(term, self._numbers.get(plain, -1))
        found = (
            self._positions[self._ends[number] : self._ends[number + 1]]
            if number >= 0
            else self._positions[:0]
        )
        if plain in self._later:
            return np.unique(np.concatenate([found, self._later[plain]])).astype(np.int64)
        return found.astype(np.int64)


def as_indexed(term: str) -> str:
    """As the tokenizer of the index writes a term."""
    if term.isascii():
        return term
    parts = unicodedata.normalize("NFD", term)
    return unicodedata.normalize("NFC", "".join(each for each in parts if not unicodedata.combining(each)))


def _read(texts: list[str]) -> NDArray[np.int32]:
    text = " ".join(texts)
    parts, start = [], 0
    while start < len(text):
        end = text.find(" ", start + _PORTION)
        end = len(text) if end < 0 else end
        parts.append(np.fromstring(text[start:end], dtype=np.int32, sep=" "))
        start = end
    return np.concatenate([np.zeros(0, dtype=np.int32), *parts])
