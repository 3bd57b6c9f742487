"""Commands about the house itself: `gateway`, `backup`, `restore`, `doctor` and `config`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.commands.options import Place, add_json, folder_of

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def add_gateway(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`gateway token`."""
    gateway = commands.add_parser("gateway", help="how other programs come in")
    verbs = gateway.add_subparsers(dest="gateway_command", metavar="token", required=True)
    token = verbs.add_parser("token", parents=[after], help="print what a websocket client has to know")
    token.add_argument("--renew", action="store_true", help="make a new one; the old one opens nothing more")
    token.set_defaults(run=_gateway_token)


def add_backup(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`backup`."""
    backup = commands.add_parser("backup", parents=[after], help="save everything into one file")
    backup.add_argument("path", type=Path, metavar="FILE")
    backup.add_argument("--force", action="store_true", help="replace the file if it is there")
    add_json(backup)
    backup.set_defaults(run=_backup)


def add_restore(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`restore`."""
    restore = commands.add_parser("restore", parents=[after], help="bring back what a backup holds")
    restore.add_argument("path", type=Path, metavar="FILE")
    add_json(restore)
    restore.set_defaults(run=_restore)


def add_doctor(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`doctor`."""
    doctor = commands.add_parser(
        "doctor", parents=[after], help="what is here, what is missing, how to fix it"
    )
    add_json(doctor)
    doctor.set_defaults(run=_doctor)


def add_config(commands: Subparsers, after: argparse.ArgumentParser) -> None:
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


def _gateway_token(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.gateway import gateway_token  # noqa: PLC0415

    return gateway_token(place.home, renew=options.renew)


def _backup(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.backup import backup  # noqa: PLC0415

    path = folder_of(options.path)
    return backup(place.home, place.action_dir, path, force=options.force, as_json=options.json)


def _restore(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.backup import restore_backup  # noqa: PLC0415

    return restore_backup(place.home, folder_of(options.path), as_json=options.json)


def _doctor(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.doctor import doctor  # noqa: PLC0415

    return doctor(place.home, place.action_dir or place.home.action_dir, as_json=options.json)


def _config(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.config import config  # noqa: PLC0415

    name = getattr(options, "name", "")
    return config(place.home, options.verb, name=name, as_json=getattr(options, "json", False))
