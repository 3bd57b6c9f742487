"""ServerLogFile: what one external server wrote to stderr and told as log messages, in memory and in a file.

Contract: `add` is called on the loop and returns at once; a task writes the lines down, many at a time. A
server that writes faster than the disk takes it loses its oldest lines, never Partner's memory. A disk that
refuses is logged once; what is in memory can still be read.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import deque
from pathlib import Path
from urllib.parse import quote

from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import TaskSet

_log = log.area("mcp")

#: What is kept in memory, and what waits for the disk, in characters.
KEPT = 64 * 1024
#: A file that has grown beyond this becomes `….log.1`, and a new one begins.
_FILE_BYTES = 1024 * 1024
_LINE = 4096
_NAME_BYTES = 120
#: Seconds that the disk is given at the end.
_CLOSE_S = 1.0


class _Ring:
    """The newest lines, in so many characters at most."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque()
        self._size = 0

    def add(self, line: str) -> None:
        self.lines.append(line)
        self._size += len(line) + 1
        while self._size > KEPT:
            self._size -= len(self.lines.popleft()) + 1

    def take(self) -> list[str]:
        """Everything, which is gone from here then."""
        lines = list(self.lines)
        self.lines.clear()
        self._size = 0
        return lines


class ServerLogFile:
    """The log of one server; closed by whoever made it."""

    def __init__(self, folder: Path, server: str, *, clock: Clock) -> None:
        self._path = folder / f"{file_stem(server)}.log"
        self._clock = clock
        self._ring = _Ring()
        self._unwritten = _Ring()
        self._tasks = TaskSet(f"log of {server}")
        self._writing: asyncio.Task[None] | None = None
        self._refused = False

    def add(self, line: str) -> None:
        """Take one line; control characters in it become harmless."""
        stamp = self._clock.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
        shown = f"{stamp} {log.harmless(line.rstrip()[:_LINE])}"
        self._ring.add(shown)
        self._unwritten.add(shown)
        if self._writing is None or self._writing.done():
            self._writing = self._tasks.start("write", self._write_all())

    async def open(self) -> None:
        """Take up what earlier runs of Partner left; before the first `add`."""
        for line in await asyncio.to_thread(_tail, self._path):
            self._ring.add(line)

    def text(self) -> str:
        """The newest lines, newest last, at most `KEPT` characters."""
        return "".join(f"{line}\n" for line in self._ring.lines)

    async def written(self) -> None:
        """Wait until everything is in the file, within limits."""
        if self._writing is not None and not self._writing.done():
            await asyncio.wait([self._writing], timeout=_CLOSE_S)

    async def close(self) -> None:
        """Write down what is still to be written."""
        await self.written()
        await self._tasks.close()

    async def _write_all(self) -> None:
        while lines := self._unwritten.take():
            try:
                await asyncio.to_thread(_append, self._path, "".join(f"{line}\n" for line in lines))
            except OSError as error:
                if not self._refused:
                    self._refused = True
                    _log.warning("%s cannot be written (%s)", self._path.name, error.strerror)


def file_stem(server: str) -> str:
    """A file name for a server's id, whatever stands in it."""
    name = quote(server, safe=" @+,=()")
    if len(name) <= _NAME_BYTES and name.strip(". "):
        return name
    return f"{name[:_NAME_BYTES]}-{hashlib.sha256(os.fsencode(server)).hexdigest()[:12]}"


def _append(path: Path, text: str) -> None:
    """Blocking."""
    private.make_folder(path.parent)
    with open(path, "a", encoding="utf-8", opener=private.opener) as file:
        file.write(text)
        full = file.tell() > _FILE_BYTES
    if full:
        path.replace(path.with_name(f"{path.name}.1"))


def _tail(path: Path) -> list[str]:
    """Blocking. The last lines of the file; none where it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - KEPT))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return lines if size <= KEPT else lines[1:]
