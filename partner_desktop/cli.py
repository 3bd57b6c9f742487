"""The command line: `partner-desktop` opens the window, its commands need none.

Exit codes: 0 success, 1 failed, 2 misuse (and no display).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop import __version__
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.paths import Home
from partner_desktop.config.home import resolve_home

if TYPE_CHECKING:
    from partner_desktop.gateways.conversation_ask import ConversationAsk

#: The most audit entries that one command prints.
_MOST = 1_000_000
_APPROVE = ("never", "ask", "all")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    options = _parser().parse_args(argv)
    try:
        home = resolve_home(options.home)
        action_dir = _folder(options.action_dir) if options.action_dir else None
        if options.command is None:
            return _window(home, action_dir)
        from partner_desktop.commands.exit_signals import run  # noqa: PLC0415 - the window needs none of it

        return run(_command(options, home, action_dir))
    except UsageError as error:
        print(_shown(error), file=sys.stderr)
        return 2
    except PartnerError as error:
        print(_shown(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output went away; pointing stdout elsewhere keeps the interpreter's exit quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _shown(error: PartnerError) -> str:
    from partner_desktop.commands.plain import plain  # noqa: PLC0415 - brings the wire in

    return plain(str(error))


def _folder(path: Path) -> Path:
    return Path(os.path.expanduser(path)).absolute()  # noqa: PTH111 - never raises


def _window(home: Home, action_dir: Path | None) -> int:
    if home.socket.exists():
        from partner_desktop.commands.raising import raised_running_window  # noqa: PLC0415

        if raised_running_window(home):
            return 0
    from partner_desktop.desktop.launch import main as open_window  # noqa: PLC0415 - Qt only for the window

    return open_window(home.root, action_dir)


def _command(  # noqa: PLR0911 - one line per command
    options: argparse.Namespace, home: Home, action_dir: Path | None
) -> Coroutine[Any, Any, int]:
    # Each command brings in only what it needs.
    from partner_desktop.permission.request import StandingAnswer  # noqa: PLC0415

    if options.command == "chat":
        from partner_desktop.commands.chat import chat  # noqa: PLC0415

        approve = StandingAnswer(options.approve)
        return chat(
            home,
            action_dir,
            once=options.once,
            as_json=options.json,
            approve=approve,
            conversation=options.conversation,
        )
    if options.command == "gateway":
        from partner_desktop.commands.gateway import gateway_token  # noqa: PLC0415

        return gateway_token(home, renew=options.renew)
    if options.command == "audit":
        from partner_desktop.commands.audit import audit  # noqa: PLC0415

        return audit(home, action_dir, limit=options.limit, action=options.action, as_json=options.json)
    if options.command == "trace":
        from partner_desktop.commands.trace import trace  # noqa: PLC0415

        return trace(home, turn=options.turn, as_list=options.list, limit=options.limit, as_json=options.json)
    if options.command == "conversations":
        from partner_desktop.commands.conversations import conversations  # noqa: PLC0415

        return conversations(home, action_dir, _conversation_ask(options), as_json=options.json)
    if options.command in ("backup", "restore"):
        from partner_desktop.commands.backup import backup, restore_backup  # noqa: PLC0415

        path = _folder(options.path)
        if options.command == "restore":
            return restore_backup(home, path, as_json=options.json)
        return backup(home, action_dir, path, force=options.force, as_json=options.json)
    if options.command == "doctor":
        from partner_desktop.commands.connection import default_action_dir  # noqa: PLC0415
        from partner_desktop.commands.doctor import doctor  # noqa: PLC0415

        return doctor(home, action_dir or default_action_dir(home), as_json=options.json)
    if options.command == "config":
        from partner_desktop.commands.config import config  # noqa: PLC0415

        name = getattr(options, "name", "")
        return config(home, options.verb, name=name, as_json=getattr(options, "json", False))
    from partner_desktop.commands import actions  # noqa: PLC0415

    if options.action_command == "list":
        return actions.list_actions(home, action_dir, as_json=options.json)
    if options.action_command != "run":
        from partner_desktop.gateways.session import ManageAsk  # noqa: PLC0415

        ask = ManageAsk(options.action_command, options.key, getattr(options, "name", ""))
        return actions.manage_action(home, action_dir, ask, as_json=options.json)
    return actions.run_action(
        home,
        action_dir,
        key=options.key,
        arguments=options.argument,
        as_json=options.json,
        approve=StandingAnswer(options.approve),
    )


def _parser() -> argparse.ArgumentParser:
    common = _common(default=None)
    parser = argparse.ArgumentParser(
        prog="partner-desktop",
        description="A local-first desktop companion that can act. Without a command it opens the window.",
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"partner-desktop {__version__}")
    # The same options after the command; SUPPRESS keeps them from resetting what stood before it.
    after = _common(default=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_chat(commands.add_parser("chat", parents=[after], help="talk in the terminal"))
    _add_actions(commands.add_parser("actions", help="what can be done here"), after)
    _add_conversations(commands.add_parser("conversations", help="what was said"), after)
    _add_gateway(commands.add_parser("gateway", help="how other programs come in"), after)
    audit = commands.add_parser("audit", parents=[after], help="what was decided and run")
    audit.add_argument(
        "--limit", type=_count, default=200, metavar="N", help="how many entries (default 200)"
    )
    audit.add_argument("--action", default="", metavar="TEXT", help="only actions whose key contains TEXT")
    _add_json(audit)
    _add_trace(commands.add_parser("trace", parents=[after], help="what happened in a turn, as a tree"))
    backup = commands.add_parser("backup", parents=[after], help="save everything into one file")
    backup.add_argument("path", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace the file if it is there")
    restore = commands.add_parser("restore", parents=[after], help="bring back what a backup holds")
    restore.add_argument("path", type=Path, metavar="FILE")
    for parser_of_file in (backup, restore):
        _add_json(parser_of_file)
    doctor = commands.add_parser(
        "doctor", parents=[after], help="what is here, what is missing, how to fix it"
    )
    _add_json(doctor)
    _add_config(commands.add_parser("config", help="the settings files: explain, check, find them"), after)
    return parser


def _count(text: str) -> int:
    count = int(text)
    if not 0 < count <= _MOST:
        raise argparse.ArgumentTypeError(f"use a number from 1 to {_MOST:,}")
    return count


def _common(*, default: str | None) -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--home", type=Path, default=default, metavar="DIR", help="Partner's own folder")
    common.add_argument(
        "--action-dir", type=Path, default=default, metavar="DIR", help="the folder of live abilities"
    )
    return common


def _add_chat(chat: argparse.ArgumentParser) -> None:
    chat.add_argument("--once", metavar="TEXT", help="say this, wait for the end of it, and leave")
    chat.add_argument(
        "--conversation",
        default="",
        metavar="ID",
        help="go on with this one (the beginning of its id will do)",
    )
    _add_approve(chat)
    _add_json(chat)


def _add_gateway(gateway: argparse.ArgumentParser, after: argparse.ArgumentParser) -> None:
    commands = gateway.add_subparsers(dest="gateway_command", metavar="token", required=True)
    token = commands.add_parser("token", parents=[after], help="print what a websocket client has to know")
    token.add_argument("--renew", action="store_true", help="make a new one; the old one opens nothing more")


def _add_actions(actions: argparse.ArgumentParser, after: argparse.ArgumentParser) -> None:
    commands = actions.add_subparsers(
        dest="action_command", metavar="list|run|persist|remove|disable|enable", required=True
    )
    _add_json(commands.add_parser("list", parents=[after], help="list the abilities"))
    run = commands.add_parser("run", parents=[after], help="run one ability")
    run.add_argument("key", metavar="KEY", help="for example local::count_words")
    run.add_argument("argument", nargs="*", metavar="NAME=VALUE")
    _add_approve(run)
    _add_json(run)
    for verb, told in (
        ("persist", "keep a temporary ability for good"),
        ("remove", "move an ability to the trash"),
        ("disable", "switch an ability off: it is listed, but not used"),
        ("enable", "switch it on again"),
    ):
        manage = commands.add_parser(verb, parents=[after], help=told)
        manage.add_argument("key", metavar="KEY", help="for example local::count_words")
        if verb == "persist":
            manage.add_argument("--name", default="", metavar="NAME", help="the name to keep it under")
        _add_json(manage)


def _add_conversations(conversations: argparse.ArgumentParser, after: argparse.ArgumentParser) -> None:
    commands = conversations.add_subparsers(
        dest="verb", metavar="list|search|export|import|delete|rename", required=True
    )
    told = {
        "list": "all of them, newest first",
        "search": "find what was said",
        "export": "write one to a file: Markdown where its name ends in .md, JSON otherwise",
        "import": "take an exported JSON file in",
        "delete": "delete one and everything said in it",
        "rename": "give one another title",
    }
    verbs = {verb: commands.add_parser(verb, parents=[after], help=text) for verb, text in told.items()}
    for verb in ("export", "delete", "rename"):
        verbs[verb].add_argument("id", metavar="ID", help="its id, or the beginning of it")
    verbs["search"].add_argument("text", metavar="TEXT")
    verbs["rename"].add_argument("text", metavar="TITLE")
    for verb in ("export", "import"):
        verbs[verb].add_argument("path", type=Path, metavar="FILE")
    for parser in verbs.values():
        _add_json(parser)


def _add_config(config: argparse.ArgumentParser, after: argparse.ArgumentParser) -> None:
    commands = config.add_subparsers(dest="verb", metavar="docs|check|path", required=True)
    docs = commands.add_parser(
        "docs", parents=[after], help="every setting: type, unit, range, default, example"
    )
    docs.add_argument("name", nargs="?", default="", metavar="NAME", help="only this file, such as runtime")
    _add_json(docs)
    _add_json(
        commands.add_parser("check", parents=[after], help="read the files as they are; 1 if one is wrong")
    )
    commands.add_parser("path", parents=[after], help="print the folder they are in")


def _add_trace(trace: argparse.ArgumentParser) -> None:
    which = trace.add_mutually_exclusive_group()
    which.add_argument("--last", action="store_true", help="the last turn (what it does without any option)")
    which.add_argument("--turn", default="", metavar="ID", help="this turn: its id, or the beginning of it")
    which.add_argument("--list", action="store_true", help="the last turns, one line each")
    trace.add_argument(
        "--limit", type=_count, default=None, metavar="N", help="how many turns (default 1; 20 with --list)"
    )
    _add_json(trace)


def _conversation_ask(options: argparse.Namespace) -> ConversationAsk:
    from partner_desktop.gateways.conversation_ask import ConversationAsk  # noqa: PLC0415

    path = getattr(options, "path", None)
    return ConversationAsk(
        options.verb,
        conversation_id=getattr(options, "id", ""),
        text=getattr(options, "text", ""),
        path=str(_folder(path)) if path is not None else "",
    )


def _add_approve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approve",
        choices=_APPROVE,
        default="ask",
        help="what to do where an approval is needed: nothing, ask (default), or approve each run once",
    )


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
