"""Turns: the order of modules, side by side across conversations, and whatever a module does."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from partner_desktop.domain.events import NoticeEvent
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.settings import RuntimeSettings
from tests.runtime.bench import Bench, First, Second
from tests.support import WAIT_S, FakeClock


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
    bench.say("")
    await bench.watcher.done()
    assert seen == ["first", "first", "second"]
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.module.failure")
@pytest.mark.logs_errors
async def test_a_raising_module_is_reported_and_the_turn_completes() -> None:
    seen: list[str] = []

    def fail(flow: RunningFlowContext) -> None:
        raise ValueError(flow.turn_id)

    bench = Bench(
        First("bad", fail),
        First("good", lambda _: seen.append("good")),
        Second("end", lambda _: seen.append("end")),
    )
    bench.say("")
    done = await bench.watcher.done()
    assert seen == ["good", "end"]
    assert done.status == "failed"
    (error,) = bench.errors()
    assert error.where == "bad"
    assert "ValueError" not in error.message
    assert "ValueError" in error.report
    assert [m for m in bench.modules() if m[0] == "bad"] == [("bad", "running"), ("bad", "error")]
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.module.failure")
@pytest.mark.logs_errors
@pytest.mark.parametrize("by_task", [True, False])
async def test_a_module_that_cancels_itself_is_reported_and_the_turn_completes(by_task: bool) -> None:
    seen: list[str] = []

    async def give_up(flow: RunningFlowContext) -> None:
        del flow
        task = asyncio.current_task()
        if by_task and task is not None:
            task.cancel()
            await asyncio.Event().wait()
        raise asyncio.CancelledError

    bench = Bench(First("quitter", give_up), Second("end", lambda _: seen.append("end")))
    bench.say("")
    assert (await bench.watcher.done()).status == "failed"
    assert seen == ["end"]
    assert bench.states() == ["started", "ended"], "nobody stopped this turn"
    assert [error.where for error in bench.errors()] == ["quitter"]
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.module.failure")
@pytest.mark.logs_errors
async def test_a_hanging_module_is_ended_after_its_time_and_reported_by_name() -> None:
    seen: list[str] = []
    hangs, clock = asyncio.Event(), FakeClock()

    async def hang(flow: RunningFlowContext) -> None:
        del flow
        hangs.set()
        await asyncio.Event().wait()

    bench = Bench(
        First("sloth", hang),
        Second("end", lambda _: seen.append("end")),
        settings=RuntimeSettings(module_timeout_s=30),
        clock=clock,
    )
    bench.say("")
    await asyncio.wait_for(hangs.wait(), WAIT_S)
    await bench.settle()
    clock.move(timedelta(seconds=29))
    await bench.settle()
    assert not bench.errors(), "its time is not over"
    clock.move(timedelta(seconds=1))
    assert (await bench.watcher.done()).status == "failed"
    assert seen == ["end"]
    (error,) = bench.errors()
    assert error.where == "sloth"
    assert error.message.startswith("sloth gave no sign for 30 s")
    await bench.runtime.shutdown()


@pytest.mark.logs_errors
async def test_a_module_that_hangs_while_it_takes_back_holds_up_no_turn() -> None:
    seen: list[str] = []
    begun, clock = asyncio.Event(), FakeClock()

    class Sticky(First):
        async def withdraw(self, flow: RunningFlowContext) -> None:
            del flow
            begun.set()
            await asyncio.Event().wait()

    bench = Bench(
        Sticky("sticky", lambda flow: seen.append(flow.text)),
        settings=RuntimeSettings(module_timeout_s=30),
        clock=clock,
    )
    bench.say("one")
    await bench.settle()
    second = bench.say("two")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.settle()
    clock.move(timedelta(seconds=30))
    await bench.pass_ms(300)
    await bench.pass_ms(300)
    await bench.watcher.done(second)
    assert seen == ["one", "one\ntwo"]
    await bench.runtime.shutdown()


async def test_a_module_that_shows_life_is_not_taken_for_a_hanging_one() -> None:
    begun, end, clock = asyncio.Event(), asyncio.Event(), FakeClock()
    flows: list[RunningFlowContext] = []

    async def work(flow: RunningFlowContext) -> None:
        flows.append(flow)
        begun.set()
        await end.wait()

    bench = Bench(First("slow", work), settings=RuntimeSettings(module_timeout_s=30), clock=clock)
    bench.say("")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    for _ in range(5):
        await bench.settle()
        flows[0].signs += 1
        clock.move(timedelta(seconds=30))
    await bench.settle()
    end.set()
    assert (await bench.watcher.done()).status == "ok"
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.sources.parallel")
async def test_a_slow_conversation_never_delays_another() -> None:
    release = asyncio.Event()
    seen: list[str] = []

    async def work(flow: RunningFlowContext) -> None:
        if flow.conversation_id == "slow":
            await release.wait()
        seen.append(flow.conversation_id)

    bench = Bench(First("work", work))
    slow = bench.say("", "slow")
    fast = bench.say("", "fast")
    await bench.watcher.done(fast)
    assert seen == ["fast"]
    release.set()
    await bench.watcher.done(slow)
    assert seen == ["fast", "slow"]
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.sources.parallel")
async def test_only_so_many_turns_run_at_once_and_the_first_come_is_the_first_served() -> None:
    gates: dict[str, asyncio.Event] = {name: asyncio.Event() for name in "abcd"}
    begun: list[str] = []

    async def work(flow: RunningFlowContext) -> None:
        begun.append(flow.conversation_id)
        await gates[flow.conversation_id].wait()

    bench = Bench(First("work", work), settings=RuntimeSettings(parallel_turns=2))
    exchanges = {name: bench.say("", name) for name in "abcd"}
    await bench.settle()
    assert begun == ["a", "b"]
    gates["b"].set()
    await bench.watcher.done(exchanges["b"])
    await bench.settle()
    assert begun == ["a", "b", "c"]
    await bench.runtime.stop("d")  # it waits for its slot, and gives its place up
    for gate in gates.values():
        gate.set()
    for exchange in exchanges.values():
        await bench.watcher.done(exchange)
    assert begun == ["a", "b", "c"]
    assert len(bench.exchanges) == 0
    await bench.runtime.shutdown()


async def test_a_skipped_module_leaves_the_turn_out() -> None:
    seen: list[str] = []
    bench = Bench(
        First("planner", lambda _: seen.append("planner")),
        Second("speaker", lambda _: seen.append("speaker")),
    )
    bench.say("", skip=frozenset({"planner"}))
    await bench.watcher.done()
    assert seen == ["speaker"]
    await bench.runtime.shutdown()


async def test_a_masked_module_takes_part_in_no_turn_and_a_wrong_name_is_told_once() -> None:
    seen: list[str] = []
    bench = Bench(
        First("Planner", lambda _: seen.append("planner")),
        Second("Speaker", lambda _: seen.append("speaker")),
        settings=RuntimeSettings(masked_modules=("Planner", "Speker")),
    )
    for _ in range(2):
        await bench.watcher.done(bench.say(""))
    assert seen == ["speaker", "speaker"]
    (notice,) = [event for event in bench.watcher.events if isinstance(event, NoticeEvent)]
    assert "`Speker` (the nearest is `Speaker`)" in notice.text
    await bench.runtime.shutdown()


async def test_every_module_and_every_turn_leaves_a_record_with_its_turn() -> None:
    bench = Bench(First("a", lambda _: None), Second("b", lambda _: None))
    bench.say("")
    await bench.watcher.done()
    kinds = [(kind, fields.get("module")) for kind, fields in bench.notes.records]
    assert kinds == [("module", "a"), ("module", "b"), ("turn", None)]
    assert bench.notes.records[-1][1]["state"] == "ended"
    assert bench.notes.records[-1][1]["inputs"] == 1
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
    second = bench.say("", "c")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.runtime.stop("c")
    await bench.watcher.done(second)
    assert seen == [""]
    assert bench.states() == ["started", "stopped", "started", "ended"]
    assert bench.settled == [["long"], [""]]
    await bench.runtime.shutdown()


async def test_shutdown_ends_what_runs_releases_every_exchange_and_settles_nothing() -> None:
    begun = asyncio.Event()

    async def work(flow: RunningFlowContext) -> None:
        del flow
        begun.set()
        await asyncio.Event().wait()

    bench = Bench(First("work", work))
    bench.say("one")
    bench.say("")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.runtime.shutdown()
    assert len(bench.exchanges) == 0
    assert bench.settled == []
    bench.say("late")
    assert len(bench.exchanges) == 0
