"""Reads a large JSON object piece by piece.

`json.loads` holds the interpreter for as long as it parses, in a thread too: of a large file the window would
feel it. Here each element of a list at the top is parsed for itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from partner_desktop.domain.json_value import Json

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def entries(text: str) -> Iterator[tuple[str, Json]]:
    """The entries of the object that `text` holds: `(key, value)`; of a list, each element under its key.

    Raises:
        ValueError: It is not one JSON object.
    """
    at = _expect(text, 0, "{")
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            key, at = _value(text, at)
            if not isinstance(key, str):
                raise json.JSONDecodeError("a name was expected", text, at)
            at = _expect(text, at, ":")
            for values, end in _elements(text, at):
                at = end
                for value in values:
                    yield key, value
            if text[at : at + 1] != ",":
                at = _expect(text, at, "}")
                break
            at = _expect(text, at, ",")
    if at != len(text):
        raise json.JSONDecodeError("something follows the end", text, at)


def _elements(text: str, at: int) -> Iterator[tuple[list[Json], int]]:
    """The value at a place, or one by one the elements of the list there, with the place after each."""
    if text[at : at + 1] != "[":
        value, at = _value(text, at)
        yield [value], at
        return
    at = _expect(text, at, "[")
    if text[at : at + 1] == "]":
        yield [], _expect(text, at, "]")
        return
    while True:
        value, at = _value(text, at)
        ends = text[at : at + 1] == "]"
        at = _expect(text, at, "]" if ends else ",")
        yield [value], at
        if ends:
            return


def _value(text: str, at: int) -> tuple[Json, int]:
    value, end = _DECODER.raw_decode(text, at)
    return value, _skip(text, end)


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"`{sign}` was expected", text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at
