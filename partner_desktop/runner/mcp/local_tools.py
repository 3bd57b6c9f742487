"""The in-process MCP server `local`, the half with the SDK; loaded on first use. See `local_server.py`.

A call is made through the SDK's own client. What it runs, and with which approved paths, is looked up by a
run id in its `_meta`, which this module makes up for one call: nothing in the arguments can lead elsewhere,
and a call without such an id is refused, for nobody has approved it. The run itself keeps its whole
response (exit code, stderr, where a long output lies); through MCP goes what MCP has words for.

Clients hear when its lists are different: since 2026-07-28 one that wants to keeps a `subscriptions/listen`
request open; before, every client that has shaken hands gets a notification. Use `lifespan` and `listen` for
the `Server`, and `join` it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import quote

import mcp_types as types
from mcp import Client, MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ToolsListChanged,
)

from partner_desktop.base.errors import ActionError, TryAgainError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import Annotations, MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.runner.mcp.local_server import LOCAL, Overrides
from partner_desktop.runner.mcp.port import RunScope
from partner_desktop.runner.routes import ActionRoute


class Peer:
    """One connection; `session` is there once the client of the older era has shaken hands."""

    session: ServerSession | None = None


class ListChanges:
    """Of one server."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._peers: set[Peer] = set()
        self.listen = ListenHandler(self._bus)

    @asynccontextmanager
    async def lifespan(self, server: Server[Peer]) -> AsyncGenerator[Peer]:
        """Around each connection."""
        del server
        peer = Peer()
        self._peers.add(peer)
        try:
            yield peer
        finally:
            self._peers.discard(peer)

    def join(self, server: Server[Peer]) -> None:
        """Hear of the clients of the older era."""
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._greet)

    async def _greet(self, ctx: ServerRequestContext[Peer, Any], params: types.NotificationParams) -> None:
        del params
        ctx.lifespan_context.session = ctx.session

    async def tell(self) -> None:
        """Tools and resources are different now."""
        await self._bus.publish(ToolsListChanged())
        await self._bus.publish(ResourcesListChanged())
        for session in [peer.session for peer in self._peers if peer.session is not None]:
            await session.send_tool_list_changed()
            await session.send_resource_list_changed()

    def close(self) -> None:
        """End what listens; each client is told."""
        self.listen.close()


RUN = "partner.desktop/run"
"""The key of the run id in a call's `_meta`."""

_PAGE = 100
_REFUSED = (
    "Nobody has approved this call. Ask Partner for the ability instead: `partner-desktop mcp-server` serves "
    "the same tools to other programs, through its permissions."
)

Context = ServerRequestContext[Peer, Any]
Abilities = Callable[[], Sequence[MetaActionInfo]]


@dataclass
class ToolRun:
    """The context of one call, and what came of it."""

    meta_action: MetaAction
    scope: RunScope
    response: RunnerResponse | None = None
    error: Exception | None = None


class LocalTools:
    """What the server answers."""

    def __init__(self, scripts: ActionRoute, abilities: Abilities, overrides: Overrides) -> None:
        self._scripts = scripts
        self._abilities = abilities
        self._overrides = overrides
        self.runs: dict[str, ToolRun] = {}

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """A page of what can be called now."""
        del ctx
        begin = _begin(params)
        found = [info for info in self._abilities() if info.location == LOCAL]
        tools = [as_tool(info) for info in found[begin : begin + _PAGE]]
        return types.ListToolsResult(tools=tools, next_cursor=_next(begin, len(found)))

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run the approved call that `_meta` names; each id is good for one."""
        run = self.runs.pop(str((ctx.meta or {}).get(RUN, "")), None)
        if run is None or run.meta_action.info.name != params.name:
            return as_failure(_REFUSED)
        try:
            run.response = await self._scripts.run(run.meta_action, scope=run.scope)
        except ActionError as error:
            run.error = error
            return as_failure(str(error))
        except Exception as error:
            run.error = error
            raise
        return as_result(run.meta_action.info, run.response)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """A page of the descriptions that files have put in the place of tools' own."""
        del ctx
        begin = _begin(params)
        keys = sorted(self._overrides())
        resources = [
            types.Resource(uri=address(key), name=key, mime_type="application/json")
            for key in keys[begin : begin + _PAGE]
        ]
        return types.ListResourcesResult(resources=resources, next_cursor=_next(begin, len(keys)))

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The description at an address."""
        del ctx
        found = {address(key): text for key, text in self._overrides().items()}
        uri = str(params.uri)
        if uri not in found:
            raise MCPError(types.INVALID_PARAMS, f"There is nothing at {uri}.")
        text = types.TextResourceContents(uri=uri, mime_type="application/json", text=found[uri])
        return types.ReadResourceResult(contents=[text])


class OpenLocalServer:
    """Implements `local_server.LocalServerPort`. Further clients in this process may connect to `server`."""

    def __init__(self, server: Server[Peer], client: Client, tools: LocalTools, changes: ListChanges) -> None:
        self.server = server
        self._client = client
        self._tools = tools
        self._changes = changes

    async def call(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        run, run_id = ToolRun(meta_action, scope), new_id()
        # An open map, which the SDK's TypedDict cannot yet say to the type checker.
        meta = cast("types.RequestParamsMeta", {RUN: run_id})
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(
                name=meta_action.info.name, arguments=meta_action.params, _meta=meta
            )
        )
        self._tools.runs[run_id] = run
        try:
            # Not `client.call_tool`: it lists every tool first, to check a result that this process has made.
            await self._client.session.send_request(request, types.CallToolResult)
        except MCPError as error:
            if run.error is None:
                raise TryAgainError(f"{meta_action.info.title} could not be called: {error}.") from error
        finally:
            self._tools.runs.pop(run_id, None)
        if run.error is not None:
            raise run.error
        assert run.response is not None, "a call that was answered has run"
        return run.response

    async def tell_changed(self) -> None:
        await self._changes.tell()


@asynccontextmanager
async def open_local(
    scripts: ActionRoute, abilities: Abilities, overrides: Overrides
) -> AsyncGenerator[OpenLocalServer]:
    """The server with one client of it; to be closed by the task that opened it."""
    tools, changes = LocalTools(scripts, abilities, overrides), ListChanges()
    server = local_server(tools, changes)
    async with Client(server, cache=None) as client:
        try:
            yield OpenLocalServer(server, client, tools, changes)
        finally:
            changes.close()


def local_server(tools: LocalTools, changes: ListChanges) -> Server[Peer]:
    """The server, of which there may be several clients."""
    server = Server(
        LOCAL,
        title="Partner's own abilities",
        lifespan=changes.lifespan,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
        on_list_resources=tools.list_resources,
        on_read_resource=tools.read_resource,
        on_subscriptions_listen=changes.listen,
    )
    changes.join(server)
    server.middleware.clear()  # spans for a telemetry that Partner does not have, on every call
    return server


def address(key: str) -> str:
    """The address of a tool's description; `key` is `server::tool`."""
    server, _, tool = key.partition("::")
    return f"partner://mcp/desc/{quote(server, safe='')}/{quote(tool, safe='')}"


def _begin(params: types.PaginatedRequestParams | None) -> int:
    cursor = params.cursor if params is not None else None
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise MCPError(types.INVALID_PARAMS, f"There is no page {cursor!r}.")
    return int(cursor)


def _next(begin: int, count: int) -> str | None:
    return str(begin + _PAGE) if begin + _PAGE < count else None


def as_tool(info: MetaActionInfo) -> types.Tool:
    """The ability as a tool, under its name within its location."""
    return types.Tool(
        name=info.name,
        title=info.title,
        description=info.description,
        input_schema={"type": "object", **info.params},
        output_schema=info.response_schema if _promises_object(info) else None,
        annotations=_annotations(info.annotations),
    )


def as_result(info: MetaActionInfo, response: RunnerResponse) -> types.CallToolResult:
    """The response for a client that knows nothing of Partner."""
    words = [response.stdout] if response.ok else [response.error, response.stderr, response.stdout]
    data = response.data if isinstance(response.data, dict) else None
    broken = response.ok and data is None and _promises_object(info)
    if broken:
        words.insert(0, f"{info.title} ran, but its result is not the object that its description promises.")
    if response.truncated:
        words.append("(The result is longer than this; the whole of it lies with the run in Partner.)")
    return types.CallToolResult(
        content=[types.TextContent(text=text) for text in words if text],
        structured_content=data,
        is_error=broken or not response.ok,
    )


def as_failure(sentence: str) -> types.CallToolResult:
    """A call that was not made, and why."""
    return types.CallToolResult(content=[types.TextContent(text=sentence)], is_error=True)


def _promises_object(info: MetaActionInfo) -> bool:
    """Whether results are declared in a form that clients of every version of the protocol know."""
    return info.response_schema.get("type") == "object"


def _annotations(hints: Annotations) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        idempotent_hint=hints.idempotent,
        open_world_hint=hints.open_world,
    )
