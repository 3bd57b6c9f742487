"""`partner-desktop commands list|read|cancel`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.command_ask import CommandAsk
from partner_desktop.gateways.wire import json_line

_SIGNS = {"running": "●", "ended": "✓", "failed": "✗", "cancelled": "■", "lost": "✗"}


async def background(home: Home, action_dir: Path | None, ask: CommandAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print its answer.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    async with connect(home, action_dir) as session:
        answer = [item for item in await session.commands(ask) if isinstance(item, dict)]
    for item in answer:
        if as_json:
            print(json_line(item))
        elif ask.command_verb == "read":
            _print_output(item)
        else:
            print(plain(_line(item if ask.command_verb == "list" else _session(item))))
    if not answer and not as_json:
        print("Nothing runs in the background.")
    return 0


def _print_output(item: JsonObject) -> None:
    """Its output as output, its messages as messages."""
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        text = plain(str(item[name])).rstrip("\n")
        if text:
            print(text, file=stream)


def _session(item: JsonObject) -> JsonObject:
    session = item.get("session")
    return session if isinstance(session, dict) else {}


def _line(session: JsonObject) -> str:
    argv = session["argv"]
    command = shlex.join(str(part) for part in argv) if isinstance(argv, list) else ""
    state = str(session["state"])
    told = f"{state}: {session['error']}" if session["error"] else state
    return f"{_SIGNS.get(state, '·')} {str(session['id'])[:8]}  {command}  {told}"
