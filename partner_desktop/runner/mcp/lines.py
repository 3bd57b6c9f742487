"""Lines of any length: short ones in memory, long ones in a file while they come.

A line that is longer than `keep_bytes` is never held whole: its head and its tail are, and the whole goes to
a file if `spill` names a folder for it. Nothing is copied twice, so a long line costs time in proportion.
Not for two threads at once; a feed may write to the disk.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from partner_desktop.base import private

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
    problem: str = ""
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
            self._long.give_up("it was cut off")
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
        self._problem = "no call was waiting for it"
        if folder is not None:
            self._open(folder)
        self.add(begun)

    def _open(self, folder: Path) -> None:
        self._path = folder / f"answer-{next(_numbers)}.json"
        try:
            private.make_folder(folder)
            self._file = open(self._path, "xb", opener=private.opener)  # noqa: SIM115 - closed by `finish`
        except OSError as error:
            self.give_up(f"it could not be written to the disk ({error.strerror})")

    def add(self, piece: bytes) -> None:
        self._size += len(piece)
        self._tail = (self._tail + piece[-TAIL_BYTES:])[-TAIL_BYTES:]
        if self._file is None:
            return
        if self._size > self._limit:
            self.give_up(f"it is longer than {self._limit >> 20} MB")
            return
        try:
            self._file.write(piece)
        except OSError as error:
            self.give_up(f"it could not be written to the disk ({error.strerror})")

    def give_up(self, problem: str) -> None:
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
                self.give_up(f"it could not be written to the disk ({error.strerror})")
        problem = "" if self._path is not None else self._problem
        return ReadLine(self._head, self._size, self._tail, self._path, problem)
