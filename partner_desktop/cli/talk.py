"""Commands about what is said: `chat` and `conversations`."""

from __future__ import annotations

import argparse
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from partner_desktop.cli.options import Place, add_approve, add_json, folder_of

if TYPE_CHECKING:
    from partner_desktop.cli.options import Subparsers

_VERBS = {
    "list": "all of them, newest first",
    "search": "find what was said",
    "export": "write one to a file: Markdown where its name ends in .md, JSON otherwise",
    "import": "take an exported JSON file in",
    "delete": "delete one and everything said in it",
    "rename": "give one another title",
}


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


def add_conversations(commands: Subparsers, after: argparse.ArgumentParser) -> None:
    """`conversations` and its verbs."""
    conversations = commands.add_parser("conversations", help="what was said")
    under = conversations.add_subparsers(
        dest="verb", metavar="list|search|export|import|delete|rename", required=True
    )
    verbs = {verb: under.add_parser(verb, parents=[after], help=told) for verb, told in _VERBS.items()}
    for verb in ("export", "delete", "rename"):
        verbs[verb].add_argument("id", metavar="ID", help="its id, or the beginning of it")
    verbs["search"].add_argument("text", metavar="TEXT")
    verbs["rename"].add_argument("text", metavar="TITLE")
    for verb in ("export", "import"):
        verbs[verb].add_argument("path", type=Path, metavar="FILE")
    for parser in verbs.values():
        add_json(parser)
    conversations.set_defaults(run=_conversations)


def _chat(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.chat import chat  # noqa: PLC0415
    from partner_desktop.permission.request import StandingAnswer  # noqa: PLC0415

    return chat(
        place.home,
        place.action_dir,
        once=options.once,
        as_json=options.json,
        approve=StandingAnswer(options.approve),
        conversation=options.conversation,
    )


def _conversations(options: argparse.Namespace, place: Place) -> Coroutine[Any, Any, int]:
    from partner_desktop.commands.conversations import conversations  # noqa: PLC0415
    from partner_desktop.gateways.conversation_ask import ConversationAsk  # noqa: PLC0415

    path = getattr(options, "path", None)
    ask = ConversationAsk(
        options.verb,
        conversation_id=getattr(options, "id", ""),
        text=getattr(options, "text", ""),
        path=str(folder_of(path)) if path is not None else "",
    )
    return conversations(place.home, place.action_dir, ask, as_json=options.json)
