"""`partner-desktop servers list|allow|sign-in|sign-out|move-secrets|restart|enable|disable|log`."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.commands.plain import plain
from partner_desktop.commands.verb import Command, Options, Verb, print_result
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient

_SIGNS = {"ready": "●", "waiting": "?", "starting": "◐", "configured": "◐", "backing off": "↻", "failed": "✗"}
_TROUBLED = frozenset({"failed", "backing off"})


def _shown(status: JsonObject, _params: JsonObject) -> Iterator[str]:
    sign = _SIGNS.get(str(status["phase"]), "·")
    facts = [str(status["transport"])]
    if status["phase"] == "ready":
        facts.append("1 tool" if status["tools"] == 1 else f"{status['tools']} tools")
    yield f"{sign} {status['id']!s:<24} {status['phase']}  {', '.join(facts)}"
    yield from _question(status)
    yield from _sign_in(status)
    yield from _trouble(status)
    yield from _plain_secrets(status)


def _plain_secrets(status: JsonObject) -> Iterator[str]:
    """What stands in its file for everybody who sees that, and how to mend it."""
    names = status["plain"]
    if isinstance(names, list) and names:
        yield sentence_of("terminal.plain_secrets", names=", ".join(map(str, names)))
        yield f"  partner-desktop servers move-secrets {shlex.quote(str(status['id']))}"


def _question(status: JsonObject) -> Iterator[str]:
    """What it waits for, and how to say yes or no."""
    question = status["question"]
    if isinstance(question, dict):
        name = shlex.quote(str(status["id"]))
        shown = f"--shown {question['shown_hash']}"
        yield f"  {question['sentence']}"
        yield sentence_of("terminal.how_to_allow", name=name, shown=shown)


def _sign_in(status: JsonObject) -> Iterator[str]:
    """Where the sign-in stands, why, and how to go on."""
    sign_in = status["sign_in"]
    if not isinstance(sign_in, dict):
        return
    name, state, until = shlex.quote(str(status["id"])), sign_in["state"], sign_in["until"]
    if state == "done" and until:
        yield sentence_of(
            "terminal.sign_in_done_until",
            until=f"{datetime.fromisoformat(str(until)).astimezone():%Y-%m-%d %H:%M}",
        )
    else:
        yield sentence_of(f"terminal.sign_in_{state}", name=name)
    if sign_in["reason"]:
        yield f"  {sign_in['reason']}"


def _trouble(status: JsonObject) -> Iterator[str]:
    """Why it does not run: the sentence, and the last words that it wrote."""
    failure = status["failure"]
    if isinstance(failure, dict):
        yield f"  {failure['step']}: {failure['message']}"
        if failure["exit_code"] is not None:
            yield sentence_of("terminal.exit_code", code=failure["exit_code"])
        stderr = failure["stderr"]
        yield from (f"  | {line}" for line in (stderr if isinstance(stderr, list) else []))


def _written(text: str, params: JsonObject) -> Iterator[str]:
    yield text.rstrip("\n") or sentence_of("terminal.written_nothing", server=params["server_id"])


def _code(result: Json) -> int:
    """1 where a server that should run does not."""
    shown: Sequence[Json] = result if isinstance(result, list) else [result]
    return 1 if any(isinstance(one, dict) and one["phase"] in _TROUBLED for one in shown) else 0


def _add_shown(parser: argparse.ArgumentParser) -> None:
    told = "of the question that was seen, as `list` prints it; without a terminal that is needed"
    parser.add_argument("--shown", metavar="HASH", default="", help=told)


async def _allow(client: PartnerClient, params: JsonObject, options: Options) -> int:
    server_id = str(params["server_id"])
    shown_hash = options.shown or await _yes_to(client, server_id, as_json=options.json)
    if not shown_hash:
        print(sentence_of("terminal.nothing_allowed"))
        return 1
    await client.call("servers.settled")
    await client.call("servers.allow", server_id=server_id, shown_hash=shown_hash)
    return await _show(client, server_id, as_json=options.json)


async def _begin_sign_in(client: PartnerClient, params: JsonObject, options: Options) -> int:
    """To the end of the sign-in; who leaves before gives it up."""
    server_id = str(params["server_id"])
    await client.call("servers.settled")
    page = str(await client.call("servers.sign_in", server_id=server_id))
    # On stderr: `--json` has stdout, and whoever keeps that has no use for a page that is used once.
    opens = not options.no_browser and await asyncio.to_thread(_open, page)
    print(sentence_of("terminal.sign_in_page" if opens else "terminal.sign_in_page_alone"), file=sys.stderr)
    print(plain(page), file=sys.stderr, flush=True)
    try:
        await client.call("servers.sign_in_settled", server_id=server_id)
    except asyncio.CancelledError:
        await uninterrupted(client.call("servers.cancel_sign_in", server_id=server_id))
        raise
    status = await client.object("servers.status", server_id=server_id)
    print_result(status, {}, as_json=options.json, show=_shown)
    sign_in = status["sign_in"]
    return 0 if isinstance(sign_in, dict) and sign_in["state"] == "done" else 1


def _open(page: str) -> bool:
    """Give the page to the desktop's browser; whether there is one. Nothing waits for it."""
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    shows = sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if opener is None or not shows or not page.startswith(("https://", "http://")):
        return False
    quiet = subprocess.DEVNULL
    try:
        subprocess.Popen([opener, page], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    except OSError:
        return False
    return True


def _add_no_browser(parser: argparse.ArgumentParser) -> None:
    told = "only print the page's address, to be opened by hand"
    parser.add_argument("--no-browser", action="store_true", help=told)


async def _sign_out(client: PartnerClient, params: JsonObject, options: Options) -> int:
    server_id = str(params["server_id"])
    await client.call("servers.settled")
    await client.call("servers.sign_out", server_id=server_id)
    if any(item["id"] == server_id for item in await client.objects("servers.list")):
        return await _show(client, server_id, as_json=options.json)
    print_result(None, {}, as_json=options.json)  # it was removed before
    return 0


async def _move_secrets(client: PartnerClient, params: JsonObject, options: Options) -> int:
    server_id = str(params["server_id"])
    told = await client.call("servers.move_secrets", server_id=server_id)
    print_result(told, params, as_json=options.json)
    return await _show(client, server_id, as_json=options.json)


async def _show(client: PartnerClient, server_id: str, *, as_json: bool) -> int:
    status = await client.call("servers.status", server_id=server_id)
    print_result(status, {}, as_json=as_json, show=_shown)
    return _code(status)


async def _yes_to(client: PartnerClient, name: str, *, as_json: bool) -> str:
    """The hash of what the person read here and said yes to; empty for a no.

    Raises:
        UsageError: Nobody can be asked here, or the server asks nothing.
    """
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("terminal.nobody_to_ask")
    await client.call("servers.settled")
    listed = await client.objects("servers.list")
    question = next((item["question"] for item in listed if item["id"] == name), None)
    if not isinstance(question, dict):
        raise UsageError("terminal.no_waiting_server", name=name)
    print(plain(str(question["sentence"])))
    answer = (await asyncio.to_thread(_answer)).strip().casefold()
    return str(question["shown_hash"]) if answer in ("y", "yes") else ""


def _answer() -> str:
    try:
        return input(sentence_of("terminal.allow_and_start"))
    except EOFError:
        return ""


_FIRST, _THEN = "servers.settled", ("servers.status", "server_id")


def _changing(name: str, operation: str, told: str, **given: Json) -> Verb:
    """A verb after which the server is shown as it is then."""
    return Verb(name, operation, _shown, told, given, before=_FIRST, then=_THEN, code=_code)


COMMAND = Command(
    ("servers",),
    (
        Verb(
            "list",
            "servers.list",
            _shown,
            "all of them, how they are, and why not",
            before=_FIRST,
            code=_code,
        ),
        Verb(
            "allow",
            "servers.allow",
            help="say yes to what one would start and get, as it is printed, or `list` printed it",
            hidden=("shown_hash",),
            add=_add_shown,
            do=_allow,
        ),
        Verb(
            "sign-in",
            "servers.sign_in",
            help="sign in to a remote one, in the browser",
            add=_add_no_browser,
            do=_begin_sign_in,
        ),
        Verb(
            "sign-out",
            "servers.sign_out",
            help="forget the sign-in to one, here and there; also to one that was removed",
            do=_sign_out,
        ),
        Verb(
            "move-secrets",
            "servers.move_secrets",
            help="move what stands in its file as plain text to the keyring",
            do=_move_secrets,
        ),
        _changing("restart", "servers.restart", "begin one anew, now"),
        _changing("enable", "servers.switch", "let one run again", on=True),
        _changing("disable", "servers.switch", "stop one, until it is enabled", on=False),
        Verb("log", "servers.log", _written, "what one wrote", before=_FIRST),
    ),
    none="terminal.no_servers",
)
