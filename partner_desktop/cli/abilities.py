"""Commands about what can be done: `actions` and its verbs."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from pathlib import Path
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

_RECORDS = {
    "runs": "what was proposed and run, newest first",
    "show": "the whole record of one of them, step by step",
    "cancel": "end one that runs",
}
_ID_HELP = "the id of the run or the beginning of it (see actions runs), or `last`"


def add_actions(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`actions` and its verbs."""
    verbs = commands.add_parser("actions", help="what can be done here").add_subparsers(
        dest="action_command",
        metavar="list|run|runs|show|cancel|persist|remove|disable|enable|undo|keep",
        required=True,
    )
    _add_list(verbs.add_parser("list", parents=[after], help="list the abilities"))
    _add_run(verbs.add_parser("run", parents=[after], help="run one ability"))
    for verb, told in _RECORDS.items():
        _add_records(verbs.add_parser(verb, parents=[after], help=told), named=verb != "runs")
    for verb, told in _MANAGE.items():
        manage = verbs.add_parser(verb, parents=[after], help=told)
        _add_key(manage)
        if verb == "persist":
            manage.add_argument("--name", default="", metavar="NAME", help="the name to keep it under")
        add_json(manage)
        manage.set_defaults(run=_manage)
    _add_undo(verbs.add_parser("undo", parents=[after], help="take back what a run did to files"))
    _add_keep(verbs.add_parser("keep", parents=[after], help="copy what a run made into a folder"))


def _add_list(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    parser.set_defaults(run=_list)


def _add_run(parser: argparse.ArgumentParser) -> None:
    _add_key(parser)
    parser.add_argument("argument", nargs="*", metavar="NAME=VALUE")
    parser.add_argument(
        "--for",
        dest="program",
        default="",
        metavar="PROGRAM",
        help="as if this program had asked for it (what it calls itself): a yes beyond this run is for that",
    )
    add_approve(parser)
    add_json(parser)
    parser.set_defaults(run=_run)


def _add_records(parser: argparse.ArgumentParser, *, named: bool) -> None:
    if named:
        parser.add_argument("key", metavar="ID", help=_ID_HELP)
    add_json(parser)
    parser.set_defaults(run=_records)


def _add_undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="ID", help="the id of the run (see audit --json), or `last`")
    add_json(parser)
    parser.set_defaults(run=_manage)


def _add_keep(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="ID", help="the id of the run (see audit --json), or `last`")
    parser.add_argument("folder", metavar="FOLDER", help="where its files are copied to")
    add_json(parser)
    parser.set_defaults(run=_manage)


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
        program=options.program,
    )


def _manage(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.actions import manage_action  # noqa: PLC0415
    from partner_desktop.gateways.session import ManageAsk  # noqa: PLC0415

    name = getattr(options, "name", "")
    if options.action_command == "keep":
        name = str(Path(options.folder).absolute())  # the host of the home may stand elsewhere
    ask = ManageAsk(options.action_command, options.key, name)
    return manage_action(place.home, place.action_dir, ask, as_json=options.json)


def _records(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.runs import runs  # noqa: PLC0415
    from partner_desktop.gateways.record_ask import RecordAsk, RecordVerb  # noqa: PLC0415

    verbs: dict[str, RecordVerb] = {"runs": "list", "show": "show", "cancel": "cancel"}
    ask = RecordAsk(verbs[options.action_command], getattr(options, "key", ""))
    return runs(place.home, place.action_dir, ask, as_json=options.json)
