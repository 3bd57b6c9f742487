"""Colours for code by Pygments, a line at a time. Free of Qt: a kind is a name, the theme gives it a colour.

Lexers are found by their name only; guessing reads the text once for each of hundreds of them. A lexer cannot
be stopped and resumed, so code that still grows is read from the last line that began outside of any string
or comment; when it is whole, it is read once more as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

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

from partner_desktop.desktop.markup.lexers import find_lexer

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
