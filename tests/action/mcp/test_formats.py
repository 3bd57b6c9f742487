"""The seed's format and that of other clients, over stdio, HTTP and SSE, with real servers of the SDK."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.mcp_server import ServerPhase
from partner_desktop.domain.run_facts import Risk
from tests.action.mcp.serving import call, plain, until_listed, write
from tests.runner.mcp import servers
from tests.support import Watcher

#: Real servers import the SDK: on a busy machine that takes a while.
START_S = 60.0
SCRIPT = os.fspath(servers.path("features"))


@asynccontextmanager
async def served(kind: str) -> AsyncIterator[str]:
    """A server on this machine; its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-B", SCRIPT, kind, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_S):
            yield (await process.stdout.readline()).decode().strip()
    finally:
        process.kill()
        await process.wait()


@pytest.mark.promise("actions.mcp.formats")
@pytest.mark.slow
async def test_both_formats_reach_servers_over_stdio_http_and_sse(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    stdio = {"command": sys.executable, "args": ["-B", SCRIPT], "env": {"GREETING": "hello"}}
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(served("http"))
        sse = await stack.enter_async_context(served("sse"))
        at = urlsplit(sse)
        old = {"uri": f"{at.scheme}://{at.netloc}", "endpoint": at.path, "headers": {"X-Who": "partner"}}
        write(action_dir, "seed.json", {"stdio": stdio, "http": {"url": http}, "sse": old})
        ecosystem = {
            "stdio2": stdio,
            "http2": {"type": "http", "url": http},
            "sse2": {"type": "sse", "url": sse},
        }
        write(action_dir, "other.json", {"mcpServers": ecosystem})
        wanted = {f"{name}::measure" for name in ("stdio", "http", "sse", *ecosystem)}
        await watcher.until(
            lambda event: isinstance(event, AbilitiesEvent) and wanted <= keys(partner), wait_s=START_S
        )
        assert {status.id: (status.phase, status.transport) for status in partner.servers.list()} == {
            name: (ServerPhase.READY, name.removesuffix("2")) for name in ("stdio", "http", "sse", *ecosystem)
        }
        for status in partner.servers.list():
            done = (await call(partner, watcher, f"{status.id}::measure", f"of {status.id}")).action
            assert json.loads(done.stdout) == {"degrees": 21.5}, (status.id, done.error)
            assert done.risk is (Risk.SYSTEM if status.transport == "stdio" else Risk.WRITE)
            assert done.isolation is not None
            assert (done.isolation.sandboxed, done.isolation.server) == (False, status.id)


def keys(partner: Partner) -> set[str]:
    return {ability.key for ability in partner.abilities.list()}


@pytest.mark.promise("actions.mcp.formats")
async def test_a_null_for_an_optional_value_is_the_same_as_none(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    fields = {"text": {"type": "string"}, "loud": {"type": "boolean"}, "note": {"type": ["string", "null"]}}
    schema = {"type": "object", "properties": fields, "required": ["text"]}
    version = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    offers = {
        "initialize": {**version, "serverInfo": {"name": "notes", "version": "1"}},
        "tools/list": {"tools": [{"name": "find", "inputSchema": schema}]},
        "tools/call": {"content": [{"type": "text", "text": "found"}]},
    }
    write(action_dir, "notes.json", {"notes": plain("--offers", json.dumps(offers))})
    await until_listed(partner, watcher, "notes::find")
    done = await call(partner, watcher, "notes::find", "x1", text="milk", loud=None, note=None)
    assert done.action.params == {"text": "milk", "note": None}
    assert done.action.status is ActionStatus.SUCCEEDED
