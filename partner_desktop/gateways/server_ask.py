"""What a command asks about external MCP servers, and the answer from the Partner of this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, assert_never

from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.mcp_server import ServerStatus

ServerVerb = Literal["list", "allow", "move-secrets", "restart", "enable", "disable", "log"]


@dataclass(frozen=True)
class ServerAsk:
    """`name` is the id of a server; `list` needs none. `shown_hash`, with `allow`: of the question that was
    shown.
    """

    server_verb: ServerVerb
    name: str = ""
    shown_hash: str = ""


class ServersFace(Protocol):
    """The part of the app that answers."""

    def servers(self) -> Sequence[ServerStatus]: ...

    async def servers_settled(self) -> None: ...

    async def location_settled(self, key: str) -> None: ...

    async def allow_server(self, server_id: str, *, shown_hash: str) -> None: ...

    async def move_server_secrets(self, server_id: str) -> str: ...

    async def restart_server(self, server_id: str) -> None: ...

    async def switch_server(self, server_id: str, *, on: bool) -> None: ...

    async def server_log(self, server_id: str) -> str: ...


async def answer_about_servers(partner: ServersFace, ask: ServerAsk) -> list[Json]:
    """With `list` all servers; else one object about what was done.

    Servers that are just starting are waited for a while: a command that hosts the home itself would
    otherwise see none that is ready.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    await partner.servers_settled()
    if ask.server_verb == "list":
        return [as_json(status) for status in partner.servers()]
    done: JsonObject = {"verb": ask.server_verb, "name": ask.name}
    match ask.server_verb:
        case "log":
            return [{**done, "log": await partner.server_log(ask.name)}]
        case "allow":
            await partner.allow_server(ask.name, shown_hash=ask.shown_hash)
        case "move-secrets":
            done["told"] = await partner.move_server_secrets(ask.name)
        case "restart":
            await partner.restart_server(ask.name)
        case "enable" | "disable":
            await partner.switch_server(ask.name, on=ask.server_verb == "enable")
        case _:
            assert_never(ask.server_verb)
    await partner.servers_settled()
    status = next((one for one in partner.servers() if one.id == ask.name), None)
    return [{**done, "server": as_json(status)}]
