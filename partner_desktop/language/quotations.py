"""Whether a text says words of others again: word for word over a stretch, or a number of theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from partner_desktop.base.patterns import late
from partner_desktop.language.recollection import remembered_terms

_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
)
_PIECE = late(rf"[{_CJK}]|(?:(?![{_CJK}])[^\W_])+")
_YEAR = re.compile(r"(?:19|20)\d\d")
#: Words in a row that nobody says again by chance, and the fewest of a text that is shorter as a whole.
_RUN, _LEAST_RUN, _LEAST_TERMS = 6, 3, 2
#: Of the words in a row, each of so many is looked for.
_STEP = 3
#: Digits from which on a number, or a mix of letters and digits, is one of its own.
_LONG_NUMBER = 4


def plain_words(text: str) -> list[str]:
    """The words of a text, each character of a script without spaces as one; in lower case, without signs."""
    return _PIECE.findall(unicodedata.normalize("NFKC", text).casefold())


class Quotations:
    """Words of some texts, to be found in others. `words`: in whatever form, all of an entry together."""

    def __init__(self, texts: Iterable[str], words: Iterable[str] = ()) -> None:
        self._runs: dict[int, set[tuple[str, ...]]] = {}
        self._whole: set[tuple[str, ...]] = set()
        self._numbers: set[str] = set()
        self._asked: dict[tuple[str, ...], None] = {}
        self._words = [frozenset(remembered_terms(each)) for each in words]
        for text in texts:
            self._add(text)

    def _add(self, text: str) -> None:
        found = plain_words(text)
        self._whole.add(tuple(found))
        self._numbers.update(one for one in found if is_telling_number(one))
        if len(found) < _LEAST_RUN or len(set(remembered_terms(text))) < _LEAST_TERMS:
            return
        for number, run in enumerate(_runs(found, min(_RUN, len(found)))):
            self._runs.setdefault(len(run), set()).add(run)
            if number % _STEP == 0:
                self._asked[run] = None

    def holds(self, text: str) -> bool:
        """Whether a text says any of it again."""
        if self._says_words(text):
            return True
        found = plain_words(text)
        if not found:
            return False
        if tuple(found) in self._whole or not self._numbers.isdisjoint(found):
            return True
        return any(run in runs for length, runs in self._runs.items() for run in _runs(found, length))

    def _says_words(self, text: str) -> bool:
        terms = frozenset(remembered_terms(text)) if self._words else frozenset()
        return any(words and words <= terms for words in self._words)

    def phrases(self) -> Iterator[Sequence[str]]:
        """Words in a row by which a search finds what may hold any of it."""
        yield from ([one] for one in sorted(self._numbers))
        yield from self._asked
        yield from sorted(each for each in self._whole if 0 < len(each) < _RUN and each not in self._asked)


def is_telling_number(piece: str) -> bool:
    """Whether a word alone tells where it comes from: a long number that is no year and not round."""
    digits = sum(one.isdigit() for one in piece)
    return digits >= _LONG_NUMBER and not _YEAR.fullmatch(piece) and not piece.endswith("00")


def _runs(found: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(found) - length + 1):
        yield tuple(found[start : start + length])
