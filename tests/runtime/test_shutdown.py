"""The way out: gateways, pre hooks, modules, parts, post hooks, whatever one of them does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet
from partner_desktop.runtime.agent_context import AgentContext
from partner_desktop.runtime.extension_points import Phase, RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from tests.support import WAIT_S, FakeClock, HastyClock


class Life:
    """Opens and closes, and writes it down."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log

    async def launch(self) -> None:
        self.log.append(f"+{self.name}")

    async def shutdown(self) -> None:
        self.log.append(f"-{self.name}")


class First(RunningModule):
    order = 1

    def __init__(self, log: list[str], *, fails: bool = False) -> None:
        self.log, self.fails = log, fails

    async def launch(self) -> None:
        if self.fails:
            raise StorageError("no room")
        self.log.append(f"+{self.name}")

    async def execute(self, flow: RunningFlowContext) -> None:
        del flow

    async def shutdown(self) -> None:
        self.log.append(f"-{self.name}")


class Second(First):
    order = 2


Step = Callable[[], Awaitable[None]]


def noting(log: list[str], word: str) -> Step:
    async def run() -> None:
        log.append(word)

    return run


async def raises() -> None:
    raise RuntimeError("stuck drawer")


async def leaves_the_program() -> None:
    raise SystemExit(3)


async def cancels_itself() -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(0)


def whole(log: list[str], clock: FakeClock) -> AgentContext:
    """A context with two of everything."""
    context = AgentContext(clock=clock)
    context.add_gateway(Life("window", log))
    context.add_gateway(Life("console", log))
    context.add_module(Second(log))
    context.add_module(First(log))
    context.add_part("lock", Life("lock", log))
    context.add_part("database", Life("database", log))
    context.add_hook(Phase.POST, "config", noting(log, "post 100"), order=100)
    context.add_hook(Phase.POST, "trace", noting(log, "post 90"), order=90)
    context.add_hook(Phase.PRE, "one", noting(log, "pre one"))
    context.add_hook(Phase.PRE, "two", noting(log, "pre two"))
    return context


@pytest.mark.promise("framework.shutdown.order")
@pytest.mark.promise("framework.launch.order")
async def test_it_closes_in_reverse_of_the_launch_between_its_hooks(clock: FakeClock) -> None:
    log: list[str] = []
    context = whole(log, clock)
    await context.launch()
    assert log == ["+lock", "+database", "+First", "+Second", "+window", "+console"]
    log.clear()
    await context.shutdown()
    await context.shutdown()
    assert log == [
        *("-console", "-window", "pre two", "pre one", "-Second", "-First"),
        *("-database", "-lock", "post 90", "post 100"),
    ]


@pytest.mark.logs_errors
@pytest.mark.promise("framework.shutdown.order")
@pytest.mark.parametrize("bad", [raises, leaves_the_program, cancels_itself])
async def test_a_hook_that_fails_stops_no_other(
    clock: FakeClock, caplog: pytest.LogCaptureFixture, bad: Step
) -> None:
    log: list[str] = []
    context = whole(log, clock)
    context.add_hook(Phase.PRE, "the bad one", bad, order=-1)
    await context.launch()
    log.clear()
    await context.shutdown()
    assert log[2:4] == ["pre two", "pre one"]
    assert log[-1] == "post 100"
    assert "the bad one" in caplog.text


@pytest.mark.logs_errors
@pytest.mark.promise("framework.shutdown.order")
async def test_a_hook_that_hangs_is_given_up_on_and_named(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    log: list[str] = []
    begun, let_go = asyncio.Event(), asyncio.Event()

    async def hangs() -> None:
        begun.set()
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue  # it does not even end when it is told to

    context = whole(log, clock)
    context.add_hook(Phase.PRE, "the slow one", hangs, order=-1, limit_s=2)
    await context.launch()
    closing = asyncio.ensure_future(context.shutdown())
    async with asyncio.timeout(WAIT_S):
        await begun.wait()
        while not closing.done():
            clock.move(timedelta(seconds=2))
            await asyncio.sleep(0)
    assert log[-1] == "post 100"
    assert "the slow one did not shut down within 2 s" in caplog.text
    assert "still running after the shutdown: close:the slow one" in caplog.text
    let_go.set()
    await asyncio.sleep(0)


@pytest.mark.logs_errors
async def test_a_task_that_outlives_its_owner_is_named_at_the_end(
    clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    tasks, let_go = TaskSet("attic"), asyncio.Event()

    async def stays() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    context = AgentContext(clock=clock)
    context.add_hook(Phase.PRE, "attic", tasks.close)
    await context.launch()
    stay = tasks.start("ghost", stays())
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(context.shutdown())
    async with asyncio.timeout(WAIT_S):
        while not closing.done():
            clock.move(timedelta(seconds=3))
            await asyncio.sleep(0)
    let_go.set()
    await stay
    assert any(
        record.levelno == logging.WARNING and "attic:ghost" in record.getMessage()
        for record in caplog.records
    )


async def test_a_caller_that_gives_up_does_not_stop_the_shutdown(clock: FakeClock) -> None:
    log: list[str] = []
    context, begun, go_on = whole(log, clock), asyncio.Event(), asyncio.Event()

    async def waits() -> None:
        begun.set()
        await go_on.wait()
        log.append("waited to its end")

    context.add_hook(Phase.PRE, "waits", waits, order=-1)
    await context.launch()
    impatient = asyncio.ensure_future(context.shutdown())
    await begun.wait()
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    go_on.set()
    await context.shutdown()
    assert "waited to its end" in log
    assert log[-1] == "post 100"


async def test_a_hook_that_was_taken_back_does_not_run(clock: FakeClock) -> None:
    log: list[str] = []
    context = AgentContext(clock=clock)
    undo = context.add_hook(Phase.PRE, "gone", noting(log, "gone"))
    undo()
    undo()
    await context.shutdown()
    assert log == []


@pytest.mark.logs_errors
@pytest.mark.promise("framework.launch.order")
async def test_a_module_that_cannot_launch_closes_what_was_opened_before_it(clock: FakeClock) -> None:
    log: list[str] = []
    context = AgentContext(clock=clock)
    context.add_part("lock", Life("lock", log))
    context.add_module(First(log))
    context.add_module(Second(log, fails=True))
    context.add_gateway(Life("window", log))
    with pytest.raises(StorageError, match="no room"):
        await context.launch()
    assert log == ["+lock", "+First", "-First", "-lock"]


@pytest.mark.logs_errors
async def test_a_guest_that_cannot_launch_is_left_out(clock: FakeClock) -> None:
    log: list[str] = []
    told: list[Exception] = []
    context = AgentContext(clock=clock)
    context.add_module(First(log))
    context.add_guest(Second(log, fails=True), on_fault=told.append)
    await context.launch()
    assert [module.name for module in context.modules] == ["First"]
    assert "no room" in str(told[0])
    await context.shutdown()


class Lasting(RunningModule):
    """Runs in a turn until that is ended."""

    order = -1

    def __init__(self) -> None:
        self.log: list[str] = []
        self.runs = asyncio.Event()

    async def execute(self, flow: RunningFlowContext) -> None:
        self.runs.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.log.append("turn over")

    async def shutdown(self) -> None:
        self.log.append("module closed")


async def test_a_turn_ends_before_the_modules_that_it_runs_in(home: Home, action_dir: Path) -> None:
    partner, lasting = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Lasting()
    partner.agent_context.add_module(lasting)
    await partner.launch()
    await partner.messages.send("hello", conversation_id=None)
    async with asyncio.timeout(WAIT_S):
        await lasting.runs.wait()
    await partner.close()
    assert lasting.log == ["turn over", "module closed"]


class Closing(RunningModule):
    """Its work is over some steps of the loop before everything ends."""

    order = -1

    def __init__(self, close: Callable[[], Awaitable[None]], steps: int) -> None:
        self._close, self._steps = close, steps
        self.closed: asyncio.Future[None] | None = None

    async def execute(self, flow: RunningFlowContext) -> None:
        del flow

        async def close_later() -> None:
            for _ in range(self._steps):
                await asyncio.sleep(0)
            await self._close()

        self.closed = asyncio.ensure_future(close_later())


@pytest.mark.parametrize("steps", range(10))
@pytest.mark.integration
async def test_nothing_new_begins_in_a_turn_that_the_end_overtakes(
    home: Home, action_dir: Path, steps: int
) -> None:
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    ending = Closing(partner._parts.core.runtime.shutdown, steps)
    partner.agent_context.add_module(ending)
    await partner.launch()
    await partner.messages.send("hello", conversation_id=None)
    async with asyncio.timeout(WAIT_S):
        while ending.closed is None:  # noqa: ASYNC110 - a few steps of the loop away
            await asyncio.sleep(0)
        await ending.closed
    await partner.close()
