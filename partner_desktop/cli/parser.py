"""The commands of the command line.

Commands that are no operations are written here, one function each; `run` names what is called in `commands`,
which is brought in then. Those whose verbs are operations only
stand in the list, with what they are about: `commands.verb` reads what comes behind them.

Times are given as a day, a moment, how long ago, or `today`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop import __version__
from partner_desktop.commands.options import add_approve, add_json, count, places
from partner_desktop.domain.audit import KINDS, OUTCOMES

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def _add_chat(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`chat`."""
    chat = commands.add_parser("chat", parents=[after], help="talk in the terminal")
    chat.add_argument("--once", metavar="TEXT", help="say this, wait for the end of it, and leave")
    chat.add_argument(
        "--picture",
        action="append",
        default=[],
        metavar="FILE",
        help="with --once: show this picture (PNG, JPEG, WebP, GIF); may be given up to four times",
    )
    chat.add_argument(
        "--attach",
        action="append",
        default=[],
        metavar="FILE",
        help="with --once: a file or folder that the words are about; may be given up to twenty times",
    )
    chat.add_argument(
        "--conversation",
        default="",
        metavar="ID",
        help="go on with this one (the beginning of its id will do)",
    )
    add_approve(chat)
    add_json(chat)
    chat.set_defaults(run="chat.chat")


def _add_open(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`open`."""
    shows = commands.add_parser("open", parents=[after], help="show files or partner: links in the window")
    shows.add_argument(
        "opens",
        nargs="*",
        metavar="FILE|LINK",
        help="what the next message is about, or a place",
    )


def _add_quick(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`quick`."""
    commands.add_parser("quick", parents=[after], help="open the small window for one question")


def _add_plan(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`plan` and what is done with plans that ran."""
    plan = commands.add_parser(
        "plan",
        parents=[after],
        help="compute the cheapest way to a goal, and do it; keep, resume or check what ran",
    )
    plan.add_argument(
        "verb",
        nargs="?",
        choices=("save", "resume", "verify", "repair"),
        help=(
            "save: keep what an action did as one ability; resume: go on with a plan that was given up; "
            "verify: check whether what it did is so; repair: offer to do again what is not"
        ),
    )
    plan.add_argument("action", nargs="?", default="", metavar="ACTION", help="its id, or how that begins")
    plan.add_argument("--name", default="", metavar="NAME", help="save: what the ability is called")
    plan.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="STEP.PARAM=NAME",
        help="save: ask for this argument under that name; without a name it stays as it is",
    )
    plan.add_argument(
        "--goal",
        action="append",
        default=[],
        metavar="NAME",
        help="a type, a condition (`!` before it: not so), an ability, or words; may be given several times",
    )
    plan.add_argument(
        "--have",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="what is there already: a type or a parameter with its value, or a condition that is so",
    )
    plan.add_argument("--dry-run", action="store_true", help="show it with its reasons; begin nothing")
    add_approve(plan)
    add_json(plan)
    plan.set_defaults(run="plan_command.plan")


def _add_gateway(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`gateway token`."""
    gateway = commands.add_parser("gateway", help="how other programs come in")
    verbs = gateway.add_subparsers(dest="gateway_command", metavar="token", required=True)
    token = verbs.add_parser("token", parents=[after], help="print what a websocket client has to know")
    token.add_argument("--renew", action="store_true", help="make a new one; the old one opens nothing more")
    token.set_defaults(run="gateway.gateway_token")


def _add_backup(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`backup`."""
    backup = commands.add_parser("backup", parents=[after], help="save everything into one file")
    backup.add_argument("path", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace the file if it is there")
    add_json(backup)
    backup.set_defaults(run="backup.backup")


def _add_restore(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`restore`."""
    restore = commands.add_parser("restore", parents=[after], help="bring back what a backup holds")
    restore.add_argument("path", type=Path, metavar="FILE")
    restore.add_argument("--forgotten", action="store_true", help="also what was forgotten since it was made")
    add_json(restore)
    restore.set_defaults(run="backup.restore_backup")


def _add_doctor(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`doctor`."""
    doctor = commands.add_parser(
        "doctor", parents=[after], help="what is here, what is missing, how to fix it"
    )
    add_json(doctor)
    doctor.set_defaults(run="doctor.doctor")


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
    config.set_defaults(run="config.config")


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
    audit.set_defaults(run="audit.audit")


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
    trace.set_defaults(run="trace.trace")


def _either(words: Sequence[str]) -> str:
    return ", ".join(words)


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
    docs.set_defaults(run="api_docs.api_docs")
    serve = verbs.add_parser(
        "serve", parents=[after], help="speak it over stdin and stdout, as one of your own"
    )
    serve.set_defaults(run="api_serve.api_serve")


def _add_mcp_server(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`mcp-server`."""
    server = commands.add_parser(
        "mcp-server", parents=[after], help="offer the abilities to other programs, as an MCP server"
    )
    server.add_argument(
        "--print-config", action="store_true", help="print what to paste into the other program, and end"
    )
    server.set_defaults(run="mcp_server.mcp_server")


#: In the order of the help: what adds a command, or what one is about whose verbs are operations.
_COMMANDS: Mapping[str, str | Callable[[Subparsers, argparse.ArgumentParser], None]] = {
    "chat": _add_chat,
    "open": _add_open,
    "quick": _add_quick,
    "plan": _add_plan,
    "actions": "what can be done here, and what was done",
    "schedule": "what is done later, and reminders",
    "models": "the models that talk",
    "familiar": "requests that no model is asked about any more",
    "servers": "external MCP servers",
    "commands": "commands that run in the background",
    "conversations": "what was said",
    "memory": "what was said, and what is known, found again and put right",
    "gateway": _add_gateway,
    "api": _add_api,
    "mcp-server": _add_mcp_server,
    "permissions": "what may run without a question",
    "audit": _add_audit,
    "trace": _add_trace,
    "backup": _add_backup,
    "restore": _add_restore,
    "updates": "whether there is a newer Partner",
    "doctor": _add_doctor,
    "config": _add_config,
}


def build_parser() -> argparse.ArgumentParser:
    """`command` is `None`, `open` or `quick` for the window; otherwise `run` is what to call."""
    parser = argparse.ArgumentParser(
        prog="partner-desktop",
        description="A local-first desktop companion that can act. Without a command it opens the window.",
        epilog="Every other service of Partner is a command, too: `partner-desktop messages --help`.",
        parents=[places(default=None)],
    )
    parser.add_argument("--version", action="version", version=f"partner-desktop {__version__}")
    parser.add_argument(
        "--hidden",
        action="store_true",
        help="begin without a window in view: in the tray, or folded down where there is none",
    )
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


_AGO = re.compile(r"(?P<number>\d{1,6})(?P<unit>[mhdw])")
_UNITS = {
    "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1),
}  # fmt: skip
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY_LONG = timedelta(days=1)


def since(text: str) -> datetime:
    """The beginning of what is named; aware. For `type=` of an option."""
    return _moment(text)[0]


def until(text: str) -> datetime:
    """The end of what is named: a day counts to its end."""
    moment, is_day = _moment(text)
    return (moment.replace(tzinfo=None) + _DAY_LONG).astimezone() if is_day else moment


def _moment(text: str) -> tuple[datetime, bool]:
    """The moment, in the person's zone where no other is given, and whether it is a whole day."""
    plain = text.strip().lower()
    now = datetime.now().astimezone()
    if plain == "today":
        return _midnight(now), True
    try:
        if ago := _AGO.fullmatch(plain):
            return now - int(ago["number"]) * _UNITS[ago["unit"]], False
        return datetime.fromisoformat(text.strip()).astimezone(), bool(_DAY.fullmatch(plain))
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; use a day such as 2026-05-14, a time such as 2026-05-14T09:30, "
            "how long ago such as 2h or 3d, or today"
        ) from error


def _midnight(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day).astimezone()
