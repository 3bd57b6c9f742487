"""`mcp-server`: the abilities for other programs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.commands.options import Place

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def add_mcp_server(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`mcp-server`."""
    server = commands.add_parser(
        "mcp-server", parents=[after], help="offer the abilities to other programs, as an MCP server"
    )
    server.add_argument(
        "--print-config", action="store_true", help="print what to paste into the other program, and end"
    )
    server.set_defaults(run=_mcp_server)


def _mcp_server(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.mcp_server import mcp_server, print_config  # noqa: PLC0415

    if options.print_config:
        named = options.home is not None or "PARTNER_HOME" in os.environ
        return print_config(place.home if named else None, place.action_dir)
    return mcp_server(place.home, place.action_dir)
