"""TraceWriter: the Tracer that keeps what it is told, on a thread of its own.

Contract: `record` costs a few microseconds and never waits: it puts the record into a bounded queue. What
the queue has no room for, or the disk refuses, is counted, and the count is written down as a record `lost`.
The end of a turn is written at once, everything else within half a second. A disk that refuses pauses
writing; the person is told once, it is tried again after half a minute, and nothing else notices.

The settings are `config/trace.toml`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ConfigDict, Field

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.trace import Scalar, current_span, current_turn
from partner_desktop.config.handle import ConfigHandle, SettingsModel
from partner_desktop.runtime.trace import archive

_log = log.area("trace")

_MIB = 1024 * 1024
QUEUE_LIMIT = 20_000
#: Seconds in which records gather before they are written.
_GATHER_S = 0.5
#: Records that are written without waiting for more.
_MANY = 512
#: Seconds until a disk that refused is tried again.
RETRY_S = 30.0
_JOIN_S = 4.0
#: Names are short; anything longer is not one.
_LONGEST_VALUE = 200
_LAST_STATES = frozenset({"ended", "stopped"})


@dataclass(frozen=True)
class _Entry:
    at: datetime
    turn: str
    within: int
    kind: str
    fields: dict[str, Scalar]

    def line(self) -> bytes:
        body: dict[str, Scalar] = {"at": self.at.isoformat(timespec="microseconds"), "kind": self.kind}
        if self.turn:
            body["turn"] = self.turn
        if self.within:
            body["within"] = self.within
        for name, value in self.fields.items():
            body[name] = value[:_LONGEST_VALUE] if isinstance(value, str) else value
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str)
        return text.encode("utf-8", "replace") + b"\n"


class TraceWriter:
    """A part of the AgentContext, launched early, closed last. `on_trouble` gets a sentence, on the loop."""

    def __init__(
        self,
        folder: Path,
        settings: ConfigHandle[TraceSettings],
        *,
        clock: Clock,
        on_trouble: Callable[[str], None],
        queue_limit: int = QUEUE_LIMIT,
    ) -> None:
        self._folder = folder
        self._settings = settings
        self._clock = clock
        self._on_trouble = on_trouble
        self._queue_limit = queue_limit
        self._file = ActiveFile(folder, clock=clock)
        self._queue: deque[_Entry | Future[None]] = deque()
        self._dirty, self._hurry = threading.Event(), threading.Event()
        self._overflowed = 0
        """Counted by the loop alone; the thread remembers how many of them it has told."""
        self._overflow_told = 0
        self._unwritten = 0
        self._paused_until_s: float | None = None
        self._told_trouble = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    # On the loop.

    def record(self, kind: str, /, **fields: Scalar) -> None:
        """See `Tracer.record`."""
        if self._closed or not self._settings.value.enabled:
            return
        if len(self._queue) >= self._queue_limit:
            self._overflowed += 1
            return
        self._queue.append(
            _Entry(self._clock.now(), current_turn.get(), current_span.get(), kind, fields),
        )
        if not self._dirty.is_set():
            self._dirty.set()
        if fields.get("state") in _LAST_STATES or len(self._queue) >= _MANY:
            self._hurry.set()

    async def flush(self) -> None:
        """Return when everything recorded so far was written, or could not be."""
        if self._closed or self._thread is None:
            return
        written: Future[None] = Future()
        self._queue.append(written)
        self._hurry.set()
        self._dirty.set()
        await asyncio.wrap_future(written)

    async def launch(self) -> None:
        """Start the thread; the disk is not waited for."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name="trace", daemon=True)
        self._thread.start()

    async def shutdown(self) -> None:
        """Write what is left and end the thread; idempotent."""
        self._closed = True
        self._hurry.set()
        self._dirty.set()
        if self._thread is not None:
            thread, self._thread = self._thread, None
            await asyncio.to_thread(thread.join, _JOIN_S)

    # On the thread.

    def _work(self) -> None:
        if self._folder.is_dir():
            self._file.tidy(self._limits())
        while True:
            self._dirty.wait()
            self._hurry.wait(_GATHER_S)
            ending = self._closed  # before the queue is emptied: what came before the end is written
            self._dirty.clear()
            self._hurry.clear()
            try:
                self._drain()
            except Exception:  # noqa: BLE001 - the thread's own boundary: one bad record must not end the trace
                _log.exception("records could not be written")
            if ending:
                break
        self._file.close()

    def _drain(self) -> None:
        lines: deque[bytes] = deque()
        waiting: list[Future[None]] = []
        try:
            while self._queue:
                item = self._queue.popleft()
                if isinstance(item, Future):
                    waiting.append(item)
                else:
                    lines.append(item.line())
            if lines:
                self._store(lines)
        finally:
            for future in waiting:
                future.set_result(None)

    def _store(self, lines: deque[bytes]) -> None:
        overflowed = self._overflowed
        lost = self._unwritten + overflowed - self._overflow_told
        count = len(lines)
        if self._paused_until_s is not None and self._clock.monotonic_s() < self._paused_until_s:
            self._unwritten += count
            return
        if lost:
            lines.appendleft(_Entry(self._clock.now(), "", 0, "lost", {"records": lost}).line())
        try:
            self._file.append(lines, self._limits())
        except OSError as error:
            self._pause(error)
        if not lost or len(lines) <= count:  # the count itself was written
            self._unwritten, self._overflow_told = 0, overflowed
        else:
            lines.popleft()
        self._unwritten += len(lines)
        if not lines and self._paused_until_s is not None:
            self._paused_until_s = None
            _log.info("the trace is written again")

    def _pause(self, error: OSError) -> None:
        self._paused_until_s = self._clock.monotonic_s() + RETRY_S
        where, why = display_path(self._folder), error.strerror or str(error)
        if self._told_trouble or self._loop is None:
            return
        self._told_trouble = True
        _log.warning("the trace in %s is paused: %s", where, why)
        sentence = sentence_of("runtime.trace_unwritable", where=where, why=why)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there to be told
            self._loop.call_soon_threadsafe(self._on_trouble, sentence)

    def _limits(self) -> TraceLimits:
        now = self._settings.value
        total = now.total_mib * _MIB
        return TraceLimits(min(now.file_mib * _MIB, total), now.file_records, total, now.days)


#: A file is closed when its first record is this old, so that whole files grow old enough to be removed.
_LONGEST = timedelta(days=1)
_CHUNK = 1 << 20
_PRIVATE = 0o600


@dataclass(frozen=True)
class TraceLimits:
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

    def append(self, lines: deque[bytes], limits: TraceLimits) -> None:
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

    def rotate(self, limits: TraceLimits) -> None:
        """Set the file aside and tidy up.

        Raises:
            OSError: It cannot be renamed.
        """
        self.close()
        archive.set_file_aside(self._folder)
        self.tidy(limits)

    def tidy(self, limits: TraceLimits) -> None:
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

    def _is_full(self, more_bytes: int, limits: TraceLimits) -> bool:
        if not self._records:
            return False
        old = self._begun is not None and self._clock.now() - self._begun >= _LONGEST
        return old or self._records >= limits.file_records or self._size + more_bytes > limits.file_bytes

    def _fitting(self, lines: deque[bytes], limits: TraceLimits) -> list[bytes]:
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


class TraceSettings(SettingsModel):
    """What is kept of the course of past turns. It holds names, numbers and times, no words of yours."""

    model_config = ConfigDict(json_schema_extra={"section": "advanced", "place": 30})

    enabled: bool = Field(
        default=True,
        description="Whether the course of every turn is written down.",
    )
    file_mib: int = Field(
        default=16,
        ge=1,
        le=1_024,
        description="A trace file that reaches this size is closed and compressed.",
        json_schema_extra={"unit": "MiB"},
    )
    file_records: int = Field(
        default=2_000,
        ge=10,
        le=1_000_000,
        description="A trace file that holds this many records is closed and compressed.",
        json_schema_extra={"unit": "records"},
    )
    total_mib: int = Field(
        default=256,
        ge=1,
        le=65_536,
        description="All trace files together stay below this; the oldest go first.",
        json_schema_extra={"unit": "MiB"},
    )
    days: int = Field(
        default=14,
        ge=1,
        le=3_650,
        description="Trace files older than this are removed.",
        json_schema_extra={"unit": "days"},
    )
