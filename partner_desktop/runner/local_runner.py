"""LocalRunnerClient: runs MetaActions on this machine, each by its ActionRoute."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Protocol, assert_never

from partner_desktop.domain.meta_action import LOCAL, MetaAction, MetaActionInfo, Route, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient
from partner_desktop.runner.mcp.port import RunScope, ToolCaller
from partner_desktop.runner.run_folders import check_step_outputs
from partner_desktop.runner.sandbox_probe import SandboxProbe
from partner_desktop.runner.script_route import ScriptRoute


class ActionRoute(Protocol):
    """BUILTIN, ORIGIN or MCP. It knows neither permission nor the state of what it runs."""

    def isolation(self, info: MetaActionInfo) -> Isolation:
        """What would hold a run of this ability here and now."""
        ...

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        """Run; cancelling ends it, with everything that belongs to it, within a second.

        Raises:
            ActionError: It could not be done; the message is for the person.
        """
        ...


class ServerRoute:
    """An ActionRoute to the external MCP servers, which belong to their manager."""

    def __init__(self, servers: ToolCaller) -> None:
        self._servers = servers

    def isolation(self, info: MetaActionInfo) -> Isolation:
        server = info.location
        summary = f"runs in the server {server} · outside the sandbox"
        remote = self._servers.is_remote(server)
        return Isolation(sandboxed=False, net=True, summary=summary, server=server, remote=remote)

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        info = meta_action.info
        scope = replace(scope, approved=info.content_hash, timeout_s=info.timeout_s)
        return await self._servers.call_tool(info.location, info.name, meta_action.params, scope=scope)


class LocalRunnerClient(RunnerClient):
    """The runner of this machine. A part of the AgentContext; nothing in it checks permission."""

    def __init__(
        self, builtin: ActionRoute, scripts: ScriptRoute, servers: ServerRoute, *, runs: Path
    ) -> None:
        super().__init__()
        self._builtin = builtin
        self._scripts = scripts
        self._servers = servers
        self._runs = runs

    async def launch(self) -> None:
        await self._scripts.launch()

    async def shutdown(self) -> None:
        """Runs belong to the executor, which has ended them by now."""

    def _route(self, info: MetaActionInfo) -> ActionRoute:
        """Dynamic abilities are tools to other programs, but scripts to us: no protocol is between."""
        match info.route:
            case Route.BUILTIN:
                return self._builtin
            case Route.ORIGIN:
                return self._scripts
            case Route.MCP:
                return self._scripts if info.location == LOCAL else self._servers
            case never:
                assert_never(never)

    @property
    def sandbox(self) -> SandboxProbe:
        """What holds scripts on this machine."""
        return self._scripts.sandbox

    def isolation(self, info: MetaActionInfo) -> Isolation:
        return self._route(info).isolation(info)

    async def run(self, call: Call) -> RunnerResponse:
        meta_action = call.meta_action
        if any(use.param and use.access == "read" for use in call.paths):
            await asyncio.to_thread(self._check_handed, call)
        scope = RunScope(
            action_id=meta_action.id,
            conversation_id=meta_action.conversation_id,
            folder=self._runs / meta_action.id,
            paths=call.paths,
            held=call.decision.sandboxed,
            on_progress=call.on_progress,
            on_output=call.on_output,
            on_left=call.on_left,
            asking=call.asking,
        )
        return await self._route(meta_action.info).run(meta_action, scope=scope)

    def _check_handed(self, call: Call) -> None:
        """Blocking. What was decided on a while ago is still what lies there."""
        check_step_outputs(call.paths, self._runs.resolve())
