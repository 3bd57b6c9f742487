"""Another program starts `partner-desktop mcp-server` and uses what lies in the folders, as far as it may."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from partner_desktop.app import Partner
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import Home
from partner_desktop.commands.mcp_server import configuration
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent, ResultEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.gateways.remote import RemoteClient, answers
from tests.support import REPOSITORY, UPPER_SCRIPT, Watcher, drain, run_cli_arguments

pytestmark = pytest.mark.integration

#: A program starts, opens a home, and ends.
TIMEOUT_S = 60.0
NODE_SDK = "@modelcontextprotocol/sdk@1.25.2"
INSTALL_TIMEOUT_S = 120.0
NODE_CLIENT = """\
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "node-client", title: "Node", version: "1" });
await client.connect(new StdioClientTransport(JSON.parse(process.argv[2])));
const found = {
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  refused: await client.callTool({ name: "upper", arguments: { text: "hello" } }),
  read: await client.readResource({ uri: "partner://abilities/local%3A%3Aupper" }),
};
await client.close();
console.log(JSON.stringify(found));
"""


@pytest.fixture
def config(home: Home, action_dir: Path) -> dict[str, Any]:
    """What another program is told to start."""
    found: dict[str, Any] = configuration(home, action_dir)
    server = found["mcpServers"]["partner-desktop"]
    server["env"] = {"PYTHONPATH": str(REPOSITORY), "HOME": os.environ["HOME"]}
    return found


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(REPOSITORY)}


@asynccontextmanager
async def client(config: dict[str, Any], mode: Any, heard: Any = None) -> AsyncIterator[Client]:
    server = StdioServerParameters(**config["mcpServers"]["partner-desktop"])
    info = types.Implementation(name="claude", title="Claude Desktop", version="1")
    async with (
        asyncio.timeout(TIMEOUT_S),
        Client(server, mode=mode, client_info=info, message_handler=heard) as connected,
    ):
        yield connected


async def names(using: Client) -> list[str]:
    listed = await using.list_tools(cache_mode="refresh")
    return [tool.name for tool in listed.tools]


async def shouted(using: Client, text: str) -> tuple[bool, str]:
    answer = await using.call_tool("upper", {"text": text})
    (part,) = answer.content
    assert isinstance(part, types.TextContent)
    return answer.is_error, part.text


@pytest.mark.promise("actions.local.served")
async def test_the_sdk_s_client_uses_a_dropped_script_of_a_running_partner_as_the_person_allows(
    partner: Partner, watcher: Watcher, shout: Path, config: dict[str, Any]
) -> None:
    changes = asyncio.Event()

    async def heard(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changes.set()

    async with client(config, "legacy", heard) as using:
        assert "upper" in await names(using)
        failed, reason = await shouted(using, "psst")
        assert failed
        assert "was not run: a person has not allowed" in reason
        (record,) = await partner.actions.list()
        await partner.actions.run_again(record.id)
        again, _ = await partner.actions.list()
        await partner.actions.approve(again.id, scope="always")
        await watcher.until(lambda event: isinstance(event, ResultEvent) and event.action.id == again.id)
        assert await shouted(using, "hello") == (False, "HELLO")
        watcher.events.clear()
        shout.write_text(UPPER_SCRIPT + "# edited\n", encoding="utf-8")
        await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        assert (await shouted(using, "hello"))[0]
        changes.clear()
        shout.unlink()
        await changes.wait()
        assert "upper" not in await names(using)
    (conversation,) = await partner.conversations.list()
    assert conversation.title == "Claude Desktop (MCP)"


@pytest.mark.promise("actions.card.complete")
async def test_what_a_foreign_client_adds_to_the_arguments_is_refused_and_run_again_shows_nothing_hidden(
    partner: Partner, watcher: Watcher, shout: Path, config: dict[str, Any]
) -> None:
    hidden = {"text": "notes", "checkpoint-action": "exec=sh /tmp/evil", "checkpoint": "1"}
    async with client(config, "legacy") as using:
        assert (await using.call_tool("upper", hidden)).is_error
        (refused,) = await partner.actions.list()
        watcher.events.clear()
        with pytest.raises(AskHumanError, match="has no parameter `checkpoint-action`"):
            await partner.actions.run_again(refused.id)
        assert not any(isinstance(event, ProposalEvent) for event in watcher.events)
        # And of a program that may run it, too.
        await shouted(using, "psst")
        await partner.actions.run_again((await partner.actions.list())[0].id)
        await partner.actions.approve((await partner.actions.list())[0].id, scope="always")
        await watcher.until(lambda event: isinstance(event, ResultEvent))
        assert await shouted(using, "hello") == (False, "HELLO")
        answer = await using.call_tool("upper", hidden)
    (part,) = answer.content
    assert isinstance(part, types.TextContent)
    assert answer.is_error
    assert "has no parameter `checkpoint-action`" in part.text
    last, *_ = await partner.actions.list()
    assert (last.status, last.stdout) == (ActionStatus.FAILED, "")


@pytest.mark.promise("actions.local.served")
async def test_without_a_running_partner_the_server_hosts_the_home_itself(
    home: Home, action_dir: Path, config: dict[str, Any]
) -> None:
    script = action_dir / "dynamic" / "upper.py"
    script.write_text(UPPER_SCRIPT, encoding="utf-8")

    async with client(config, "auto") as using:
        assert "upper" in await names(using)
        assert (await shouted(using, "psst"))[0]
        person, waiting, version = RemoteClient(home), "", ""
        asked: JsonObject = {"key": "local::upper", "params": {"text": "x"}, "cwd": "", "standing": "ask"}
        async for event in person.events("events.run", program="Claude Desktop", **asked):
            action = event.get("action")
            waiting = str(action["id"]) if isinstance(action, dict) else waiting
            version = str(event.get("version", version))
        decided: JsonObject = {"action_id": waiting, "verdict": "always", "version": version}
        await drain(person.stream("events.decide", **decided))
        assert await shouted(using, "hello") == (False, "HELLO")
        async with using.listen(tools_list_changed=True) as changes:
            script.write_text(UPPER_SCRIPT.replace("Shout", "Cry"), encoding="utf-8")
            await anext(changes)
            assert (await shouted(using, "hello"))[0]
            script.unlink()
            await anext(changes)
            assert "upper" not in await names(using)


async def test_the_host_may_change_under_a_server_and_a_window_gets_the_home(
    partner: Partner, home: Home, shout: Path, action_dir: Path, config: dict[str, Any]
) -> None:
    del shout

    async def heard(using: Client) -> bool:
        return "was not run: a person has not allowed" in (await shouted(using, "hello"))[1]

    async with client(config, "auto") as using:
        assert await heard(using)
        await partner.close()
        await partner.lock.shutdown()
        assert await heard(using)
        assert await answers(home)
        window = Partner(home, action_dir, kind="window", meaning=False)
        assert not window.lock.acquire()
        assert not await RemoteClient(home).call("client.raise_window")
        while not window.lock.acquire():  # noqa: ASYNC110 - another process has no event for us
            await asyncio.sleep(0.05)
        await window.launch()
        try:
            assert await heard(using)
            (conversation,) = await window.conversations.list()
            assert len(await window.messages.list(conversation.id)) == 6
        finally:
            await window.close()


@pytest.fixture(scope="session")
def node_sdk() -> Path:
    """A folder with the TypeScript SDK from the npm registry, installed once for this user."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("Node.js is not here")
    folder = Path(tempfile.gettempdir()) / f"partner-tests-{os.getuid()}" / NODE_SDK.rpartition("/")[2]
    if not (folder / "whole").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", NODE_SDK]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_TIMEOUT_S)
        except (subprocess.SubprocessError, OSError) as error:
            pytest.skip(f"{NODE_SDK} cannot be installed: {error}")
        (folder / "whole").touch()
    return folder


@pytest.mark.promise("actions.local.served")
async def test_an_independent_client_lists_calls_and_reads(
    node_sdk: Path, partner: Partner, shout: Path, config: dict[str, Any]
) -> None:
    del shout
    script = node_sdk / "client.mjs"
    script.write_text(NODE_CLIENT, encoding="utf-8")
    server = json.dumps(config["mcpServers"]["partner-desktop"])
    process = await asyncio.create_subprocess_exec(
        "node", str(script), server, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    async with asyncio.timeout(TIMEOUT_S):
        said, complained = await process.communicate()
    assert process.returncode == 0, complained
    found = json.loads(said)
    assert found["tools"] == ["upper"]
    assert found["refused"]["isError"]
    assert "was not run: a person has not allowed" in found["refused"]["content"][0]["text"]
    assert json.loads(found["read"]["contents"][0]["text"])["key"] == "local::upper"
    (conversation,) = await partner.conversations.list()
    assert conversation.title == "Node (MCP)"


def start(home: Home, action_dir: Path, **pipes: Any) -> subprocess.Popen[bytes]:
    where = ["--home", str(home.root), "--action-dir", str(action_dir)]
    given: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(run_cli_arguments("mcp-server", *where), env=environment(), **(given | pipes))


def test_however_the_client_ends_it_the_server_ends_well(home: Home, action_dir: Path) -> None:
    servers = [start(home, action_dir) for _ in range(3)]
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    call = b'{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}\n'
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode() + b"\n"
    try:
        for server in servers:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(begin + call + b"garbage\n" + ping)
            server.stdin.flush()
            heard = {json.loads(server.stdout.readline())["id"] for _ in range(4)}
            assert heard == {0, 1, 2, None}
        left, ended, deaf = servers
        assert left.stdin is not None
        left.stdin.close()
        left.stdin = None
        ended.send_signal(signal.SIGTERM)
        assert deaf.stdout is not None
        assert deaf.stdin is not None
        deaf.stdout.close()
        deaf.stdout = None
        deaf.stdin.write(ping)
        deaf.stdin.flush()
        for server in servers:
            _, complained = server.communicate(timeout=TIMEOUT_S)
            assert server.returncode == 0
            assert b"Traceback" not in complained
    finally:
        for server in servers:
            server.kill()
            server.communicate()


def test_what_cannot_be_served_is_said_on_stderr_only(tmp_path: Path, action_dir: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    nowhere = start(Home(tmp_path / "file" / "home"), action_dir)
    closed = start(Home(tmp_path / "home"), action_dir, stdin=None, preexec_fn=lambda: os.close(0))
    said, complained = nowhere.communicate(timeout=TIMEOUT_S)
    assert (nowhere.returncode, said) == (1, b"")
    assert b"Traceback" not in complained
    assert complained.strip()
    said, complained = closed.communicate(timeout=TIMEOUT_S)
    assert (closed.returncode, said) == (2, b"")
    assert b"standard input and output" in complained


def test_the_configuration_is_printed_as_it_is_pasted(tmp_path: Path, action_dir: Path) -> None:
    where = ["--home", str(tmp_path / "hö me"), "--action-dir", str(action_dir)]
    printed = subprocess.run(
        run_cli_arguments("mcp-server", "--print-config", *where),
        env=environment(),
        capture_output=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    (server,) = json.loads(printed.stdout)["mcpServers"].values()
    assert Path(server["command"]).is_absolute()
    assert Path(server["command"]).exists()
    assert server["args"][-5:] == ["mcp-server", *where]


def test_other_commands_do_not_load_the_sdk() -> None:
    code = (
        "import sys\n"
        "from partner_desktop.cli.parser import build_parser\n"
        "import partner_desktop.commands.mcp_server, partner_desktop.commands.actions\n"
        "build_parser()\n"
        "print([name for name in ('mcp', 'mcp_types') if name in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=True, timeout=TIMEOUT_S
    )
    assert found.stdout.strip() == b"[]"
