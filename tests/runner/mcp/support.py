"""What tests of connections share: a server to talk to, hooks that take notes, a folder for each run."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.mcp.port import ConnectionHooks, ResolvedServer, SamplingRequest
from partner_desktop.runner.mcp.protocol.connection import McpConnection, connect
from tests.runner.mcp import servers
from tests.support import WAIT_S

#: A server that imports the SDK takes seconds to start on a busy machine.
START_S = 60.0


def resolved(name: str, *arguments: str, **more: object) -> ResolvedServer:
    """One of our small servers, ready to be started."""
    command = ("-B", os.fspath(servers.path(name)), *arguments)
    plain = ResolvedServer(
        id=name,
        transport="stdio",
        shown=f"python {name}.py",
        program=Path(sys.executable),
        args=command,
        env={"PATH": os.defpath},
        timeout_s=20.0,
        start_timeout_s=START_S,
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def at(url: str, kind: str = "http", **more: object) -> ResolvedServer:
    """A server at an address."""
    plain = ResolvedServer("remote", "http", url, url=url, timeout_s=20.0, start_timeout_s=START_S)
    return replace(plain, transport=kind, **more)  # type: ignore[arg-type]


class Client:
    """Answers what a server asks, and takes notes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log: list[str] = []
        self.changes = 0
        self.asked: list[Elicitation] = []
        self.answer = ElicitationAnswer("accept", {"city": "Oslo"})
        self.roots: list[Path] = [folder]
        self.progress: list[tuple[float, float | None, str]] = []
        self.withdrawn = False
        self.sample: Callable[[SamplingRequest], Awaitable[str]] | None = None
        self.wait_for_ever = False
        self._news = asyncio.Event()

    @asynccontextmanager
    async def connected(self, server: ResolvedServer) -> AsyncIterator[McpConnection]:
        """An open connection; no task and no process of it is left afterwards."""
        before = asyncio.all_tasks()
        hooks = ConnectionHooks(self._changed, self._ask, lambda: self.roots, self.sample)
        async with connect(server, hooks, log=self._write) as connection:
            yield connection
        left = [task.get_name() for task in asyncio.all_tasks() - before if not task.done()]
        assert not left, f"tasks outlived the connection: {left}"

    def scope(self, action_id: str = "a1") -> RunScope:
        return RunScope(action_id, "c1", self.folder / "runs" / action_id, on_progress=self._progress)

    async def call(self, connection: McpConnection, tool: str, **params: object) -> RunnerResponse:
        return await connection.call(tool, params, scope=self.scope())  # type: ignore[arg-type]

    async def until(self, happened: Callable[[], bool], wait_s: float = WAIT_S) -> None:
        """Wait for a note, bounded."""
        async with asyncio.timeout(wait_s):
            while not happened():
                self._news.clear()
                await self._news.wait()

    async def logged(self, text: str) -> None:
        await self.until(lambda: any(text in line for line in self.log))

    def _write(self, line: str) -> None:
        self.log.append(line)
        self._news.set()

    def _changed(self) -> None:
        self.changes += 1
        self._news.set()

    def _progress(self, done: float, total: float | None, message: str) -> None:
        self.progress.append((done, total, message))

    async def _ask(self, elicitation: Elicitation) -> ElicitationAnswer:
        self.asked.append(elicitation)
        self._news.set()
        if self.wait_for_ever:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.withdrawn = True
                self._news.set()
                raise
        return self.answer


class Beats:
    """How long the loop was held at once: processor time of its thread, so a busy machine does not count."""

    def __init__(self) -> None:
        self.held_s = [0.0]

    async def run(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.01)
            self.held_s.append(time.thread_time() - before)


@asynccontextmanager
async def beating() -> AsyncIterator[Beats]:
    """Listen to the loop while something goes on."""
    beats = Beats()
    task = asyncio.create_task(beats.run())
    try:
        yield beats
    finally:
        task.cancel()
        await asyncio.wait([task])


def alive(pid: int) -> bool:
    """Whether the process runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
