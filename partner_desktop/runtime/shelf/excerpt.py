"""The piece of a text around its first hit."""

from __future__ import annotations

import re

from partner_desktop.domain.message import Excerpt
from partner_desktop.runtime.shelf.query import fold

#: Characters before the first hit, and in all.
_BEFORE = 36
_LENGTH = 160


def marked(text: str, pattern: re.Pattern[str]) -> Excerpt:
    """The whole text on one line, with its hits."""
    line = " ".join(text.split())
    found = (match.span() for match in pattern.finditer(fold(line)))
    return Excerpt(line, tuple(span for span in found if span[0] < span[1]))


def excerpt(text: str, pattern: re.Pattern[str]) -> Excerpt:
    """A line around the first hit; the beginning where the eye's pattern finds less than the index."""
    first = pattern.search(fold(text))
    at = first.start() if first is not None else 0
    start = _word_start(text, max(0, at - _BEFORE), at)
    end = start + _LENGTH
    piece = text[start:end].strip()
    return marked(("…" if start else "") + piece + ("…" if end < len(text) else ""), pattern)


def _word_start(text: str, start: int, at: int) -> int:
    """Not in the middle of a word, where one begins before the hit."""
    if start == 0:
        return 0
    space = text.find(" ", start, at)
    return start if space < 0 else space + 1
