"""The process of a stdio server in a thread of its own: starting it, moving its bytes, ending it.

Contract: the server runs under `guard.py`, so that nothing of it outlives the connection, nor Partner's death
by SIGKILL. The thread reads only while `on_output` takes what it is given; `on_stderr`, `on_output` and
`on_end` are called there, `on_end` exactly once and last. `write`, `resume` and `stop` may come from any
thread. Stopping goes as MCP has it: stdin closes, then SIGTERM after 2 s, then SIGKILL after 2 s more.
"""

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import selectors
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.runner.guarded_launch import KILL_TIMEOUT_S, reap
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.mcp.config import ResolvedServer

_log = log.area("mcp")

CHUNK_BYTES = 64 * 1024
STDIN_CLOSED_S = 2.0
"""Between the end of its stdin and SIGTERM."""
TERMINATED_S = 2.0
"""Between SIGTERM and SIGKILL."""
_DRAIN_S = 0.2
_GUARD = Path(__file__).parent.with_name("guard.py")
#: One start at a time: many at once would compete with the loop for the interpreter.
_starting = threading.Lock()


class ServerProcess:
    """One process; see the module's contract."""

    def __init__(
        self,
        server: ResolvedServer,
        *,
        on_output: Callable[[bytes], bool],
        on_stderr: Callable[[bytes], None],
        on_turn: Callable[[], float],
        on_end: Callable[[ProcessEnd], None],
    ) -> None:
        """`on_output` gets `b""` at the end of stdout; it returns whether it takes more just now.

        `on_turn` comes whenever something happened, and after the seconds that it returned: for ever idle,
        where it returned infinity.
        """
        self._server = server
        self._on_output, self._on_stderr = on_output, on_stderr
        self._on_turn, self._on_end = on_turn, on_end
        self._life, self._guard_end = socket.socketpair()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._pending = bytearray()
        self._stdin: IO[bytes] | None = None
        self._report = GuardReport()
        self._open_outputs = 0
        self._reading = self._room = True
        self._read_all = False
        self._stop_asked = self._over = False
        self._due = math.inf
        self._when_due: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin, on a thread of its own."""
        threading.Thread(target=self._main, name=f"mcp:{self._server.id}", daemon=True).start()

    def write(self, data: bytes) -> bool:
        """Send; whether its input is not clogged. What it does not take at once is sent later.

        Raises:
            BrokenPipeError: Its input is closed.
        """
        with self._lock:
            if self._stop_asked or self._over:
                raise BrokenPipeError
            if self._stdin is not None and not self._pending:
                data = data[self._written(self._stdin, data) :]
            self._pending += data
            clogged = bool(self._pending)
        if clogged:
            self._wake()
        return not clogged

    def resume(self) -> None:
        """There is room for output again."""
        self._room = True
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # it is full, so the thread wakes anyway; or all is over
            os.write(self._wake_write, b"!")

    def stop(self) -> None:
        """End it; `on_end` tells when that is done."""
        self._stop_asked = True
        self._wake()

    def _written(self, stream: IO[bytes], data: bytes | bytearray) -> int:
        """How much of it the pipe took; all of it if nobody reads any more."""
        try:
            return os.write(stream.fileno(), data[:CHUNK_BYTES])
        except BlockingIOError:
            return 0
        except (OSError, ValueError):  # it closed its stdin, and will not answer; its end says the rest
            return len(data)

    def _main(self) -> None:
        end = ProcessEnd()
        try:
            with contextlib.ExitStack() as stack:
                for close in (
                    self._life.close,
                    self._guard_end.close,
                    self._selector.close,
                    self._close_wake,
                ):
                    stack.callback(close)
                end = self._run()
        except OSError as error:
            folder = self._server.cwd
            end = ProcessEnd(errno=error.errno, folder_missing=folder is not None and not folder.is_dir())
        finally:
            self._over = True
            self._on_end(end)

    def _close_wake(self) -> None:
        with self._lock:
            self._over = True
            os.close(self._wake_read)
            os.close(self._wake_write)
            self._wake_write = -1

    def _run(self) -> ProcessEnd:
        with _starting:
            process = self._process = self._spawn()
        try:
            self._pump()
        finally:
            with self._lock:
                self._stdin = None
            reap(process)
        return self._report.end(read_all=self._read_all)

    def _spawn(self) -> subprocess.Popen[bytes]:
        server, life = self._server, self._guard_end.fileno()
        options = [f"--life={life}", f"--grace-ms={int(TERMINATED_S * 1000)}", "--linger-ms=0"]
        command = [str(server.program), *server.args]
        process = subprocess.Popen(
            [interpreter(), "-I", "-S", "-B", str(_GUARD), *options, "--", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=server.cwd or os.path.expanduser("~"),  # noqa: PTH111 - Path.home() raises without one
            env=server.env,
            pass_fds=(life,),
            start_new_session=True,
        )
        self._guard_end.close()
        return process

    def _pump(self) -> None:
        process = self._process
        assert process.stdin is not None
        os.set_blocking(process.stdin.fileno(), False)
        with self._lock:
            self._stdin = process.stdin
        self._selector.register(self._life, selectors.EVENT_READ, self._listen)
        self._selector.register(self._wake_read, selectors.EVENT_READ, self._woken)
        for stream, take in ((process.stdout, self._on_output), (process.stderr, self._take_stderr)):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self._selector.register(stream, selectors.EVENT_READ, partial(self._read, stream, take))
            self._open_outputs += 1
        self._flush()
        turn_s = math.inf
        while not self._over:
            wait_s = max(0.0, min(self._due - time.monotonic(), turn_s))
            for key, _ in self._selector.select(None if wait_s == math.inf else wait_s):
                key.data()
            turn_s = self._on_turn()
            if self._stop_asked and self._due == math.inf:
                self._begin_to_stop()
            if time.monotonic() >= self._due:
                self._when_due()

    def _in(self, seconds: float, work: Callable[[], None]) -> None:
        self._due, self._when_due = time.monotonic() + seconds, work

    def _take_stderr(self, chunk: bytes) -> bool:
        self._on_stderr(chunk)
        return True

    def _read(self, stream: IO[bytes], take: Callable[[bytes], bool]) -> None:
        try:
            chunk = os.read(stream.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return
        if take is self._on_output:
            self._room = False
        more = take(chunk)
        if not chunk:
            self._selector.unregister(stream)
            self._open_outputs -= 1
            self._look()
        elif not more and not self._stop_asked:
            self._selector.unregister(stream)
            self._reading = False
            self._read_on()  # room may have come while the chunk was taken

    def _woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_read, 4096)
        self._read_on()
        self._flush()

    def _read_on(self) -> None:
        stream = self._process.stdout
        if not self._reading and stream is not None and (self._room or self._stop_asked):
            self._reading = True
            self._selector.register(
                stream, selectors.EVENT_READ, partial(self._read, stream, self._on_output)
            )

    def _flush(self) -> None:
        stream = self._stdin
        if stream is None:
            return
        with self._lock:
            del self._pending[: self._written(stream, self._pending)]
            waits = stream.fileno() in self._selector.get_map()
            if self._pending and not waits:
                self._selector.register(stream, selectors.EVENT_WRITE, self._flush)
            elif not self._pending and waits:
                self._selector.unregister(stream)

    def _begin_to_stop(self) -> None:
        self._read_on()
        if self._pending:
            self._flush()
        self._close_stdin()
        self._in(STDIN_CLOSED_S, self._terminate)

    def _close_stdin(self) -> None:
        with self._lock:
            stream, self._stdin = self._stdin, None
            if stream is not None:
                if stream.fileno() in self._selector.get_map():
                    self._selector.unregister(stream)
                stream.close()

    def _terminate(self) -> None:
        self._process.terminate()  # the guard passes it on, and kills what is left after its grace
        self._in(TERMINATED_S + KILL_TIMEOUT_S, self._kill)

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            self._life.shutdown(socket.SHUT_WR)
        self._in(KILL_TIMEOUT_S, self._give_up)

    def _give_up(self) -> None:
        _log.error("the guard of server %s did not end; it is killed", self._server.id)
        self._process.kill()
        self._report.kill_group()
        self._finish()

    def _listen(self) -> None:
        """The guard said something, or is gone."""
        try:
            data = self._life.recv(4096)
        except ConnectionError:
            data = b""
        self._report.feed(data)
        if not data:
            self._selector.unregister(self._life)
            self._read_all = self._unread() == 0
            if not self._report.ended:  # it was killed itself; its child died with it, on Linux
                self._report.kill_group()
            self._in(_DRAIN_S, self._finish)
            self._look()

    def _unread(self) -> int:
        """How many bytes it left in its stdin."""
        with self._lock:
            if self._stdin is None:
                return 0
            count = fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, bytes(4))
            return int.from_bytes(count, sys.byteorder) + len(self._pending)

    def _look(self) -> None:
        """Nothing more is to come once the outputs are closed and the guard is gone."""
        if self._open_outputs == 0 and self._when_due == self._finish:
            self._finish()

    def _finish(self) -> None:
        self._over = True


@dataclass(frozen=True)
class ProcessEnd:
    """How a server's process ended."""

    exit_code: int | None = None
    signal: int | None = None
    errno: int | None = None
    """It could not be started."""
    folder_missing: bool = False
    read_all: bool = False
    """It took everything that it was sent out of its stdin."""


class GuardReport:
    """Its lines so far."""

    def __init__(self) -> None:
        self._told = b""

    def feed(self, data: bytes) -> None:
        """Take what it said."""
        self._told += data

    @property
    def ended(self) -> bool:
        """Whether the command came to an end, or never began."""
        return bool(self._facts().keys() & {"exit", "signal", "errno"})

    def end(self, *, read_all: bool) -> ProcessEnd:
        """How it ended, as far as was told."""
        facts = self._facts()
        code, number, errno = (
            int(facts[name]) if name in facts else None for name in ("exit", "signal", "errno")
        )
        return ProcessEnd(code, number, errno, read_all=read_all)

    def kill_group(self) -> None:
        """For when the guard itself cannot do it."""
        pid = self._facts().get("pid")
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(int(pid), signal.SIGKILL)

    def _facts(self) -> dict[str, str]:
        words = [line.partition(b" ") for line in self._told.split(b"\n")[:-1]]
        return {name.decode(): value.decode() for name, _, value in words}
