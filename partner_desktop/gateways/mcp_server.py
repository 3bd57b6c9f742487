"""Our abilities as an MCP server for other programs. Loaded on demand: the `mcp` SDK takes its time.

Contract: `serve` returns when the client has gone, with everything that it began ended. Only answers reach
the wire. A client that floods is read no faster than it is answered.

Between our lines and the SDK's streams, what is no message is answered at once. A request keeps its place in
the gate until its answer is written, or it is settled without one: who does not read answers is not read
either.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from urllib.parse import quote

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from partner_desktop import __version__
from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.text import shown
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.serving.calls import CallOutcome, Calls, ProgressStep, Reach, failed
from partner_desktop.gateways.serving.offers import OfferedTool, described_anew, offers_of
from partner_desktop.gateways.serving.stdio import LINE_LIMIT_BYTES, StdioWire, TooLong
from partner_desktop.gateways.wire import json_line
from partner_desktop.runner.mcp.protocol.message_filter import SdkReads, SdkStream

_log = log.area("mcp_server")

#: Requests that may be unanswered before the next one is read, and streams of changes that may be open.
_MOST_UNANSWERED = 256
_MOST_STREAMS = 8
_INSTRUCTIONS = (
    "Abilities of Partner, on the user's own machine. What has not been allowed for good is refused: "
    "the reason says what the user can do about it."
)
_ABILITIES, _DESCRIPTIONS = "partner://abilities/", "partner://mcp/desc/"

Context: TypeAlias = ServerRequestContext[Any, Any]  # Any: the SDK's own defaults, of which we use none


async def serve(reach: Reach, source: int, sink: int) -> None:
    """Speak MCP over two file descriptors until the client goes."""
    _quiet_library()
    wire: StdioWire[Received] = StdioWire(source, sink, parse)
    gate = asyncio.Semaphore(_MOST_UNANSWERED)
    partner = _PartnerServer(reach)
    wire.start()
    try:
        await partner.run(Incoming(wire, gate), Outgoing(wire, gate))
    finally:
        wire.close()


class _PartnerServer:
    """What is answered to each request."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._calls = Calls(reach)
        self._offers: dict[str, OfferedTool] = {}
        self._resources: dict[str, JsonObject] = {}
        self._tasks = TaskSet("mcp-server")
        self._bus = InMemorySubscriptionBus()
        self._legacy: ServerSession | None = None
        """A client of the older protocol, which is told of changes unasked."""

    async def run(self, incoming: Incoming, outgoing: Outgoing) -> None:
        server = self._build()
        options = server.create_initialization_options(
            NotificationOptions(tools_changed=True, resources_changed=True)
        )
        self._tasks.start("changes", self._follow_changes())
        try:
            await server.run(incoming, outgoing, options)
        finally:
            await self._tasks.close()
            await self._calls.close()

    def _build(self) -> Server[Any]:
        server: Server[Any] = Server(
            "partner-desktop",
            version=__version__,
            title="Partner",
            instructions=_INSTRUCTIONS,
            on_list_tools=_guarded(self._list_tools),
            on_call_tool=_guarded(self._call_tool),
            on_list_resources=_guarded(self._list_resources),
            on_list_resource_templates=_guarded(self._list_templates),
            on_read_resource=_guarded(self._read_resource),
            on_subscriptions_listen=ListenHandler(self._bus, max_subscriptions=_MOST_STREAMS),
        )
        server.middleware.clear()  # telemetry that nothing here collects
        server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, self._initialized
        )
        return server

    # The list of abilities.

    async def _initialized(self, context: Context, params: types.NotificationParams) -> None:
        del params
        self._legacy = context.session

    async def _refresh(self) -> bool:
        """Read the abilities; whether what is offered has changed."""
        async with self._reach.use() as client:
            await client.call("servers.settled")
            abilities = await client.objects("abilities.list")
        before = self._offers, self._resources
        self._offers = offers_of(abilities)
        own = {_ABILITIES + quote(offer.key): offer.whole for offer in self._offers.values()}
        told = {_DESCRIPTIONS + quote(name): each for name, each in described_anew(abilities).items()}
        self._resources = own | told
        return before != (self._offers, self._resources)

    async def _follow_changes(self) -> None:
        known = False
        while True:
            await self._reach.changed()
            try:
                changed = await self._refresh()
            except PartnerError as error:
                _log.warning("the abilities could not be read: %s", error)
                continue
            if changed and known:
                await self._announce()
            known = True

    async def _announce(self) -> None:
        await self._bus.publish(ToolsListChanged())
        await self._bus.publish(ResourcesListChanged())
        if self._legacy is not None:
            await self._legacy.send_tool_list_changed()
            await self._legacy.send_resource_list_changed()

    async def _list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context, params
        await self._refresh()
        return types.ListToolsResult(tools=[_tool(offer) for offer in self._offers.values()])

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        del context, params
        await self._refresh()
        listed = [_resource(uri, str(each["key"])) for uri, each in self._resources.items()]
        return types.ListResourcesResult(resources=listed)

    async def _list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """None; some clients ask of whoever has resources, and take an error amiss."""
        del context, params
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        del context
        uri = str(params.uri)
        if uri not in self._resources:
            await self._refresh()
        if uri not in self._resources:
            raise MCPError(types.INVALID_PARAMS, f"Partner has no resource {_short(uri)}.")
        text = json.dumps(self._resources[uri].get("info"), ensure_ascii=False, indent=2)
        contents = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    # Calls.

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        async def tell(step: ProgressStep) -> None:
            await context.session.report_progress(step.progress, step.total, step.message or None)

        offer = await self._find(params.name)
        if offer is None:
            sentence = (
                f"Partner has no tool {_short(params.name)} (any more); `tools/list` says what there is."
            )
            return _call_result(failed(sentence))
        outcome = await self._calls.call(
            offer, params.arguments or {}, client=_client_name(context.session), tell=tell
        )
        return _call_result(outcome)

    async def _find(self, name: str) -> OfferedTool | None:
        if name not in self._offers:
            await self._refresh()
        return self._offers.get(name)


def _guarded(handle: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Errors as the protocol has them; a surprise is logged here and told in one sentence."""

    # Any: the SDK's handlers have one shape each; this passes on whatever it gets.
    async def guarded(context: Context, params: Any) -> Any:  # noqa: ANN401
        try:
            return await handle(context, params)
        except PartnerError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error
        except MCPError:
            raise
        except Exception as error:  # a bridge: one bad request never takes the server down
            _log.exception("a request could not be answered")
            sentence = "Something went wrong inside Partner; its log has the details."
            raise MCPError(types.INTERNAL_ERROR, sentence) from error

    return guarded


def _client_name(session: ServerSession) -> str:
    """As the client calls itself, on one short line."""
    params = session.client_params
    name = (params.client_info.title or params.client_info.name) if params is not None else ""
    name = _short(" ".join(name.split()))
    return name or "Another program"


def _short(text: str) -> str:
    """A name from outside may be long, and hold anything."""
    return shown(text[:40]) + ("…" if len(text) > 40 else "")


def _tool(offer: OfferedTool) -> types.Tool:
    hints = offer.hints
    return types.Tool(
        name=offer.name,
        title=offer.title,
        description=offer.description or offer.title,
        input_schema=offer.params,
        output_schema=offer.result or None,
        annotations=types.ToolAnnotations(
            title=offer.title,
            read_only_hint=_flag(hints.get("read_only")),
            destructive_hint=_flag(hints.get("destructive")),
            idempotent_hint=_flag(hints.get("idempotent")),
            open_world_hint=_flag(hints.get("open_world")),
        ),
    )


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _resource(uri: str, key: str) -> types.Resource:
    return types.Resource(uri=uri, name=key, title=key, mime_type="application/json")


def _call_result(outcome: CallOutcome) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(text=outcome.text)]
    content += [types.ImageContent(data=each.data, mime_type=each.mime) for each in outcome.images]
    return types.CallToolResult(content=content, structured_content=outcome.data, is_error=outcome.is_error)


def _quiet_library() -> None:
    """What goes wrong on the other side of the wire is no error of ours."""
    for name in ("mcp.server", "mcp.shared"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class UnreadableLine:
    """A line that is no message."""

    answer: types.JSONRPCError


Received: TypeAlias = types.JSONRPCMessage | UnreadableLine


def parse(line: bytes) -> Received:
    """A message; or what to answer to what is none. Called on the reading thread."""
    try:
        return types.jsonrpc_message_adapter.validate_json(line.decode("utf-8", "replace"), by_name=False)
    except (ValidationError, RecursionError):
        return _misfit(line)


def _misfit(line: bytes) -> UnreadableLine:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return _refusal(types.PARSE_ERROR, "This line is not JSON.", None)
    asked = isinstance(body, dict) and "method" in body
    number = body.get("id") if asked else None
    known = number if isinstance(number, (str, int)) and not isinstance(number, bool) else None
    return _refusal(types.INVALID_REQUEST, "This line is not a message of JSON-RPC 2.0.", known)


def _refusal(code: int, sentence: str, number: str | int | None) -> UnreadableLine:
    error = types.ErrorData(code=code, message=sentence)
    return UnreadableLine(types.JSONRPCError(jsonrpc="2.0", id=number, error=error))


class _WireEnd(SdkStream):
    """Of the wire, which its owner closes."""

    def __init__(self, wire: StdioWire[Received], gate: asyncio.Semaphore) -> None:
        self._wire = wire
        self._gate = gate

    async def aclose(self) -> None:
        """Nothing."""


class Incoming(_WireEnd, SdkReads):
    """The SDK's `ReadStream`. What is no message is answered here."""

    async def receive(self) -> SessionMessage | Exception:
        while True:
            message = await self._wire.receive()
            if message is None:
                raise anyio.EndOfStream
            if isinstance(message, TooLong):
                most = LINE_LIMIT_BYTES // 2**20
                message = _refusal(types.INVALID_REQUEST, f"A message may have {most} MiB.", None)
            if isinstance(message, UnreadableLine):
                _log.warning("the client sent what is no message: %s", message.answer.error.message)
                await self._wire.send(_line(message.answer))
                continue
            if not isinstance(message, types.JSONRPCRequest):
                return SessionMessage(message)
            await self._gate.acquire()
            return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=self._settled))

    async def _settled(self) -> None:
        self._gate.release()


class Outgoing(_WireEnd):
    """The SDK's `WriteStream`."""

    async def send(self, item: SessionMessage) -> None:
        try:
            await self._wire.send(_line(item.message))
        finally:  # not before: an answer that waits to be read still takes its place
            if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
                self._gate.release()


def _line(message: types.JSONRPCMessage) -> bytes:
    return json_line(message.model_dump(by_alias=True, exclude_unset=True)).encode()
