"""ActionRoute: one way in which a MetaAction can run; and the one to the tools of servers."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.mcp.port import RunScope, ToolCaller


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
