"""Answers that are too long to be parsed: they lie in a file, and the call gets a short one that names it.

The transports put such a line through `Oversized.answer`, which makes an error response of it that carries a
key; whoever made the call takes what lies behind the key. A server cannot invent keys.

What such an answer answers is found at its head or its tail. Only what is certain counts. At the head: the
keys of the outermost object before its first big value. At the tail: the last keys before the one bracket
that closes the outermost object. A number deep in a result that looks like an id is neither.
"""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path

import mcp_types as types

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.runner.mcp.lines import LineReader, ReadLine

#: Up to this a message is parsed; beyond it lies in a file.
MESSAGE_BYTES = 4 * 1024**2
#: Texts and list entries in one message. The interpreter makes about two million of them in a second, and
#: nothing else meanwhile, on whatever thread.
MESSAGE_PARTS = 50_000
_SIMPLE_BYTES = 100_000
#: Beyond this nothing of it is kept.
SPILL_BYTES = 512 * 1024**2
#: The code of the error response that stands for the answer; outside of what JSON-RPC and MCP use.
OVERSIZED = -31999


@dataclass(frozen=True)
class OversizedAnswer:
    """What is known of an answer that was not parsed."""

    line: ReadLine
    ok: bool
    start: int
    """Where in the head the answer itself begins."""


class Oversized:
    """The long answers of one connection. The folder is set on the loop; the rest is the transport's."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        """Where long answers go just now: the run's own folder; `None` while nobody waits for any."""
        self._answers: dict[str, OversizedAnswer] = {}

    def reader(self, *, whole: bool = False) -> LineReader:
        """A reader of the transport's lines, or of one whole body in which lines do not matter."""
        return LineReader(MESSAGE_BYTES, spill=self._folder_for, spill_bytes=SPILL_BYTES, whole=whole)

    def bounded(self, line: ReadLine) -> ReadLine:
        """The line, or a long one in its place: to parse very many parts would hold everything up."""
        data = line.head
        if not line.whole or len(data) < _SIMPLE_BYTES:
            return line
        if data.count(b'"') // 2 + data.count(b",") <= MESSAGE_PARTS:
            return line
        reader = LineReader(_SIMPLE_BYTES - 1, spill=self._folder_for, spill_bytes=SPILL_BYTES, whole=True)
        reader.feed(data)
        return reader.rest() or line

    def answer(self, line: ReadLine, *, prefix: bytes = b"") -> types.JSONRPCError | None:
        """The short response in place of a long line; `None` if it answers nothing.

        `prefix` is what stands before the message in the line.
        """
        found = find_envelope(line.head.removeprefix(prefix), line.tail)
        if found is None:
            discard(line)
            return None
        key = secrets.token_hex(16)
        self._answers[key] = OversizedAnswer(line, found.ok, len(prefix) + found.start)
        error = types.ErrorData(code=OVERSIZED, message="The answer is too long.", data=key)
        return types.JSONRPCError(jsonrpc="2.0", id=found.request_id, error=error)

    def take(self, key: Json) -> OversizedAnswer | None:
        """The answer behind the key that an error response carried; the file is the caller's now."""
        return self._answers.pop(key, None) if isinstance(key, str) else None

    def close(self) -> None:
        """Remove the files that nobody took."""
        for answer in self._answers.values():
            discard(answer.line)
        self._answers.clear()

    def _folder_for(self, head: bytes) -> Path | None:
        return self.folder if b'"' in head[:200] and head.lstrip()[:1] in (b"{", b"d") else None


def discard(line: ReadLine) -> None:
    """Remove the file of a line that nobody waits for."""
    if line.path is not None:
        line.path.unlink(missing_ok=True)


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
