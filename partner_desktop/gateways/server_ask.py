"""What a command asks about external MCP servers, and the answer from the Partner of this process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import Json, JsonObject

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

ServerVerb = Literal["list", "allow", "move-secrets", "restart", "enable", "disable", "log"]


@dataclass(frozen=True)
class ServerAsk:
    """`name` is the id of a server; `list` needs none. `shown_hash`, with `allow`: of the question that was
    shown.
    """

    server_verb: ServerVerb
    name: str = ""
    shown_hash: str = ""


async def answer_about_servers(partner: Services, ask: ServerAsk) -> list[Json]:
    """With `list` all servers; else one object about what was done.

    Servers that are just starting are waited for a while: a command that hosts the home itself would
    otherwise see none that is ready.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    await partner.servers.settled()
    if ask.server_verb == "list":
        return [as_json(status) for status in partner.servers.list()]
    done: JsonObject = {"verb": ask.server_verb, "name": ask.name}
    match ask.server_verb:
        case "log":
            return [{**done, "log": await partner.servers.log(ask.name)}]
        case "allow":
            await partner.servers.allow(ask.name, shown_hash=ask.shown_hash)
        case "move-secrets":
            done["told"] = await partner.servers.move_secrets(ask.name)
        case "restart":
            await partner.servers.restart(ask.name)
        case "enable" | "disable":
            await partner.servers.switch(ask.name, on=ask.server_verb == "enable")
        case _:
            assert_never(ask.server_verb)
    await partner.servers.settled()
    status = next((one for one in partner.servers.list() if one.id == ask.name), None)
    return [{**done, "server": as_json(status)}]
