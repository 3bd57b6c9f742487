"""Commands about external MCP servers: `servers` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_json

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

_VERBS = {
    "list": "all of them, how they are, and why not",
    "allow": "say yes to what one would start and get, as it is printed, or `list` printed it",
    "move-secrets": "move what stands in its file as plain text to the keyring",
    "restart": "begin one anew, now",
    "enable": "let one run again",
    "disable": "stop one, until it is enabled",
    "log": "what one wrote",
}


def add_servers(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`servers` and its verbs."""
    servers = commands.add_parser("servers", help="external MCP servers")
    verbs = servers.add_subparsers(dest="verb", metavar="|".join(_VERBS), required=True)
    for verb, does in _VERBS.items():
        parser = verbs.add_parser(verb, parents=[after], help=does)
        if verb != "list":
            parser.add_argument("name", metavar="ID")
        if verb == "allow":
            told = "of the question that was seen, as `list` prints it; without a terminal that is needed"
            parser.add_argument("--shown", metavar="HASH", default="", help=told)
        add_json(parser)
    servers.set_defaults(run=_servers)


def _servers(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.servers import servers  # noqa: PLC0415
    from partner_desktop.gateways.server_ask import ServerAsk  # noqa: PLC0415

    ask = ServerAsk(options.verb, name=getattr(options, "name", ""), shown_hash=getattr(options, "shown", ""))
    return servers(place.home, place.action_dir, ask, as_json=options.json)
