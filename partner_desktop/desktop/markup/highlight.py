"""Colours for code by Pygments, a line at a time. Free of Qt: a kind is a name, the theme gives it a colour.

Lexers are found by their name only; guessing reads the text once for each of hundreds of them. A lexer cannot
be stopped and resumed, so code that still grows is read from the last line that began outside of any string
or comment; when it is whole, it is read once more as a whole.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Iterator
from typing import Literal, TypeAlias

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    String,
    Text,
    _TokenType,
)
from pygments.util import ClassNotFound

Kind: TypeAlias = Literal["keyword", "string", "number", "comment", "name", "type", "added", "removed"]
#: Start and length in a line, in Python's characters.
Span: TypeAlias = tuple[int, int, Kind]

#: Longer code stays plain; nobody reads it here.
MOST_CHARACTERS = 400_000
#: While code grows, no more than this is read again.
_MOST_AGAIN = 2_000

_KINDS: tuple[tuple[_TokenType, Kind], ...] = (
    (Comment, "comment"),
    (Keyword.Type, "type"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Tag, "keyword"),
    (Name.Attribute, "type"),
    (Name.Builtin, "type"),
    (Name.Exception, "type"),
    (Name.Variable, "type"),
    (Name.Constant, "number"),
    (Number, "number"),
    (String, "string"),
    (Generic.Inserted, "added"),
    (Generic.Deleted, "removed"),
    (Generic.Heading, "keyword"),
    (Generic.Subheading, "keyword"),
    (Generic.Prompt, "comment"),
)


class Highlighter:
    """`lines[n]` holds the spans of line n, as far as they are known."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._safe = (0, 0)
        """The line and the place from which to read on while code grows."""
        self._kinds: dict[_TokenType, Kind | None] = {}
        self.lines: list[list[Span]] = []

    def read(self, text: str, *, whole: bool) -> Iterator[int | None]:
        """Read in small steps; each gives the number of a line that is done, or None for a pause.

        `text` from its beginning; without `whole`, what was read before is left alone where it can be.
        """
        lexer = yield from find_lexer(self._language)
        if lexer is None or len(text) > MOST_CHARACTERS:
            return
        number, at = self._resume(text, whole=whole)
        del self.lines[number:]
        self.lines.append([])
        column, here = 0, at
        for _, token, value in lexer.get_tokens_unprocessed(text[at:]):
            kind = self._kind(token)
            for index, piece in enumerate(value.split("\n")):
                if index:
                    yield len(self.lines) - 1
                    self.lines.append([])
                    column = 0
                if piece and kind is not None:
                    self.lines[-1].append((column, len(piece), kind))
                column += len(piece)
            here += len(value)
            if value.endswith("\n") and token in Text:
                self._safe = (len(self.lines) - 1, here)
        yield len(self.lines) - 1

    def _resume(self, text: str, *, whole: bool) -> tuple[int, int]:
        """The line and the place from which to read on."""
        number, at = (0, 0) if whole or self._safe[0] > len(self.lines) else self._safe
        while not whole and len(text) - at > _MOST_AGAIN and number < len(self.lines):
            at = text.index("\n", at) + 1
            number += 1
        self._safe = (number, at)
        return number, at

    def _kind(self, token: _TokenType) -> Kind | None:
        if token not in self._kinds:
            self._kinds[token] = next((kind for known, kind in _KINDS if token in known), None)
        return self._kinds[token]


_NAME = re.compile(r"[\w+#.-]{1,40}")

_known: dict[str, Lexer | None] = {"": None, "text": None}
_coming: set[str] = set()


def find_lexer(name: str) -> Generator[None, None, Lexer | None]:
    """A generator that pauses until the lexer is there and returns it; None when the name is unknown.

    Making one compiles its patterns, for up to a tenth of a second: a thread of its own does that. It touches
    nothing but the lexer and ends with it.
    """
    name = name.lower()
    if name not in _known and not _NAME.fullmatch(name):
        return None
    if name not in _known and name not in _coming:
        _coming.add(name)
        threading.Thread(target=_make, args=(name,), name=f"lexer {name}", daemon=True).start()
    while name not in _known:
        yield
    return _known[name]


def _make(name: str) -> None:
    lexer: Lexer | None = None
    try:
        lexer = get_lexer_by_name(name)
    except ClassNotFound:
        pass
    finally:
        # Whatever went wrong in a lexer's own making, code without colours is still code.
        _known[name] = lexer
