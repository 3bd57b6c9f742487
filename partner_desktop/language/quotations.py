"""Quotation marks: where a text quotes something, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Opening mark → the marks that close it.
CLOSING = {
    "`": "`",
    '"': '"',
    "'": "'",
    "“": "”",
    "„": "“”",
    "‘": "’",
    "«": "»",
    "「": "」",
    "『": "』",
    "《": "》",
}
#: What is quoted and longer is not an argument.
MAX_LENGTH = 1_000

_OPENING = re.compile(f"`+|[{''.join(mark for mark in CLOSING if mark != '`')}]")


def quotations(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and content of each quotation; they do not overlap, and only backticks span lines."""
    position = 0
    for match in _OPENING.finditer(text):
        mark, start = match.group(), match.start()
        if start < position or (mark in "'\"" and start > 0 and _in_word(text[start - 1])):
            continue
        end = _closing(text, mark, match.end())
        if end is not None and text[match.end() : end].strip():
            position = end + len(mark)
            yield start, position, text[match.end() : end].strip()


def _closing(text: str, mark: str, start: int) -> int | None:
    """Where the content ends; an apostrophe within a word closes nothing."""
    closers = [mark] if mark.startswith("`") else list(CLOSING[mark])
    limit = start + MAX_LENGTH
    if not mark.startswith("`"):
        line_end = text.find("\n", start, limit)
        limit = line_end if line_end >= 0 else limit
    ends = [end for closer in closers if (end := _find(text, closer, start, limit)) is not None]
    return min(ends, default=None)


def _find(text: str, closer: str, start: int, limit: int) -> int | None:
    end = text.find(closer, start, limit)
    while end >= 0 and closer in "'’" and _in_word(text[end + 1 : end + 2]):
        end = text.find(closer, end + 1, limit)
    return end if end >= 0 else None


def _in_word(character: str) -> bool:
    """Whether an apostrophe beside it is one of a word; Chinese has none and writes without spaces."""
    return character.isalnum() and not "\u3040" <= character <= "\u9fff"


def unquoted(text: str) -> str:
    """Without blanks around it, and without one pair of quotation marks that encloses all of it."""
    bare = text.strip()
    found = list(quotations(bare[: MAX_LENGTH + 2]))
    return found[0][2] if len(found) == 1 and found[0][:2] == (0, len(bare)) else bare
