"""Commands about what happened: `audit` and `trace`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.base.errors import UsageError
from partner_desktop.cli.moments import since, until
from partner_desktop.commands.options import Place, add_json, count, folder_of
from partner_desktop.domain.audit import KINDS, OUTCOMES, AuditQuery

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


_AUDIT_HELP = """\
WHEN is a day (2026-05-14), a time (2026-05-14T09:30), how long ago (30m, 2h, 3d, 1w) or today;
a day given to --until counts to its end. An export is readable by you alone.
"""


def add_audit(commands: Subparsers, after: argparse.ArgumentParser) -> None:
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


def add_trace(commands: Subparsers, after: argparse.ArgumentParser) -> None:
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


def _audit(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
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
        folder_of(options.export),
        limit=options.limit,
        force=options.force,
        as_json=options.json,
    )


def _either(words: Sequence[str]) -> str:
    return ", ".join(words)


def _trace(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.trace import trace  # noqa: PLC0415

    return trace(
        place.home, turn=options.turn, as_list=options.list, limit=options.limit, as_json=options.json
    )
