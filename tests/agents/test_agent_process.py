"""How a process goes on, and how it ends, whatever its steps do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import pytest

from partner_desktop.agents.agent_builtins import summary_of
from partner_desktop.agents.blackboard import Blackboard
from partner_desktop.agents.declarations import UserInput, action, agent, condition, cost, goal
from partner_desktop.agents.process_events import (
    DoubtNoted,
    PlanMade,
    ProcessCreated,
    ReadyToPlan,
    StepEnded,
    StepRetried,
)
from partner_desktop.agents.process_state import (
    AgentBudget,
    ProcessOptions,
    ProcessStatus,
    Reason,
)
from partner_desktop.agents.step_context import ChildOrder, StepContext
from partner_desktop.agents.usage_ledger import ToolUse, UsageRow
from partner_desktop.agents.world_view import ASK_LIMIT_S
from partner_desktop.agents.writing_mind import CreateObject, GenerateText, ModelUse, WrittenAnswer
from partner_desktop.base.errors import AgentError, TellMindError, TryAgainError
from tests.agents.scripted import Bench, ScriptedWriter, on, reason_of_end

T = TypeVar("T")


@dataclass(frozen=True)
class Part:
    text: str


@dataclass(frozen=True)
class Left:
    text: str


@dataclass(frozen=True)
class Right:
    text: str


@dataclass(frozen=True)
class Whole:
    text: str


@dataclass(frozen=True)
class FinerWhole(Whole):
    """A class that no method names."""


class Plant:
    """What the steps of the tests do; each test says it anew."""

    does: Callable[[], object] = staticmethod(lambda: None)
    calls = 0


@agent(description="Does what the test says")
class Doer:
    @goal(description="Done")
    @action()
    async def do(self, asked: UserInput) -> Whole:
        Plant.calls += 1
        found = Plant.does()
        if asyncio.iscoroutine(found):
            found = await found
        return found if found is not None else Whole(asked.content)  # type: ignore[return-value]


@agent(description="The same, and twice is not once")
class OnceDoer:
    @goal(description="Done")
    @action(idempotent=False)
    async def do(self, asked: UserInput) -> Whole:
        Plant.calls += 1
        Plant.does()
        return Whole(asked.content)


def raising(error: BaseException) -> Callable[[], object]:
    def raise_it() -> object:
        raise error

    return raise_it


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.fixture(autouse=True)
def fresh_plant() -> None:
    Plant.does, Plant.calls = (lambda: None), 0


@pytest.mark.promise("planning.failure")
@pytest.mark.promise("planning.retry")
@pytest.mark.parametrize(
    ("error", "calls", "pauses"),
    [
        (TellMindError("no_path", value="x"), 1, []),
        (ValueError("no"), 1, []),
        (caused(RuntimeError("outer"), ValueError("inner")), 1, []),
        (TryAgainError("trying_again", error="x"), 5, [10.0, 50.0, 60.0, 60.0]),
        (ConnectionError("gone"), 5, [10.0, 50.0, 60.0, 60.0]),
        (RuntimeError("who knows"), 5, [10.0, 50.0, 60.0, 60.0]),
        (caused(ValueError("outer"), TimeoutError("inner")), 5, [10.0, 50.0, 60.0, 60.0]),
        # What would end the loop of everybody ends this step only.
        (SystemExit(3), 1, []),
        (KeyboardInterrupt(), 1, []),
        (GeneratorExit(), 1, []),
        (asyncio.CancelledError(), 1, []),
        (BaseExceptionGroup("several", [SystemExit(3), ValueError("no")]), 1, []),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
async def test_a_step_that_raises_is_tried_by_its_kind_and_ends_the_process_only(
    error: BaseException, calls: int, pauses: list[float]
) -> None:
    Plant.does = raising(error)
    bench = Bench(Doer)
    process = await bench.run(Doer)
    assert process.status is ProcessStatus.FAILED
    assert (Plant.calls, bench.clock.pauses) == (calls, pauses)
    assert [each.delay_s for each in bench.heard(StepRetried)] == pauses
    (record,) = process.state.history
    assert (record.end, record.attempts, record.reason) == ("failed", calls, Reason.of(error))
    assert [each.record for each in bench.heard(StepEnded)] == [record]
    assert process.state.reason == Reason.of(error)
    Plant.does = lambda: None  # and what failed may be run again
    assert await on(process) is ProcessStatus.COMPLETED
    assert process.output == Whole("please")


@pytest.mark.promise("planning.failure")
@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("text", "agents.wrong_result"),
        ({"text": "x"}, "agents.wrong_result"),
        (Part("x"), "agents.wrong_result"),
        (FinerWhole("x"), "agents.cannot_keep"),
    ],
)
async def test_a_result_of_another_type_is_a_failure(result: object, reason: str) -> None:
    Plant.does = lambda: result
    process = await Bench(Doer).run(Doer)
    assert (process.status, reason_of_end(process), Plant.calls) == (ProcessStatus.FAILED, reason, 1)
    assert process.board.entries == (UserInput("please"),)


@pytest.mark.promise("planning.failure")
async def test_none_in_place_of_a_result_is_a_failure_unless_the_type_says_so() -> None:
    @agent(description="Finds nothing")
    class Finder:
        @action()
        async def search(self, asked: UserInput) -> Part | None:
            return None

        @goal(description="Found")
        @action()
        async def show(self, part: Part) -> Whole:
            raise NotImplementedError

    @agent(description="Gives nothing")
    class Empty:
        @goal(description="Found")
        @action()
        def give(self, asked: UserInput) -> Whole:
            return None  # type: ignore[return-value]

    bench = Bench(Finder, Empty)
    process = await bench.run(Empty)
    assert (process.status, reason_of_end(process)) == (ProcessStatus.FAILED, "agents.wrong_result")
    process = await bench.run(Finder)
    assert (process.status, reason_of_end(process)) == (ProcessStatus.STUCK, "agents.nothing_produces")
    assert [each.end for each in process.state.history] == ["succeeded"]


@pytest.mark.promise("planning.retry")
@pytest.mark.parametrize("accept", [True, False])
async def test_what_is_not_to_be_done_twice_asks_before_it_is_tried_again(accept: bool) -> None:
    Plant.does = raising(ConnectionError("the line broke"))
    process = await Bench(OnceDoer).run(OnceDoer)
    assert (process.status, Plant.calls) == (ProcessStatus.WAITING, 1)
    (wait,) = process.waits
    assert (wait.kind, wait.message) == ("repeat", "ConnectionError: the line broke")
    Plant.does = lambda: None
    await process.answer(wait.id, accept=accept)
    if accept:
        assert await on(process) is ProcessStatus.COMPLETED
        assert Plant.calls == 2
    else:
        assert await on(process) is ProcessStatus.FAILED
        assert (Plant.calls, reason_of_end(process)) == (1, "agents.not_repeated")
        assert "the line broke" in str(process.state.reason)


# Budgets, and being killed.


class EndlessMind:
    """A model that never comes to its end; it says when it was cancelled."""

    def __init__(self) -> None:
        self.begun, self.cancelled = asyncio.Event(), asyncio.Event()

    async def create_object(self, request: CreateObject[T], /) -> WrittenAnswer[T] | None:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()
        raise AssertionError

    async def generate_text(self, request: GenerateText, /) -> WrittenAnswer[str] | None:
        raise AssertionError


@agent(description="Asks a mind, again and again")
class Asker:
    @goal(description="Done")
    @action()
    async def ask(self, asked: UserInput, step: StepContext) -> Whole:
        for _ in range(9):
            await step.create_object(Whole, asked.content)
        raise AssertionError


@agent(description="Lets another do it")
class Chief:
    @goal(description="Done")
    @action()
    async def order(self, asked: UserInput, step: StepContext) -> Whole:
        found = await step.run_child("Asker")
        assert isinstance(found, Whole)
        return found


@agent(description="Goes round")
class Walker:
    @action(rerunnable=True, post=("arrived",))
    async def walk(self, part: Part | None, asked: UserInput) -> Part:
        return Part("on" if part is None else part.text + " and on")

    @condition()
    def arrived(self, part: Part) -> bool:
        return part.text.count("on") >= 6

    @goal(description="There")
    @action(pre=("arrived",))
    async def rest(self, part: Part) -> Whole:
        return Whole(part.text)


SMALL = (Whole("x"), ModelUse("m", 30, 20, cost=0.5))


@pytest.mark.promise("planning.budget")
@pytest.mark.parametrize("which", [Asker, Chief])
@pytest.mark.parametrize(
    ("budget", "calls", "reason"),
    [
        (AgentBudget(tokens=100), 2, "agents.budget_tokens"),
        (AgentBudget(cost=1.5), 3, "agents.budget_cost"),
    ],
)
async def test_tokens_and_cost_end_a_run_in_the_middle_of_a_step(
    which: type, budget: AgentBudget, calls: int, reason: str
) -> None:
    mind = ScriptedWriter([SMALL] * 9)
    bench = Bench(Asker, Chief, mind=mind)
    process = await bench.run(which, options=ProcessOptions(budget=budget))
    assert (process.status, reason_of_end(process)) == (ProcessStatus.TERMINATED, reason)
    assert (len(mind.asked), process.usage.calls) == (calls, calls)
    assert [each.end for each in process.state.history] == ["cut_off"]
    with pytest.raises(AgentError, match="cannot be run: it is ended"):
        await on(process)


@pytest.mark.promise("planning.budget")
async def test_steps_end_a_run_before_one_too_many_and_reaching_the_goal_is_none() -> None:
    @agent(description="Two steps")
    class TwoSteps:
        @action()
        async def first(self, asked: UserInput) -> Part:
            return Part(asked.content)

        @goal(description="Done")
        @action()
        async def second(self, part: Part) -> Whole:
            return Whole(part.text)

    bench = Bench(TwoSteps)
    ends = {}
    for steps in (1, 2):
        process = await bench.run(TwoSteps, options=ProcessOptions(budget=AgentBudget(steps=steps)))
        ends[steps] = (process.status, reason_of_end(process), len(process.state.history))
    assert ends == {
        1: (ProcessStatus.TERMINATED, "agents.budget_steps", 1),
        2: (ProcessStatus.COMPLETED, "", 2),
    }


@pytest.mark.promise("planning.budget")
@pytest.mark.parametrize("blocks", [False, True])
async def test_time_ends_a_step_that_never_returns(blocks: bool) -> None:
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    held = threading.Event()

    @agent(description="Never returns")
    class Never:
        @goal(description="Done")
        @action()
        async def wait(self, asked: UserInput) -> Whole:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    @agent(description="Never returns, on a thread")
    class Blocked:
        @goal(description="Done")
        @action()
        def wait(self, asked: UserInput) -> Whole:
            loop.call_soon_threadsafe(begun.set)
            held.wait()
            return Whole("late")

    bench = Bench(Never, Blocked)
    process = await bench.process(
        Blocked if blocks else Never, options=ProcessOptions(budget=AgentBudget(time_s=7.0))
    )
    run = asyncio.ensure_future(on(process))
    await begun.wait()
    bench.clock.move(timedelta(seconds=6.9))
    assert process.status is ProcessStatus.RUNNING
    bench.clock.move(timedelta(seconds=0.2))
    assert await run is ProcessStatus.TERMINATED
    assert reason_of_end(process) == "agents.budget_time"
    held.set()


@pytest.mark.promise("planning.kill")
async def test_kill_reaches_a_running_model_call_and_the_children() -> None:
    mind = EndlessMind()
    bench = Bench(Asker, Chief, mind=mind)
    process = await bench.process(Chief)
    run = asyncio.ensure_future(on(process))
    await mind.begun.wait()
    (child,) = process.children.values()
    async with asyncio.timeout(1.0):  # as promised
        await process.kill()
        await mind.cancelled.wait()
        assert await run is ProcessStatus.KILLED
    assert child.status is ProcessStatus.KILLED
    assert [each.end for each in (*process.state.history, *child.state.history)] == ["cut_off"] * 2
    for each in (process, child):
        with pytest.raises(AgentError, match="cannot be run"):
            await on(each)


async def test_terminating_lets_the_step_end_and_what_rests_ends_at_once() -> None:
    bench = Bench(Walker)
    process = await bench.process(Walker)
    bench.processes.subscribe(
        lambda event: process.pause() if isinstance(event, StepEnded) and event.number < 9 else None
    )
    assert await on(process) is ProcessStatus.PAUSED
    await process.terminate(Reason("agents.killed"))
    assert process.status is ProcessStatus.TERMINATED
    other = await bench.process(Walker)
    asked: list[asyncio.Future[None]] = []
    bench.processes.subscribe(
        lambda event: (
            asked.append(asyncio.ensure_future(other.terminate(Reason("agents.killed"))))
            if isinstance(event, PlanMade) and not asked
            else None
        )
    )
    assert await on(other) is ProcessStatus.TERMINATED
    assert [each.end for each in other.state.history] == ["succeeded"]


# Ways to the goal.


@agent(description="Two ways")
class TwoWays:
    prices: tuple[object, object] = (0.2, 0.4)

    @cost()
    def price_left(self) -> float:
        if isinstance(self.prices[0], BaseException):
            raise self.prices[0]
        return self.prices[0]  # type: ignore[return-value]

    @cost()
    def price_right(self) -> float:
        return self.prices[1]  # type: ignore[return-value]

    @action(cost="price_left")
    async def left(self, asked: UserInput) -> Left:
        return Left("left")

    @action(cost="price_right")
    async def right(self, asked: UserInput) -> Right:
        return Right("right")

    @action(post=("joined",))
    async def from_left(self, left: Left) -> None: ...

    @action(post=("joined",))
    async def from_right(self, right: Right) -> None: ...

    @goal(description="Done", pre=("joined",))
    @action(pre=("joined",))
    async def finish(self, asked: UserInput) -> Whole:
        return Whole("done")


@pytest.mark.promise("planning.dynamiccost")
@pytest.mark.parametrize(
    ("prices", "way", "doubts"),
    [
        ((0.2, 0.4), "left", 0),
        ((0.5, 0.4), "right", 0),
        # What is no cost is dear, not cheap, and is told of.
        ((-3.0, 0.4), "right", 1),
        ((float("inf"), 0.4), "right", 1),
        ((float("nan"), 0.4), "right", 1),
        (("cheap", 0.4), "right", 1),
        ((ValueError("no"), 0.4), "right", 1),
        ((SystemExit(), 0.4), "right", 1),
    ],
)
async def test_a_cost_method_changes_the_route(prices: tuple[object, object], way: str, doubts: int) -> None:
    bench = Bench(type("TwoWays", (TwoWays,), {"prices": prices, **marks_of_agent()}))
    process = await bench.run(TwoWays)
    assert process.status is ProcessStatus.COMPLETED
    assert process.state.history[0].action == f"TwoWays.{way}"
    looks = len(bench.heard(ReadyToPlan))
    assert len(bench.heard(DoubtNoted)) == doubts * looks


def marks_of_agent() -> dict[str, object]:
    return {name: value for name, value in vars(TwoWays).items() if name == "__partner_agent__"}


@pytest.mark.parametrize(("repeats", "ends"), [(9, ProcessStatus.COMPLETED), (4, ProcessStatus.STUCK)])
async def test_a_loop_runs_until_it_is_there_and_a_circle_is_cut(repeats: int, ends: ProcessStatus) -> None:
    process = await Bench(Walker).run(Walker, options=ProcessOptions(repeats=repeats))
    assert process.status is ends
    if ends is ProcessStatus.STUCK:
        assert reason_of_end(process) == "agents.in_circles"
    else:
        assert process.output == Whole("on and on and on and on and on and on")


@agent(description="Starts over")
class Clearer:
    @action(clears=True, post=("enough",))
    async def again(self, asked: UserInput, part: Part) -> Part:
        return Part(part.text + "+")

    @action()
    async def begin(self, asked: UserInput) -> Part:
        return Part("")

    @condition()
    def enough(self, part: Part) -> bool:
        return len(part.text) >= 3

    @goal(description="Done")
    @action(pre=("enough",))
    async def end(self, asked: UserInput, part: Part) -> Whole:
        return Whole(part.text)


async def test_a_loop_that_clears_keeps_what_it_began_with() -> None:
    process = await Bench(Clearer).run(Clearer)
    assert process.output == Whole("+++")
    assert process.board.recorded == (UserInput("please"), Part("+++"), Whole("+++"))


@pytest.mark.promise("planning.stuck")
@pytest.mark.parametrize(("finds", "tries", "ends"), [(2, 2, "completed"), (9, 3, "stuck")])
async def test_a_stuck_handler_can_add_a_fact_a_bounded_number_of_times(
    finds: int, tries: int, ends: str
) -> None:
    @agent(description="Needs help", given=("helped",))
    class Helpless:
        def __init__(self) -> None:
            self.tries = 0

        async def on_stuck(self, board: Blackboard) -> bool:
            self.tries += 1
            if self.tries == finds:
                board.set_condition("helped", True)
            return True

        @goal(description="Done")
        @action(pre=("helped",))
        async def go(self, asked: UserInput) -> Whole:
            return Whole("done")

    process = await Bench(Helpless).run(Helpless)
    helper = process.definition.agent
    assert isinstance(helper, Helpless)
    assert (helper.tries, process.status) == (tries, ends)
    if ends == "stuck":
        assert str(process.state.reason) == ("There is no way to the goal: nothing here makes “helped” so.")


async def test_a_stuck_handler_that_raises_or_cannot_help_leaves_it_stuck() -> None:
    @agent(description="Helpless", given=("helped",))
    class Rude:
        def on_stuck(self, board: Blackboard) -> bool:
            raise SystemExit

        @goal(description="Done")
        @action(pre=("helped",))
        async def go(self, asked: UserInput) -> Whole:
            return Whole("done")

    bench = Bench(Rude)
    process = await bench.run(Rude)
    assert process.status is ProcessStatus.STUCK
    assert [each.what for each in bench.heard(DoubtNoted)] == ["on_stuck"]
    process.board.set_condition("helped", True)  # a fact from outside
    assert await on(process) is ProcessStatus.COMPLETED


async def test_a_step_that_asks_for_another_plan_is_passed_over_once() -> None:
    tried: list[str] = []

    @agent(description="Changes its mind")
    class Fickle:
        @goal(description="Done")
        @action(cost=0.1)
        async def cheap(self, asked: UserInput, step: StepContext) -> Whole:
            tried.append("cheap")
            if "dear" not in tried:
                step.set_condition("warned", True)
                step.replan("not just now")
            return Whole("cheap")

        @action(cost=0.5, pre=("warned",))
        async def dear(self, asked: UserInput, step: StepContext) -> Part:
            tried.append("dear")
            return Part("dear")

        @goal(description="Done otherwise")
        @action(cost=0.9)
        async def other(self, part: Part) -> Whole:
            raise AssertionError

    bench = Bench(Fickle)
    process = await bench.run(Fickle, goal="Fickle.cheap")
    assert tried == ["cheap", "dear", "cheap"]
    assert [each.end for each in process.state.history] == ["replanned", "succeeded", "succeeded"]
    assert process.output == Whole("cheap")


async def test_a_fact_that_appears_changes_the_next_step_and_the_asked_goal_is_not_cut_short() -> None:
    @agent(description="Two goals", given=("hurry",))
    class TwoGoals:
        @goal(description="A part", value=5.0)
        @action()
        async def part(self, asked: UserInput, step: StepContext) -> Part:
            step.set_condition("hurry", True)
            return Part("part")

        @action(cost=0.1, pre=("not hurry",))
        async def left(self, part: Part) -> Left:
            raise AssertionError

        @action(cost=0.9)
        async def right(self, part: Part) -> Left:
            return Left("by the right")

        @goal(description="The whole", value=0.5)
        @action()
        async def whole(self, left: Left) -> Whole:
            return Whole(left.text)

    bench = Bench(TwoGoals)
    process = await bench.run(TwoGoals, goal="TwoGoals.whole")
    assert process.output == Whole("by the right")
    assert [each.steps for each in bench.heard(PlanMade)][:2] == [
        ("TwoGoals.part", "TwoGoals.left", "TwoGoals.whole"),
        ("TwoGoals.right", "TwoGoals.whole"),
    ]
    assert (await bench.run(TwoGoals)).output == Part("part")  # and else what is worth most


# Conditions.


async def test_conditions_that_cost_are_asked_only_where_they_matter_and_what_hangs_is_not_known() -> None:
    asked: list[str] = []
    begun, held, loop = asyncio.Event(), threading.Event(), asyncio.get_running_loop()

    @agent(description="Looks first")
    class Careful:
        @condition(cost=0.5)
        def dear(self) -> bool:
            asked.append("dear")
            return True

        @condition(cost=0.1)
        def cheap(self) -> bool | None:
            asked.append("cheap")
            return False

        @condition(cost=0.01)
        def beside_the_point(self) -> bool:
            raise AssertionError

        @condition()
        def hangs(self) -> bool:
            asked.append("hangs")
            loop.call_soon_threadsafe(begun.set)
            held.wait()
            return True

        @condition()
        def rude(self) -> bool:
            raise KeyboardInterrupt

        @condition()
        def vague(self) -> bool:
            return "perhaps"  # type: ignore[return-value]

        @goal(description="Done")
        @action(cost=0.1, pre=("cheap",))
        async def by_cheap(self, asked: UserInput) -> Whole:
            raise AssertionError

        @action(cost=0.2, pre=("dear",))
        async def by_dear(self, asked: UserInput) -> Part:
            return Part("dear")

        @action(cost=0.3)
        async def from_part(self, part: Part) -> Whole:
            return Whole(part.text)

        @action(pre=("beside_the_point",))
        async def beside(self, asked: UserInput) -> Left:
            raise AssertionError

        @action(pre=("hangs", "rude", "vague"))
        async def never(self, asked: UserInput) -> Whole:
            raise AssertionError

    bench = Bench(Careful)
    process = await bench.process(Careful)
    run = asyncio.ensure_future(on(process))
    await begun.wait()
    bench.clock.move(timedelta(seconds=ASK_LIMIT_S))
    assert await run is ProcessStatus.COMPLETED
    assert process.output == Whole("dear")
    held.set()
    assert asked[:3] == ["hangs", "cheap", "dear"]
    assert asked.count("hangs") == 1
    assert "Careful.hangs" in {each.what for each in bench.heard(DoubtNoted)}
    unknown = bench.heard(ReadyToPlan)[0].unknown
    assert unknown >= {f"Careful.{name}" for name in ("hangs", "rude", "vague", "cheap", "dear")}


# Together.


class Meeting:
    """Two steps that each wait for the other to have begun: one after the other they never end."""

    def __init__(self) -> None:
        self.here = {"left": asyncio.Event(), "right": asyncio.Event()}

    async def meet(self, one: str, other: str) -> None:
        self.here[one].set()
        await self.here[other].wait()


@agent(description="A diamond")
class Diamond:
    asks = False

    def __init__(self) -> None:
        self.meeting = Meeting()

    @action()
    async def split(self, asked: UserInput) -> Part:
        return Part("part")

    @action()
    async def left(self, part: Part, step: StepContext) -> Left:
        await self.meeting.meet("left", "right")
        if self.asks:
            await step.confirm("The left one?")
        return Left("left")

    @action()
    async def right(self, part: Part) -> Right:
        await self.meeting.meet("right", "left")
        return Right("right")

    @goal(description="Joined")
    @action()
    async def join(self, left: Left, right: Right) -> Whole:
        return Whole(f"{left.text} {right.text}")


@agent(description="A diamond that asks")
class AskingDiamond(Diamond):
    asks = True


TOGETHER = ProcessOptions(concurrent=True)


@pytest.mark.promise("planning.concurrent")
async def test_in_a_diamond_the_middle_steps_overlap() -> None:
    process = await Bench(Diamond).run(Diamond, options=TOGETHER)
    assert process.output == Whole("left right")
    names = [each.action.partition(".")[2] for each in process.state.history]
    assert (names[0], set(names[1:3]), names[3]) == ("split", {"left", "right"}, "join")


@pytest.mark.promise("planning.concurrent")
async def test_success_beside_a_wait_stays_waiting() -> None:
    process = await Bench(AskingDiamond).run(AskingDiamond, options=TOGETHER)
    assert process.status is ProcessStatus.WAITING
    names = [each.action.partition(".")[2] for each in process.state.history]
    assert names == ["split", "right"]
    assert process.board.get("it", Right) == Right("right")  # what the other gave is kept
    assert await on(process) is ProcessStatus.WAITING
    (wait,) = process.waits
    await process.answer(wait.id, accept=True)
    assert await on(process) is ProcessStatus.COMPLETED
    assert len(process.state.history) == 4


async def test_steps_that_interfere_do_not_run_together() -> None:
    running: set[str] = set()

    @agent(description="One at a time", given=("free",))
    class OneAtATime:
        @action(pre=("not busy",), post=("busy",))
        async def left(self, asked: UserInput) -> Left:
            return Left("left")

        @action(post=("not busy",))
        async def calm(self, left: Left) -> Part:
            return Part("calm")

        @action(pre=("not busy",))
        async def right(self, asked: UserInput) -> Right:
            running.add("right")
            return Right("right")

        @goal(description="Both", pre=("not busy",))
        @action()
        async def both(self, left: Left, right: Right, part: Part) -> Whole:
            return Whole("both")

    bench = Bench(OneAtATime)
    process = await bench.run(OneAtATime, options=TOGETHER)
    assert process.output == Whole("both")
    assert len(bench.heard(PlanMade)) == 4


# What was used.


@agent(description="Uses this and that")
class Spender:
    @goal(description="Done")
    @action()
    async def spend(self, asked: UserInput, step: StepContext) -> Whole:
        async def good() -> int:
            return 3

        async def bad() -> int:
            raise ValueError("no")

        text = await step.generate_text("write")
        assert await step.use_tool("clock", good) == 3
        for _ in range(2):
            with pytest.raises(ValueError, match="no"):
                await step.use_tool("hammer", bad)
        if asked.content == "please":
            await step.run_children(*[ChildOrder("Spender", (UserInput("below"),))] * 2)
        return Whole(text)


@pytest.mark.promise("planning.usage")
async def test_the_totals_are_the_sum_of_all_rows_with_children_and_ranking() -> None:
    writer = ScriptedWriter([("t", ModelUse(name, 10, 5, cost=0.01)) for name in ("big", "small", "big")])
    bench = Bench(Spender, mind=writer)
    ranking = UsageRow.of_model(ModelUse("tiny", 100, 1), step="ranking")
    process = await bench.processes.create("Spender", UserInput("please"), spent=[ranking])
    assert await on(process) is ProcessStatus.COMPLETED
    used = process.usage
    assert used.models == ("tiny", "big", "small")
    assert (used.calls, used.prompt_tokens, used.output_tokens) == (4, 130, 16)
    assert used.cost == pytest.approx(0.03)
    assert used.tools == (ToolUse("clock", 3, 0, 0.0), ToolUse("hammer", 6, 6, 0.0))
    shown = summary_of(process)
    for line in (
        "tiny, big, small: 4 calls, 130 + 16 tokens, $0.0300",
        "clock: 3 × 0 ms, 0 failed",
        "hammer: 6 × 0 ms, 6 failed",
    ):
        assert line in shown
    below = {row.process_id for row in process.state.rows} - {"", process.id}
    assert len(below) == 2
    assert len(process.state.rows) == 4 + 9


async def test_an_agent_that_runs_itself_without_end_ends() -> None:
    @agent(description="Runs itself")
    class Ouroboros:
        @goal(description="Done")
        @action()
        async def bite(self, asked: UserInput, step: StepContext) -> Whole:
            found = await step.run_child("Ouroboros", goal="Ouroboros.bite")
            assert isinstance(found, Whole)
            return found

    bench = Bench(Ouroboros)
    process = await bench.run(Ouroboros)
    assert process.status is ProcessStatus.FAILED
    assert "8 deep" in str(process.state.reason)
    assert len(bench.heard(ProcessCreated)) == 8


async def test_what_cannot_be_begun_is_refused() -> None:
    bench = Bench(Doer)
    for name, given, wanted in (
        ("Nobody", UserInput("x"), ""),
        ("Doer", UserInput("x"), "Doer.sleep"),
        ("Doer", FinerWhole("x"), ""),
    ):
        with pytest.raises(AgentError):
            await bench.processes.create(name, given, goal=wanted)
    with pytest.raises(AgentError):
        await bench.processes.bring_back("0" * 32)
    process = await bench.process(Doer)
    with pytest.raises(AgentError, match="does not ask that"):
        await process.answer("0" * 32, accept=True)
