"""A connection to one external server, by the `mcp` SDK. Loaded on first use: the SDK takes its time."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client._transport import Transport
from mcp.client.sse import sse_client
from mcp.shared.exceptions import MCPError

from partner_desktop.action.runner.mcp.config import ResolvedServer
from partner_desktop.action.runner.mcp.port import ConnectionHooks, RunScope, ServerEndedError, ServerFacts
from partner_desktop.base.errors import TellMindError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse


@asynccontextmanager
async def connect(
    resolved: ResolvedServer, hooks: ConnectionHooks, *, log: Callable[[str], None]
) -> AsyncGenerator[McpConnection, None]:
    """See `port.Connect`."""
    del hooks, log
    try:
        async with asyncio.timeout(resolved.start_timeout_s) as limit, Client(_target(resolved)) as client:
            connection = McpConnection(client, resolved)
            await connection.relist()
            limit.reschedule(None)
            yield connection
    except (OSError, MCPError, TimeoutError) as error:
        raise ServerEndedError(ServerFailure(ServerStep.HANDSHAKE, str(error))) from error


def _target(resolved: ResolvedServer) -> Transport | StdioServerParameters | str:
    if resolved.transport == "stdio":
        return StdioServerParameters(
            command=str(resolved.program), args=list(resolved.args), env=resolved.env, cwd=resolved.cwd
        )
    if resolved.transport == "sse":
        return sse_client(resolved.url, headers=resolved.headers)
    return resolved.url


class McpConnection:
    """Implements `port.Connection`."""

    def __init__(self, client: Client, resolved: ResolvedServer) -> None:
        self._client = client
        self._resolved = resolved
        self.facts = ServerFacts("", "", ())
        self.ended: asyncio.Future[ServerFailure] = asyncio.get_running_loop().create_future()

    async def relist(self) -> ServerFacts:
        listed = await self._client.list_tools()
        tools = tuple(_info(self._resolved.id, tool) for tool in listed.tools)
        info = self._client.server_info
        name = f"{info.name} {info.version}" if info is not None else ""
        self.facts = ServerFacts(name, self._client.instructions or "", tools)
        return self.facts

    async def call(self, tool: str, params: JsonObject, *, scope: RunScope) -> RunnerResponse:
        del scope
        try:
            result = await self._client.call_tool(tool, params)
        except MCPError as error:
            raise TellMindError(str(error)) from error
        text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
        return RunnerResponse(ok=not result.is_error, stdout=text, error=text if result.is_error else "")

    async def read_resource(self, uri: str, *, scope: RunScope) -> RunnerResponse:
        raise NotImplementedError

    async def get_prompt(self, name: str, arguments: JsonObject, *, scope: RunScope) -> RunnerResponse:
        raise NotImplementedError

    async def tell_roots(self) -> None:
        await self._client.send_roots_list_changed()


def _info(server: str, tool: types.Tool) -> MetaActionInfo:
    hints = tool.annotations
    raw = json.dumps(tool.model_dump(mode="json"), sort_keys=True)
    return MetaActionInfo(
        key=f"{server}::{tool.name}",
        route=Route.MCP,
        label=tool.title or "",
        description=tool.description or "",
        params=tool.input_schema,
        response_schema=tool.output_schema or {},
        annotations=Annotations(read_only=hints.read_only_hint if hints else None),
        content_hash=hashlib.sha256(f"{server}\n{raw}".encode()).hexdigest(),
    )
