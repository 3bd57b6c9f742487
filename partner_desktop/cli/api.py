"""Commands about what other programs can ask for: `api docs`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.commands.options import Place

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def add_api(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`api` and its verb."""
    api = commands.add_parser("api", help="what other programs can ask of Partner")
    verbs = api.add_subparsers(dest="verb", metavar="docs", required=True)
    docs = verbs.add_parser("docs", parents=[after], help="the protocol, and every operation in it")
    docs.add_argument(
        "--caller",
        choices=("client", "attached"),
        default="client",
        help="for a program with a token (this is what it does without a word), or for one of your own",
    )
    docs.add_argument("--json", action="store_true", help="one JSON object, with JSON Schemas")
    docs.set_defaults(run=_docs)


def _docs(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.base.operation import Caller  # noqa: PLC0415
    from partner_desktop.commands.api_docs import api_docs  # noqa: PLC0415

    return api_docs(place.home, caller=Caller[options.caller.upper()], as_json=options.json)
