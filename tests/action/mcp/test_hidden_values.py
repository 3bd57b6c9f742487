"""What was filled into a configuration stands in nothing that is kept or shown, however it is written."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ServersEvent
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from tests.action.mcp.serving import call, status, until, until_listed, until_phase, write
from tests.runner.mcp.test_http import Restarted, web
from tests.support import Watcher

pytestmark = pytest.mark.integration

VALUE = "zK4+u7Qw/Lp93-Rt82Xv"
#: One that stands in the file as it is: the question before the start hides what has a token's shape alone.
PLAIN = "ghp_zK4u7QwLp93Rt82Xv"


def written(value: str) -> dict[str, str]:
    """What the server writes → what must not be found of it afterwards."""
    return {
        "plainly {v}": value,
        "url https://x.org/?key={quoted}&a=1": quote(value, safe=""),
        "lower {lower}": quote(value, safe="").lower(),
        "basic {basic}": base64.b64encode(f"user:{value}".encode()).decode()[12:-4],
        "json {{'key': '{v}'}}": value,
        "\x1b[31m{v}\x1b[0m": value,
        "cut in {first}": value[:11],
        "{second} at the next line": value[11:],
        "{filler}{v} far behind": value[:8],
    }


_SERVER = """
import os, sys, base64, urllib.parse
v = os.environ["{name}"]
facts = dict(
    v=v, quoted=urllib.parse.quote(v, safe=""), lower=urllib.parse.quote(v, safe="").lower(),
    basic=base64.b64encode(("user:" + v).encode()).decode(), first=v[:11], second=v[11:], filler="x" * 7_985,
)
for line in {lines!r}:
    print(line.format(**facts), file=sys.stderr)
print("on stdout", v, flush=True)
for piece in ("in two ", v[:9], v[9:], " chunks\\n"):
    os.write(2, piece.encode())
print("the last word is " + v, file=sys.stderr)
sys.exit(3)
"""


@pytest.mark.promise("actions.mcp.secrets")
@pytest.mark.parametrize("source", ["${keyring:VALUE}", "${env:SOME_TOKEN}", PLAIN])
async def test_a_value_that_a_server_writes_is_masked_in_log_failure_status_and_events(
    source: str,
    partner: Partner,
    watcher: Watcher,
    home: Home,
    action_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_TOKEN", VALUE)
    forms = written(source if source == PLAIN else VALUE)
    program = _SERVER.format(name="API_KEY", lines=list(forms))
    config = {"command": sys.executable, "args": ["-c", program], "env": {"API_KEY": source}}
    write(action_dir, "leaky.json", {"leaky": config})
    if "keyring" in source:
        await until(
            partner, watcher, lambda: (found := status(partner, "leaky")) is not None and _needs(found)
        )
        await partner.servers.keep_secret("VALUE", VALUE, server_id="leaky")
    await watcher.until(
        lambda event: (
            isinstance(event, ServersEvent)
            and any(each.failure is not None and each.failure.exit_code == 3 for each in event.changed)
        )
    )
    await partner.servers.switch("leaky", on=False)
    await until_phase(partner, watcher, "leaky", ServerPhase.STOPPED)
    told = await partner.servers.log("leaky")
    assert "the last word is •••" in told
    assert "on stdout •••" in told
    assert "in two ••• chunks" in told
    await partner.close()
    files = [path for path in home.root.rglob("*") if path.is_file() and path.name != "secrets.toml"]
    texts = [await asyncio.to_thread(_content, path) for path in files]
    everything = "\n".join([told, repr(watcher.events), *texts])
    assert "far behind" in everything or "x" * 1_000 in everything
    for line, form in forms.items():
        assert form not in everything, line


def _needs(found: object) -> bool:
    failure = getattr(found, "failure", None)
    return failure is not None and failure.needs == ("VALUE",)


def _content(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


class SaysBack(Restarted):
    """A server at an address that tells the key that it was sent; at `/shut` already when it is greeted."""

    def say(self, status: int, body: object = None) -> None:
        told = f"the key {self.headers.get('X-Key')}"
        if isinstance(body, dict) and "result" in body:
            if self.path == "/shut" or "content" in body["result"]:
                body = {"jsonrpc": "2.0", "id": body["id"], "error": {"code": -32_603, "message": told}}
            elif "serverInfo" in body["result"]:
                body["result"]["instructions"] = told
        super().say(status, body)


@pytest.mark.promise("actions.mcp.secrets")
async def test_a_key_that_a_server_at_an_address_says_back_is_masked(
    partner: Partner, watcher: Watcher, action_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", VALUE)
    async with web(SaysBack) as url:
        entry = {"type": "http", "headers": {"X-Key": "${env:SOME_TOKEN}"}}
        shut = {**entry, "url": url.replace("/mcp", "/shut")}
        write(action_dir, "two.json", {"open": {**entry, "url": url}, "shut": shut})
        await until_listed(partner, watcher, "open::hello")
        ready = await until_phase(partner, watcher, "open", ServerPhase.READY)
        assert ready.instructions == "the key •••"
        refused = await call(partner, watcher, "open::hello", "exchange")
        assert refused.action.error == "open refused: the key •••"
        await until(partner, watcher, lambda: _fails_with(status(partner, "shut"), "the key •••"))
    assert VALUE not in repr(watcher.events)


def _fails_with(found: ServerStatus | None, words: str) -> bool:
    return found is not None and found.failure is not None and words in found.failure.message
