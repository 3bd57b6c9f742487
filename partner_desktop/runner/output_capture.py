"""Capture: what a program prints, cut to what is shown, and whole in a file where it is longer than that."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import BinaryIO

from partner_desktop.base import log, private
from partner_desktop.base.process_pump import CHUNK_BYTES
from partner_desktop.runner.live_output import from_a_character, readable, whole_characters

_log = log.area("process")


class Capture:
    """One output stream: its head, its tail, and the whole on disk once it is too long."""

    def __init__(
        self, head_bytes: int, tail_bytes: int, *, path: Path | None = None, spill_bytes: int = 0
    ) -> None:
        self._head_bytes, self._tail_bytes = head_bytes, tail_bytes
        self._head, self._tail = bytearray(), bytearray()
        self._path, self._room = path, spill_bytes
        self._file: BinaryIO | None = None
        self.total = 0
        self.spilled: Path | None = None

    @property
    def truncated(self) -> bool:
        return self.total > self._head_bytes + self._tail_bytes

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.total += len(chunk)
        split = self._head_bytes - len(self._head)
        self._head += chunk[:split]
        self._tail += chunk[split:]
        if self.truncated and self._path is not None:
            self._spill(chunk)
        if len(self._tail) > self._tail_bytes + CHUNK_BYTES:
            del self._tail[: -self._tail_bytes]

    def _spill(self, chunk: bytes) -> None:
        assert self._path is not None
        try:
            if self._file is None:
                private.make_folder(self._path.parent)
                private.claim(self._path)
                self._file = self._path.open("wb")
                self.spilled, chunk = self._path, bytes(self._head + self._tail)
            self._file.write(chunk[: self._room])
            self._room = max(0, self._room - len(chunk))
        except OSError as error:
            _log.warning("%s could not be written: %s", self._path.name, error.strerror)
            self._path = self.spilled = None

    def close(self) -> None:
        """Close the file on disk."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # the disk is full; what is there stays
                self._file.close()

    def text(self) -> tuple[str, bool]:
        """The text to show, and whether bytes in it were not UTF-8."""
        if not self.truncated:
            return readable(bytes(self._head + self._tail))
        head, head_damaged = readable(whole_characters(bytes(self._head)))
        tail, tail_damaged = readable(
            from_a_character(bytes(self._tail[len(self._tail) - self._tail_bytes :]))
        )
        left_out = self.total - self._head_bytes - self._tail_bytes
        return f"{head}\n… {left_out} bytes left out …\n{tail}", head_damaged or tail_damaged
