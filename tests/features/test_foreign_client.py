"""A program that is not ours, written by the page that `api docs` prints, talks to the real Partner."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import UPPER_SCRIPT

from .test_command_line import TIMEOUT_S, Cli, cli

__all__ = ["cli"]

pytestmark = pytest.mark.integration

#: Says two things, is cut off after the second, comes back, and prints all that it was told.
CLIENT = """\
import asyncio, itertools, json, sys
from websockets.asyncio.client import connect

ids, events = itertools.count(1), []

async def hear(wire):
    told = json.loads(await wire.recv())
    if told.get("method") == "event" and told["params"]["conversation_id"]:
        events.append(told["params"])
    return told

async def ask(wire, method, **params):
    body = {"jsonrpc": "2.0", "id": next(ids), "method": method, "params": params}
    await wire.send(json.dumps(body))
    while (told := await hear(wire)).get("id") != body["id"]:
        pass
    return told["result"]

async def until_done(wire, times):
    while [each["event"]["type"] for each in events].count("done") < times:
        await hear(wire)

async def main(address, token, greeting, wish):
    async with connect(address, proxy=None) as wire:
        await ask(wire, "client.hello", token=token, name="a stranger")
        known = await ask(wire, "client.operations")
        place = (await ask(wire, "messages.send", text=greeting))["conversation_id"]
        await until_done(wire, 1)
        await ask(wire, "messages.send", text=wish, conversation_id=place)
        wire.transport.abort()  # it misses what comes of its wish
    seen = events[-1]
    async with connect(address, proxy=None) as wire:
        await ask(wire, "client.hello", token=token)
        await ask(wire, "client.open", conversation_id=place, epoch=seen["epoch"], after=seen["seq"])
        await until_done(wire, 2)
    print(json.dumps({"known": known, "seen": seen["seq"], "events": events}))

asyncio.run(main(*sys.argv[1:]))
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def test_a_client_of_forty_lines_talks_is_proposed_an_action_and_misses_nothing_after_a_cut(cli: Cli) -> None:
    assert len(CLIENT.splitlines()) <= 40
    assert "partner_desktop" not in CLIENT
    (cli.action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    port = free_port()
    cli.arguments("chat")  # the home, with its vectors
    config = cli.home / "config"
    config.mkdir(exist_ok=True)
    (config / "gateways.toml").write_text(f"[websocket]\nenabled = true\nport = {port}\n", encoding="utf-8")
    cli.host()
    token = cli.run("gateway", "token").stdout.strip()
    script = Path(cli.cwd) / "client.py"
    script.write_text(CLIENT, encoding="utf-8")
    wish = 'shout "over the wire" in capital letters'
    done = subprocess.run(
        [sys.executable, "-I", str(script), f"ws://127.0.0.1:{port}", token, "hello", wish],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["known"] == json.loads(cli.run("api", "docs", "--json").stdout)

    numbers = [each["seq"] for each in told["events"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert told["seen"] < numbers[-1], "the cut was in the middle"
    replies = [each["event"] for each in told["events"] if each["event"]["type"] == "reply"]
    first = [reply for reply in replies if reply["reply_id"] == replies[0]["reply_id"]]
    assert "".join(reply["content"] for reply in first) == first[-1]["text"]
    assert first[-1]["done"]
    (proposal,) = [each["event"] for each in told["events"] if each["event"]["type"] == "proposal"]
    assert proposal["action"]["params"] == {"text": "over the wire"}
    _, (waits,) = cli.events("actions", "runs")
    assert (waits["id"], waits["status"]) == (proposal["action"]["id"], "waiting")
