"""The commands of the command line.

Commands that are no operations are written here, one function each. Those whose verbs are operations only
stand in the list, with what they are about: `commands.verb` reads what comes behind them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop import __version__
from partner_desktop.base.errors import UsageError
from partner_desktop.cli.moments import since, until
from partner_desktop.commands.options import CommandFolders, add_approve, add_json, count, home_folder, places
from partner_desktop.domain.audit import KINDS, OUTCOMES, AuditQuery

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def _add_chat(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`chat`."""
    chat = commands.add_parser("chat", parents=[after], help="talk in the terminal")
    chat.add_argument("--once", metavar="TEXT", help="say this, wait for the end of it, and leave")
    chat.add_argument(
        "--conversation",
        default="",
        metavar="ID",
        help="go on with this one (the beginning of its id will do)",
    )
    add_approve(chat)
    add_json(chat)
    chat.set_defaults(run=_chat)


def _chat(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.chat import chat  # noqa: PLC0415

    return chat(
        place.home,
        place.action_dir,
        once=options.once,
        as_json=options.json,
        approve=options.approve,
        conversation=options.conversation,
    )


def _add_gateway(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`gateway token`."""
    gateway = commands.add_parser("gateway", help="how other programs come in")
    verbs = gateway.add_subparsers(dest="gateway_command", metavar="token", required=True)
    token = verbs.add_parser("token", parents=[after], help="print what a websocket client has to know")
    token.add_argument("--renew", action="store_true", help="make a new one; the old one opens nothing more")
    token.set_defaults(run=_gateway_token)


def _add_backup(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`backup`."""
    backup = commands.add_parser("backup", parents=[after], help="save everything into one file")
    backup.add_argument("path", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace the file if it is there")
    add_json(backup)
    backup.set_defaults(run=_backup)


def _add_restore(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`restore`."""
    restore = commands.add_parser("restore", parents=[after], help="bring back what a backup holds")
    restore.add_argument("path", type=Path, metavar="FILE")
    add_json(restore)
    restore.set_defaults(run=_restore)


def _add_doctor(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`doctor`."""
    doctor = commands.add_parser(
        "doctor", parents=[after], help="what is here, what is missing, how to fix it"
    )
    add_json(doctor)
    doctor.set_defaults(run=_doctor)


def _add_config(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`config` and its verbs."""
    config = commands.add_parser("config", help="the settings files: explain, check, find them")
    verbs = config.add_subparsers(dest="verb", metavar="docs|check|path", required=True)
    docs = verbs.add_parser(
        "docs", parents=[after], help="every setting: type, unit, range, default, example"
    )
    docs.add_argument("name", nargs="?", default="", metavar="NAME", help="only this file, such as runtime")
    add_json(docs)
    add_json(verbs.add_parser("check", parents=[after], help="read the files as they are; 1 if one is wrong"))
    verbs.add_parser("path", parents=[after], help="print the folder they are in")
    config.set_defaults(run=_config)


def _gateway_token(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.gateway import gateway_token  # noqa: PLC0415

    return gateway_token(place.home, renew=options.renew)


def _backup(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.backup import backup  # noqa: PLC0415

    path = home_folder(options.path)
    return backup(place.home, place.action_dir, path, force=options.force, as_json=options.json)


def _restore(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.backup import restore_backup  # noqa: PLC0415

    return restore_backup(place.home, home_folder(options.path), as_json=options.json)


def _doctor(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.doctor import doctor  # noqa: PLC0415

    return doctor(place.home, place.action_dir or place.home.action_dir, as_json=options.json)


def _config(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.config import config  # noqa: PLC0415

    name = getattr(options, "name", "")
    return config(place.home, options.verb, name=name, as_json=getattr(options, "json", False))


_AUDIT_HELP = """\
WHEN is a day (2026-05-14), a time (2026-05-14T09:30), how long ago (30m, 2h, 3d, 1w) or today;
a day given to --until counts to its end. An export is readable by you alone.
"""


def _add_audit(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`audit`."""
    audit = commands.add_parser(
        "audit",
        parents=[after],
        help="what was decided and run",
        epilog=_AUDIT_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    audit.add_argument("--since", type=since, metavar="WHEN", help="only what came at this time or later")
    audit.add_argument("--until", type=until, metavar="WHEN", help="only what came before this time")
    audit.add_argument("--action", default="", metavar="TEXT", help="only actions whose key contains TEXT")
    audit.add_argument("--kind", default="", metavar="K", help=f"only entries of a kind: {_either(KINDS)} …")
    audit.add_argument(
        "--outcome", default="", metavar="O", help=f"only what came out so: {_either(OUTCOMES[:5])} …"
    )
    audit.add_argument(
        "--limit", type=count, metavar="N", help="only the newest N (default 200; with --export all)"
    )
    audit.add_argument(
        "--export", type=Path, metavar="FILE", help="write them to a .jsonl, .json or .csv file"
    )
    audit.add_argument("--force", action="store_true", help="with --export: replace the file if it is there")
    add_json(audit)
    audit.set_defaults(run=_audit)


def _add_trace(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`trace`."""
    trace = commands.add_parser("trace", parents=[after], help="what happened in a turn, as a tree")
    which = trace.add_mutually_exclusive_group()
    which.add_argument("--last", action="store_true", help="the last turn (what it does without any option)")
    which.add_argument("--turn", default="", metavar="ID", help="this turn: its id, or the beginning of it")
    which.add_argument("--list", action="store_true", help="the last turns, one line each")
    trace.add_argument(
        "--limit", type=count, default=None, metavar="N", help="how many turns (default 1; 20 with --list)"
    )
    add_json(trace)
    trace.set_defaults(run=_trace)


def _audit(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.audit import audit, export_audit  # noqa: PLC0415

    if options.force and options.export is None:
        raise UsageError("--force is for --export: it replaces the file.")
    if options.since is not None and options.until is not None and options.since >= options.until:
        raise UsageError("--since must come before --until.")
    query = AuditQuery(options.action, options.kind, options.outcome, options.since, options.until)
    if options.export is None:
        return audit(place.home, place.action_dir, query, limit=options.limit, as_json=options.json)
    return export_audit(
        place.home,
        place.action_dir,
        query,
        home_folder(options.export),
        limit=options.limit,
        force=options.force,
        as_json=options.json,
    )


def _either(words: Sequence[str]) -> str:
    return ", ".join(words)


def _trace(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.trace import trace  # noqa: PLC0415

    return trace(
        place.home, turn=options.turn, as_list=options.list, limit=options.limit, as_json=options.json
    )


def _add_api(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`api` and its verbs."""
    api = commands.add_parser("api", help="what other programs can ask of Partner")
    verbs = api.add_subparsers(dest="verb", metavar="docs|serve", required=True)
    docs = verbs.add_parser("docs", parents=[after], help="the protocol, and every operation in it")
    docs.add_argument(
        "--caller",
        choices=("client", "attached"),
        default="client",
        help="for a program with a token (this is what it does without a word), or for one of your own",
    )
    docs.add_argument("--json", action="store_true", help="one JSON object, with JSON Schemas")
    docs.set_defaults(run=_docs)
    serve = verbs.add_parser(
        "serve", parents=[after], help="speak it over stdin and stdout, as one of your own"
    )
    serve.set_defaults(run=_serve)


def _docs(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.base.operation import Caller  # noqa: PLC0415
    from partner_desktop.commands.api_docs import api_docs  # noqa: PLC0415

    return api_docs(place.home, caller=Caller[options.caller.upper()], as_json=options.json)


def _serve(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.api_serve import api_serve  # noqa: PLC0415

    del options
    return api_serve(place.home, place.action_dir)


def _add_mcp_server(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`mcp-server`."""
    server = commands.add_parser(
        "mcp-server", parents=[after], help="offer the abilities to other programs, as an MCP server"
    )
    server.add_argument(
        "--print-config", action="store_true", help="print what to paste into the other program, and end"
    )
    server.set_defaults(run=_mcp_server)


def _mcp_server(options: argparse.Namespace, place: CommandFolders) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.mcp_server import mcp_server, print_config  # noqa: PLC0415

    if options.print_config:
        named = options.home is not None or "PARTNER_HOME" in os.environ
        return print_config(place.home if named else None, place.action_dir)
    return mcp_server(place.home, place.action_dir)


#: In the order of the help: what adds a command, or what one is about whose verbs are operations.
_COMMANDS: Mapping[str, str | Callable[[Subparsers, argparse.ArgumentParser], None]] = {
    "chat": _add_chat,
    "actions": "what can be done here, and what was done",
    "models": "the models that talk",
    "servers": "external MCP servers",
    "commands": "commands that run in the background",
    "conversations": "what was said",
    "gateway": _add_gateway,
    "api": _add_api,
    "mcp-server": _add_mcp_server,
    "permissions": "what may run without a question",
    "audit": _add_audit,
    "trace": _add_trace,
    "backup": _add_backup,
    "restore": _add_restore,
    "doctor": _add_doctor,
    "config": _add_config,
}


def build_parser() -> argparse.ArgumentParser:
    """`command` is `None` for the window; otherwise `run` is what to call."""
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
    for name, add in _COMMANDS.items():
        if isinstance(add, str):
            commands.add_parser(name, help=add, add_help=False)
        else:
            add(commands, after)
    return parser


def of_operations(argv: Sequence[str]) -> tuple[argparse.Namespace, str, list[str]] | None:
    """The places, a command whose verbs are operations and what comes behind it; else `None`."""
    options, words = places(default=None).parse_known_args(argv)
    if not words or words[0].startswith("-") or not isinstance(_COMMANDS.get(words[0], ""), str):
        return None
    return options, words[0], words[1:]
