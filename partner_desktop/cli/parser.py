"""The whole command line as one parser.

Commands about the house itself are written here, one function each. Those whose verbs are operations only
stand here with what they are about: `commands.verb` reads what comes behind them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from partner_desktop import __version__
from partner_desktop.cli.api import add_api
from partner_desktop.cli.house import add_backup, add_config, add_doctor, add_gateway, add_restore
from partner_desktop.cli.mcp_server import add_mcp_server
from partner_desktop.cli.records import add_audit, add_trace
from partner_desktop.cli.talk import add_chat
from partner_desktop.commands.options import places

_WRITTEN = {
    "chat": add_chat,
    "gateway": add_gateway,
    "api": add_api,
    "mcp-server": add_mcp_server,
    "audit": add_audit,
    "trace": add_trace,
    "backup": add_backup,
    "restore": add_restore,
    "doctor": add_doctor,
    "config": add_config,
}
_OF_OPERATIONS = {
    "actions": "what can be done here, and what was done",
    "models": "the models that talk",
    "servers": "external MCP servers",
    "commands": "commands that run in the background",
    "conversations": "what was said",
    "permissions": "what may run without a question",
}
#: In the order of the help.
_ORDER = (
    "chat", "actions", "models", "servers", "commands", "conversations", "gateway", "api", "mcp-server",
    "permissions", "audit", "trace", "backup", "restore", "doctor", "config",
)  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """`command` is `None` for the window; `run` is what to call. Behind a command of operations: `words`."""
    parser = argparse.ArgumentParser(
        prog="partner-desktop",
        description="A local-first desktop companion that can act. Without a command it opens the window.",
        epilog="Every other service of Partner is a command, too: `partner-desktop messages --help`.",
        parents=[places(default=None)],
    )
    parser.add_argument("--version", action="version", version=f"partner-desktop {__version__}")
    # The same options after the command; SUPPRESS keeps them from resetting what stood before it.
    after = places(default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in _ORDER:
        if name in _WRITTEN:
            _WRITTEN[name](commands, after)
        else:
            commands.add_parser(name, help=_OF_OPERATIONS[name], add_help=False)
    return parser


def of_operations(argv: Sequence[str]) -> tuple[argparse.Namespace, str, list[str]] | None:
    """The places, a command whose verbs are operations and what comes behind it; else `None`."""
    common = places(default=None)
    options, words = common.parse_known_args(argv)
    if not words or words[0].startswith("-") or words[0] in _WRITTEN:
        return None
    return options, words[0], words[1:]
