"""One process in a thread of its own: starting it, moving its bytes, keeping its time, ending it.

Contract: no loop waits for a start or for a pipe. The thread calls everything that a subclass makes of its
process: `_spawn`, `_begin`, `_take`, `_turn`, `_collect`, and `_ended` exactly once and last. `write`,
`resume`, `stop` and `wake` may come from any thread. (A loop's own subprocess support would start programs
on the loop, and under qasync every chunk would be a Qt event; and the kernel's tie between parent and child
is one to the thread that started it.)

A `GuardedProcess` runs under the runner's `guard.py`, so that nothing of it outlives the pump, nor Partner's
death by SIGKILL: the guard watches one end of a socket, `life`, and tells there how the command fares.
"""

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
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from functools import partial
from pathlib import Path
from typing import IO, Literal

from partner_desktop.base import log

_log = log.area("process")

CHUNK_BYTES = 64 * 1024
"""How much is read from a pipe at once."""
KILL_TIMEOUT_S = 4.0
"""For the end of what was killed."""
_DRAIN_S = 0.2
"""For what still lies in the pipes when the process is gone."""

_Output = Literal["stdout", "stderr"]


class ProcessPump(ABC):
    """One process; see the module's contract."""

    def __init__(self) -> None:
        self._wake, self._woken = socket.socketpair()
        self._woken.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._open = contextlib.ExitStack()
        """What is closed when the process is gone, the latest first."""
        self._open.callback(self._selector.close)
        self._open.callback(self._close_wake)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stdin: IO[bytes] | None = None
        self._pending = bytearray()
        self._close_when_sent = False
        self._open_outputs = 0
        self._paused: IO[bytes] | None = None
        self._room = True
        self._stop_asked = self._over = False
        self._due = math.inf
        self._when_due: Callable[[], None] = lambda: None

    # From any thread.

    def _start(self, name: str, context: Context | None = None) -> None:
        """Begin, on a thread of its own."""
        main = (context or Context()).run
        threading.Thread(target=main, args=(self._main,), name=name, daemon=True).start()

    def write(self, data: bytes) -> bool:
        """Send; whether its input is not clogged. What it does not take at once is sent later.

        Raises:
            BrokenPipeError: Its input is closed.
        """
        with self._lock:
            if self._stop_asked or self._over:
                raise BrokenPipeError
            if self._stdin is not None and not self._pending:
                data = data[_written(self._stdin, data) :]
            self._pending += data
            clogged = bool(self._pending)
        if clogged:
            self.wake()
        return not clogged

    def resume(self) -> None:
        """There is room for output again."""
        self._room = True
        self.wake()

    def stop(self) -> None:
        """End it; `_ended` tells when that is done."""
        self._stop_asked = True
        self.wake()

    def wake(self) -> None:
        """Let the thread look at what is different now."""
        with self._lock, contextlib.suppress(OSError):  # it is full, so it wakes anyway; or all is over
            self._wake.send(b"\0", socket.MSG_DONTWAIT)

    def _close_wake(self) -> None:
        with self._lock:  # else a late byte might go to whoever got the descriptor
            self._over = True
            self._wake.close()
            self._woken.close()

    # What a subclass makes of it.

    @abstractmethod
    def _spawn(self) -> subprocess.Popen[bytes]:
        """Start it, with pipes that are not buffered."""

    def _begin(self) -> None:  # noqa: B027 - only who has more to watch needs it
        """It runs, and its pipes are watched."""

    @abstractmethod
    def _take(self, output: _Output, chunk: bytes) -> bool:
        """It wrote this; `b""`: nothing more will come. Whether more is taken; only stdout may say no."""

    def _turn(self) -> float:
        """Something happened, or the seconds went by that this returned: for ever idle after infinity."""
        return math.inf

    @abstractmethod
    def _ended(self, failure: Exception | None) -> None:
        """It is gone, with all of its pipes; or could not be started, or be kept: `failure`."""

    # In the thread.

    def _main(self) -> None:
        failure: Exception | None = None
        try:
            with self._open:
                self._run()
        except Exception as error:  # noqa: BLE001 - a thread's end: whoever waits must hear of it
            failure = error
        self._ended(failure)

    def _run(self) -> None:
        process = self._process = self._spawn()
        try:
            self._pump(process)
        finally:
            with self._lock:
                self._stdin = None
            self._collect(process)

    def _pump(self, process: subprocess.Popen[bytes]) -> None:
        self._selector.register(self._woken, selectors.EVENT_READ, self._look_around)
        outputs: tuple[tuple[_Output, IO[bytes] | None], ...] = (
            ("stdout", process.stdout),
            ("stderr", process.stderr),
        )
        for name, stream in outputs:
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
                self._selector.register(stream, selectors.EVENT_READ, partial(self._read, name, stream))
                self._open_outputs += 1
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            with self._lock:
                self._stdin = process.stdin
        self._begin()
        self._flush()
        turn_s = math.inf
        while not self._over:
            wait_s = max(0.0, min(self._due - time.monotonic(), turn_s))
            for key, _ in self._selector.select(None if wait_s == math.inf else wait_s):
                key.data()
            turn_s = self._turn()
            if time.monotonic() >= self._due:
                self._when_due()

    def _in(self, seconds: float, work: Callable[[], None]) -> None:
        """Do this next when time has passed, and nothing that was due before."""
        self._due, self._when_due = time.monotonic() + seconds, work

    def _finish(self) -> None:
        self._over = True

    def _read(self, name: _Output, stream: IO[bytes]) -> None:
        chunk = read_now(stream)
        if chunk is None:
            return
        if name == "stdout":
            self._room = False
        more = self._take(name, chunk)
        if not chunk:
            self._selector.unregister(stream)
            self._open_outputs -= 1
            self._look()
        elif not more and not self._stop_asked:
            self._selector.unregister(stream)
            self._paused = stream
            self._read_on()  # room may have come while the chunk was taken

    def _read_on(self) -> None:
        stream = self._paused
        if stream is not None and (self._room or self._stop_asked):
            self._paused = None
            self._selector.register(stream, selectors.EVENT_READ, partial(self._read, "stdout", stream))

    def _look_around(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)
        self._read_on()
        self._flush()

    def _flush(self) -> None:
        """Write what waits; listen for room in the pipe while there is something, and only then."""
        stream = self._stdin
        if stream is None:
            return
        with self._lock:
            del self._pending[: _written(stream, self._pending)]
            waits = stream.fileno() in self._selector.get_map()
            if self._pending and not waits:
                self._selector.register(stream, selectors.EVENT_WRITE, self._flush)
            elif not self._pending and waits:
                self._selector.unregister(stream)
        if self._close_when_sent and not self._pending:
            self._close_stdin()

    def _close_stdin(self) -> None:
        with self._lock:
            stream, self._stdin = self._stdin, None
            if stream is not None:
                if stream.fileno() in self._selector.get_map():
                    self._selector.unregister(stream)
                stream.close()

    def _look(self) -> None:  # noqa: B027 - only a guard says more than the outputs
        """An output was closed, or the guard said something."""

    def _collect(self, process: subprocess.Popen[bytes]) -> None:
        """Close the pipes and wait for the end, which has come or is forced."""
        close_pipes(process)
        for _ in range(2):
            try:
                process.wait(KILL_TIMEOUT_S / 2)
            except subprocess.TimeoutExpired:
                process.kill()
            else:
                return
        _log.error("process %d cannot be killed", process.pid)


class GuardedProcess(ProcessPump):
    """One command under the guard; `name` is said where the guard itself must be killed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._life, self._guard_end = socket.socketpair()
        for part in (self._life, self._guard_end):
            self._open.callback(part.close)
        self._told = b""

    def _popen(
        self,
        guarded: Callable[[int], Sequence[str]],
        *,
        has_stdin: bool = True,
        keeps_output: bool = True,
        cwd: str | Path,
        env: Mapping[str, str] | None,
        fds: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        """Start what `guarded` makes of the descriptor of the guard's end."""
        life = self._guard_end.fileno()
        output = subprocess.PIPE if keeps_output else subprocess.DEVNULL
        process = subprocess.Popen(
            guarded(life),
            stdin=subprocess.PIPE if has_stdin else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            bufsize=0,
            cwd=cwd,
            env=env,
            pass_fds=(life, *fds),
            start_new_session=True,
        )
        self._guard_end.close()
        return process

    def _begin(self) -> None:
        self._selector.register(self._life, selectors.EVENT_READ, self._listen)

    def _listen(self) -> None:
        """The guard said something, or is gone."""
        try:
            data = self._life.recv(4096)
        except ConnectionError:
            data = b""
        self._told += data
        self._heard(gone=not data)
        if not data:
            self._selector.unregister(self._life)
            if not self._command_ended():  # it was killed itself; its child died with it, on Linux
                self._kill_group()
            self._in(_DRAIN_S, self._finish)
        self._look()

    def _heard(self, *, gone: bool) -> None:
        """The report is longer now, or complete."""

    def _look(self) -> None:
        """Nothing more is to come once the outputs are closed and the guard is gone."""
        if self._open_outputs == 0 and self._when_due == self._finish:
            self._finish()

    def _report(self) -> dict[str, str]:
        """The guard's lines so far: `pid`, `exit`, `signal`, `errno`, `stopped`."""
        words = [line.partition(b" ") for line in self._told.split(b"\n")[:-1]]
        return {name.decode(): value.decode() for name, _, value in words}

    def _command_ended(self) -> bool:
        """Whether the command came to an end, or never began."""
        return bool(self._report().keys() & {"exit", "signal", "errno"})

    def _number(self, name: str) -> int | None:
        found = self._report().get(name)
        return int(found) if found is not None else None

    def _terminate(self, grace_s: float) -> None:
        """Ask the command to end: the guard passes it on, and kills what is left after its grace."""
        assert self._process is not None
        self._process.terminate()
        self._in(grace_s + KILL_TIMEOUT_S, self._end_now)

    def _shut_life(self) -> None:
        with contextlib.suppress(OSError):  # it has ended
            self._life.shutdown(socket.SHUT_WR)

    def _end_now(self) -> None:
        self._shut_life()
        self._in(KILL_TIMEOUT_S, self._give_up)

    def _give_up(self) -> None:
        _log.error("the guard of %s did not end; it is killed", self._name)
        assert self._process is not None
        self._process.kill()
        self._kill_group()
        self._finish()

    def _kill_group(self) -> None:
        """For when the guard itself cannot do it."""
        pid = self._number("pid")
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


def read_now(stream: IO[bytes]) -> bytes | None:
    """What is there now; empty at the end, `None` when there is nothing yet."""
    try:
        return os.read(stream.fileno(), CHUNK_BYTES)
    except BlockingIOError:
        return None


def close_pipes(process: subprocess.Popen[bytes]) -> None:
    """All that are there."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _written(stream: IO[bytes], data: bytes | bytearray) -> int:
    """How much of it the pipe took; all of it if nobody reads any more."""
    if not data:
        return 0
    try:
        return os.write(stream.fileno(), data[:CHUNK_BYTES])
    except BlockingIOError:
        return 0
    except (OSError, ValueError):  # it closed its stdin; its end says the rest
        return len(data)
