"""A settings file's bytes as TOML tables, and every way in which that can fail as one sentence.

Blocking; for use off the loop. `Unusable` leaves this package only as problems.

On which line of the file each key stands, tomllib does not tell. For text that tomllib takes, it never
raises and always ends, whatever the text. What is inside an inline table or an array is found at the line of
the whole statement.

A problem says what is wrong with a file, where, and what to write instead.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import Json, JsonObject

#: Settings are a page or two; what is larger is something else.
LIMIT_BYTES = 1024 * 1024
_SHOWN_CHARACTERS = 80

_AT = re.compile(r"^(?P<what>.*?)\s*\(at line (?P<line>\d+), column (?P<column>\d+)\)$", re.DOTALL)
_AT_END = re.compile(r"^(?P<what>.*?)\s*\(at end of document\)$", re.DOTALL)
#: tomllib's words for the commonest mistakes, by the ids of plainer ones; only the wording hangs on them.
_PLAIN = {
    "Cannot overwrite a value": "config.key_twice",
    "Cannot declare": "config.table_twice",
    "Expected '=' after a key in a key/value pair": "config.needs_value",
    "Expected newline or end of document after a statement": "config.behind_value",
    "Unterminated string": "config.quote_missing",
    "Illegal character '\\n'": "config.open_at_line_end",
    "Invalid value": "config.no_value",
    "Invalid statement": "config.no_statement",
}

_ENDLESS_KEY = re.compile(r"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){100}""")

#: What tomllib gives: tables of tables, whose shape the model checks.
Tables = dict[str, Any]


class Unusable(Exception):  # noqa: N818 - not an error of the tree: it carries problems
    """The file cannot be read as TOML."""

    def __init__(self, problem: ConfigProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def read_bytes(path: Path) -> bytes | None:
    """What the file holds; `None` when there is none.

    Raises:
        Unusable: It is there and cannot be read.
    """
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise Unusable(ConfigProblem(path, sentence_of("config.is_folder")))
        if not stat.S_ISREG(kind):
            raise Unusable(ConfigProblem(path, sentence_of("config.no_regular_file")))
        with path.open("rb") as file:
            data = file.read(LIMIT_BYTES + 1)
    except FileNotFoundError:
        if os.path.islink(path):  # noqa: PTH114 - never raises
            raise Unusable(ConfigProblem(path, sentence_of("config.is_link", target=_target(path)))) from None
        return None
    except OSError as error:
        raise Unusable(
            ConfigProblem(path, sentence_of("config.cannot_be_read", reason=system_reason(error)))
        ) from error
    if len(data) > LIMIT_BYTES:
        raise Unusable(ConfigProblem(path, sentence_of("config.larger_than")))
    return data


def _target(path: Path) -> str:
    try:
        return sentence_of("config.not_there", path=display_path(path.readlink()))
    except OSError:
        return sentence_of("config.just_gone")


def decode(path: Path, data: bytes) -> str:
    """The text; a byte order mark is left out, line ends stay as they are.

    Raises:
        Unusable: It is empty or not UTF-8.
    """
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = sentence_of("config.not_utf8")
        raise Unusable(ConfigProblem(path, message, line=line)) from error
    if not text.strip():
        message = sentence_of("config.is_empty")
        raise Unusable(ConfigProblem(path, message))
    return text


def parse(path: Path, text: str) -> Tables:
    """The tables that the text says.

    Raises:
        Unusable: It is not TOML.
    """
    if _ENDLESS_KEY.search(text):  # tomllib takes a quarter of a minute for 20,000 parts
        raise Unusable(ConfigProblem(path, sentence_of("config.nested_too_deeply")))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unusable(_syntax(path, text, str(error))) from error
    except RecursionError as error:
        raise Unusable(ConfigProblem(path, sentence_of("config.nested_too_deeply"))) from error
    except ValueError as error:  # a number or a date that Python does not take
        raise Unusable(ConfigProblem(path, sentence_of("config.unusable_value", error=error))) from error


def _syntax(path: Path, text: str, said: str) -> ConfigProblem:
    lines = text.replace("\r\n", "\n").split("\n")
    if match := _AT.match(said):
        line, column = int(match["line"]), int(match["column"])
    else:
        match = _AT_END.match(said)
        line = max((number for number, each in enumerate(lines, 1) if each.strip()), default=1)
        column = len(lines[line - 1]) + 1
    what = match["what"] if match else said
    known = next((each for start, each in _PLAIN.items() if what.startswith(start)), "")
    plain = sentence_of(known) if known else what
    if _AT_END.match(said):
        plain = sentence_of("config.ends_before")
    text = lines[line - 1].strip() if line <= len(lines) else ""
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "…"
    # A file that is no TOML may hold anything, and the sentence goes to a terminal and to the log.
    return ConfigProblem(
        path, sentence_of("config.the_line_is", plain=plain, text=shown(text)), line=line, column=column
    )


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: Json) -> str:
    """One line of TOML for a value; a `None` has no form there and becomes empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for the one control character that JSON leaves bare.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{toml_key((name,))} = {toml_value(item)}" for name, item in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def toml_key(key: tuple[str, ...]) -> str:
    """A dotted key; parts that need quotes get them."""
    return ".".join(part if _BARE_KEY.fullmatch(part) else toml_value(part) for part in key)


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


#: So many mistakes of one file are told at once; the rest is counted.
_TOLD = 3


@dataclass(frozen=True)
class ConfigProblem:
    """One mistake. `line` and `column` count from 1; 0 where the whole file is meant."""

    path: Path
    message: str
    line: int = 0
    column: int = 0
    key: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Which file and where in it, for a sentence."""
        line = sentence_of("config.line", line=self.line) if self.line else ""
        column = sentence_of("config.column", column=self.column) if self.column else ""
        return f"{self.path.name}{line}{column}"

    def __str__(self) -> str:
        return sentence_of("config.place_says", place=self.place, message=self.message)

    def to_json(self) -> JsonObject:
        """For `--json`."""
        return {
            "file": display_path(self.path),
            "line": self.line,
            "column": self.column,
            "key": ".".join(self.key),
            "message": self.message,
        }


def problem_sentence(problems: Sequence[ConfigProblem]) -> str:
    """A file's mistakes as one text, a line each."""
    lines = [str(problem) for problem in problems[:_TOLD]]
    more = len(problems) - len(lines)
    if more > 0:
        lines.append(sentence_of("config.and_more", more=more))
    return "\n".join(lines)
