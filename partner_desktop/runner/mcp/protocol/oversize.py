"""Lines of any length, and answers that are too long to be parsed: they lie in a file that a short one names.

A line that is longer than `keep_bytes` is never held whole: its head and its tail are, and the whole goes to
a file while it comes, if `spill` names a folder for it. Nothing is copied twice, so a long line costs time in
proportion. Not for two threads at once; a feed may write to the disk.

The transports put such a line through `Oversized.answer`, which makes an error response of it that carries a
key; whoever made the call takes what lies behind the key. A server cannot invent keys.

What such an answer answers is found at its head or its tail. Only what is certain counts. At the head: the
keys of the outermost object before its first big value. At the tail: the last keys before the one bracket
that closes the outermost object. A number deep in a result that looks like an id is neither.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

import mcp_types as types

from partner_desktop.base import private
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, system_reason
from partner_desktop.domain.json_value import Json

#: What is kept of a long line's end: enough for the last keys of its message.
TAIL_BYTES = 4096
HEAD_BYTES = 64 * 1024
_numbers = count(1)


class ReadLine(NamedTuple):
    """One line without its end."""

    head: bytes
    """All of it, unless it was long."""
    size: int
    tail: bytes = b""
    """The end of a long one."""
    path: Path | None = None
    """Where a long one lies whole."""
    problem: str | LazySentence = ""
    """Why a long one does not lie anywhere: a part of a sentence, after "because"."""

    @property
    def whole(self) -> bool:
        return self.size == len(self.head)


class LineReader:
    """Takes chunks, gives lines."""

    def __init__(
        self,
        keep_bytes: int,
        *,
        spill: Callable[[bytes], Path | None] = lambda head: None,
        spill_bytes: int = 0,
        whole: bool = False,
    ) -> None:
        """With `whole`, everything up to the end is one line."""
        self._whole = whole
        self._keep_bytes, self._spill, self._spill_bytes = keep_bytes, spill, spill_bytes
        self._chunks: list[bytes] = []
        self._held = 0
        self._long: _LongLine | None = None

    @property
    def in_long_line(self) -> bool:
        """Whether the next feed goes to the disk."""
        return self._long is not None

    def feed(self, chunk: bytes) -> list[ReadLine]:
        """The lines that end in `chunk`."""
        found, start = [], 0
        while not self._whole and (end := chunk.find(b"\n", start)) >= 0:
            piece = chunk[start:end]
            if self._held or self._long is not None or len(piece) > self._keep_bytes:
                self._take(piece)
                found.append(self._finish())
            else:
                found.append(ReadLine(piece, len(piece)))
            start = end + 1
        self._take(chunk[start:])
        return found

    def rest(self) -> ReadLine | None:
        """What came after the last end of a line, when nothing more comes."""
        return self._finish() if self._held or self._long is not None else None

    def close(self) -> None:
        """Forget a line that did not end; its file is removed."""
        if self._long is not None:
            self._long.give_up(LazySentence("servers.call.cut_off"))
            self._long = None
        self._chunks, self._held = [], 0

    def _take(self, piece: bytes) -> None:
        if self._long is not None:
            self._long.add(piece)
            return
        if piece:
            self._chunks.append(piece)
            self._held += len(piece)
        if self._held > self._keep_bytes:
            begun = b"".join(self._chunks)
            self._chunks, self._held = [], 0
            self._long = _LongLine(begun, self._spill(begun[:HEAD_BYTES]), self._spill_bytes)

    def _finish(self) -> ReadLine:
        if self._long is not None:
            line, self._long = self._long.finish(), None
            return line
        data = b"".join(self._chunks)
        self._chunks, self._held = [], 0
        return ReadLine(data, len(data))


class _LongLine:
    """The head, the tail and the file of a line that is longer than what is kept."""

    def __init__(self, begun: bytes, folder: Path | None, limit: int) -> None:
        self._head, self._tail, self._size = begun[:HEAD_BYTES], b"", 0
        self._limit = limit
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self._problem = LazySentence("servers.call.no_call")
        if folder is not None:
            self._open(folder)
        self.add(begun)

    def _open(self, folder: Path) -> None:
        self._path = folder / f"answer-{next(_numbers)}.json"
        try:
            private.make_folder(folder)
            self._file = open(self._path, "xb", opener=private.opener)  # noqa: SIM115 - closed by `finish`
        except OSError as error:
            self.give_up(LazySentence("servers.call.not_written", reason=system_reason(error)))

    def add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._tail = (self._tail + piece[-TAIL_BYTES:])[-TAIL_BYTES:]
        if self._file is None:
            return
        if self._size > self._limit:
            self.give_up(LazySentence("servers.call.too_long", size=self._limit >> 20))
            return
        try:
            self._file.write(piece)
        except OSError as error:
            self.give_up(LazySentence("servers.call.not_written", reason=system_reason(error)))

    def give_up(self, problem: LazySentence) -> None:
        """Keep no file."""
        self._problem = problem
        if self._file is not None:
            with contextlib.suppress(OSError):  # the disk is full: closing fails to write as well
                self._file.close()
            self._file = None
        if self._path is not None:
            with contextlib.suppress(OSError):  # it was not made
                self._path.unlink(missing_ok=True)
            self._path = None

    def finish(self) -> ReadLine:
        if self._file is not None:
            try:
                self._file.close()
                self._file = None
            except OSError as error:
                self.give_up(LazySentence("servers.call.not_written", reason=system_reason(error)))
        problem = "" if self._path is not None else self._problem
        return ReadLine(self._head, self._size, self._tail, self._path, problem)


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
