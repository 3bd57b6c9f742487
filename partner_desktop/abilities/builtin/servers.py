"""`mcp::*`: what external MCP servers offer beside their tools: resources and prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import TellMindError
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.domain.meta_action import RunnerResponse


class ServersView(Protocol):
    """The servers, as far as these builtins ask them. `runner/mcp/manager.py` has this face."""

    def statuses(self) -> Sequence[ServerStatus]: ...

    async def read_resource(self, server_id: str, uri: str, /) -> RunnerResponse: ...

    async def get_prompt(self, server_id: str, name: str, arguments: JsonObject, /) -> RunnerResponse: ...


class ServerBuiltins:
    """`view` is asked for with each call: it is built after the list of builtins."""

    def __init__(self, view: Callable[[], ServersView]) -> None:
        self._view = view

    def definitions(self) -> Builtins:
        return {
            "mcp::list": self._list,
            "mcp::read_resource": self._read,
            "mcp::get_prompt": self._prompt,
        }

    async def _list(self, call: BuiltinCall) -> RunnerResponse:
        if call.text("server"):
            status = self._require(call.text("server"))
            return RunnerResponse(ok=True, data={"summary": _sentence(status), **_offers(status)})
        servers = self._view().statuses()
        if not servers:
            return done("No MCP server is configured.")
        told = "1 MCP server is" if len(servers) == 1 else f"{len(servers)} MCP servers are"
        lines: list[Json] = [_line(status) for status in servers]
        return RunnerResponse(ok=True, data={"summary": f"{told} configured.", "servers": lines})

    async def _read(self, call: BuiltinCall) -> RunnerResponse:
        status = self._require(call.text("server"), ready=True)
        return await self._view().read_resource(status.id, call.text("uri"))

    async def _prompt(self, call: BuiltinCall) -> RunnerResponse:
        status = self._require(call.text("server"), ready=True)
        given = call.params.get("arguments")
        arguments = given if isinstance(given, dict) else {}
        return await self._view().get_prompt(status.id, call.text("name"), arguments)

    def _require(self, server_id: str, *, ready: bool = False) -> ServerStatus:
        servers = self._view().statuses()
        status = next((status for status in servers if status.id == server_id), None)
        if status is None:
            known = ", ".join(status.id for status in servers)
            rest = f"there are: {known}" if known else "none is configured"
            raise TellMindError(f"There is no MCP server called `{server_id[:80]}`; {rest}.")
        if ready and status.phase is not ServerPhase.READY:
            why = f": {status.failure.message}" if status.failure is not None else ""
            raise TellMindError(f"The MCP server {server_id} is not ready ({status.phase.value}){why}")
        return status


def _line(status: ServerStatus) -> JsonObject:
    return {
        "server": status.id,
        "phase": status.phase.value,
        "tools": status.tools,
        "resources": len(status.resources),
        "prompts": len(status.prompts),
    }


def _sentence(status: ServerStatus) -> str:
    why = f": {status.failure.message}" if status.failure is not None else "."
    return f"The MCP server {status.id} is {status.phase.value}{why}"


def _offers(status: ServerStatus) -> JsonObject:
    resources: list[Json] = [
        {"uri": resource.uri, "name": resource.name, "about": resource.description}
        for resource in status.resources
    ]
    prompts: list[Json] = [
        {
            "name": prompt.name,
            "about": prompt.description,
            "arguments": ", ".join(argument.name for argument in prompt.arguments),
        }
        for prompt in status.prompts
    ]
    return {"tools": status.tools, "resources": resources, "prompts": prompts}
