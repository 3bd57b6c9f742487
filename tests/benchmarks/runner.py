"""`runner`: what a call costs beyond the work itself.

`local`: a `local::` call through the composed client and the commit of its outcome, against the same process,
started the same way, and the same commit. `stdio`: a tool of an external server through the same client,
against the bare SDK's `stdio_client` and `call_tool` on a process of the same server. Both sides take turns
in the same run, and change who goes first. `servers`: fifty of which five hang, see `runner_servers.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent, Event
from tests.benchmarks.runner_calls import Calls
from tests.benchmarks.runner_servers import measure_servers
from tests.support import Trusting

#: Milliseconds that a `local::` call may add to the script and its commit.
LOCAL_LIMIT_MS = 1.2
#: How often the bare SDK's call an external stdio call may cost.
STDIO_LIMIT = 1.3
LOCAL_ROUNDS = 100
STDIO_ROUNDS = 300
READY_TIMEOUT_S = 60.0

SCRIPT = """\
# /// partner
# description = "Say hello"
# [params.text]
# type = "string"
# ///
echo hello
"""

SERVER = """\
from mcp.server import MCPServer

server = MCPServer("echo")


@server.tool()
def echo(text: str) -> str:
    return text


server.run()
"""

Side = Callable[[], Awaitable[float]]


async def _medians(rounds: int, one: Side, other: Side) -> tuple[float, float]:
    """The median of what each side says that it took; a few rounds before warm both up."""
    times: dict[Side, list[float]] = {one: [], other: []}
    for round_ in range(-5, rounds):
        for side in (one, other) if round_ % 2 == 0 else (other, one):
            took_ms = await side()
            if round_ >= 0:
                times[side].append(took_ms)
    return statistics.median(times[one]), statistics.median(times[other])


async def _listed(partner: Partner, key: str) -> None:
    """Until an ability can be called."""
    news = asyncio.Event()

    def take(event: Event) -> None:
        if isinstance(event, AbilitiesEvent):
            news.set()

    undo = partner.subscribe(take)
    try:
        async with asyncio.timeout(READY_TIMEOUT_S):
            while not any(each.key == key and each.usable for each in partner.abilities.list()):
                await news.wait()
                news.clear()
    finally:
        undo()


async def _local(calls: Calls) -> dict[str, Any]:
    script = calls.info("local::hello")
    ours, bare = await _medians(
        LOCAL_ROUNDS, lambda: calls.committed(script), lambda: calls.same_process(script)
    )
    return {
        "local_call_p50_ms": round(ours, 2),
        "same_process_p50_ms": round(bare, 2),
        "local_added_ms": round(ours - bare, 2),
        "local_ok": ours - bare <= LOCAL_LIMIT_MS,
    }


async def _stdio(calls: Calls, server: Path) -> dict[str, Any]:
    tool = calls.info("echo::echo")
    # The environment of the Partner's own process of it, so that both run the same.
    process = StdioServerParameters(command=sys.executable, args=[str(server)], env={**os.environ})
    async with Client(process) as client:

        async def bare_call() -> float:
            begun = time.perf_counter()
            await client.call_tool("echo", {"text": "hello"})
            return (time.perf_counter() - begun) * 1000

        ours, bare = await _medians(STDIO_ROUNDS, lambda: calls.submitted(tool), bare_call)
    return {
        "stdio_call_p50_ms": round(ours, 3),
        "bare_sdk_p50_ms": round(bare, 3),
        "stdio_ratio": round(ours / bare, 2),
        "stdio_ok": ours / bare <= STDIO_LIMIT,
    }


async def _measure(place: Path) -> dict[str, Any]:
    actions, server = place / "action", place / "echo.py"
    for folder in ("dynamic", "mcp"):
        (actions / folder).mkdir(parents=True)
    (actions / "dynamic" / "hello.sh").write_text(SCRIPT)
    server.write_text(SERVER)
    echo = {"command": sys.executable, "args": [str(server)]}
    (actions / "mcp" / "echo.json").write_text(json.dumps({"mcpServers": {"echo": echo}}))
    partner = Partner(Home(place / "home"), actions, meaning=False)
    person = Trusting(partner)
    await partner.launch()
    try:
        calls = Calls(partner, conversation_id=(await partner.conversations.create()).id)
        await _listed(partner, "echo::echo")
        return await _local(calls) | await _stdio(calls, server)
    finally:
        await partner.close()
        await person.settled()


async def _servers() -> dict[str, Any]:
    figures = await measure_servers()
    return {**figures, "servers_ok": figures["servers_ratio"] <= figures["servers_ratio_limit"]}


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        figures = asyncio.run(_measure(Path(place)))
    figures |= asyncio.run(_servers())
    figures["ok"] = all(value for name, value in figures.items() if name.endswith("_ok"))
    return figures
