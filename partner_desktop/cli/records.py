"""Commands about what happened: `audit` and `trace`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_json, count

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers


def add_audit(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`audit`."""
    audit = commands.add_parser("audit", parents=[after], help="what was decided and run")
    audit.add_argument("--limit", type=count, default=200, metavar="N", help="how many entries (default 200)")
    audit.add_argument("--action", default="", metavar="TEXT", help="only actions whose key contains TEXT")
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
    from partner_desktop.commands.audit import audit  # noqa: PLC0415

    return audit(
        place.home, place.action_dir, limit=options.limit, action=options.action, as_json=options.json
    )


def _trace(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.trace import trace  # noqa: PLC0415

    return trace(
        place.home, turn=options.turn, as_list=options.list, limit=options.limit, as_json=options.json
    )
