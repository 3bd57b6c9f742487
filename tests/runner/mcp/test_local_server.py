"""The in-process MCP server: what its clients see, what they may do, and what a run gets through it."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client, MCPError

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import MetaActionInfo, ResultStatus, Route
from partner_desktop.runner.mcp.local_tools import RUN, OpenLocalServer, open_local
from partner_desktop.runner.script_route import ScriptRoute
from tests.runner.running import Runs
from tests.support import WAIT_S, Watcher

pytestmark = pytest.mark.integration

FAILS = """\
# /// partner
# description = "Say much and fail"
# ///
import sys
print("x" * 100_000)
print("it went wrong", file=sys.stderr)
sys.exit(3)
"""

TALKS = """\
# /// partner
# description = "Echo a text"
# aliases = ["say it again"]
# annotations = { readOnlyHint = true, idempotentHint = true }
# [params.text]
# type = "string"
# description = "what to say"
# [responseSchema]
# type = "object"
# required = ["said"]
# ///
import json, sys
print(json.dumps({"said": json.load(sys.stdin)["text"]}))
"""

WAITS = """\
# /// partner
# description = "Wait for ever, with a child"
# [params.folder]
# type = "string"
# format = "path"
# access = "write"
# ///
import json, subprocess, sys, time
from pathlib import Path
folder = Path(json.load(sys.stdin)["folder"])
beat = "import sys, time\\nwhile True:\\n    open(sys.argv[1], 'a').write('.')\\n    time.sleep(0.01)\\n"
subprocess.Popen([sys.executable, "-c", beat, str(folder / "beats")])
time.sleep(600)
"""


@pytest.fixture
async def door(partner: Partner) -> OpenLocalServer:
    """The server that the Partner's own runs go through."""
    found = await partner._parts.actions.local.open()
    assert isinstance(found, OpenLocalServer)
    return found


async def saved(watcher: Watcher, path: Path, text: str) -> None:
    """Save a script, new or changed, and wait until that is listed."""
    watcher.events.clear()
    path.write_text(text, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))


async def test_another_client_sees_every_ability_whole_and_may_call_none(
    partner: Partner, watcher: Watcher, action_dir: Path, door: OpenLocalServer
) -> None:
    await saved(watcher, action_dir / "dynamic" / "talks.py", TALKS)
    async with Client(door.server) as other:
        [tool] = (await other.list_tools()).tools
        assert (tool.name, tool.title, tool.description) == ("talks", "Talks", "Echo a text")
        assert tool.input_schema["properties"]["text"]["description"] == "what to say"
        assert tool.output_schema == {"type": "object", "required": ["said"]}
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, None)
        for meta in (None, {RUN: "1"}, {"run": "x"}):
            refused = await other.call_tool("talks", {"text": "hi", RUN: "1"}, meta=meta)  # type: ignore[arg-type]  # an open map
            assert refused.is_error
            assert isinstance(refused.content[0], types.TextContent)
            assert refused.content[0].text.startswith("Nobody has approved this call.")
    assert not any(partner.home.runs.iterdir())


class Following:
    """A client that lists the tools anew whenever it is told to."""

    def __init__(self, client: Client, news: asyncio.Event) -> None:
        self._client = client
        self._news = news

    async def until(self, *descriptions: str) -> None:
        """Until the list has these; nobody asks before there is news."""
        async with asyncio.timeout(WAIT_S):
            while True:
                await self._news.wait()
                self._news.clear()
                tools = (await self._client.list_tools(cache_mode="bypass")).tools
                if [tool.description for tool in tools] == [*descriptions]:
                    return


@pytest.mark.parametrize("era", ["2026-07-28", "legacy"])
async def test_what_is_added_changed_and_removed_is_told_to_clients_of_both_eras(
    era: str, action_dir: Path, door: OpenLocalServer
) -> None:
    news, ready = asyncio.Event(), asyncio.Event()

    async def hear(message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            news.set()

    path = action_dir / "dynamic" / "talks.py"
    async with Client(door.server, mode=era, message_handler=hear) as other:
        listening = asyncio.get_running_loop().create_task(_listen(other, ready))
        async with asyncio.timeout(WAIT_S):
            await ready.wait()
        tools = Following(other, news)
        path.write_text(TALKS, encoding="utf-8")
        await tools.until("Echo a text")
        path.write_text(TALKS.replace("Echo", "Repeat"), encoding="utf-8")
        await tools.until("Repeat a text")
        path.unlink()
        await tools.until()
        listening.cancel()
        await asyncio.wait([listening])


async def _listen(client: Client, ready: asyncio.Event) -> None:
    """In the older era a client hears without asking; in the new one its stream comes to `hear`, too."""
    if client.protocol_version < "2026-07-28":
        ready.set()
        return
    async with client.listen(tools_list_changed=True) as changes:
        ready.set()
        async for _ in changes:
            pass


async def test_the_whole_response_of_a_run_comes_through(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "fails.py", FAILS)
    await saved(watcher, action_dir / "dynamic" / "talks.py", TALKS)
    runs = Runs(partner)
    failed = await runs.result("local::fails")
    assert (failed.ok, failed.exit_code, failed.stderr) == (False, 3, "it went wrong\n")
    assert failed.truncated
    assert failed.stdout_path is not None
    assert failed.stdout_path.read_text() == "x" * 100_000 + "\n"
    talked = await runs.result("local::talks", text="hello")
    assert (talked.ok, talked.data) == (True, {"said": "hello"})


async def test_values_that_no_script_can_take_are_refused_with_their_reason(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "talks.py", TALKS)
    runs = Runs(partner)
    half = await runs.result("local::talks", text="half a \ud83d")
    assert half.error == "`text` holds half a character (a lone surrogate); write it again."
    nan = await runs.result("local::talks", text=math.nan)
    assert nan.error == "`text` holds a number that JSON does not know (NaN or infinity)."


async def test_a_run_that_is_cancelled_ends_with_its_processes(
    partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    await saved(watcher, action_dir / "dynamic" / "waits.py", WAITS)
    runs = Runs(partner)
    call, paths = await runs.prepare("local::waits", folder=str(user_home))
    decision = await runs.approve(call)
    under_way = asyncio.get_running_loop().create_task(runs.runner.submit(call, decision, paths=paths))
    beats = user_home / "beats"
    async with asyncio.timeout(WAIT_S):
        while not beats.exists():  # noqa: ASYNC110 - what another process does sets no event here
            await asyncio.sleep(0.01)
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
    assert call.status is ResultStatus.FAILED
    written = beats.read_bytes()
    # Longer than the child's next beat would take.
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", "pass"], check=True, timeout=WAIT_S)
    assert beats.read_bytes() == written


async def test_a_long_list_comes_in_pages_and_replaced_descriptions_are_resources(home: Home) -> None:
    names = [f"ability{number:03}" for number in range(250)]
    infos = [MetaActionInfo(f"local::{name}", Route.MCP, f"The {name}") for name in names]
    overrides = {"git server::git_log": json.dumps({"description": "What was done"}), "time::now": "{}"}
    async with (
        open_local(ScriptRoute(home), lambda: infos, lambda: overrides) as door,
        Client(door.server) as other,
    ):
        found, cursor = [], None
        while True:
            page = await other.list_tools(cursor=cursor)
            found += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert found == names
        with pytest.raises(MCPError):
            await other.list_tools(cursor="behind")
        listed = (await other.list_resources()).resources
        assert [each.name for each in listed] == ["git server::git_log", "time::now"]
        [content] = (await other.read_resource("partner://mcp/desc/git%20server/git_log")).contents
        assert isinstance(content, types.TextResourceContents)
        assert json.loads(content.text) == {"description": "What was done"}
        with pytest.raises(MCPError):
            await other.read_resource("partner://mcp/desc/time/then")
