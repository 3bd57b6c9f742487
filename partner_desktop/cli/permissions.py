"""The command about what may run: `permissions` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_json

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

#: Verb → what it takes, and what it does.
_VERBS = {
    "list": ("", "the mode, the rules and what you allowed (this is what it does without a word)"),
    "mode": ("MODE", "ask, smart or autonomous: how much runs without a question"),
    "revoke": ("ID", "take back what you allowed; the beginning of its id will do"),
    "deny": ("PATTERN", "never run what fits, such as 'builtin::command::*'"),
    "ask": ("PATTERN", "ask each time about what fits"),
    "forget": ("PLACE", "take a rule out, by its number in the list"),
}


def add_permissions(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`permissions` and its verbs."""
    permissions = commands.add_parser("permissions", parents=[after], help="what may run without a question")
    add_json(permissions)
    verbs = permissions.add_subparsers(dest="verb", metavar="|".join(_VERBS))
    for verb, (takes, told) in _VERBS.items():
        parser = verbs.add_parser(verb, parents=[after], help=told)
        if takes:
            parser.add_argument("name", metavar=takes)
        # What stood before the verb counts, too.
        parser.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="one JSON object per line"
        )
    permissions.set_defaults(run=_permissions)


def _permissions(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.permissions import permissions  # noqa: PLC0415
    from partner_desktop.gateways.permission_ask import PermissionAsk  # noqa: PLC0415

    ask = PermissionAsk(options.verb or "list", name=getattr(options, "name", ""))
    return permissions(place.home, place.action_dir, ask, as_json=options.json)
