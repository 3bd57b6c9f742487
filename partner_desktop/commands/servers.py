"""`partner-desktop servers list|allow|move-secrets|restart|enable|disable|log`."""

from __future__ import annotations

import asyncio
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.commands.connection import connect
from partner_desktop.commands.plain import plain
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.server_ask import ServerAsk
from partner_desktop.gateways.session import Session
from partner_desktop.gateways.wire import json_line

_SIGNS = {"ready": "●", "waiting": "?", "starting": "◐", "configured": "◐", "backing off": "↻", "failed": "✗"}
_TROUBLED = frozenset({"failed", "backing off"})


async def servers(home: Home, action_dir: Path | None, ask: ServerAsk, *, as_json: bool) -> int:
    """Ask the Partner of this home and print its answer; 1 when a server that should run does not.

    Raises:
        PartnerError: It cannot be done; the sentence says why.
    """
    async with connect(home, action_dir) as session:
        if ask.server_verb == "allow" and not ask.shown_hash:
            ask = replace(ask, shown_hash=await _yes_to(session, ask.name, as_json=as_json))
            if not ask.shown_hash:
                print("Nothing was allowed.")
                return 1
        answer = [item for item in await session.servers(ask) if isinstance(item, dict)]
    for item in answer:
        print(json_line(item) if as_json else plain(_told(ask, item)))
    if ask.server_verb == "list" and not answer and not as_json:
        print("There are no servers yet; a file in the folder `mcp` of your abilities configures them.")
    shown = answer if ask.server_verb == "list" else [_server(item) for item in answer]
    return 1 if any(status.get("phase") in _TROUBLED for status in shown) else 0


async def _yes_to(session: Session, name: str, *, as_json: bool) -> str:
    """The hash of what the person read here and said yes to; empty for a no.

    Raises:
        UsageError: Nobody can be asked here, or the server asks nothing.
    """
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "Nobody can be asked here: name what you allow by `--shown HASH`, as `servers list` prints it."
        )
    listed = [item for item in await session.servers(ServerAsk("list")) if isinstance(item, dict)]
    question = next((item["question"] for item in listed if item["id"] == name), None)
    if not isinstance(question, dict):
        raise UsageError(f"There is no server {name} that waits for a yes.")
    print(plain(str(question["sentence"])))
    answer = (await asyncio.to_thread(_answer)).strip().casefold()
    return str(question["shown_hash"]) if answer in ("y", "yes") else ""


def _answer() -> str:
    try:
        return input("Allow it, and start it? [y] yes  [N] no: ")
    except EOFError:
        return ""


def _server(item: JsonObject) -> JsonObject:
    status = item.get("server")
    return status if isinstance(status, dict) else {}


def _told(ask: ServerAsk, item: JsonObject) -> str:
    if ask.server_verb == "log":
        return str(item["log"]).rstrip("\n") or f"{ask.name} has written nothing yet."
    told = [str(item["told"])] if "told" in item else []
    return "\n".join([*told, _line(item if ask.server_verb == "list" else _server(item))])


def _line(status: JsonObject) -> str:
    sign = _SIGNS.get(str(status["phase"]), "·")
    facts = [str(status["transport"])]
    if status["phase"] == "ready":
        facts.append("1 tool" if status["tools"] == 1 else f"{status['tools']} tools")
    line = f"{sign} {status['id']!s:<24} {status['phase']}  {', '.join(facts)}"
    return "\n".join([line, *_question(status), *_trouble(status), *_plain_secrets(status)])


def _plain_secrets(status: JsonObject) -> list[str]:
    """What stands in its file for everybody who sees that, and how to mend it."""
    names = status["plain"]
    if not isinstance(names, list) or not names:
        return []
    how = f"partner-desktop servers move-secrets {shlex.quote(str(status['id']))}"
    return [f"  in its file as plain text: {', '.join(map(str, names))}", f"  {how}"]


def _question(status: JsonObject) -> list[str]:
    """What it waits for, and how to say yes or no."""
    question = status["question"]
    if not isinstance(question, dict):
        return []
    name = shlex.quote(str(status["id"]))
    shown = f"--shown {question['shown_hash']}"
    how = f"partner-desktop servers allow {name} {shown}   (or: servers disable {name})"
    return [f"  {question['sentence']}", f"  {how}"]


def _trouble(status: JsonObject) -> list[str]:
    """Why it does not run: the sentence, and the last words that it wrote."""
    failure = status["failure"]
    if not isinstance(failure, dict):
        return []
    step = f"  {failure['step']}: {failure['message']}"
    code = failure["exit_code"]
    exit_code = [] if code is None else [f"  exit code {code}"]
    stderr = failure["stderr"]
    return [step, *exit_code, *(f"  | {line}" for line in (stderr if isinstance(stderr, list) else []))]
