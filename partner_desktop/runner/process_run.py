"""One run of one command in a thread of its own: starting it, moving its bytes, keeping its time."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO

from partner_desktop.base import log, private
from partner_desktop.base.errors import AskHumanError, TryAgainError
from partner_desktop.base.paths import display_path
from partner_desktop.domain.command_session import Stream
from partner_desktop.runner.endings import ending_sentence, last_line, not_started
from partner_desktop.runner.gate import Gate
from partner_desktop.runner.guarded_launch import (
    KILL_TIMEOUT_S,
    LINGER_S,
    guard_options,
    inside,
    reap,
)
from partner_desktop.runner.launch_spec import LaunchSpec, ProcessOutcome, StoppedBy, plain_environment
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.live_output import from_a_character, readable, whole_characters

_log = log.area("process")

_DRAIN_S = 0.2
_TICK_S = 0.25
_GUARD = Path(__file__).with_name("guard.py")
#: One start at a time: ten at once would compete with the loop for the interpreter.
_starting = threading.Lock()

#: The guard's words for the limits that it watches.
_LIMITS: dict[str, StoppedBy] = {"processes": "forks", "memory": "memory", "folder": "disk"}


class ProcessRun:
    """One run in its own thread. `on_start`, `on_bytes` and `on_end` are called there."""

    def __init__(
        self,
        spec: LaunchSpec,
        *,
        on_start: Callable[[int], None],
        on_end: Callable[[ProcessOutcome | Exception], None],
        on_bytes: Callable[[Stream, bytes], None] = lambda stream, chunk: None,
    ) -> None:
        self._spec, self._on_start, self._on_end, self._on_bytes = spec, on_start, on_end, on_bytes
        output = spec.output
        quarter = output.stdout_bytes // 4
        self._out = _capture(spec, "stdout", output.stdout_bytes - quarter, quarter)
        quarter = output.stderr_bytes // 4
        self._err = _capture(spec, "stderr", quarter, output.stderr_bytes - quarter)
        self._life, self._guard_end = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._program = spec.argv[0]
        self._pending = memoryview(spec.stdin)
        self._told = b""
        self._open_outputs = 0
        self._terminate: Callable[[], None] = lambda: None  # one that is just starting looks by itself
        self._stopped_by: StoppedBy | None = None
        self._due = math.inf
        self._when_due: Callable[[], None] = self._time_is_up
        self._over = False
        self._gate: Gate | None = None
        self._refusal: AskHumanError | None = None

    def start(self) -> None:
        """Begin, on the run's own thread."""
        name = f"run:{Path(self._spec.argv[0]).name}"
        threading.Thread(target=copy_context().run, args=(self._main,), name=name, daemon=True).start()

    def cancel(self) -> None:
        """End it now; from any thread, at any time."""
        self._stopped_by = self._stopped_by or "cancel"
        if self._spec.polite:
            self._terminate()
            return
        with contextlib.suppress(OSError):  # it has ended
            self._life.shutdown(socket.SHUT_WR)

    def _main(self) -> None:
        result: ProcessOutcome | Exception
        try:
            with contextlib.ExitStack() as stack:
                for part in (self._life, self._guard_end, self._selector, self._out, self._err):
                    stack.callback(part.close)
                result = self._run(stack)
        except OSError as error:
            result = not_started(error.errno, self._program)
        except Exception as error:  # noqa: BLE001 - a background thread's end: the waiting task raises it
            result = error
        if self._spec.finish is not None:
            with contextlib.suppress(OSError):  # what it left stays, unnamed
                self._spec.finish()
        self._on_end(result)

    def _run(self, stack: contextlib.ExitStack) -> ProcessOutcome:
        started = time.monotonic()
        fds: list[int] = []
        command = list(self._spec.argv)
        if self._spec.prepare is not None:
            self._spec.prepare()
        if (
            self._spec.sandbox is not None
        ):  # outside of the lock: a disk that does not answer holds only this run
            command, fds, self._gate = inside(self._spec.sandbox, self._spec.argv, stack)
        with _starting:
            if self._stopped_by is not None:
                raise TryAgainError("It was cancelled before it began.")
            self._process = self._spawn(command, fds)
            self._terminate = self._process.terminate
        self._on_start(self._process.pid)
        try:
            self._pump()
        finally:
            reap(self._process)
        if self._refusal is not None:
            raise self._refusal
        if self._gate is not None and "exit" in self._report() and not self._gate.passed:
            raise AskHumanError(f"The sandbox could not start the script: {last_line(self._err.text()[0])}.")
        return self._outcome(int((time.monotonic() - started) * 1000))

    def _spawn(self, command: list[str], fds: list[int]) -> subprocess.Popen[bytes]:
        spec = self._spec
        life = self._guard_end.fileno()
        self._program = command[0]
        output = subprocess.DEVNULL if spec.hand_over else subprocess.PIPE
        environment = spec.env if spec.env is not None else plain_environment()
        folder = "/" if spec.sandbox is not None else spec.cwd or os.path.expanduser("~")  # noqa: PTH111
        try:
            process = subprocess.Popen(
                [interpreter(), "-I", "-S", "-B", str(_GUARD), *guard_options(spec, life), "--", *command],
                stdin=subprocess.PIPE if spec.stdin else subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                bufsize=0,
                cwd=folder,
                env={"PATH": os.defpath} if spec.sandbox is not None else environment,
                pass_fds=(life, *fds),
                start_new_session=True,
            )
        except OSError as error:
            if not Path(folder).is_dir():
                raise AskHumanError(
                    f"The working folder {display_path(Path(folder))} is not there."
                ) from error
            raise not_started(error.errno, self._program) from error
        self._guard_end.close()
        return process

    def _pump(self) -> None:
        process = self._process
        self._selector.register(self._life, selectors.EVENT_READ, self._listen)
        if self._gate is not None:
            self._selector.register(self._gate.wait_fd, selectors.EVENT_WRITE, self._let_in)
        outputs: tuple[tuple[Stream, IO[bytes] | None, Capture], ...] = (
            ("stdout", process.stdout, self._out),
            ("stderr", process.stderr, self._err),
        )
        for name, stream, capture in outputs:
            if stream is not None:
                self._watch(stream, selectors.EVENT_READ, partial(self._read, name, stream, capture))
                self._open_outputs += 1
        if process.stdin is not None:
            self._watch(process.stdin, selectors.EVENT_WRITE, partial(self._write, process.stdin))
        self._in(self._spec.timeout_s, self._time_is_up)
        while not self._over:
            for key, _ in self._selector.select(max(0.0, min(self._due - time.monotonic(), _TICK_S))):
                key.data()
            if self._stopped_by == "cancel" and self._when_due == self._time_is_up:
                self._time_is_up() if self._spec.polite else self._end_now()
            if time.monotonic() >= self._due:
                self._when_due()

    def _watch(self, stream: IO[bytes], events: int, work: Callable[[], None]) -> None:
        os.set_blocking(stream.fileno(), False)
        self._selector.register(stream, events, work)

    def _in(self, seconds: float, work: Callable[[], None]) -> None:
        self._due, self._when_due = time.monotonic() + seconds, work

    def _read(self, name: Stream, stream: IO[bytes], capture: Capture) -> None:
        try:
            chunk = os.read(stream.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return
        if chunk:
            capture.feed(chunk)
            self._on_bytes(name, chunk)
            if 0 < self._spec.output.flood_bytes < self._out.total + self._err.total:
                self._stop("flood")
            return
        self._selector.unregister(stream)
        self._open_outputs -= 1
        self._look()

    def _write(self, stream: IO[bytes]) -> None:
        try:
            self._pending = self._pending[os.write(stream.fileno(), self._pending[:CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except OSError:  # it does not read its stdin
            self._pending = self._pending[:0]
        if not self._pending:
            self._selector.unregister(stream)
            stream.close()

    def _listen(self) -> None:
        """The guard said something, or is gone."""
        try:
            data = self._life.recv(4096)
        except ConnectionError:
            data = b""
        self._told += data
        if self._stopped_by is None and "stopped" in self._report():
            self._stopped_by = _LIMITS[self._report()["stopped"]]
        if not data:
            self._guard_is_gone()
        elif self._main_ended() and self._when_due == self._time_is_up:
            self._in(LINGER_S + KILL_TIMEOUT_S, self._end_now)
        self._look()

    def _let_in(self) -> None:
        """The sandbox stands, and waits to be looked at."""
        assert self._gate is not None
        self._selector.unregister(self._gate.wait_fd)
        try:
            self._gate.open()
        except AskHumanError as error:
            self._refusal = error
            self._end_now()

    def _guard_is_gone(self) -> None:
        self._selector.unregister(self._life)
        if not self._main_ended():  # it was killed itself; its child died with it, on Linux
            self._kill_group()
        self._in(_DRAIN_S, self._finish)

    def _look(self) -> None:
        """Nothing more is to come once the outputs are closed and the command has ended."""
        if self._open_outputs == 0 and self._when_due == self._finish:
            self._finish()
        elif self._open_outputs == 0 and self._main_ended() and self._when_due != self._give_up:
            self._end_now()

    def _time_is_up(self) -> None:
        self._stopped_by = self._stopped_by or "timeout"
        self._process.terminate()
        self._in(self._spec.grace_s + KILL_TIMEOUT_S, self._end_now)

    def _stop(self, reason: StoppedBy) -> None:
        if self._stopped_by is None:
            self._stopped_by = reason
            self._end_now()

    def _end_now(self) -> None:
        with contextlib.suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)
        self._in(KILL_TIMEOUT_S, self._give_up)

    def _give_up(self) -> None:
        _log.error("the guard of run %s did not end; it is killed", self._spec.argv[0])
        self._process.kill()
        self._kill_group()
        self._finish()

    def _kill_group(self) -> None:
        pid = self._report().get("pid")
        if pid is not None and not self._spec.hand_over:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(pid), signal.SIGKILL)

    def _finish(self) -> None:
        self._over = True

    def _report(self) -> dict[str, str]:
        words = [line.partition(b" ") for line in self._told.split(b"\n")[:-1]]
        return {name.decode(): value.decode() for name, _, value in words}

    def _main_ended(self) -> bool:
        return bool(self._report().keys() & {"exit", "signal", "errno"})

    def _outcome(self, duration_ms: int) -> ProcessOutcome:
        report, spec = self._report(), self._spec
        if "errno" in report:
            raise not_started(int(report["errno"]), self._program)
        code = int(report["exit"]) if "exit" in report else None
        number = int(report["signal"]) if "signal" in report else None
        if spec.sandbox is not None and code is not None and 128 < code <= 128 + signal.NSIG:
            number = code - 128  # how the sandbox passes a signal on
            code = None
        if spec.hand_over and self._stopped_by == "timeout":
            self._stopped_by, code = None, 0
        stdout, undecodable = self._out.text()
        stderr, _ = self._err.text()
        return ProcessOutcome(
            exit_code=code,
            signal=number,
            stdout=stdout,
            stderr=stderr,
            truncated=self._out.truncated,
            stdout_path=self._out.spilled,
            stderr_path=self._err.spilled,
            undecodable=undecodable,
            stopped_by=self._stopped_by,
            error=ending_sentence(spec, self._stopped_by, code, number, stderr),
            duration_ms=duration_ms,
        )


def _capture(spec: LaunchSpec, stream: Stream, head_bytes: int, tail_bytes: int) -> Capture:
    room = spec.output.spill_bytes
    path = spec.spill_dir / f"{stream}.txt" if room else None
    return Capture(head_bytes, tail_bytes, path=path, spill_bytes=room)


#: How much is read from a pipe at once.
CHUNK_BYTES = 64 * 1024


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
