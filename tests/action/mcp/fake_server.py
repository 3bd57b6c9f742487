"""A server that is no process: what a supervisor sees of one, to be told what happens to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.config.secrets import SecretStore
from partner_desktop.domain.elicitation import Elicitation, ElicitationAnswer
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure, ServerPhase, ServerStep
from partner_desktop.domain.meta_action import MetaActionInfo, Route, RunnerResponse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.mcp.configuration.secrets import ServerSecrets
from partner_desktop.runner.mcp.port import (
    Authorize,
    ConfiguredServer,
    Connect,
    Connection,
    ConnectionHooks,
    ResolvedServer,
    Revoke,
    ServerConfig,
    ServerEndedError,
    ServerFacts,
)
from partner_desktop.runner.mcp.sign_in.server_sign_in import SignInParts
from partner_desktop.runner.mcp.supervisor import ServerEnvironment, Supervisor
from tests.support import WAIT_S, FakeClock


class FakeConnection:
    def __init__(self, facts: ServerFacts) -> None:
        self.facts = facts
        self.ended: asyncio.Future[ServerFailure] = asyncio.get_running_loop().create_future()

    async def relist(self) -> ServerFacts:
        return self.facts

    async def call(self, tool: str, params: JsonObject, *, scope: RunScope) -> RunnerResponse:
        raise NotImplementedError

    async def read_resource(self, uri: str, *, scope: RunScope) -> RunnerResponse:
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: JsonObject, *, scope: RunScope) -> RunnerResponse:
        raise NotImplementedError

    async def tell_roots(self) -> None:
        raise NotImplementedError


async def _no_sign_in() -> tuple[Authorize, Revoke]:
    raise NotImplementedError


class FakeServer:
    """`failures`: how the next starts end; once they are used up it gets ready. Counts what is open."""

    def __init__(self, folder: Path, clock: FakeClock) -> None:
        self.failures: list[ServerFailure] = []
        self.open: list[FakeConnection] = []
        self.starts = 0
        self._news = asyncio.Event()
        environment = ServerEnvironment(
            check=_allowed,
            resolve=self._resolve,
            look_again=lambda: None,
            load=self._load,
            hooks=lambda changed: ConnectionHooks(changed=changed, ask=_ask, roots=list),
            changed=lambda name: self._news.set(),
            logs=folder,
            clock=clock,
            sign_in=SignInParts(ServerSecrets(SecretStore(Home(folder))), _no_sign_in),
        )
        self.supervisor = Supervisor(configured(), environment, on=True)

    async def _resolve(self, config: ServerConfig) -> ResolvedServer:
        return ResolvedServer(id=config.id, transport=config.transport, shown=config.command)

    async def _load(self) -> Connect:
        return self._connect

    @asynccontextmanager
    async def _connect(
        self, resolved: ResolvedServer, hooks: ConnectionHooks, *, log: Callable[[str], None]
    ) -> AsyncGenerator[Connection, None]:
        self.starts += 1
        log(f"start {self.starts}")
        if self.failures:
            raise ServerEndedError(self.failures.pop(0))
        tool = MetaActionInfo(key=f"{resolved.id}::tool", route=Route.MCP, description="does something")
        connection = FakeConnection(ServerFacts("fake 1", "", (tool,)))
        self.open.append(connection)
        try:
            yield connection
        finally:
            self.open.remove(connection)

    async def until(self, phase: ServerPhase) -> None:
        """Wait until the server is there."""
        await self.until_so(lambda: self.supervisor.status.phase is phase)

    async def until_so(self, fits: Callable[[], bool]) -> None:
        """Wait until something is so; it is looked at with each change."""
        async with asyncio.timeout(WAIT_S):
            while not fits():
                self._news.clear()
                await self._news.wait()


def configured(command: str = "fake", *, disabled: bool = False) -> ConfiguredServer:
    return ConfiguredServer(ServerConfig("fake", "stdio", command, disabled=disabled), Path("fake.json"), 1)


def failure(step: ServerStep = ServerStep.HANDSHAKE, *, final: bool = False) -> ServerFailure:
    return ServerFailure(step, "It ended.", exit_code=1, stderr=("oh no",), final=final)


async def _ask(elicitation: Elicitation) -> ElicitationAnswer:
    raise NotImplementedError


async def _allowed(config: ServerConfig) -> None:
    del config
