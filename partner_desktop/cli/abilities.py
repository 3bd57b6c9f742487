"""Commands about what can be done: `actions` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_approve, add_json

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

_MANAGE = {
    "persist": "keep a temporary ability for good",
    "remove": "move an ability to the trash",
    "disable": "switch an ability off: it is listed, but not used",
    "enable": "switch it on again",
}


def add_actions(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`actions` and its verbs."""
    verbs = commands.add_parser("actions", help="what can be done here").add_subparsers(
        dest="action_command", metavar="list|run|persist|remove|disable|enable", required=True
    )
    _add_list(verbs.add_parser("list", parents=[after], help="list the abilities"))
    _add_run(verbs.add_parser("run", parents=[after], help="run one ability"))
    for verb, told in _MANAGE.items():
        manage = verbs.add_parser(verb, parents=[after], help=told)
        _add_key(manage)
        if verb == "persist":
            manage.add_argument("--name", default="", metavar="NAME", help="the name to keep it under")
        add_json(manage)
        manage.set_defaults(run=_manage)


def _add_list(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    parser.set_defaults(run=_list)


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_key(parser)
    parser.add_argument("argument", nargs="*", metavar="NAME=VALUE")
    add_approve(parser)
    add_json(parser)
    parser.set_defaults(run=_run)


def _add_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="for example local::count_words")


def _list(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.actions import list_actions  # noqa: PLC0415

    return list_actions(place.home, place.action_dir, as_json=options.json)


def _run(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.actions import run_action  # noqa: PLC0415
    from partner_desktop.permission.request import StandingAnswer  # noqa: PLC0415

    return run_action(
        place.home,
        place.action_dir,
        key=options.key,
        arguments=options.argument,
        as_json=options.json,
        approve=StandingAnswer(options.approve),
    )


def _manage(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.actions import manage_action  # noqa: PLC0415
    from partner_desktop.gateways.session import ManageAsk  # noqa: PLC0415

    ask = ManageAsk(options.action_command, options.key, getattr(options, "name", ""))
    return manage_action(place.home, place.action_dir, ask, as_json=options.json)
