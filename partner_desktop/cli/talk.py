"""The command to talk: `chat`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.commands.options import Place, add_approve, add_json

if TYPE_CHECKING:
    from partner_desktop.commands.options import Subparsers


def add_chat(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`chat`."""
    chat = commands.add_parser("chat", parents=[after], help="talk in the terminal")
    chat.add_argument("--once", metavar="TEXT", help="say this, wait for the end of it, and leave")
    chat.add_argument(
        "--conversation",
        default="",
        metavar="ID",
        help="go on with this one (the beginning of its id will do)",
    )
    add_approve(chat)
    add_json(chat)
    chat.set_defaults(run=_chat)


def _chat(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.chat import chat  # noqa: PLC0415

    return chat(
        place.home,
        place.action_dir,
        once=options.once,
        as_json=options.json,
        approve=options.approve,
        conversation=options.conversation,
    )
