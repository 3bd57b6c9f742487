"""The process of a stdio server, moved by a thread of its own.

Contract: the server runs under `guard.py`, so that nothing of it outlives the connection, nor Partner's death
by SIGKILL. The thread reads only while `on_output` takes what it is given; `on_stderr`, `on_output` and
`on_end` are called there, `on_end` exactly once and last. `write`, `resume` and `stop` may come from any
thread. Stopping goes as MCP has it: stdin closes, then SIGTERM after 2 s, then SIGKILL after 2 s more.
"""

from __future__ import annotations

import fcntl
import math
import os
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.process_pump import GuardedProcess
from partner_desktop.runner.guarded_launch import guard_command
from partner_desktop.runner.mcp.config import ResolvedServer

_log = log.area("mcp")

_STDIN_CLOSED_S = 2.0
"""Between the end of its stdin and SIGTERM."""
_TERMINATED_S = 2.0
"""Between SIGTERM and SIGKILL."""
#: One start at a time: many at once would compete with the loop for the interpreter.
_starting = threading.Lock()


class ServerProcess(GuardedProcess):
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
        super().__init__(f"server {server.id}")
        self._server = server
        self._on_output, self._on_stderr = on_output, on_stderr
        self._on_turn, self._on_end = on_turn, on_end
        self._read_all = False

    def start(self) -> None:
        """Begin, on a thread of its own."""
        self._start(f"mcp:{self._server.id}")

    def _spawn(self) -> subprocess.Popen[bytes]:
        server = self._server
        command = [str(server.program), *server.args]
        grace_ms = int(_TERMINATED_S * 1000)
        with _starting:
            return self._popen(
                lambda life: guard_command({"life": life, "grace-ms": grace_ms, "linger-ms": 0}, command),
                cwd=server.cwd or os.path.expanduser("~"),  # noqa: PTH111 - Path.home() raises without one
                env=server.env,
            )

    def _take(self, output: Literal["stdout", "stderr"], chunk: bytes) -> bool:
        if output == "stdout":
            return self._on_output(chunk)
        self._on_stderr(chunk)
        return True

    def _turn(self) -> float:
        turn_s = self._on_turn()
        if self._stop_asked and self._due == math.inf:
            self._begin_to_stop()
        return turn_s

    def _begin_to_stop(self) -> None:
        self._read_on()
        self._flush()
        self._close_stdin()
        self._in(_STDIN_CLOSED_S, lambda: self._terminate(_TERMINATED_S))

    def _heard(self, *, gone: bool) -> None:
        if gone:
            self._read_all = self._unread() == 0

    def _unread(self) -> int:
        """How many bytes it left in its stdin."""
        with self._lock:
            if self._stdin is None:
                return 0
            count = fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, bytes(4))
            return int.from_bytes(count, sys.byteorder) + len(self._pending)

    def _ended(self, failure: Exception | None) -> None:
        if isinstance(failure, OSError):
            folder = self._server.cwd
            missing = folder is not None and not folder.is_dir()
            self._on_end(ProcessEnd(errno=failure.errno, folder_missing=missing))
            return
        if failure is not None:
            _log.error("the thread of server %s failed", self._server.id, exc_info=failure)
        code, number, errno = map(self._number, ("exit", "signal", "errno"))
        self._on_end(ProcessEnd(code, number, errno, read_all=self._read_all))


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
