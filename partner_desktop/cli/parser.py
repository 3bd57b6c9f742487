"""The whole command line as one parser. A new command is one function beside its like and one line here."""

from __future__ import annotations

import argparse

from partner_desktop import __version__
from partner_desktop.cli.abilities import add_actions
from partner_desktop.cli.api import add_api
from partner_desktop.cli.background import add_commands
from partner_desktop.cli.house import add_backup, add_config, add_doctor, add_gateway, add_restore
from partner_desktop.cli.mcp_server import add_mcp_server
from partner_desktop.cli.models import add_models
from partner_desktop.cli.options import places
from partner_desktop.cli.permissions import add_permissions
from partner_desktop.cli.records import add_audit, add_trace
from partner_desktop.cli.servers import add_servers
from partner_desktop.cli.talk import add_chat, add_conversations

#: In the order of the help.
_COMMANDS = (
    add_chat,
    add_actions,
    add_models,
    add_servers,
    add_commands,
    add_conversations,
    add_gateway,
    add_api,
    add_mcp_server,
    add_permissions,
    add_audit,
    add_trace,
    add_backup,
    add_restore,
    add_doctor,
    add_config,
)


def build_parser() -> argparse.ArgumentParser:
    """`command` is `None` for the window; otherwise `run` is what to call."""
    parser = argparse.ArgumentParser(
        prog="partner-desktop",
        description="A local-first desktop companion that can act. Without a command it opens the window.",
        parents=[places(default=None)],
    )
    parser.add_argument("--version", action="version", version=f"partner-desktop {__version__}")
    # The same options after the command; SUPPRESS keeps them from resetting what stood before it.
    after = places(default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for add in _COMMANDS:
        add(commands, after)
    return parser
