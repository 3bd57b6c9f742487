"""StreamLog: one stream of a command in the background, in files, read by the offset of a byte.

Contract: the newest bytes are kept, at most `most_bytes` of them, in two files named by the offset at which
they begin; the older file goes when the newer one is full. Where the disk takes no more, what comes is only
counted. The run's thread writes, any thread reads.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import BinaryIO

from partner_desktop.base import log, private
from partner_desktop.domain.command_session import SessionOutput, Stream
from partner_desktop.runner.live_output import from_a_character, readable, whole_signs

_log = log.area("sessions")

#: On disk, of one stream.
MOST_BYTES = 16 * 1024**2
#: A piece holds at least so much: a character and a terminal code fit in.
_LEAST_PIECE_BYTES = 64
_MOST_PIECE_BYTES = 256 * 1024


class StreamLog:
    """`folder` is made with the first byte. What an earlier run of Partner left there is read as it lies."""

    def __init__(self, folder: Path, stream: Stream, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._stream = stream
        self._half = most_bytes // 2
        self._lock = threading.Lock()
        self._parts: list[tuple[int, Path]] = []
        """Where each file begins; the oldest first."""
        self._file: BinaryIO | None = None
        self._kept_to = 0
        self._full = False
        self.total = 0

    def find(self) -> None:
        """Take up what lies there. Blocking."""
        found = sorted((int(path.suffix[1:]), path) for path in self._folder.glob(f"{self._stream}.[0-9]*"))
        with self._lock:
            self._parts = found
            if found:
                begin, newest = found[-1]
                self.total = self._kept_to = begin + newest.stat().st_size

    def write(self, chunk: bytes) -> None:
        """The next bytes of the stream; never raises. Blocking."""
        with self._lock:
            if not self._full:
                try:
                    self._keep(chunk)
                except OSError as error:
                    _log.warning("what a command prints cannot be kept: %s", error.strerror)
                    self._full = True
            self.total += len(chunk)

    def _keep(self, chunk: bytes) -> None:
        while chunk:
            begin = self._parts[-1][0] if self._parts else 0
            room = self._half - (self._kept_to - begin)
            if self._file is None or room <= 0:
                self._begin_file()
                room = self._half
            assert self._file is not None
            written = self._file.write(chunk[:room])
            self._kept_to += written
            chunk = chunk[written:]

    def _begin_file(self) -> None:
        self._close_file()
        private.make_folder(self._folder)
        path = self._folder / f"{self._stream}.{self._kept_to:012d}"
        self._file = open(path, "wb", buffering=0, opener=private.opener)  # noqa: SIM115 - closed by `close`
        self._parts.append((self._kept_to, path))
        for _, old in self._parts[:-2]:
            old.unlink(missing_ok=True)
        self._parts = self._parts[-2:]

    def close(self) -> None:
        """No more is to come; it can still be read. Blocking."""
        with self._lock:
            self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # what is there stays
                self._file.close()
            self._file = None

    def erase(self) -> None:
        """Remove the files. Blocking."""
        with self._lock:
            self._close_file()
            for _, path in self._parts:
                with contextlib.suppress(OSError):  # it is gone already
                    path.unlink()
            self._parts = []

    def read(self, offset: int, limit: int, *, ended: bool) -> SessionOutput:
        """A piece from a byte on; a negative offset counts from the end. Blocking.

        While the command runs, half a character or terminal code at the end waits for its other half.
        """
        limit = min(max(limit, _LEAST_PIECE_BYTES), _MOST_PIECE_BYTES)
        with self._lock:
            total, kept_to = self.total, self._kept_to
            begin = max(0, total + offset) if offset < 0 else min(offset, total)
            first = self._parts[0][0] if self._parts else kept_to
            at = min(max(begin, first), kept_to)
            data = self._bytes(at, limit)
        moved = at > begin
        if at > 0 and (offset < 0 or moved):
            at, data = at + len(data) - len(from_a_character(data)), from_a_character(data)
        if not (ended and at + len(data) >= kept_to):
            data = whole_signs(data) or (data if len(data) >= _LEAST_PIECE_BYTES else b"")
        reached = at + len(data)
        lost = at - begin if moved else 0
        if reached >= kept_to and total > kept_to:  # the disk was full from there on
            lost, reached = lost + total - max(begin, reached), total
        return SessionOutput(readable(data)[0], reached, ended and reached >= total, lost)

    def _bytes(self, at: int, limit: int) -> bytes:
        data = b""
        for begin, path in self._parts:
            if at + len(data) >= begin and len(data) < limit:
                with contextlib.suppress(OSError), path.open("rb") as file:
                    file.seek(at + len(data) - begin)
                    data += file.read(limit - len(data))
        return data
