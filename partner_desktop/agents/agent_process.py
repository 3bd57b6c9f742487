"""AgentProcess: one run of an agent. It looks at the world, plans, runs the first step, and plans again.

Contract: everything that it does is done by its own tasks, which end with `run`. Everything that it knows is
written down before a step begins and after it ended, so that a process that was cut off goes on where it was:
with the step that ran, which is asked about first where twice is not once. Nothing that a step does, raises
or does not return ends anything but this process. A budget, `kill` and the killing of one above reach a step
in the middle, by cancellation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from partner_desktop.agents.agent_specs import AgentDefinition
from partner_desktop.agents.blackboard import Blackboard
from partner_desktop.agents.haltable_tasks import HaltableTasks, HaltedError
from partner_desktop.agents.process_events import (
    DoubtNoted,
    GoalReached,
    ObjectBound,
    PersonAsked,
    PlanMade,
    ProcessEvent,
    ReadyToPlan,
    StatusChanged,
    StepBegan,
    StepEnded,
    StepRetried,
    UsageNoted,
)
from partner_desktop.agents.process_state import (
    OVER,
    PersonWait,
    ProcessState,
    ProcessStatus,
    Reason,
    StepRecord,
    StepRun,
    process_name,
)
from partner_desktop.agents.step_choice import StepChooser
from partner_desktop.agents.step_context import ChildEnd, ChildOrder
from partner_desktop.agents.step_execution import StepExecution, StepOutcome, ask_to_repeat, leave
from partner_desktop.agents.usage_ledger import UsageRow, UsageTotals, totals_of
from partner_desktop.agents.world_view import SeenWorld, WorldView
from partner_desktop.agents.writing_mind import WritingMind
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AgentError
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.tasks import uninterrupted


class ProcessServices(Protocol):
    """What all processes share."""

    mind: WritingMind
    clock: Clock

    def publish(self, event: ProcessEvent) -> None:
        """Let it be heard."""
        ...

    def check_kept(self, value: object) -> None:
        """Raises an `AgentError` where an object could not be written down."""
        ...

    async def save(self, process: AgentProcess) -> None:
        """Write all of it down."""
        ...

    async def child(self, order: ChildOrder, above: AgentProcess) -> AgentProcess:
        """A new process below another."""
        ...

    async def below(self, process_id: str, above: AgentProcess) -> AgentProcess:
        """A process below another by its id, read back where it is not there yet."""
        ...


class AgentProcess:
    """Made by `AgentProcesses`."""

    def __init__(
        self,
        state: ProcessState,
        definition: AgentDefinition,
        board: Blackboard,
        services: ProcessServices,
        above: AgentProcess | None = None,
    ) -> None:
        self.state = state
        """What outlives it; changed by this process only."""
        self.definition = definition
        self.board = board
        self.above = above
        self.children: dict[str, AgentProcess] = {}
        """Those below it that are not over, by id."""
        self._services = services
        self._clock = services.clock
        view = WorldView(definition, board, services.clock, self._doubt)
        self._chooser = StepChooser(state, definition, board, view, self._tell_world)
        self._execution = StepExecution(self, services.mind, services.clock, self._tell_retry)
        self._tasks = HaltableTasks()
        self._run_since_s = 0.0
        self._end: tuple[ProcessStatus, Reason | None] | None = None
        """What it is to become next."""
        self._soon: tuple[ProcessStatus, Reason | None] | None = None
        """The same, when the step that runs has ended."""

    # What can be seen of it.

    @property
    def id(self) -> str:
        return self.state.id

    @property
    def root_id(self) -> str:
        """Of the one above all others; its own, where it is that."""
        return self.id if self.above is None else self.above.root_id

    @property
    def name(self) -> str:
        """Such as `relaxed_moore`."""
        return process_name(self.state.id)

    @property
    def status(self) -> ProcessStatus:
        return self.state.status

    @property
    def usage(self) -> UsageTotals:
        """What it used, and all below it."""
        return totals_of(self.state.rows)

    @property
    def waits(self) -> tuple[PersonWait, ...]:
        """What a person is to answer, of this process and of all below it."""
        own = [ask for run in self.state.open_steps for ask in run.open_asks]
        return (*own, *(wait for child in self.children.values() for wait in child.waits))

    @property
    def output(self) -> object:
        """What was wanted; `None` before it is there."""
        goal = self.definition.goal(self.state.reached)
        if self.status is not ProcessStatus.COMPLETED or goal is None or goal.output is None:
            return None
        return self.board.get(goal.bound_to, goal.output)

    # What can be done with it.

    async def run(self) -> ProcessStatus:
        """Go on until it is over or cannot; where it stands then. While a person is to answer, it does not.

        Raises:
            AgentError: It runs, or is over.
            StorageError: It could not be written down.
        """
        if self._tasks.is_open or self.status in OVER:
            told = LazySentence(f"agents.status.{self.status}")
            raise AgentError("agents.not_to_run", name=self.name, status=told)
        if self.status is ProcessStatus.RUNNING:  # it was cut off
            for run in self.state.open_steps:
                ask_to_repeat(run, self.definition.action(run.action))
        if self.waits:
            await self._become(ProcessStatus.WAITING, None)
            return self.status
        self._end, self._soon, self._run_since_s = None, None, self._clock.monotonic_s()
        self._tasks.open(f"agent process {self.name}")
        try:
            await self._become(ProcessStatus.RUNNING, None)
            self._tasks.start("time", self._watch_time())
            while await self._go_on():
                pass
        except HaltedError:
            pass
        except Exception as error:  # noqa: BLE001 - the store, or the planner: it must not seem to run on
            if not self._is_to_end:
                self._end = (ProcessStatus.FAILED, Reason.of(error))
        finally:
            self.state.elapsed_s += self._clock.monotonic_s() - self._run_since_s
            await self._tasks.close()
            if self._is_to_end:
                await uninterrupted(self.settle())
        return self.status

    async def answer(
        self, wait_id: str, *, accept: bool, content: dict[str, Any] | None = None, note: str = ""
    ) -> None:
        """What the person said to a question of it or of one below; `run` goes on with the step that asked.

        Args:
            content: Of a form, by the schema. Any: as JSON has it.

        Raises:
            AgentError: Nothing of this id is asked.
        """
        for run in self.state.open_steps:
            for ask in run.open_asks:
                if ask.id == wait_id:
                    ask.accepted, ask.content, ask.note = accept, content or {}, note
                    return await self._services.save(self)
        for child in self.children.values():
            if any(wait.id == wait_id for wait in child.waits):
                return await child.answer(wait_id, accept=accept, content=content, note=note)
        raise AgentError("agents.nothing_asked", name=self.name)

    async def kill(self) -> None:
        """End it at once, and all below it. What runs is cancelled; `run` returns when that is done."""
        self.halt(ProcessStatus.KILLED, Reason("agents.killed"))
        await self.settle()

    async def terminate(self, reason: Reason) -> None:
        """End it in good order, and all below it: steps that run come to their end first."""
        for child in list(self.children.values()):
            await child.terminate(reason)
        if self._tasks.is_open:
            self._soon = (ProcessStatus.TERMINATED, reason)
        else:
            self.halt(ProcessStatus.TERMINATED, reason)
            await self.settle()

    def pause(self) -> None:
        """Let it rest after the step that runs; `run` goes on."""
        self._soon = self._soon or (ProcessStatus.PAUSED, None)

    def halt(self, status: ProcessStatus, reason: Reason) -> None:
        """Cut off what runs here and below; `settle` writes it down."""
        for child in self.children.values():
            child.halt(status, reason)
        if self.status not in OVER:
            self._end = (status, reason)
            self._tasks.halt()

    async def settle(self) -> None:
        """Become what it is to become, unless it runs: then that is done at its end."""
        for child in list(self.children.values()):
            await child.settle()
        if self._end is None or self._tasks.is_open:
            return
        (status, reason), self._end = self._end, None
        if status in OVER:
            for run in list(self.state.open_steps):
                self._close(run, "cut_off", reason)
        await self._become(status, reason)

    @property
    def _is_to_end(self) -> bool:
        return self._end is not None

    # One round.

    async def _go_on(self) -> bool:
        """Run what is open, or look, plan, and run what comes first; whether to go on after it."""
        if self._soon is not None:
            self._end = self._soon
            return False
        runs = list(self.state.open_steps)
        if not runs:
            runs = await self._plan_steps()
            self.state.open_steps += runs
            self.state.steps += len(runs)
        if runs:
            await self._run_steps(runs)
        return not self._is_to_end

    async def _plan_steps(self) -> list[StepRun]:
        """What to run now; empty: it is to become something else, or was helped out of being stuck."""
        choice = await self._tasks.unless_halted(self._chooser.choose())
        best = choice.best
        if best is None:
            self._end = None if choice.helped else (ProcessStatus.STUCK, choice.reason)
        elif not best.plan.actions:
            self.state.reached = best.goal.name
            self._publish(GoalReached, goal=best.goal.name)
            self._end = (ProcessStatus.COMPLETED, None)
        elif self.state.steps >= self.state.options.budget.steps:
            self._end = (ProcessStatus.TERMINATED, Reason("agents.budget_steps"))
        else:
            steps = tuple(each.name for each in best.plan.actions)
            told = {"goal": best.goal.name, "steps": steps, "cost": best.plan.cost}
            self._publish(PlanMade, net_value=best.net_value, **told)
        return [StepRun(name) for name in choice.names]

    # Steps.

    async def _run_steps(self, runs: Sequence[StepRun]) -> None:
        """Run them together, and take what they left in the order of the plan."""
        for run in runs:
            spec = self.definition.action(run.action)
            kinds = tuple(each.kind.__name__ for each in spec.method.inputs) if spec is not None else ()
            self._publish(StepBegan, step_id=run.id, action=run.action, inputs=kinds)
        await self._services.save(self)
        outcomes: dict[str, StepOutcome] = {}
        tasks = [self._tasks.start(run.action, self._run_step(run, outcomes)) for run in runs]
        await self._tasks.finish(tasks)
        for run in runs:
            if run.id in outcomes:
                self._take(run, outcomes[run.id])
        if self._is_to_end:
            return
        if self._soon is not None and self._soon[0] in OVER:
            self._end = self._soon
            return
        ended = [each for each in outcomes.values() if each.end == "ended"]
        failed = [each for each in outcomes.values() if each.end == "failed"]
        if ended:
            self._end = (ProcessStatus.TERMINATED, ended[0].reason)
        elif failed:
            self._end = (ProcessStatus.FAILED, failed[0].reason)
        elif self.waits:
            self._end = (ProcessStatus.WAITING, None)
        await self._services.save(self)

    async def _run_step(self, run: StepRun, outcomes: dict[str, StepOutcome]) -> None:
        outcomes[run.id] = await self._execution.run(run, self.definition.action(run.action))

    def _take(self, run: StepRun, outcome: StepOutcome) -> None:
        if outcome.end == "waits":
            for ask in run.open_asks:
                self._publish(PersonAsked, step_id=run.id, wait=ask)
            return
        spec = self.definition.action(run.action)
        if outcome.end == "succeeded" and spec is not None:
            leave(spec, outcome, self.board, self.state.has_run)
            if outcome.value is not None:
                self._publish(ObjectBound, name=spec.mark.output, kind=type(outcome.value).__name__)
        elif outcome.end == "replanned":
            for change in outcome.changes:
                change(self.board)
            self.state.passed_over.append(run.action)
        elif outcome.end == "declined":
            self.state.declined.append(run.action)
        self._close(run, outcome.end, outcome.reason)

    def _close(self, run: StepRun, end: Any, reason: Reason | None) -> None:  # noqa: ANN401 - see StepRecord
        self.state.open_steps.remove(run)
        for child in run.children:
            self.children.pop(child, None)
        record = StepRecord(run.id, run.action, end, run.attempts, self._clock.now(), reason)
        self.state.history.append(record)
        self._publish(StepEnded, record=record)

    async def run_below(self, run: StepRun, orders: list[tuple[int, ChildOrder]]) -> list[ChildEnd]:
        """Run children of a step together, or on; see `StepHost`."""
        children: list[AgentProcess] = []
        for place, order in orders:
            if place == len(run.children):
                new = await self._services.child(order, self)
                run.children.append(new.id)
                await self._services.save(self)
            children.append(await self._services.below(run.children[place], self))
        async with asyncio.TaskGroup() as group:
            for child in children:
                if child.status not in OVER:
                    group.create_task(child.run(), name=f"{self.name}:{child.name}")
        return [ChildEnd(each.status, each.state.reason, each.output) for each in children]

    # What it stands on.

    def check_kept(self, value: object) -> None:
        """Raises an `AgentError` where an object could not be written down."""
        self._services.check_kept(value)

    def note(self, row: UsageRow) -> None:
        """A model was called, or a tool used, by a step of this process."""
        noted = replace(row, process_id=self.id)
        self._publish(UsageNoted, row=noted)
        self.count(noted)

    def count(self, row: UsageRow) -> None:
        """One more row of this process or of one below: it counts here and above, and may use up a budget."""
        self.state.rows.append(row)
        budget, used = self.state.options.budget, self.usage
        if used.tokens >= budget.tokens:
            self.halt(ProcessStatus.TERMINATED, Reason("agents.budget_tokens"))
        elif used.cost >= budget.cost:
            self.halt(ProcessStatus.TERMINATED, Reason("agents.budget_cost"))
        if self.above is not None:
            self.above.count(row)

    async def stop_point(self) -> None:
        """Where this process was halted, go no further: the cancellation is on its way."""
        await self._tasks.stop_point()

    async def _watch_time(self) -> None:
        await self._clock.sleep(max(0.0, self.state.options.budget.time_s - self.state.elapsed_s))
        self.halt(ProcessStatus.TERMINATED, Reason("agents.budget_time"))

    async def _become(self, status: ProcessStatus, reason: Reason | None) -> None:
        if (status, reason) == (self.state.status, self.state.reason):
            return
        self.state.status, self.state.reason = status, reason
        event = self._numbered(StatusChanged, status=status, reason=reason)
        try:
            await self._services.save(self)
        finally:
            self._services.publish(event)

    def _publish(self, event: Callable[..., ProcessEvent], **told: object) -> None:
        self._services.publish(self._numbered(event, **told))

    def _numbered(self, event: Callable[..., ProcessEvent], **told: object) -> ProcessEvent:
        self.state.events += 1
        return event(process_id=self.id, number=self.state.events, **told)

    def _tell_world(self, world: SeenWorld) -> None:
        self._publish(ReadyToPlan, world=dict(world.known), unknown=frozenset(world.unknown))

    def _doubt(self, what: str, reason: Reason) -> None:
        self._publish(DoubtNoted, what=what, reason=reason)

    def _tell_retry(self, run: StepRun, delay_s: float, reason: Reason) -> None:
        self._publish(StepRetried, step_id=run.id, attempts=run.attempts, delay_s=delay_s, reason=reason)
