"""Merging: what one turn answers together, and what it never does."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from partner_desktop.domain.message import Message, Role
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.conversation_queue import MOST_INPUTS
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.interruption import Interruption
from partner_desktop.runtime.settings import RuntimeSettings
from tests.runtime.bench import Bench, First, Second
from tests.support import WAIT_S


class Runs:
    """What each run of the modules was asked, and a gate that the slow ones wait at."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.offsets: list[list[int]] = []
        self.answered: list[str] = []
        self.gate = asyncio.Event()

    async def hear(self, flow: RunningFlowContext) -> None:
        self.texts.append(flow.text)
        self.offsets.append([entry.offset_ms for entry in flow.entries])
        await flow.unless_interrupted(self.gate.wait())

    def answer(self, flow: RunningFlowContext) -> None:
        self.answered.append(flow.text)


def bench_with(runs: Runs, *, window_ms: int = 300) -> Bench:
    return Bench(
        First("hear", runs.hear),
        Second("answer", runs.answer),
        settings=RuntimeSettings(debounce_window_ms=window_ms),
    )


@pytest.mark.promise("runtime.debounce.merge")
async def test_three_inputs_within_the_window_become_one_turn_with_three_timed_entries() -> None:
    runs = Runs()
    runs.gate.set()  # nothing is slow: each run is over before the next input comes
    bench = bench_with(runs)
    exchanges = [bench.say("one")]
    await bench.pass_ms(100)
    assert runs.answered == ["one"], "the first answer did not wait for anything"
    exchanges.append(bench.say("two"))
    await bench.pass_ms(100)
    exchanges.append(bench.say("three"))
    await bench.pass_ms(299)
    assert "done" not in bench.watcher.types(), "more may be coming"
    await bench.pass_ms(1)
    assert runs.texts[-1] == "one\ntwo\nthree"
    assert runs.offsets[-1] == [0, 100, 200]
    turns = bench.turns()
    assert len({turn.turn_id for turn in turns}) == 1
    assert (turns[-1].state, turns[-1].offsets_ms) == ("ended", (0, 100, 200))
    assert turns[-1].exchanges == tuple(exchanges)
    done = [event.exchange_id for event in bench.watcher.events if event.type == "done"]
    assert done == exchanges
    assert len(bench.exchanges) == 0
    await bench.runtime.shutdown()


async def test_input_during_a_turn_ends_slow_work_at_once_and_later_modules_are_left_out() -> None:
    runs = Runs()
    bench = bench_with(runs)
    bench.say("one")
    await bench.settle()
    bench.say("two")
    await bench.settle()
    assert (runs.texts, runs.answered) == (["one"], [])
    assert bench.errors() == [], "an interruption is no failure"
    runs.gate.set()
    await bench.pass_ms(300)
    assert runs.answered == ["one\ntwo"]
    assert bench.states() == ["started", "started", "ended"]
    assert bench.turns()[1].restarts == 1
    await bench.runtime.shutdown()


async def test_what_comes_after_the_window_is_a_turn_of_its_own() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs)
    await bench.settle()
    first = bench.say("one")
    await bench.pass_ms(300)
    await bench.watcher.done(first)
    await bench.watcher.done(bench.say("two", gateway="terminal"))
    assert runs.answered == ["one", "two"]
    assert bench.settled == [["one"], ["two"]]
    assert bench.reopened == []
    await bench.runtime.shutdown()


async def test_reopening_is_told_before_the_answer_is_taken_back() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs)
    bench.say("one")
    await bench.pass_ms(1)
    bench.say("two")
    await bench.pass_ms(300)
    assert bench.begun == [["one"], ["one", "two"]]
    assert bench.settled == [["one"], ["one", "two"]]
    assert bench.reopened == [["one"]], "the other one is owed as it is"
    await bench.runtime.shutdown()


@pytest.mark.parametrize(
    "other",
    [
        {"gateway": "another"},
        {"cwd": "/elsewhere"},
        {"standing": ApprovalMode.ALL},
        {"skip": frozenset({"answer"})},
    ],
)
async def test_inputs_with_other_rights_never_share_a_turn(other: dict[str, object]) -> None:
    runs = Runs()
    bench = bench_with(runs)
    bench.say("one")
    await bench.settle()
    last = bench.say("two", **other)  # type: ignore[arg-type]  # each is one of its arguments
    bench.say("three")  # would merge, but nothing overtakes what was said before it
    await bench.settle()
    assert runs.texts == ["one"], "it is not interrupted for what it cannot answer"
    runs.gate.set()
    await bench.pass_ms(300)
    await bench.watcher.done(last)
    await bench.pass_ms(300)
    assert runs.texts == ["one", "two", "three"]
    assert bench.states() == ["started", "ended"] * 3
    await bench.runtime.shutdown()


@pytest.mark.promise("runtime.selfturn")
async def test_a_self_turn_never_merges_and_keeps_its_own_skip_set() -> None:
    runs = Runs()
    seen: list[tuple[str, bool]] = []
    bench = Bench(
        First("planner", lambda flow: seen.append((flow.text, flow.is_self))),
        Second("hear", runs.hear),
    )
    bench.say("one")
    await bench.settle()
    bench.say("", skip=frozenset({"planner"}))
    bench.say("two")
    await bench.settle()
    runs.gate.set()
    await bench.pass_ms(300)
    await bench.settle()
    assert runs.texts == ["one", "one\ntwo", ""]
    assert seen == [("one", False), ("one\ntwo", False)], "the self turn's skip set cancels nobody's words"
    await bench.runtime.shutdown()


async def test_a_stop_ends_everything_that_was_being_answered() -> None:
    runs = Runs()
    bench = bench_with(runs)
    bench.say("one")
    await bench.settle()
    bench.say("two")
    await bench.settle()  # interrupted; now it waits for the person to finish
    await bench.runtime.stop("c")
    assert bench.states()[-1] == "stopped"
    assert runs.answered == []
    assert bench.settled == [["one", "two"]]
    assert len(bench.exchanges) == 0
    await bench.runtime.shutdown()


async def test_a_stop_after_the_answer_leaves_it_as_it_is() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs)
    done = bench.say("one")
    await bench.settle()
    await asyncio.wait_for(bench.runtime.stop("c"), WAIT_S)
    assert bench.states() == ["started", "ended"]
    assert (await bench.watcher.done(done)).status == "ok"
    await bench.runtime.shutdown()


@pytest.mark.logs_errors
async def test_an_error_of_a_run_that_was_repeated_is_no_failure_of_its_exchange() -> None:
    runs = Runs()

    async def fail_once(flow: RunningFlowContext) -> None:
        if len(flow.inputs) == 1:
            raise ValueError("once")

    bench = Bench(First("flaky", fail_once), Second("hear", runs.hear))
    first = bench.say("one")
    await bench.settle()
    last = bench.say("two")
    runs.gate.set()
    await bench.pass_ms(300)
    await bench.pass_ms(300)
    assert (await bench.watcher.done(first)).status == "ok"
    assert (await bench.watcher.done(last)).status == "ok"
    await bench.runtime.shutdown()


async def test_someone_who_never_stops_typing_is_answered_after_ten_windows() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs)
    for number in range(60):
        bench.say(str(number))
        await bench.pass_ms(100)
        if len(runs.answered) > 1:
            break
    assert number <= 32
    said = runs.answered[1].split("\n")
    assert said == [str(index) for index in range(len(said))]
    await bench.runtime.shutdown()


async def test_a_turn_that_waited_long_enough_is_not_interrupted_any_more() -> None:
    runs = Runs()
    bench = bench_with(runs)
    for number in range(60):
        bench.say(str(number))
        await bench.pass_ms(100)
    assert len(runs.texts) == 2, "one run was interrupted, the next one goes on whatever comes"
    runs.gate.set()
    await bench.pass_ms(300)
    await bench.pass_ms(300)
    assert len(runs.answered) >= 2
    assert "\n".join(runs.answered).split("\n") == [str(number) for number in range(60)]
    await bench.runtime.shutdown()


@pytest.mark.parametrize("kept", [True, False])
async def test_a_stop_takes_back_what_was_shown_and_not_brought_to_an_end(kept: bool) -> None:
    begun, taken_back = asyncio.Event(), []

    class Shows(First):
        async def withdraw(self, flow: RunningFlowContext) -> None:
            taken_back.extend(flow.drafts)

    async def show(flow: RunningFlowContext) -> None:
        flow.draft(Message("m1", "c", Role.PARTNER, "", bench.quiet.now())).kept = kept
        begun.set()
        await asyncio.Event().wait()

    bench = Bench(Shows("shows", show))
    bench.say("one")
    await asyncio.wait_for(begun.wait(), WAIT_S)
    await bench.runtime.stop("c")
    assert [draft.message.id for draft in taken_back] == ([] if kept else ["m1"])
    await bench.runtime.shutdown()


async def test_five_hundred_inputs_to_one_conversation_are_all_answered_in_order_and_within_bounds() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs)
    exchanges = [bench.say(str(number)) for number in range(500)]
    for _ in range(20):
        await bench.pass_ms(300)
    ended = [turn for turn in bench.turns() if turn.state == "ended"]
    assert [one for turn in ended for one in turn.exchanges] == exchanges
    assert max(len(turn.exchanges) for turn in ended) <= MOST_INPUTS
    assert len(ended) <= 500 // MOST_INPUTS + 1
    done = [event.exchange_id for event in bench.watcher.events if event.type == "done"]
    assert done == exchanges
    assert len(bench.exchanges) == 0
    await bench.runtime.shutdown()


async def test_a_deleted_conversation_forgets_what_waits() -> None:
    runs = Runs()
    bench = bench_with(runs)
    bench.say("one")
    bench.say("", "c")
    await bench.settle()
    await bench.runtime.drop("c")
    assert len(bench.exchanges) == 0
    assert sorted(bench.settled) == [[""], ["one"]]
    await bench.runtime.shutdown()


async def test_without_a_window_every_quick_answer_stands() -> None:
    runs = Runs()
    runs.gate.set()
    bench = bench_with(runs, window_ms=0)
    for text in ("one", "two"):
        await bench.watcher.done(bench.say(text))
    assert runs.answered == ["one", "two"]
    bench.quiet.move(timedelta(0))
    await bench.runtime.shutdown()


async def test_a_stop_that_comes_while_interrupted_work_is_left_is_raised_after_its_clean_up() -> None:
    interruption = Interruption()
    begun, leaving, may_end = asyncio.Event(), asyncio.Event(), asyncio.Event()
    left: list[str] = []

    async def work() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            leaving.set()
            await may_end.wait()
            left.append("clean")

    async with asyncio.timeout(WAIT_S):
        turn = asyncio.ensure_future(interruption.unless_asked(work()))
        await begun.wait()
        interruption.ask()
        await leaving.wait()
        turn.cancel()
        await asyncio.sleep(0)
        assert not turn.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await turn
    assert left == ["clean"]
