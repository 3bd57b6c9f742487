"""On which line of a TOML file each key stands; tomllib does not tell.

Contract: for text that tomllib takes. It never raises and always ends, whatever the text. What is inside an
inline table or an array is found at the line of the whole statement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from partner_desktop.base.late_dataclass import dataclass

#: Names, and for arrays of tables the index.
Place: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t\r\n]*(?:#[^\n]*\n?[ \t\r\n]*)*")
_KEY_PART = re.compile(r"""[ \t]*("(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s.=\[\]#"']+)[ \t]*""")
_VALUE_PIECE = re.compile(
    r'''"""(?:\\.|(?!""").)*"{3,5}|\'\'\'(?:(?!\'\'\').)*\'{3,5}'''
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[\[{]|[\]}]|\n|[^"'#\[\]{}\n]+|.""",
    re.DOTALL,
)


@dataclass(frozen=True)
class Statement:
    """One `key = value`, or one `[table]` header."""

    place: Place
    line: int
    last_line: int
    own_parts: int
    """How many parts of the key are written here; the others are the table's."""
    header: bool = False


def statements(text: str) -> list[Statement]:
    """Every statement, in the order of the file."""
    return list(_Scanner(text).run())


def key_line(found: Iterable[Statement], place: Place) -> int:
    """The first line that says a key or something in it; else the nearest table around it, else 0."""
    best, line = 0, 0
    for statement in found:
        if statement.place[: len(place)] == place:
            return statement.line
        size = len(statement.place)
        if size > best and statement.place == place[:size]:
            best, line = size, statement.line
    return line


class _Scanner:
    """Walks once over the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0
        self._table: Place = ()
        self._arrays: dict[Place, int] = {}

    def run(self) -> Iterator[Statement]:
        while True:
            self._skip(_BLANK)
            if self._at >= len(self._text):
                return
            before = self._at
            yield self._header() if self._text[self._at] == "[" else self._pair()
            if self._at == before:
                self._at += 1

    def _header(self) -> Statement:
        line, double = self._line_here(), self._text.startswith("[[", self._at)
        self._at += 2 if double else 1
        names = self._key()
        self._table = self._table_place(names, double=double)
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end
        return Statement(self._table, line, line, len(names), header=True)

    def _pair(self) -> Statement:
        line = self._line_here()
        names = self._key()
        depth = 0
        while self._at < len(self._text):
            match = _VALUE_PIECE.match(self._text, self._at)
            if match is None or (match[0] == "\n" and depth <= 0):
                break
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
            self._at = match.end()
        return Statement((*self._table, *names), line, self._line_here(), len(names))

    def _table_place(self, names: list[str], *, double: bool) -> Place:
        """A header's names with the index of each array of tables that they go through."""
        place: Place = ()
        for position, name in enumerate(names):
            place = (*place, name)
            if double and position == len(names) - 1:
                self._arrays[place] = self._arrays.get(place, -1) + 1
            if place in self._arrays:
                place = (*place, self._arrays[place])
        return place

    def _key(self) -> list[str]:
        names: list[str] = []
        while match := _KEY_PART.match(self._text, self._at):
            names.append(_unquoted(match[1]))
            self._at = match.end()
            if not self._text.startswith(".", self._at):
                break
            self._at += 1
        return names

    def _skip(self, what: re.Pattern[str]) -> None:
        match = what.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line


def _unquoted(part: str) -> str:
    if part.startswith("'"):
        return part[1:-1]
    if not part.startswith('"'):
        return part
    try:
        return str(json.loads(part))
    except ValueError:  # an escape that only TOML knows
        return part[1:-1]
