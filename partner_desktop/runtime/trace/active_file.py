"""The file that records go into now. Blocking; one owner, the writer's thread."""

from __future__ import annotations

import contextlib
import json
import os
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.runtime.trace import archive

#: A file is closed when its first record is this old, so that whole files grow old enough to be removed.
_LONGEST = timedelta(days=1)
_CHUNK = 1 << 20
_PRIVATE = 0o600


@dataclass(frozen=True)
class Limits:
    """When a file is full, and how much of the full ones is kept."""

    file_bytes: int
    file_records: int
    total_bytes: int
    days: int


class ActiveFile:
    """Opened with the first record, after each rotation, and again where somebody removed it."""

    def __init__(self, folder: Path, *, clock: Clock) -> None:
        self._folder = folder
        self._path = folder / archive.ACTIVE
        self._clock = clock
        self._handle: int | None = None
        self._size = 0
        self._records = 0
        self._begun: datetime | None = None

    def append(self, lines: deque[bytes], limits: Limits) -> None:
        """Write every line, whole; what is written leaves `lines`. Full files are set aside on the way.

        Raises:
            OSError: The disk is full or may not be written; what is left in `lines` was not written at all.
        """
        while lines:
            self._open()
            if self._is_full(len(lines[0]), limits):
                self.rotate(limits)
                continue
            chunk = self._fitting(lines, limits)
            self._put(b"".join(chunk))
            self._records += len(chunk)
            for _ in chunk:
                lines.popleft()

    def rotate(self, limits: Limits) -> None:
        """Set the file aside and tidy up.

        Raises:
            OSError: It cannot be renamed.
        """
        self.close()
        archive.set_aside(self._folder)
        self.tidy(limits)

    def tidy(self, limits: Limits) -> None:
        """Compress and remove old files; what cannot be done now is done with the next file."""
        with contextlib.suppress(OSError):
            archive.compress(self._folder)
        room = max(0, limits.total_bytes - limits.file_bytes)
        with contextlib.suppress(OSError):
            archive.prune(self._folder, keep_bytes=room, keep_days=limits.days, now=self._clock.now())

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _is_full(self, more_bytes: int, limits: Limits) -> bool:
        if not self._records:
            return False
        old = self._begun is not None and self._clock.now() - self._begun >= _LONGEST
        return old or self._records >= limits.file_records or self._size + more_bytes > limits.file_bytes

    def _fitting(self, lines: deque[bytes], limits: Limits) -> list[bytes]:
        """The lines from the front that still have room; at least one."""
        chunk: list[bytes] = []
        size = self._size
        for line in lines:
            size += len(line)
            if chunk and (size > limits.file_bytes or self._records + len(chunk) >= limits.file_records):
                break
            chunk.append(line)
        return chunk

    def _put(self, data: bytes) -> None:
        assert self._handle is not None
        if self._begun is None:
            self._begun = self._clock.now()
        done = 0
        try:
            while done < len(data):
                done += os.write(self._handle, data[done:])
        except OSError:
            with contextlib.suppress(OSError):  # no half of a line stays
                os.ftruncate(self._handle, self._size)
            self.close()
            raise
        self._size += done

    def _open(self) -> None:
        if self._handle is not None and self._is_in_place(self._handle):
            return
        self.close()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        self._handle = os.open(self._path, flags, _PRIVATE)
        try:
            self._take_stock(self._handle)
        except BaseException:
            self.close()
            raise

    def _is_in_place(self, handle: int) -> bool:
        """Whether the folder still shows the file that is open."""
        try:
            return os.path.samestat(os.fstat(handle), self._path.stat())
        except OSError:
            return False

    def _take_stock(self, handle: int) -> None:
        """Count what is there; a line that a crash tore gets its end, so that the next one is whole."""
        os.fchmod(handle, _PRIVATE)
        self._size = self._records = 0
        first = last = b""
        while chunk := os.pread(handle, _CHUNK, self._size):
            first = first or chunk.split(b"\n", 1)[0]
            self._size += len(chunk)
            self._records += chunk.count(b"\n")
            last = chunk[-1:]
        self._begun = _time_of(first) if first else None
        if last not in (b"", b"\n"):
            self._size += os.write(handle, b"\n")
            self._records += 1


def _time_of(line: bytes) -> datetime | None:
    try:
        found = datetime.fromisoformat(json.loads(line)["at"])
    except (ValueError, KeyError, TypeError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
