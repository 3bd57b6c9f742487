"""What can be asked is declared once: window, socket, websocket, terminal and page have it from there."""

from __future__ import annotations

import json
import re

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.operation import Caller
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.remote import RemoteClient
from tests.gateways.talking import open_gateway, talker
from tests.support import REPOSITORY

from .test_command_line import Cli, cli

__all__ = ["cli"]

pytestmark = [pytest.mark.integration, pytest.mark.promise("framework.operations")]

#: Commands whose verbs nobody wrote, and one where some are.
COMMANDS = ("messages", "context", "usage", "events", "permissions", "servers")


def declared(partner: Partner, caller: Caller) -> dict[str, str]:
    """Name and first sentence of what `caller` may ask."""
    return {one.name: one.summary for one in partner.operations if caller >= one.caller}


async def outlined(client: PartnerClient, *services: str) -> dict[str, str]:
    found = await client.objects("client.outline", services=list(services))
    return {str(one["name"]): str(one["summary"]) for one in found}


async def test_the_socket_and_the_websocket_offer_what_is_declared_for_them(partner: Partner) -> None:
    attached = declared(partner, Caller.ATTACHED)
    services = {name.partition(".")[0] for name in attached}
    assert await outlined(RemoteClient(partner.home), *services) == attached
    gateway, token = await open_gateway(partner)
    async with talker(gateway, token) as one:
        told = (await one.ask("client.operations"))["operations"]
    theirs = {each["name"]: each["summary"] for each in told if not each["name"].startswith("client.")}
    assert theirs == declared(partner, Caller.CLIENT)


@pytest.mark.slow
def test_the_terminal_its_help_and_the_page_offer_what_is_declared(cli: Cli) -> None:
    cli.host()
    _, (told,) = cli.events("api", "docs", "--caller", "attached")
    page = cli.run("api", "docs", "--caller", "attached").stdout
    for one in told["operations"]:
        assert f"\n## {one['name']}\n" in page
    for command in COMMANDS:
        text = cli.run(command, "--help").stdout
        verbs = set(re.findall(r"^    ([a-z-]+)\s", text, re.MULTILINE))
        mine = [
            one["name"].partition(".")[2]
            for one in told["operations"]
            if one["name"].startswith(f"{command}.")
        ]
        known = {verb.replace("_", "-") for verb in mine}
        assert known - verbs <= {"set-mode", "remove-rule", "switch"}, (
            "these have other names on the terminal"
        )
    described = next(one for one in told["operations"] if one["name"] == "messages.list")
    text = cli.run("messages", "list", "--help").stdout
    for name in described["parameters"]["properties"]:
        assert ("ID" if name == "conversation_id" else f"--{name}") in text
    (conversation,) = cli.events("conversations", "list")[1]
    code, said = cli.events("messages", "list", conversation["id"], "--limit", "1")
    assert (code, [one["role"] for one in said]) == (0, ["partner"])
    wrong = cli.run("messages", "list", conversation["id"], "--limit", "0")
    assert (wrong.returncode, "limit: input should be greater" in wrong.stderr) == (2, True), wrong
    assert (
        json.loads(cli.run("permissions", "ask", "local::*", "--json").stdout)["rules"][0]["effect"] == "ask"
    )


async def test_what_the_window_calls_is_declared(partner: Partner) -> None:
    services = sorted({name.partition(".")[0] for name in declared(partner, Caller.LOCAL)})
    called = set()
    for path in (REPOSITORY / "partner_desktop" / "desktop").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        called |= set(re.findall(rf"\bpartner\.((?:{'|'.join(services)})\.[a-z_]+)\(", text))
    assert len(called) > 40
    assert called - set(declared(partner, Caller.LOCAL)) <= {"config.start_notices", "conversations.deletion"}
