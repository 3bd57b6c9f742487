"""One command in the background: its process, its two logs, and what is known of it.

Contract of a log: the newest bytes are kept, at most `most_bytes` of them, in two files named by the offset
at which they begin; the older file goes when the newer one is full. Where the disk takes no more, what comes
is only counted. The run's thread writes, any thread reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from partner_desktop.base import log, private
from partner_desktop.base.errors import ActionError
from partner_desktop.base.text import cut
from partner_desktop.domain.command_session import CommandSession, SessionOutput, SessionState, Stream
from partner_desktop.runner.live_output import STREAMS, Pace, from_a_character, readable, whole_signs
from partner_desktop.runner.process_launch import LaunchSpec, OutputLimits, ProcessOutcome
from partner_desktop.runner.script_process import run_process

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


#: Between SIGTERM and SIGKILL.
GRACE_S = 0.2
#: Of the record that a run usually leaves, a session needs only the last line of stderr.
_OUTPUT = OutputLimits(stdout_bytes=4096, stderr_bytes=4096, spill_bytes=0, flood_bytes=0)


class RunningSession:
    """`session` is always as it is now; `changed` is called on the loop, at a pace, when it has printed."""

    def __init__(
        self, session: CommandSession, folder: Path, changed: Callable[[RunningSession], None]
    ) -> None:
        self.session = session
        self.logs: dict[Stream, StreamLog] = {stream: StreamLog(folder, stream) for stream in STREAMS}
        self.task: asyncio.Task[None] | None = None
        self.cancelled = False
        """Somebody ended it."""
        self.begun = asyncio.Event()
        """Its process is there, or never will be."""
        self.failure: ActionError | None = None
        """Why it could not be started."""
        self._folder = folder
        self._changed = changed

    @property
    def over(self) -> bool:
        return self.session.state is not SessionState.RUNNING

    @property
    def unsettled(self) -> bool:
        """It runs, or its end is being written down."""
        return self.task is not None and not self.task.done()

    async def run(self, argv: Sequence[str], *, timeout_s: float) -> None:
        """Run to the end; a cancellation of this asks the command to end, kills it, and is raised on."""
        pace, throttle = Pace(self._printed), Throttle()

        def keep(stream: Stream, chunk: bytes) -> None:
            self.logs[stream].write(chunk)
            pace.wake()
            throttle.pass_on(len(chunk))

        spec = LaunchSpec(
            argv=tuple(argv),
            spill_dir=self._folder,
            cwd=self.session.cwd,
            timeout_s=timeout_s,
            grace_s=GRACE_S,
            polite=True,
            output=_OUTPUT,
            on_bytes=keep,
        )
        try:
            outcome = await run_process(spec, on_start=lambda _: self.begun.set())
        except asyncio.CancelledError:
            self._end(SessionState.CANCELLED if self.cancelled else SessionState.LOST)
            raise
        except ActionError as error:
            self.failure = None if self.begun.is_set() else error
            self._end(SessionState.FAILED, error=str(error))
        else:
            self._ended(outcome)
        finally:
            pace.close()
            self.begun.set()

    def _ended(self, outcome: ProcessOutcome) -> None:
        well = outcome.exit_code == 0 and outcome.stopped_by is None
        state = SessionState.ENDED if well else SessionState.FAILED
        self._end(state, error=outcome.error, exit_code=outcome.exit_code)

    def _end(self, state: SessionState, *, error: str = "", exit_code: int | None = None) -> None:
        self.session = replace(self._counted(), state=state, error=error, exit_code=exit_code)

    def _printed(self) -> None:
        if not self.over:
            self.session = self._counted()
            self._changed(self)

    def _counted(self) -> CommandSession:
        return replace(
            self.session,
            stdout_bytes=self.logs["stdout"].total,
            stderr_bytes=self.logs["stderr"].total,
        )


#: Nobody reads faster. What prints more waits for its pipe, as it would for a slow terminal.
BYTES_PER_S = 20 * 1024**2

_WINDOW_S = 0.1


class Throttle:
    """Of one run's thread. Without it an endless printer would keep a disk and a processor busy for ever."""

    def __init__(self, *, bytes_per_s: int = BYTES_PER_S) -> None:
        self._allowed = int(bytes_per_s * _WINDOW_S)
        self._since = time.monotonic()
        self._passed = 0

    def pass_on(self, size_bytes: int) -> None:
        """So much was printed; returns when more may come. Blocking, for a tenth of a second at most."""
        now = time.monotonic()
        if now - self._since >= _WINDOW_S:
            self._since, self._passed = now, 0
        self._passed += size_bytes
        if self._passed >= self._allowed:
            time.sleep(max(0.0, self._since + _WINDOW_S - now))


LINES = 5
#: Characters of the whole excerpt.
MOST_CHARACTERS = 2_048

_LOOK_BYTES = 16 * 1024
_GAP = "…"


def output_excerpt(log: StreamLog, *, ended: bool) -> str:
    """The first and last five lines. Blocking."""
    head = log.read(0, _LOOK_BYTES, ended=ended)
    tail = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=ended) if head.next_offset < log.total else head
    first, last = head.text.splitlines(), tail.text.splitlines()
    whole = tail is head and head.lost_bytes == 0
    if whole and len(first) <= 2 * LINES:
        return _fitted(first, [])
    return _fitted(first[:LINES], last[-LINES:])


def last_lines(log: StreamLog) -> str:
    """The last five lines that say something, of a command that has ended. Blocking."""
    text = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=True).text
    return _fitted([], [line for line in text.splitlines() if line.strip()][-LINES:])


def _fitted(first: list[str], last: list[str]) -> str:
    """Both, with long lines shortened so that each gets its share."""
    between = [_GAP] if first and last else []
    share = MOST_CHARACTERS // max(1, len(first) + len(last) + len(between)) - 1
    return "\n".join([*(cut(line, share) for line in first), *between, *(cut(line, share) for line in last)])
