"""JSON as people write it: every value knows its line; comments and commas too many are taken with a hint.

Pure. The parser is our own because `json` tells neither where a value stands nor that a name stands
twice, and because other clients' files are JSONC (https://code.visualstudio.com/docs/languages/json).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import Json

_MAX_DEPTH = 64
_MAX_NUMBER_LENGTH = 300

_BLANK = late(r"[ \t\r\n]*")
_STRING = late(r'"[^"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*)*"')
_NUMBER = late(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.])")
_WORD = late(r"[^\s,:{}\[\]\"]{1,40}")
_LONE_SURROGATE = late(r"[\ud800-\udfff]")
_CONSTANTS = {"true": True, "false": False, "null": None}
_NEAR_CONSTANTS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "NaN": "null"}


@dataclass(slots=True)  # not frozen: a file of 1 MB has 150,000 of them
class Node:
    """A value and its line: in an object the line of its name."""

    value: str | float | bool | list[Node] | dict[str, Node] | None
    line: int
    raw: str = ""
    """A number, as it is written."""
    start: int = 0
    end: int = 0
    """Of a text: where it stands with its quotes."""
    twice: tuple[tuple[str, int], ...] = ()
    """Names in an object that stood there before, with the line of the second; the first one counts."""

    @property
    def members(self) -> dict[str, Node]:
        """What an object holds; nothing for anything else."""
        return self.value if isinstance(self.value, dict) else {}

    def has_text(self, name: str) -> bool:
        """Whether an object has a member of that name that is a text."""
        found = self.members.get(name)
        return found is not None and isinstance(found.value, str)

    def plain(self) -> Json:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def find(root: Node, path: Iterable[int | str]) -> Node:
    """The innermost value on a path, as a validation error gives it, that stands in the text."""
    node = root
    for part in path:
        items = node.value if isinstance(node.value, list) else []
        inner = items[part] if isinstance(part, int) and part < len(items) else node.members.get(str(part))
        if inner is None:
            break
        node = inner
    return node


@dataclass(frozen=True)
class Parsed:
    """A whole text."""

    root: Node
    hints: tuple[str, ...]


def parse(text: str) -> Parsed:
    """Read a text.

    Raises:
        DescriptorError: It is not JSON, not even with the liberties above; `line` is set.
    """
    return _Parser(text).parse()


def as_text(data: bytes) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        DescriptorError: It is not UTF-8; `line` is set.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DescriptorError("descriptor.not_utf8", line=line) from error


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._comments = False
        self._commas = False

    def parse(self) -> Parsed:
        self._skip()
        if self._at == len(self._text):
            raise DescriptorError("descriptor.empty", line=1)
        root = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._error(LazySentence("descriptor.json.behind_end", seen=self._seen()))
        hints = (("descriptor.comments", self._comments), ("descriptor.commas", self._commas))
        return Parsed(root, tuple(sentence_of(hint) for hint, given in hints if given))

    def _line(self, at: int) -> int:
        return bisect_right(self._line_starts, at)

    def _error(self, what: LazySentence, at: int | None = None) -> DescriptorError:
        place = self._at if at is None else at
        line = self._line(place)
        column = place - self._line_starts[line - 1] + 1
        reason = LazySentence("descriptor.json.at", what=what, column=column)
        return DescriptorError("descriptor.not_json", reason=reason, line=line)

    def _seen(self) -> object:
        """What stands here, for a sentence."""
        if self._at >= len(self._text):
            return LazySentence("descriptor.json.end")
        found = _STRING.match(self._text, self._at) or _WORD.match(self._text, self._at)
        seen = found.group()[:40] if found else self._text[self._at]
        return f"`{seen}`" if seen.isprintable() else LazySentence("descriptor.json.unseen")

    def _skip(self) -> None:
        """Over blanks and comments."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if not self._text.startswith("/", self._at):
                return
            if self._text.startswith("//", self._at):
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif self._text.startswith("/*", self._at):
                end = self._text.find("*/", self._at + 2)
                if end < 0:
                    raise self._error(LazySentence("descriptor.json.open_comment"))
                self._at = end + 2
            else:
                return
            self._comments = True

    def _value(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise self._error(LazySentence("descriptor.json.deep", most=_MAX_DEPTH))
        line = self._line(self._at)
        sign = self._text[self._at : self._at + 1]
        if sign == "{":
            return self._object(depth, line)
        if sign == "[":
            return self._list(depth, line)
        if sign == '"':
            start = self._at
            return Node(self._string(), line, start=start, end=self._at)
        if number := _NUMBER.match(self._text, self._at):
            return self._number(number, line)
        word = _WORD.match(self._text, self._at)
        if word is not None and word.group() in _CONSTANTS:
            self._at = word.end()
            return Node(_CONSTANTS[word.group()], line)
        raise self._error(self._no_value(word.group() if word else ""))

    def _no_value(self, word: str) -> LazySentence:
        if word in _NEAR_CONSTANTS:
            return LazySentence("descriptor.json.near_constant", word=word, near=_NEAR_CONSTANTS[word])
        if word.startswith(("'", "“", "”", "‘", "’", "„", "`")):
            return LazySentence("descriptor.json.quotes")
        return LazySentence("descriptor.json.no_value", seen=self._seen())

    def _number(self, found: re.Match[str], line: int) -> Node:
        raw = found.group()
        if len(raw) > _MAX_NUMBER_LENGTH:
            raise self._error(LazySentence("descriptor.json.long_number", most=_MAX_NUMBER_LENGTH))
        self._at = found.end()
        return Node(float(raw) if found.group(1) or found.group(2) else int(raw), line, raw=raw)

    def _string(self) -> str:
        found = _STRING.match(self._text, self._at)
        if found is None:
            raise self._error(LazySentence("descriptor.json.open_text"))
        try:
            text = json.loads(found.group())
        except json.JSONDecodeError as error:
            raise self._error(LazySentence("descriptor.json.backslash"), self._at + error.pos) from error
        assert isinstance(text, str)
        if _LONE_SURROGATE.search(text):
            raise self._error(LazySentence("descriptor.json.half_character"))
        self._at = found.end()
        return text

    def _object(self, depth: int, line: int) -> Node:
        members: dict[str, Node] = {}
        twice: list[tuple[str, int]] = []
        opened = self._open()
        while not self._closed("}", opened, first=not members):
            if self._text[self._at] != '"':
                raise self._error(LazySentence("descriptor.json.no_name", seen=self._seen()))
            name_line = self._line(self._at)
            name = self._string()
            self._skip()
            if not self._text.startswith(":", self._at):
                raise self._error(LazySentence("descriptor.json.no_colon", seen=self._seen()))
            self._at += 1
            self._skip()
            node = self._value(depth + 1)
            if name in members:
                twice.append((name, name_line))
            else:
                node.line = name_line
                members[name] = node
        return Node(members, line, twice=tuple(twice))

    def _list(self, depth: int, line: int) -> Node:
        items: list[Node] = []
        opened = self._open()
        while not self._closed("]", opened, first=not items):
            items.append(self._value(depth + 1))
        return Node(items, line)

    def _open(self) -> int:
        self._at += 1
        return self._at - 1

    def _closed(self, bracket: str, opened: int, *, first: bool) -> bool:
        """Step over what separates; whether the bracket that was opened closes here."""
        self._skip()
        comma = not first and self._text.startswith(",", self._at)
        if comma:
            self._at += 1
            self._skip()
        if self._text.startswith(bracket, self._at):
            self._at += 1
            self._commas = self._commas or comma
            return True
        if self._at >= len(self._text):
            line, sign = self._line(opened), self._text[opened]
            raise self._error(LazySentence("descriptor.json.not_closed", bracket=sign, line=line))
        if not first and not comma:
            raise self._error(LazySentence("descriptor.json.no_comma", bracket=bracket, seen=self._seen()))
        return False
