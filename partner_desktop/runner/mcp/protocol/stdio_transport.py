"""The stdio transport: a server's process as the two streams that the SDK drives.

Contract: a message costs the loop no parsing: the process's own thread cuts lines, parses and sifts them. At
most `_WAITING` messages or `_WAITING_BYTES` bytes of them wait for the loop; then the thread stops reading,
and the server has to wait. Leaving the transport ends the process, bounded in time, whatever is cancelled
meanwhile: stdin closes, then SIGTERM after 2 s, then SIGKILL after 2 s more, as MCP has it.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import math
import os
import subprocess
import sys
import termios
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Literal

import anyio
import anyio.lowlevel
import mcp_types as types
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.process_pump import GuardedProcess
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.runner.mcp.port import ResolvedServer
from partner_desktop.runner.mcp.protocol.message_filter import MessageFilter, SdkReads, SdkStream
from partner_desktop.runner.mcp.protocol.oversize import (
    LineReader,
    Oversized,
    ReadLine,
    find_envelope,
    looks_like_json,
)
from partner_desktop.runner.mcp.server_log import LINE_CHARACTERS, ServerLog
from partner_desktop.runner.process_launch import guard_command

_log = log.area("mcp")

_STDIN_CLOSED_S = 2.0
"""Between the end of its stdin and SIGTERM."""
_TERMINATED_S = 2.0
"""Between SIGTERM and SIGKILL."""
#: One start at a time: many at once would compete with the loop for the interpreter.
_starting = threading.Lock()


class ServerProcess(GuardedProcess):
    """The process of a server, under the guard, moved by a thread of its own.

    The thread reads only while `on_output` takes what it is given; `on_output`, `on_stderr`, `on_turn` and
    `on_end` are called there, `on_end` exactly once and last.
    """

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


_WAITING, _WAITING_BYTES = 64, 8 * 1024**2
#: Stdin closed, SIGTERM, SIGKILL, and the guard's own limits.
_CLOSE_TIMEOUT_S = 16.0
_EXIT_TIMEOUT_S = 1.0
_UNCLOG_POLL_S = 0.01
_FLOOD_PAUSE_S = 0.002
#: Changes that a flood holds back are looked after so often, while there are any.
_HELD_LOOK_S = 0.25
#: A server that does not answer the question for its era in this time is taken for an old one.
_PROBE_TIMEOUT_S = 5.0


class StdioTransport:
    """One process of a server; entered once."""

    def __init__(
        self,
        server: ResolvedServer,
        *,
        oversized: Oversized,
        message_filter: MessageFilter,
        server_log: ServerLog,
        lost: Callable[[], None],
    ) -> None:
        """`lost` is called when nothing more comes from it."""
        self._loop = asyncio.get_running_loop()
        self._oversized, self._filter, self._server_log = oversized, message_filter, server_log
        self._lost = lost
        self.ended: asyncio.Future[ProcessEnd] = self._loop.create_future()
        """Done when the process is gone and everything that it wrote was read."""
        self.closed_output = False
        """It closed its stdout, while it lived perhaps."""
        self._probe_timeout_s = min(_PROBE_TIMEOUT_S, server.start_timeout_s / 3)
        self.died = False
        """It ended by itself; known when the transport was left."""
        self._lines = oversized.reader()
        self._stderr = LineReader(4 * LINE_CHARACTERS)
        self._reads = Reads(self._taken)
        self._waiting = self._waiting_bytes = 0
        self._count = threading.Lock()
        self._process = ServerProcess(
            server,
            on_output=self._on_output,
            on_stderr=self._on_stderr,
            on_turn=self._on_turn,
            on_end=self._on_end,
        )

    async def __aenter__(self) -> TransportStreams:
        self._process.start()
        return self._reads, Writes(self._send)

    @uninterruptible
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.closed_output:  # its exit code is about to come
            await asyncio.wait([self.ended], timeout=_EXIT_TIMEOUT_S)
        self.died = self.ended.done()
        self._process.stop()
        done, _ = await asyncio.wait([self.ended], timeout=_CLOSE_TIMEOUT_S)
        if not done:
            _log.error("a server's process did not end within %.0f s", _CLOSE_TIMEOUT_S)
        self._reads.close()

    async def _send(self, message: types.JSONRPCMessage) -> None:
        self._filter.sent(message)
        if isinstance(message, types.JSONRPCRequest) and message.method == "server/discover":
            self._loop.call_later(self._probe_timeout_s, self._give_up_probe, message.id)
        data = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        try:
            free = self._process.write(data)
        except BrokenPipeError as error:
            raise anyio.ClosedResourceError from error
        while not free and not self.ended.done():  # the caller has a deadline
            await asyncio.sleep(_UNCLOG_POLL_S)
            with contextlib.suppress(BrokenPipeError):
                free = self._process.write(b"")

    # --- on the process's thread -----------------------------------------------------------------------

    def _on_output(self, chunk: bytes) -> bool:
        if not chunk:
            rest = self._lines.rest()
            if rest is not None:
                self._on_line(rest)
            self._in_loop(self._output_closed)
            return True
        for line in self._lines.feed(chunk):
            self._on_line(line)
        if self._filter.floods or self._server_log.floods:
            time.sleep(_FLOOD_PAUSE_S)  # the interpreter is for others, too
        with self._count:
            return self._waiting < _WAITING and self._waiting_bytes < _WAITING_BYTES

    def _on_turn(self) -> float:
        for message in self._filter.late():
            self._pass_on(message, 0)
        return _HELD_LOOK_S if self._filter.holds else math.inf

    def _on_line(self, line: ReadLine) -> None:
        line = self._oversized.bounded(line)
        if line.whole and self._filter.refuses(line.head):
            return
        if line.whole:
            message = parsed_message(line.head)
            if message is None and line.head.strip():
                self._server_log.stdout(line.head)
        else:
            message = self._oversized.answer(line)
            if message is None:
                self._server_log.say(
                    f"(stdout) a line of {line.size >> 20} MB that answers nothing is left out"
                )
        if message is not None:
            for each in self._filter.sift(message):
                self._pass_on(each, min(line.size, len(line.head)))

    def _pass_on(self, message: types.JSONRPCMessage, size: int) -> None:
        with self._count:
            self._waiting += 1
            self._waiting_bytes += size
        self._in_loop(self._reads.put, message, size)

    def _on_stderr(self, chunk: bytes) -> None:
        for line in self._stderr.feed(chunk):
            self._server_log.stderr(line.head)
        if self._server_log.floods:
            time.sleep(_FLOOD_PAUSE_S)
        if not chunk and (rest := self._stderr.rest()) is not None:
            self._server_log.stderr(rest.head)

    def _on_end(self, end: ProcessEnd) -> None:
        self._lines.close()
        self._in_loop(self._over, end)

    def _in_loop(self, work: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed under the process
            self._loop.call_soon_threadsafe(work, *arguments)

    # --- on the loop -----------------------------------------------------------------------------------

    def _output_closed(self) -> None:
        self.closed_output = True
        self._reads.close()
        self._lost()

    def _over(self, end: ProcessEnd) -> None:
        self._reads.close()
        self._lost()
        if not self.ended.done():
            self.ended.set_result(end)

    def _give_up_probe(self, request_id: types.RequestId) -> None:
        error = types.ErrorData(code=types.METHOD_NOT_FOUND, message="No answer came.")
        for message in self._filter.sift(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error)):
            self._pass_on(message, 0)

    def _taken(self, size: int) -> None:
        with self._count:
            was_full = self._waiting >= _WAITING or self._waiting_bytes >= _WAITING_BYTES
            self._waiting -= 1
            self._waiting_bytes -= size
            full = self._waiting >= _WAITING or self._waiting_bytes >= _WAITING_BYTES
        if was_full and not full:
            self._process.resume()


def parsed_message(data: bytes) -> types.JSONRPCMessage | None:
    """The message in a line; `None` if it is none. An answer that cannot be read becomes an error."""
    if not looks_like_json(data):
        return None
    try:
        return types.jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError:
        pass
    try:  # bytes that are no UTF-8 shall not keep a call waiting
        return types.jsonrpc_message_adapter.validate_json(data.decode("utf-8", "replace"), by_name=False)
    except ValidationError:
        found = find_envelope(data, data[-4096:])
    if found is None:
        return None
    error = types.ErrorData(code=types.PARSE_ERROR, message="The server's answer cannot be read.")
    return types.JSONRPCError(jsonrpc="2.0", id=found.request_id, error=error)


class Reads(SdkReads):
    """What the SDK reads: the messages that wait, one at a time."""

    def __init__(self, taken: Callable[[int], None]) -> None:
        self._taken = taken
        self._waiting: deque[tuple[types.JSONRPCMessage, int]] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def put(self, message: types.JSONRPCMessage, size: int) -> None:
        self._waiting.append((message, size))
        self._news.set()

    def close(self) -> None:
        """No more is to come; what waits is still given."""
        self._closed = True
        self._news.set()

    async def receive(self) -> SessionMessage | Exception:
        if self._waiting:
            await anyio.lowlevel.checkpoint()  # a backlog leaves room for others
        while not self._waiting:
            if self._closed:
                raise anyio.EndOfStream
            self._news.clear()
            await self._news.wait()
        message, size = self._waiting.popleft()
        self._taken(size)
        return SessionMessage(message)

    async def aclose(self) -> None:
        self.close()


class Writes(SdkStream):
    """What the SDK writes to."""

    def __init__(self, send: Callable[[types.JSONRPCMessage], Awaitable[None]]) -> None:
        self._send = send
        self._closed = False

    async def send(self, item: SessionMessage, /) -> None:
        if self._closed:
            raise anyio.ClosedResourceError
        await self._send(item.message)

    async def aclose(self) -> None:
        self._closed = True
