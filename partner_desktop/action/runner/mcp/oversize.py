"""Answers that are too long to be parsed: they lie in a file, and the call gets a short one that names it.

The transports put such a line through `Oversized.answer`, which makes an error response of it that carries a
key; whoever made the call takes what lies behind the key. A server cannot invent keys.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

import mcp_types as types

from partner_desktop.action.runner.mcp.envelope import find_envelope
from partner_desktop.action.runner.mcp.lines import Line, LineReader
from partner_desktop.domain.json_value import Json

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

    line: Line
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

    def bounded(self, line: Line) -> Line:
        """The line, or a long one in its place: to parse very many parts would hold everything up."""
        data = line.head
        if not line.whole or len(data) < _SIMPLE_BYTES:
            return line
        if data.count(b'"') // 2 + data.count(b",") <= MESSAGE_PARTS:
            return line
        reader = LineReader(_SIMPLE_BYTES - 1, spill=self._folder_for, spill_bytes=SPILL_BYTES, whole=True)
        reader.feed(data)
        return reader.rest() or line

    def answer(self, line: Line, *, prefix: bytes = b"") -> types.JSONRPCError | None:
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


def discard(line: Line) -> None:
    """Remove the file of a line that nobody waits for."""
    if line.path is not None:
        line.path.unlink(missing_ok=True)
