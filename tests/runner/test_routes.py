"""One RunnerClient for every route: what it runs, that it runs it once, and what is wrapped around it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ActionError, TellMindError
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import Annotations, MetaAction, ResultStatus
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.client import LimitedRunner, RetryingRunner, WritersRunner
from tests.action.mcp.serving import plain, until_listed, write
from tests.runner.running import Gated, Runs, Scripted, allowed, some_call
from tests.support import WAIT_S, HastyClock, Watcher

COUNTS = """\
# /// partner
# description = "Count the runs in this workspace"
# ///
with open("runs.txt", "a") as file:
    file.write("run\\n")
print("counted")
"""

NAMES = """\
# /// partner
# description = "Tell the names in a listing"
# [params.items]
# type = "array"
# ///
import json, sys
items = json.load(sys.stdin)["items"]
print(json.dumps({"names": [item.split(" · ")[0] for item in items]}))
"""

JOIN = """\
# /// partner
# description = "Join names"
# [params.names]
# type = "array"
# ///
import json, sys
print(" + ".join(json.load(sys.stdin)["names"]))
"""


@pytest.fixture
def runs(partner: Partner) -> Runs:
    return Runs(partner)


async def put(watcher: Watcher, path: Path, text: str, key: str) -> None:
    """Save a script and wait until it is listed."""
    path.write_text(text, encoding="utf-8")
    await watcher.until(
        lambda event: isinstance(event, AbilitiesEvent) and any(each.key == key for each in event.changed)
    )


@pytest.mark.integration
@pytest.mark.promise("actions.routes")
async def test_one_client_runs_a_builtin_an_origin_and_an_mcp_action_each_feeding_the_next(
    partner: Partner, runs: Runs, watcher: Watcher, action_dir: Path, user_home: Path
) -> None:
    write(action_dir, "plain.json", {"mcpServers": {"plain": plain("--tools", "say")}})
    for name in ("a.txt", "b.txt"):
        (user_home / name).write_text("x")
    await put(watcher, action_dir / "tmp" / "names.py", NAMES, "origin::names.py")
    await put(watcher, action_dir / "dynamic" / "join.py", JOIN, "local::join")

    listed = await runs.result("builtin::list_folder", folder=str(user_home))
    assert isinstance(listed.data, dict)
    named = await runs.result("origin::names.py", items=listed.data["items"])
    assert isinstance(named.data, dict)
    joined = await runs.result("local::join", names=named.data["names"])

    assert (joined.ok, joined.stdout, joined.exit_code) == (True, "a.txt + b.txt\n", 0)

    await until_listed(partner, watcher, "plain::say")
    said = await runs.result("plain::say", text=joined.stdout.strip())
    assert (said.ok, said.stdout) == (True, 'say {"text": "a.txt + b.txt"}')


@pytest.mark.promise("actions.once")
async def test_a_second_submit_of_what_no_longer_waits_does_nothing(
    runs: Runs, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "counts.py", COUNTS, "local::counts")
    call, _ = await runs.prepare("local::counts")
    decision = await runs.approve(call)
    async with asyncio.timeout(WAIT_S):
        await asyncio.gather(runs.runner.submit(call, decision), runs.runner.submit(call, decision))
    first = call.response
    await runs.runner.submit(call, decision)
    assert call.status is ResultStatus.SUCCESS
    assert call.response is first
    assert (runs.workspace(call) / "runs.txt").read_text() == "run\n"


@pytest.mark.promise("actions.once")
async def test_what_was_cancelled_is_written_back_and_never_runs_again() -> None:
    runner, call = Scripted(hangs=True), some_call()
    under_way = asyncio.get_running_loop().create_task(runner.submit(call, allowed(call)))
    async with asyncio.timeout(WAIT_S):
        await runner.begun.wait()
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
    assert call.status is ResultStatus.FAILED
    assert call.response is not None
    assert call.response.cancelled
    await runner.submit(call, allowed(call))
    assert runner.runs == 1


async def test_a_call_other_than_the_approved_one_is_written_back_as_refused_and_runs_nothing(
    runs: Runs, watcher: Watcher, action_dir: Path
) -> None:
    await put(watcher, action_dir / "dynamic" / "counts.py", COUNTS, "local::counts")
    call, _ = await runs.prepare("local::counts")
    decision = await runs.approve(call)
    call.params = {"text": "something else by now"}
    await runs.runner.submit(call, decision)
    assert call.status is ResultStatus.FAILED
    assert call.response is not None
    assert call.response.error == "Counts was not run: what was approved is not what would run now."
    assert not runs.workspace(call).exists()


class TestRetry:
    @pytest.mark.parametrize("claim", [Annotations(idempotent=True), Annotations(read_only=True)])
    async def test_what_may_be_repeated_is_tried_three_times_and_says_so(self, claim: Annotations) -> None:
        busy, call, told = Scripted(failures=2), some_call(claim), list[tuple[float, float | None, str]]()
        runner = RetryingRunner(busy, clock=HastyClock())
        await runner.submit(
            call, allowed(call), on_progress=lambda done, total, text: told.append((done, total, text))
        )
        assert call.response is not None
        assert call.response.stdout == "try 3"
        assert told == [
            (1, 3, "The server was busy. Trying again."),
            (2, 3, "The server was busy. Trying again."),
        ]

    async def test_after_three_tries_the_reason_is_the_answer(self) -> None:
        busy, call = Scripted(failures=9), some_call(Annotations(idempotent=True))
        await RetryingRunner(busy, clock=HastyClock()).submit(call, allowed(call))
        assert busy.runs == 3
        assert call.response is not None
        assert call.response.error == "The server was busy."

    @pytest.mark.parametrize(
        ("claim", "paths", "error"),
        [
            (Annotations(), (), None),
            (Annotations(read_only=True), (PathUse("to", "/home/somebody/list.txt", "write"),), None),
            (Annotations(idempotent=True), (), TellMindError("There is no such tool.")),
        ],
        ids=["it says nothing", "it only reads but is given something to write to", "it never helps"],
    )
    async def test_nothing_else_is_tried_twice(
        self, claim: Annotations, paths: tuple[PathUse, ...], error: ActionError | None
    ) -> None:
        busy, call = Scripted(failures=1, error=error), some_call(claim)
        await RetryingRunner(busy, clock=HastyClock()).submit(call, allowed(call), paths=paths)
        assert busy.runs == 1
        assert call.status is ResultStatus.FAILED

    async def test_a_cancelled_call_is_not_tried_again(self) -> None:
        busy, call = Scripted(hangs=True), some_call(Annotations(idempotent=True))
        runner = RetryingRunner(busy, clock=SystemClock())
        under_way = asyncio.get_running_loop().create_task(runner.submit(call, allowed(call)))
        async with asyncio.timeout(WAIT_S):
            await busy.begun.wait()
            under_way.cancel()
            with pytest.raises(asyncio.CancelledError):
                await under_way
        assert busy.runs == 1


async def test_whatever_does_not_end_by_itself_is_ended_with_a_sentence() -> None:
    endless, call = Scripted(hangs=True), some_call(timeout_s=0.01)
    async with asyncio.timeout(WAIT_S):
        await LimitedRunner(endless, grace_s=0.0).submit(call, allowed(call))
    assert call.response is not None
    assert not call.response.cancelled
    assert call.response.error == "Tell did not end within 0.01 s and was stopped."


async def test_while_the_person_is_asked_the_time_stands_still() -> None:
    asks, call = Scripted(asks=True), some_call(timeout_s=0.01)
    submitted = asyncio.get_running_loop().create_task(
        LimitedRunner(asks, grace_s=0.0).submit(call, allowed(call))
    )
    async with asyncio.timeout(WAIT_S):
        await asks.begun.wait()
        # The person takes more time than the ability has.
        asyncio.get_running_loop().call_later(0.05, asks.answered.set)
        await submitted
    assert call.response is not None
    assert call.response.ok


WAITS = "It waits for the end of Tell, which works there."


class TestWriters:
    async def submitted(self, gated: Gated, runner: WritersRunner, use: PathUse) -> tuple[MetaAction, str]:
        """A call on its way, and what is heard of it first: that it begins, or that it waits."""
        call = some_call()
        self.tasks[call.id] = asyncio.get_running_loop().create_task(
            runner.submit(
                call,
                allowed(call),
                paths=(use,),
                on_progress=lambda done, total, text: gated.news.put_nowait(text),
            )
        )
        async with asyncio.timeout(WAIT_S):
            return call, await gated.news.get()

    async def ended(self, gated: Gated) -> None:
        for task_id in self.tasks:
            gated.gates.setdefault(task_id, asyncio.Event()).set()
        async with asyncio.timeout(WAIT_S):
            await asyncio.gather(*self.tasks.values(), return_exceptions=True)

    @pytest.fixture(autouse=True)
    def no_tasks(self) -> None:
        self.tasks: dict[str, asyncio.Task[None]] = {}

    @pytest.mark.parametrize(
        ("first", "second", "waits"),
        [
            (PathUse("", "/out", "write"), PathUse("", "/out", "read"), True),
            (PathUse("", "/out", "write"), PathUse("", "/out/in/it", "write"), True),
            (PathUse("", "/out.d", "write", seen=(1, 2, 3, 4)), PathUse("", "/out.d/a", "read"), True),
            (PathUse("", "/out", "write"), PathUse("", "/outer", "write"), False),
            (PathUse("", "/out/in", "read"), PathUse("", "/out", "write"), True),
            (PathUse("", "/out", "read"), PathUse("", "/out/in", "read"), False),
            (
                PathUse("", "/out.txt", "write", seen=(1, 2)),
                PathUse("", "/out.txt", "write", seen=(1, 2)),
                False,
            ),
        ],
    )
    async def test_who_is_given_a_place_in_which_another_one_writes_waits(
        self, first: PathUse, second: PathUse, waits: bool
    ) -> None:
        gated = Gated()
        runner = WritersRunner(gated)
        await self.submitted(gated, runner, first)
        call, heard = await self.submitted(gated, runner, second)
        assert heard == (WAITS if waits else call.id)
        await self.ended(gated)

    @pytest.mark.parametrize("cancelled", [False, True])
    async def test_writers_come_in_their_order_and_who_is_cancelled_holds_up_nobody(
        self, cancelled: bool
    ) -> None:
        gated, use = Gated(), PathUse("", "/out", "write")
        runner = WritersRunner(gated)
        calls = [await self.submitted(gated, runner, use) for _ in range(3)]
        assert [heard for _, heard in calls] == [calls[0][0].id, WAITS, WAITS]
        if cancelled:
            self.tasks[calls[1][0].id].cancel()
        await self.ended(gated)
        heard = [gated.news.get_nowait() for _ in range(gated.news.qsize())]
        begun = [one for one in heard if one != WAITS]
        assert begun == [call.id for call, _ in (calls[2:] if cancelled else calls[1:])]
