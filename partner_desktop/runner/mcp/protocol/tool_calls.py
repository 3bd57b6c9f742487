"""The calls that run on one connection: whose they are, their time, their questions; why a server fails."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import AsyncGenerator, Iterator
from contextvars import ContextVar

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.client import RunTimer
from partner_desktop.runner.mcp.port import ResolvedServer
from partner_desktop.runner.mcp.protocol.oversize import Oversized
from partner_desktop.runner.mcp.protocol.stdio_transport import ProcessEnd
from partner_desktop.runner.mcp.server_log import harmless_line
from partner_desktop.runner.process_launch import not_started

_PROGRESS_PERIOD_S = 0.1
_current: ContextVar[RunningCall | None] = ContextVar("mcp_call", default=None)


class RunningCall:
    """One call; its time stands still while the person is asked."""

    def __init__(self, scope: RunScope, timer: RunTimer) -> None:
        self.scope = scope
        self.started = time.monotonic()
        self._timer = timer
        self._questions: set[anyio.CancelScope] = set()
        self._told_at = 0.0

    @property
    def duration_ms(self) -> int:
        return int((time.monotonic() - self.started) * 1000)

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """For the SDK: ten a second are enough for anybody."""
        now = time.monotonic()
        if now - self._told_at >= _PROGRESS_PERIOD_S:
            self._told_at = now
            self.scope.on_progress(progress, total, (message or "")[:500])

    @contextlib.contextmanager
    def question(self) -> Iterator[anyio.CancelScope]:
        """A question to the person; it is taken back when the call ends."""
        with self.scope.asking(), self._timer.asking(), anyio.CancelScope() as question:
            self._questions.add(question)
            try:
                yield question
            finally:
                self._questions.discard(question)

    def over(self) -> None:
        """The call has ended."""
        self._timer.over = True
        for question in self._questions:
            question.cancel()


class RunningCalls:
    """Of one connection."""

    def __init__(self, oversized: Oversized) -> None:
        self._calls: list[RunningCall] = []
        self._oversized = oversized

    @contextlib.asynccontextmanager
    async def run(self, scope: RunScope, timeout_s: float) -> AsyncGenerator[RunningCall, None]:
        """While the call runs.

        Raises:
            TimeoutError: It took longer than `timeout_s`.
        """
        timer = RunTimer(timeout_s)
        async with timer.limit:
            call = RunningCall(scope, timer)
            self._calls.append(call)
            self._oversized.folder = scope.folder
            token = _current.set(call)
            try:
                yield call
            finally:
                _current.reset(token)
                self._calls.remove(call)
                self._oversized.folder = self._calls[-1].scope.folder if self._calls else None
                call.over()

    def owner(self) -> RunningCall | None:
        """The call that a server's question belongs to: the one it came with, else the latest."""
        current = _current.get()
        if current is not None and current in self._calls:
            return current
        return self._calls[-1] if self._calls else None


def _doing(step: ServerStep) -> LazySentence:
    """When it was."""
    return LazySentence(f"servers.doing.{step.name.lower()}")


def process_failure(
    server: ResolvedServer, step: ServerStep, end: ProcessEnd, stderr: tuple[str, ...]
) -> ServerFailure:
    """A process that could not be started, or that ended."""
    if end.errno is not None:
        return ServerFailure(ServerStep.SPAWN, _not_started(server, end), stderr=stderr, final=True)
    said, doing = (stderr[-1] if stderr else ""), _doing(step)
    if end.signal is not None:
        known = end.signal in signal.Signals.__members__.values()
        name = signal.Signals(end.signal).name if known else str(end.signal)
        told = "servers.end.signal_said" if stderr else "servers.end.signal"
        message = sentence_of(told, signal=name, doing=doing, said=said)
    elif end.exit_code is not None:
        told = "servers.end.exit_said" if stderr else "servers.end.exit"
        message = sentence_of(told, code=end.exit_code, doing=doing, said=said)
    else:
        told = "servers.end.outside_said" if stderr else "servers.end.outside"
        message = sentence_of(told, doing=doing, said=said)
    return ServerFailure(step, harmless_line(message, 500), exit_code=end.exit_code, stderr=stderr)


def _not_started(server: ResolvedServer, end: ProcessEnd) -> str:
    if end.folder_missing and server.cwd is not None:
        return sentence_of("servers.end.no_folder", folder=display_path(server.cwd))
    return str(not_started(end.errno, os.fspath(server.program or "")))


def start_timed_out(server: ResolvedServer, step: ServerStep, stderr: tuple[str, ...]) -> ServerFailure:
    """A start that took too long."""
    told = {
        ServerStep.SPAWN: "servers.end.slow_spawn",
        ServerStep.LIST: "servers.end.slow_list",
    }.get(step, "servers.end.slow")
    message = sentence_of(told, seconds=server.start_timeout_s)
    return ServerFailure(step, message, stderr=stderr)


def protocol_failure(
    server: ResolvedServer, step: ServerStep, error: Exception, stderr: tuple[str, ...]
) -> ServerFailure:
    """A server that answers, but not as it must."""
    error, doing = _telling(error), _doing(step)
    if isinstance(error, MCPError):
        message = _refusal(step, error)
    elif isinstance(error, ValidationError):
        message = sentence_of("servers.end.odd_answer", doing=doing, reason=error.errors()[0]["msg"])
    else:
        reason = str(error) or type(error).__name__
        message = sentence_of("servers.end.broke_because", doing=doing, reason=reason)
    return ServerFailure(step, harmless_line(server.secrets.masked(message), 500), stderr=stderr)


def _refusal(step: ServerStep, error: MCPError) -> str:
    said, code, doing = error.error.message, error.error.code, _doing(step)
    if code == types.PARSE_ERROR:  # the SDK's own words quote the whole answer
        return sentence_of("servers.end.no_json", doing=doing)
    if code == types.CONNECTION_CLOSED:
        return sentence_of("servers.end.broke", doing=doing)
    if step is ServerStep.HANDSHAKE:
        return sentence_of("servers.end.refused_connection", reason=said)
    asked = LazySentence(f"servers.refusing.{step.name.lower()}")
    return sentence_of("servers.end.refused", doing=asked, reason=said)


def _telling(error: Exception) -> Exception:
    """What a group of errors is about: a group itself only says how many they are."""
    causes = [each for each in causes_of(error) if isinstance(each, Exception)]
    told = [each for each in causes if not isinstance(each, BaseExceptionGroup)]
    known = (each for each in told if isinstance(each, MCPError | ValidationError))
    return next(known, told[0] if told else error)


def causes_of(error: BaseException | None) -> list[BaseException]:
    """The error, and what it came of, groups included."""
    found: list[BaseException] = []
    pending = [error]
    while pending and len(found) < 100:
        each = pending.pop()
        if each is None or each in found:
            continue
        found.append(each)
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions
    return found
