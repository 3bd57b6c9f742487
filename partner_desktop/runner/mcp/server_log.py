"""What a server writes for people: made harmless, shortened, kept in memory and in a file.

Contract of the file: `add` is called on the loop and returns at once; a task writes the lines down, many at
a time. A server that writes faster than the disk takes it loses its oldest lines, never Partner's memory. A
disk that refuses is logged once; what is in memory can still be read.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from partner_desktop.base import log, private
from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.text import cut
from partner_desktop.runner.live_output import ANSI
from partner_desktop.runner.mcp.configuration.secrets import KnownSecrets

LINE_CHARACTERS = 2000
LAST_LINES = 20
_PER_S, _BURST = 100.0, 500

#: Control characters, marks that turn a line around, half characters.
_UNSHOWN_RANGES = (
    (0x00, 0x20), (0x7F, 0xA0), (0x061C, 0x061D), (0x200E, 0x2010), (0x2028, 0x202F), (0x2066, 0x206A),
    (0xD800, 0xE000),
)  # fmt: skip
_UNSHOWN = dict.fromkeys(code for first, end in _UNSHOWN_RANGES for code in range(first, end))
_MANY_LINES = dict.fromkeys(code for code in _UNSHOWN if chr(code) not in "\n\t")


def harmless_line(text: str, limit: int = LINE_CHARACTERS) -> str:
    """The text as one harmless line."""
    return cut(ANSI.sub("", text[: 4 * limit]).replace("\t", " ").translate(_UNSHOWN).rstrip(), limit)


def harmless_text(text: str, limit: int) -> str:
    """The text with its lines, without what drives a terminal."""
    return cut(ANSI.sub("", text[: 4 * limit]).replace("\r\n", "\n").translate(_MANY_LINES).strip(), limit)


class ServerLog:
    """Passes lines on to `write`, as many as a person could ever read. From any thread; to the loop.

    None of them holds what the configuration keeps secret.
    """

    def __init__(self, write: Callable[[str], None], secrets: KnownSecrets) -> None:
        self._secrets = secrets
        self._write, self._loop = write, asyncio.get_running_loop()
        self._rate_limit = RateLimit(_PER_S, _BURST)
        self._lock = threading.Lock()
        self._last: deque[bytes] = deque(maxlen=LAST_LINES)

    @property
    def last(self) -> tuple[str, ...]:
        """The last lines of stderr, oldest first."""
        return tuple(self._shown(data) for data in tuple(self._last))

    @property
    def floods(self) -> bool:
        """Whether more comes than is passed on."""
        return self._rate_limit.exhausted

    def stderr(self, data: bytes) -> None:
        """A line that the server wrote to stderr."""
        if data.strip():
            self._last.append(data[: 4 * LINE_CHARACTERS])
            self._pass_on("", data)

    def stdout(self, data: bytes) -> None:
        """A line on stdout that is no message."""
        self._pass_on("(stdout) ", data)

    def say(self, text: str) -> None:
        """Any other line."""
        self._pass_on(text, b"")

    def _pass_on(self, text: str, data: bytes) -> None:
        with self._lock:
            left_out = self._rate_limit.refused
            if not self._rate_limit.take():
                return
            self._rate_limit.refused = 0
        if left_out:
            self._in_loop(f"({left_out} lines left out: it writes more than {_PER_S:g} a second)")
        self._in_loop(self._shown(text.encode("utf-8", "replace"), data))

    def _shown(self, text: bytes, data: bytes = b"") -> str:
        """The line, masked before anything of it is cut off: half a secret would not be known."""
        most = 4 * LINE_CHARACTERS
        words = [part[:most].decode("utf-8", "replace") for part in (text, data)]
        if len(text) >= most or len(data) >= most:
            words[-1 if data else 0] = words[-1 if data else 0][: -self._secrets.longest or None]
        return harmless_line("".join(self._secrets.masked(ANSI.sub("", word)) for word in words))

    def _in_loop(self, line: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed under the server
            self._loop.call_soon_threadsafe(self._write, line)


_JUST_NOW_S = 0.25


class RateLimit:
    """`burst` at once, and `per_s` of them for ever."""

    def __init__(self, per_s: float, burst: int) -> None:
        self._per_s, self._burst = per_s, burst
        self._left = float(burst)
        self._at = time.monotonic()
        self._refused_at = -math.inf
        self.refused = 0
        """How many were refused since somebody last set this to 0."""

    @property
    def exhausted(self) -> bool:
        """Whether one was refused just now."""
        return time.monotonic() - self._refused_at < _JUST_NOW_S

    def take(self) -> bool:
        """Whether one more may come; it counts if it may."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            self.refused += 1
            self._refused_at = now
            return False
        self._left -= 1
        return True


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
