"""The envelope of a message that is too long to be parsed: what it answers, found at its head or its tail.

Only what is certain counts. At the head: the keys of the outermost object before its first big value. At the
tail: the last keys before the one bracket that closes the outermost object. A number deep in a result that
looks like an id is neither.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_ID = rb'(-?\d{1,18}|"(?:[^"\\]|\\.){0,200}")'
_SMALL_PAIR = re.compile(
    rb'[\s,]*"(?:jsonrpc"\s*:\s*"[^"\\]*"|id"\s*:\s*' + _ID + rb")(?=\s*[,}])", re.DOTALL
)
_KEY = re.compile(rb'[\s,]*"(\w+)"\s*:\s*')
_LAST_PAIRS = re.compile(
    rb',\s*(?:"jsonrpc"\s*:\s*"[^"\\]*"\s*,\s*)?"id"\s*:\s*'
    + _ID
    + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"[^"\\]*"\s*)?}\s*$'
)


@dataclass(frozen=True)
class Envelope:
    """Which request a message answers, and where in its head the answer begins."""

    request_id: int | str
    ok: bool
    """A result, not an error."""
    start: int


def looks_like_json(head: bytes) -> bool:
    """Whether it may be a message at all."""
    return head.lstrip()[:1] == b"{"


def find_envelope(head: bytes, tail: bytes) -> Envelope | None:
    """The envelope of a response; `None` if it is none, or if it cannot be told."""
    opening = re.match(rb"\s*{", head)
    if opening is None:
        return None
    at, found = opening.end(), b""
    while (pair := _SMALL_PAIR.match(head, at)) is not None:
        at, found = pair.end(), pair.group(1) or found
    key = _KEY.match(head, at)
    if key is None or key.group(1) not in (b"result", b"error"):
        return None
    if not found:
        last = _LAST_PAIRS.search(tail)
        found = last.group(1) if last is not None else b""
    request_id = _parsed(found)
    if request_id is None:
        return None
    return Envelope(request_id, key.group(1) == b"result", key.end())


def _parsed(text: bytes) -> int | str | None:
    try:
        found = json.loads(text) if text else None
    except ValueError:
        return None
    return found if isinstance(found, int | str) else None
