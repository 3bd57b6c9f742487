"""Servers that others wrote, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.runner.mcp.port import SamplingRequest
from tests.runner.mcp.real_servers import EVERYTHING, FILESYSTEM, npm_server, python_server
from tests.runner.mcp.support import Client
from tests.support import WAIT_S

pytestmark = pytest.mark.integration


async def test_the_time_is_told(client: Client) -> None:
    async with client.connected(python_server("mcp_server_time")) as connection:
        response = await client.call(connection, "get_current_time", timezone="Europe/Oslo")
        wrong = await client.call(connection, "get_current_time", timezone="Nowhere/Atall")
    assert response.ok
    assert '"timezone": "Europe/Oslo"' in response.stdout
    assert not wrong.ok
    assert "Nowhere/Atall" in wrong.error


async def test_a_git_repository_is_looked_at(client: Client, tmp_path: Path) -> None:
    made = await asyncio.create_subprocess_exec("git", "init", "-q", tmp_path / "repo")
    assert await made.wait() == 0
    (tmp_path / "repo" / "new.txt").write_text("new")
    server = python_server("mcp_server_git", "--repository", str(tmp_path / "repo"))
    async with client.connected(server) as connection:
        response = await client.call(connection, "git_status", repo_path=str(tmp_path / "repo"))
    assert "new.txt" in response.stdout


async def test_the_granted_folders_are_all_that_the_file_server_sees(
    client: Client, npm_servers: Path, tmp_path: Path
) -> None:
    granted = tmp_path / "granted"
    granted.mkdir()
    (granted / "note.txt").write_text("buy milk")
    client.roots = [granted]
    async with client.connected(npm_server(npm_servers, FILESYSTEM, str(granted))) as connection:
        await client.logged("allowed directories")
        note = await client.call(connection, "read_text_file", path=str(granted / "note.txt"))
        outside = await client.call(connection, "read_text_file", path="/etc/hostname")
    assert note.stdout == "buy milk"
    assert not outside.ok


@pytest.mark.promise("actions.mcp.features")
async def test_the_reference_server_can_do_everything(client: Client, npm_servers: Path) -> None:
    async def sample(request: SamplingRequest) -> str:
        return "hello"

    client.sample = sample
    async with client.connected(npm_server(npm_servers, EVERYTHING)) as connection:
        await client.until(lambda: client.changes > 0)
        tools = {tool.name for tool in (await connection.relist()).tools}
        assert (await client.call(connection, "echo", message="hi")).stdout == "Echo: hi"
        assert (await client.call(connection, "get-structured-content", location="Chicago")).data is not None
        assert (await client.call(connection, "get-tiny-image")).parts[0].mime == "image/png"
        long = await client.call(connection, "trigger-long-running-operation", duration=1, steps=4)
        assert long.ok
        assert client.progress[-1][1] == 4.0
        call = asyncio.create_task(
            client.call(connection, "trigger-long-running-operation", duration=60, steps=100)
        )
        told = len(client.progress)
        async with asyncio.timeout(WAIT_S):
            while len(client.progress) == told:  # noqa: ASYNC110 - progress comes by a plain call
                await asyncio.sleep(0.02)
        call.cancel()
        await asyncio.wait_for(asyncio.wait([call]), WAIT_S)
        assert call.cancelled()
        assert {"get-roots-list", "trigger-elicitation-request", "trigger-sampling-request"} <= tools
        assert client.folder.as_uri() in (await client.call(connection, "get-roots-list")).stdout
        client.answer = ElicitationAnswer("decline")
        assert "declined" in (await client.call(connection, "trigger-elicitation-request")).stdout
        assert "hello" in (await client.call(connection, "trigger-sampling-request", prompt="hi")).stdout
        assert len(connection.facts.resources) > 0
        assert len(connection.facts.prompts) > 0
