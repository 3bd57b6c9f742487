"""`partner-desktop commands [list|read|cancel]`: what runs in the background."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator

from partner_desktop.commands.plain import plain
from partner_desktop.commands.verb import Command, Options, Verb
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.wire import json_line

_SIGNS = {"running": "●", "ended": "✓", "failed": "✗", "cancelled": "■", "lost": "✗"}
#: Bytes of a stream that `read` shows: its end.
_READ_BYTES = 64 * 1024


def _shown(session: JsonObject, _params: JsonObject) -> Iterator[str]:
    argv = session["argv"]
    command = shlex.join(str(part) for part in argv) if isinstance(argv, list) else ""
    state = str(session["state"])
    told = f"{state}: {session['error']}" if session["error"] else state
    yield f"{_SIGNS.get(state, '·')} {str(session['id'])[:8]}  {command}  {told}"


async def _read(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """Its output as output, its messages as messages."""
    session = await client.object("commands.find", beginning=params["session_id"])
    texts: JsonObject = {}
    for stream in ("stdout", "stderr"):
        end = await client.object(
            "commands.output", session_id=session["id"], stream=stream, offset=-_READ_BYTES, limit=_READ_BYTES
        )
        texts[stream] = end["text"]
    if options.json:
        print(json_line({"session": session, **texts}))
        return 0
    for name, stream_ in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        if text := plain(texts[name]).rstrip("\n"):
            print(text, file=stream_)
    return 0


COMMAND = Command(
    ("commands",),
    (
        Verb(
            "list",
            "commands.list",
            _shown,
            "all of them, and those that ended within ten minutes (this is what it does without a word)",
        ),
        Verb(
            "read",
            "commands.output",
            help="the end of what one printed",
            hidden=("stream", "offset", "limit"),
            do=_read,
        ),
        Verb(
            "cancel",
            "commands.cancel",
            _shown,
            "end one, and everything that it started",
            find="commands.find",
            then=("commands.get", "session_id"),
        ),
    ),
    usual="list",
    none="terminal.none_in_background",
)
