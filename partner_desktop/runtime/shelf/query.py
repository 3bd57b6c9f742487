"""What a person typed in the search field, as a question to the index and as a pattern for the eye.

Nothing typed is FTS syntax: every word goes into the question as a quoted phrase.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from partner_desktop.base.patterns import late
from partner_desktop.storage.search_text import UNSPACED, spaced

#: More words than this only cost time.
_MOST_WORDS = 16
_MOST_CHARACTERS = 400

_UNSPACED = late(f"[{UNSPACED}]")
_WORDS = late(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
#: Not in the middle of a word; a character of an unspaced script before it is none of it.
_STARTS = rf"(?<![^\W_{UNSPACED}])"
_MARKS = "[\u0300-\u036f]*"


@dataclass(frozen=True)
class SearchQuery:
    """`match` is empty when nothing typed is a word; `literal` is empty when nothing was typed."""

    literal: str
    match: str
    """An FTS5 expression: every word by its beginning, stretches without spaces anywhere."""
    pattern: re.Pattern[str]
    """Finds the hits of `match` in folded text."""
    letters: re.Pattern[str]
    """Finds `literal` in folded text, in the middle of words too."""

    @classmethod
    def of(cls, text: str) -> SearchQuery:
        """Any text at all."""
        typed = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
        literal = " ".join(typed[:_MOST_CHARACTERS].split())
        chunks = [chunk for chunk in literal.split()[:_MOST_WORDS] if _WORDS.search(chunk)]
        letters = re.compile(re.escape(fold(literal)))
        return cls(literal, " ".join(map(_phrase, chunks)), _pattern(chunks), letters)


def _phrase(chunk: str) -> str:
    """A quoted phrase; its last word may go on, unless a sign ends it (`c++` is not every word with c)."""
    quoted = '"' + spaced(chunk).replace('"', '""') + '"'
    return quoted + "*" if chunk[-1].isalnum() else quoted


def _pattern(chunks: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(_chunk_pattern, chunks), key=len, reverse=True)) or r"(?!)")


def _chunk_pattern(chunk: str) -> str:
    words = _WORDS.findall(fold(chunk))
    pattern = "" if _UNSPACED.match(words[0]) else _STARTS
    for number, word in enumerate(words):
        pattern += r"[\W_]*" if number else ""
        pattern += _MARKS.join(map(re.escape, word))
    return pattern + _MARKS


def fold(text: str) -> str:
    """Small letters without accents, each character in its old place."""
    return text.lower() if text.isascii() else "".join(map(_fold_one, text))


@lru_cache(maxsize=4096)
def _fold_one(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    base = parts[0] if len(parts) > 1 and unicodedata.combining(parts[1]) else character
    return base.lower()[0]
