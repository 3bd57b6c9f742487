"""Damages texts, bytes and JSON; the same dice damage in the same way."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any, AnyStr

#: What means something to the parsers of our formats.
PIECES: tuple[str, ...] = (
    *'{}[]",:\\/*\n\r\t\0 #=<>|`-_.;()',
    *("null", "true", "-1", "1e999", "0.1", "NaN", '"\\ud83d"', '"\\u0000"', "//", "/*", "*/", "::"),
    *("${env:", "${input:x}", "http://", "\ufeff", "\u202e", "é", "“", "\U0001f600", "\u2028", "明天"),
    "\x1b[",
)
BYTES: tuple[bytes, ...] = (b"\xff", b"\xfe\xff", b"\x80", b"\0", *(piece.encode() for piece in PIECES))

#: Values that nobody thought of.
_ODD: tuple[Any, ...] = (  # Any: JSON
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**70, -(2**70), 1e308, 0.5, 1e-9, "", " ", "\0", "\ud800"),
    *("x", "../..", "/", "~", "C:\\", "1", "true", "\u202egpj.exe", "a\nb", "{x}", "%s", "::", "é" * 300),
    *("9" * 400, "x" * 20_000, [], {}, [[]], [None], [1, "a"], {"": ""}, {"type": "x"}, {"$ref": "#"}),
    *("2026-13-45T99:99:99Z", "0001-01-01T00:00:00", "9999-12-31T23:59:59+14:00", "\x1b[31m", "*", "(?:"),
)  # fmt: skip


def damaged(whole: AnyStr, dice: random.Random, pieces: Sequence[AnyStr]) -> AnyStr:
    """The text or the bytes with a few damages."""
    for _ in range(dice.randint(1, 6)):
        at = dice.randint(0, len(whole))
        end = min(len(whole), at + dice.choice((0, 0, 1, 1, 2, 8, 40)))
        kind = dice.randint(0, 3)
        if kind == 0:
            whole = whole[:at] + whole[end:]
        elif kind == 1:
            whole = whole[:at] + dice.choice(pieces) + whole[end:]
        elif kind == 2:
            whole = whole[:end] + whole[at:]
        else:
            whole = whole[:at] + dice.choice(pieces) * dice.choice((1, 2, 50)) + whole[at:]
    return whole


def damaged_text(whole: str, dice: random.Random) -> str:
    """A text with a few damages."""
    return damaged(whole, dice, PIECES)


def damaged_bytes(whole: bytes, dice: random.Random) -> bytes:
    """A file with a few damages; or only its beginning."""
    if dice.random() < 0.1:
        return whole[: dice.randint(0, len(whole))]
    return damaged(whole, dice, BYTES)


def damaged_json(value: Any, dice: random.Random) -> Any:  # Any: JSON
    """JSON that is some with one to three odd values, lost keys and turned lists in it."""
    value = json.loads(json.dumps(value))
    for _ in range(dice.randint(1, 3)):
        value = _odd_somewhere(value, dice)
    return value


def odd_value(dice: random.Random) -> Any:  # Any: JSON
    """A value that nobody thought of."""
    value = dice.choice(_ODD)
    return [value] * dice.choice((1, 3, 400)) if dice.random() < 0.08 else value


def _odd_somewhere(value: Any, dice: random.Random) -> Any:  # Any: JSON
    if not isinstance(value, (dict, list)) or not value or dice.random() < 0.08:
        return odd_value(dice)
    key = dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
    kind = dice.randrange(8)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, dict):
        value[str(odd_value(dice))[:50]] = value[key]
    elif kind == 1 and isinstance(value, list):
        value.insert(key, value[key])
    elif kind == 2:
        value[key] = [value[key]]
    else:
        value[key] = _odd_somewhere(value[key], dice)
    return value


def json_text(value: Any, dice: random.Random) -> str:  # Any: JSON
    """As somebody wrote it; now and then with a damage."""
    text = json.dumps(value, indent=dice.choice((None, 2)), ensure_ascii=dice.random() < 0.5)
    return damaged_text(text, dice) if dice.random() < 0.25 else text
