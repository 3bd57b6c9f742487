"""The MCP route: tools of MCP servers, by location: `local` is the server in this process."""

from __future__ import annotations

from dataclasses import replace

from partner_desktop.action.runner.mcp.local_server import LOCAL, LocalServer
from partner_desktop.action.runner.mcp.port import RunScope, ToolCaller
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation


class McpRoute:
    """An ActionRoute. It owns the local server; the external ones belong to their manager."""

    def __init__(self, local: LocalServer, servers: ToolCaller) -> None:
        self._local = local
        self._servers = servers

    async def close(self) -> None:
        await self._local.close()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        if info.location == LOCAL:
            return self._local.isolation(info)
        server = info.location
        summary = f"runs in the server {server} · outside the sandbox"
        remote = self._servers.is_remote(server)
        return Isolation(sandboxed=False, net=True, summary=summary, server=server, remote=remote)

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        info = meta_action.info
        if info.location == LOCAL:
            return await self._local.run(meta_action, scope=scope)
        scope = replace(scope, approved=info.content_hash, timeout_s=info.timeout_s)
        return await self._servers.call_tool(info.location, info.name, meta_action.params, scope=scope)
