"""The calls that run on one connection: whose they are, their time, their progress, their questions."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

import anyio

from partner_desktop.runner.mcp.port import RunScope

if TYPE_CHECKING:  # the types of the protocol take their time to load
    from partner_desktop.runner.mcp.oversize import Oversized

_PROGRESS_PERIOD_S = 0.1
_current: ContextVar[RunningCall | None] = ContextVar("mcp_call", default=None)


class RunningCall:
    """One call; its time stands still while the person is asked."""

    def __init__(self, scope: RunScope, limit: asyncio.Timeout, timeout_s: float) -> None:
        self.scope = scope
        self.started = time.monotonic()
        self._limit, self._timeout_s = limit, timeout_s
        self._questions: set[anyio.CancelScope] = set()
        self._told_at = 0.0
        self._over = False

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
        with self.scope.asking(), anyio.CancelScope() as question:
            self._questions.add(question)
            self._due(None)
            try:
                yield question
            finally:
                self._questions.discard(question)
                if not self._questions:
                    self._due(asyncio.get_running_loop().time() + self._timeout_s)

    def _due(self, when: float | None) -> None:
        if not self._over and not self._limit.expired():  # it may have run out just before the question came
            self._limit.reschedule(when)

    def over(self) -> None:
        """The call has ended."""
        self._over = True
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
        async with asyncio.timeout(timeout_s) as limit:
            call = RunningCall(scope, limit, timeout_s)
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
