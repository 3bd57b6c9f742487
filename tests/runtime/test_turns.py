"""Turns: one after another in a conversation, side by side across conversations, whatever a module does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import DoneEvent, ErrorEvent, TurnEvent
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exchanges import ExchangeBook
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext, Source
from partner_desktop.runtime.module import RunningModule
from tests.support import WAIT_S, Watcher


class Step(RunningModule):
    """A module made for a test."""

    def __init__(self, name: str, work: Callable[[RunningFlowContext], object]) -> None:
        self._name = name
        self._work = work

    @property
    def name(self) -> str:
        return self._name

    async def execute(self, flow: RunningFlowContext) -> None:
        result = self._work(flow)
        if asyncio.iscoroutine(result):
            await result


class First(Step):
    order = 1


class Second(Step):
    order = 2


class Bench:
    """A runtime with what it needs, without an app around it."""

    def __init__(self, *modules: RunningModule) -> None:
        self.watcher = Watcher()
        self.channels = ChannelRegistry()
        self.channels.register(_All(self.watcher))
        self.exchanges = ExchangeBook(self.channels)
        self.runtime = AgentRuntime(self.channels, ContextWorkspace(clock=SystemClock()))
        self.runtime.use(modules)

    def say(self, text: str, conversation: str = "c", **more: frozenset[str]) -> str:
        exchange = self.exchanges.open(conversation)
        item = FlowInput(
            Source("test", conversation),
            SystemClock().now(),
            exchange,
            text=text,
            skip=more.get("skip", frozenset()),
        )
        self.runtime.submit(item)
        return exchange.id


class _All:
    name = "all"

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def accepts(self, event: object) -> bool:
        del event
        return True

    def deliver(self, event: object) -> None:
        self.watcher(event)  # type: ignore[arg-type]  # the registry publishes events only


@pytest.mark.promise("runtime.order.groups")
async def test_modules_of_one_order_run_together_and_groups_one_after_another() -> None:
    met = asyncio.Barrier(2)
    seen: list[str] = []

    async def meet(flow: RunningFlowContext) -> None:
        del flow
        async with asyncio.timeout(WAIT_S):
            await met.wait()  # passes only if both are running
        seen.append("first")

    bench = Bench(Second("late", lambda _: seen.append("second")), First("a", meet), First("b", meet))
    bench.say("x")
    await bench.watcher.done()
    assert seen == ["first", "first", "second"]
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.module.failure")
@pytest.mark.logs_errors
async def test_a_raising_module_is_reported_and_the_turn_completes() -> None:
    seen: list[str] = []

    def fail(flow: RunningFlowContext) -> None:
        raise ValueError(flow.text)

    bench = Bench(
        First("bad", fail),
        First("good", lambda _: seen.append("good")),
        Second("end", lambda _: seen.append("end")),
    )
    bench.say("x")
    done = await bench.watcher.done()
    assert seen == ["good", "end"]
    assert done.status == "failed"
    (error,) = [event for event in bench.watcher.events if isinstance(event, ErrorEvent)]
    assert error.where == "bad"
    assert "ValueError" not in error.message
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.sources.parallel")
async def test_a_slow_conversation_never_delays_another() -> None:
    release = asyncio.Event()
    seen: list[str] = []

    async def work(flow: RunningFlowContext) -> None:
        if flow.conversation_id == "slow":
            await release.wait()
        seen.append(flow.text)

    bench = Bench(First("work", work))
    bench.say("slow one", "slow")
    bench.say("slow two", "slow")
    fast = bench.say("fast", "fast")
    await bench.watcher.done(fast)
    assert seen == ["fast"]
    release.set()
    await bench.watcher.until(lambda e: isinstance(e, DoneEvent) and len(seen) == 3)
    assert seen == ["fast", "slow one", "slow two"]
    await bench.runtime.shutdown()


async def test_a_skipped_module_leaves_the_turn_out() -> None:
    seen: list[str] = []
    bench = Bench(
        First("planner", lambda _: seen.append("planner")),
        Second("speaker", lambda _: seen.append("speaker")),
    )
    bench.say("x", skip=frozenset({"planner"}))
    await bench.watcher.done()
    assert seen == ["speaker"]
    await bench.runtime.shutdown()


async def test_stop_ends_the_turn_and_the_next_one_runs() -> None:
    begun = asyncio.Event()
    seen: list[str] = []

    async def work(flow: RunningFlowContext) -> None:
        if flow.text == "long":
            begun.set()
            await asyncio.Event().wait()
        seen.append(flow.text)

    bench = Bench(First("work", work))
    bench.say("long")
    second = bench.say("short")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.runtime.stop("c")
    await bench.watcher.done(second)
    assert seen == ["short"]
    states = [event.state for event in bench.watcher.events if isinstance(event, TurnEvent)]
    assert states == ["started", "stopped", "started", "ended"]
    await bench.runtime.shutdown()


async def test_shutdown_ends_what_runs_and_releases_every_exchange() -> None:
    begun = asyncio.Event()

    async def work(flow: RunningFlowContext) -> None:
        del flow
        begun.set()
        await asyncio.Event().wait()

    bench = Bench(First("work", work))
    bench.say("one")
    bench.say("two")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.runtime.shutdown()
    assert len(bench.exchanges) == 0
