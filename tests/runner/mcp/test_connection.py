"""Starting a server, learning what it is, calling it, and being left alone by it afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from partner_desktop.base.errors import TellMindError, TryAgainError
from partner_desktop.domain.mcp_server import ServerStep
from partner_desktop.domain.meta_action import Annotations
from partner_desktop.runner.mcp.port import ServerEndedError
from tests.runner.mcp.support import Client, alive, resolved
from tests.support import REPOSITORY, WAIT_S

pytestmark = pytest.mark.integration

on_linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked up in /proc")


async def test_a_server_says_what_it_is_and_what_it_offers(client: Client) -> None:
    async with client.connected(resolved("well_behaved")) as connection:
        facts = connection.facts
    assert facts.name == "well-behaved 1"
    assert [tool.key for tool in facts.tools][:2] == ["well_behaved::add", "well_behaved::shout"]
    assert [(each.uri, each.template) for each in facts.resources] == [
        ("memo://one", False),
        ("memo://{name}", True),
    ]
    (prompt,) = facts.prompts
    assert (prompt.title, prompt.arguments[0].name, prompt.arguments[0].required) == ("Greet", "who", True)
    add = facts.tools[0]
    assert add.title == "Add two numbers"
    assert add.required() == ("a", "b")
    assert add.annotations == Annotations(
        read_only=True, destructive=False, idempotent=True, open_world=False
    )
    assert add.timeout_s == 20.0


async def test_a_tool_a_resource_and_a_prompt_are_used(client: Client) -> None:
    async with client.connected(resolved("well_behaved")) as connection:
        assert (await client.call(connection, "add", a=2, b=3)).stdout == "5"
        failed = await client.call(connection, "fail")
        memo = await connection.read_resource("memo://one", scope=client.scope())
        prompt = await connection.get_prompt("greet", {"who": "Ada"}, scope=client.scope())
        with pytest.raises(TellMindError, match="refused"):
            await client.call(connection, "unknown")
    assert (failed.ok, failed.error) == (False, "there is no such city")
    assert memo.stdout == "buy milk"
    assert memo.parts[0].uri == "memo://one"
    assert prompt.data == {"messages": [{"role": "user", "text": "Greet Ada."}]}


@on_linux
async def test_a_server_that_nobody_calls_costs_nothing_and_is_there_when_it_is_called(
    client: Client,
) -> None:
    def times_woken() -> list[str]:
        (thread,) = [one for one in threading.enumerate() if one.name == "mcp:well_behaved"]
        lines = Path(f"/proc/self/task/{thread.native_id}/status").read_text().splitlines()
        return [line for line in lines if line.startswith("voluntary_ctxt_switches")]

    async def another_comes_and_goes() -> None:
        async with client.connected(resolved("features")) as connection:
            await client.call(connection, "weather")

    async with client.connected(resolved("well_behaved")) as connection:
        await client.call(connection, "add", a=2, b=3)
        await another_comes_and_goes()  # its answer was taken long since
        before = times_woken()
        await another_comes_and_goes()
        assert times_woken() == before
        assert (await client.call(connection, "add", a=4, b=3)).stdout == "7"


async def test_a_server_gets_exactly_its_environment_and_its_folder(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREETING", "from outside")
    server = resolved("well_behaved", cwd=tmp_path)
    async with client.connected(server) as connection:
        assert (await client.call(connection, "where")).stdout.split()[:1] == [os.fspath(tmp_path)]
    async with client.connected(resolved("well_behaved", env={"GREETING": "hi"})) as connection:
        where, greeting, _ = (await client.call(connection, "where")).stdout.split()
    assert (where, greeting) == (os.environ["HOME"], "hi")


async def test_why_a_server_could_not_be_started_is_told(client: Client, tmp_path: Path) -> None:
    with pytest.raises(ServerEndedError) as died:
        async with client.connected(resolved("dies_at_start")):
            pass
    assert died.value.failure.step is ServerStep.HANDSHAKE
    assert died.value.failure.exit_code == 3
    assert died.value.failure.stderr == ("reading the settings", "the key is missing")
    assert "exit code 3" in died.value.failure.message
    with pytest.raises(ServerEndedError) as missing:
        async with client.connected(resolved("silent", program=tmp_path / "nothing")):
            pass
    assert missing.value.failure.step is ServerStep.SPAWN
    assert "nothing is not there" in missing.value.failure.message
    with pytest.raises(ServerEndedError) as nowhere:
        async with client.connected(resolved("silent", cwd=tmp_path / "nowhere")):
            pass
    assert "nowhere is not there" in nowhere.value.failure.message


async def test_a_server_that_dies_at_start_is_started_once(client: Client) -> None:
    with pytest.raises(ServerEndedError):
        async with client.connected(resolved("dies_at_start")):
            pass
    assert client.log.count("reading the settings") == 1


@pytest.mark.parametrize("how", [(), ("slowly",)], ids=["at once", "its exit code comes late"])
async def test_an_old_server_that_the_first_question_upsets_is_asked_the_old_way(
    client: Client, how: tuple[str, ...]
) -> None:
    async with client.connected(resolved("dies_at_probe", *how)) as connection:
        assert (await client.call(connection, "hello")).stdout == "hello"


async def test_a_server_that_never_answers_is_given_up(client: Client) -> None:
    with pytest.raises(ServerEndedError) as silent:
        async with client.connected(resolved("silent", start_timeout_s=1.0)):
            pass
    assert silent.value.failure.step is ServerStep.HANDSHAKE
    assert "within 1 s" in silent.value.failure.message


async def test_a_server_that_takes_its_time_is_waited_for(client: Client) -> None:
    async with client.connected(resolved("slow_start", "1.5", start_timeout_s=3.0)) as connection:
        assert (await client.call(connection, "hello")).stdout == "hello"


async def test_a_banner_is_logged_and_does_no_harm(client: Client) -> None:
    async with client.connected(resolved("odd")) as connection:
        assert connection.facts.name == "odd 1"
        await client.logged("Welcome to the odd server!")


async def test_a_server_that_dies_in_mid_call_ends_the_call_and_the_connection(client: Client) -> None:
    async with client.connected(resolved("dies_in_call")) as connection:
        with pytest.raises(TryAgainError, match=r"exit code 4.*out of luck"):
            await client.call(connection, "die")
        failure = await asyncio.wait_for(asyncio.shield(connection.ended), WAIT_S)
        with pytest.raises(TryAgainError, match="broke"):
            await client.call(connection, "pid")
    assert (failure.step, failure.exit_code, failure.stderr) == (ServerStep.RUN, 4, ("out of luck",))


async def test_a_server_that_is_killed_is_told_of_without_a_call(client: Client) -> None:
    async with client.connected(resolved("dies_in_call")) as connection:
        os.kill(int((await client.call(connection, "pid")).stdout), signal.SIGKILL)
        failure = await asyncio.wait_for(asyncio.shield(connection.ended), WAIT_S)
    assert "SIGKILL" in failure.message


@on_linux
async def test_nothing_is_left_of_a_server_that_does_not_want_to_end(client: Client, tmp_path: Path) -> None:
    async with client.connected(resolved("stubborn", os.fspath(tmp_path / "pids"))) as connection:
        await client.call(connection, "hello")
        pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
        assert all(map(alive, pids))
    assert not any(map(alive, pids))


HOST = """
import asyncio, sys
from pathlib import Path
from tests.runner.mcp.support import Client, resolved
async def main():
    client = Client(Path(sys.argv[1]))
    async with client.connected(resolved("stubborn", sys.argv[1] + "/pids")):
        print("ready", flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


@on_linux
async def test_nothing_is_left_of_a_server_when_partner_is_killed(client: Client, tmp_path: Path) -> None:
    host = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOST, os.fspath(tmp_path), cwd=REPOSITORY, stdout=subprocess.PIPE
    )
    assert host.stdout is not None
    assert await asyncio.wait_for(host.stdout.readline(), 30.0) == b"ready\n"
    pids = [int(word) for word in (tmp_path / "pids").read_text().split()]
    host.kill()
    await host.wait()
    async with asyncio.timeout(WAIT_S):
        while any(map(alive, pids)):  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.02)


async def test_a_start_that_is_cancelled_leaves_nothing(client: Client) -> None:
    async def start() -> None:
        async with client.connected(resolved("silent")):
            pass

    task = asyncio.create_task(start())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, WAIT_S)
