"""Commands about what runs in the background: `commands` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_json

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

_VERBS = {
    "list": "all of them, and those that ended within ten minutes (this is what it does without a word)",
    "read": "the end of what one printed",
    "cancel": "end one, and everything that it started",
}


def add_commands(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`commands` and its verbs."""
    background = commands.add_parser("commands", parents=[after], help="commands that run in the background")
    add_json(background)
    verbs = background.add_subparsers(dest="verb", metavar="|".join(_VERBS))
    for verb, told in _VERBS.items():
        parser = verbs.add_parser(verb, parents=[after], help=told)
        if verb != "list":
            parser.add_argument("name", metavar="ID")
        # What stood before the verb counts, too.
        parser.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="one JSON object per line"
        )
    background.set_defaults(run=_commands)


def _commands(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.background import background  # noqa: PLC0415
    from partner_desktop.gateways.command_ask import CommandAsk  # noqa: PLC0415

    ask = CommandAsk(options.verb or "list", name=getattr(options, "name", ""))
    return background(place.home, place.action_dir, ask, as_json=options.json)
