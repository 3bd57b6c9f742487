"""One step, from its beginning to its end: calls, tries again, asks before it does twice what is done once.

Contract: whatever a step raises, what comes out is an outcome; only a real cancellation passes. That holds
for `SystemExit` and its like too, which would otherwise end the loop of everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from partner_desktop.agents.agent_specs import ActionSpec
from partner_desktop.agents.blackboard import Blackboard, Nothing
from partner_desktop.agents.method_call import call_method
from partner_desktop.agents.process_state import PersonWait, Reason, StepRun
from partner_desktop.agents.step_context import BoardChange, StepContext, StepHost, StepSignal
from partner_desktop.agents.writing_mind import WritingMind
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import (
    AgentError,
    AskHumanError,
    PermissionDeniedError,
    TellMindError,
    TryAgainError,
    UsageError,
)

#: Seconds before the second try, how many times longer each next pause is, and the longest.
_FIRST_PAUSE_S, _LONGER, _LONGEST_PAUSE_S = 10.0, 5, 60.0

#: What the same call would only raise again. What is neither here nor below may pass.
_PERMANENT = (
    AgentError,
    AskHumanError,
    PermissionDeniedError,
    TellMindError,
    UsageError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    TypeError,
    ValueError,
)
_TRANSIENT = (TryAgainError, ConnectionError, TimeoutError)


@dataclass(frozen=True)
class StepOutcome:
    """How a step ended, or that it waits."""

    end: Literal["succeeded", "failed", "waits", "declined", "replanned", "ended"]
    value: object = None
    changes: list[BoardChange] = field(default_factory=list)
    """What it does to the blackboard."""
    reason: Reason | None = None
    passing: bool = False
    """A failure that may pass."""


@dataclass(frozen=True)
class StepExecution:
    """How the steps of one process are run."""

    host: StepHost
    mind: WritingMind
    clock: Clock
    retried: Callable[[StepRun, float, Reason], None]
    """Told of a pause before the next try, in seconds."""

    async def run(self, run: StepRun, spec: ActionSpec | None) -> StepOutcome:
        """Run it, or run it on after an answer; `None`: the agent has no such step any more."""
        if spec is None:
            return StepOutcome("replanned", reason=Reason("agents.no_step", {"step": run.action}))
        repeat = next((each for each in run.asks if each.kind == "repeat"), None)
        if repeat is not None:
            if not repeat.accepted:
                why = Reason("agents.not_repeated", {"step": run.action, "problem": repeat.message})
                return StepOutcome("failed", reason=why)
            run.asks.remove(repeat)
        while True:
            run.attempts += 1
            outcome = await self._attempt(run, spec)
            if not outcome.passing or outcome.reason is None or run.attempts >= spec.mark.attempts:
                return outcome
            if not spec.mark.idempotent:
                run.asks.append(PersonWait("repeat", str(outcome.reason)))
                return StepOutcome("waits")
            pause_s = min(_FIRST_PAUSE_S * _LONGER ** (run.attempts - 1), _LONGEST_PAUSE_S)
            self.retried(run, pause_s, outcome.reason)
            await self.clock.sleep(pause_s)

    async def _attempt(self, run: StepRun, spec: ActionSpec) -> StepOutcome:
        context = StepContext(run, self.host, self.mind, self.clock)
        try:
            if spec.mark.confirm:
                await context.confirm(spec.mark.confirm)
            value = await self._result(spec, context)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return _failed(error)  # the step's own, nobody cancelled it
        except BaseException as error:  # noqa: BLE001 - somebody else's code, on everybody's loop
            signal = next((each for each in _parts(error) if isinstance(each, StepSignal)), None)
            if signal is None:
                return _failed(error)
            kept = context.changes if signal.end == "replanned" else []
            return StepOutcome(signal.end, changes=kept, reason=signal.reason)
        return StepOutcome("succeeded", value, context.changes)

    async def _result(self, spec: ActionSpec, context: StepContext) -> object:
        board = self.host.board
        arguments = spec.method.arguments(board, {StepContext: context, Blackboard: board})
        if arguments is None:
            raise AgentError("agents.no_input", step=spec.name)
        value = await call_method(spec.method.call, arguments)
        wanted = spec.output or type(None)
        if not isinstance(value, wanted) and not (value is None and spec.may_give_nothing):
            raise AgentError(
                "agents.wrong_result", step=spec.name, wanted=wanted.__name__, got=type(value).__name__
            )
        self.host.check_kept(value)
        return value


def leave(spec: ActionSpec, outcome: StepOutcome, board: Blackboard, has_run: list[str]) -> None:
    """Do to the blackboard what a step that succeeded does."""
    if spec.mark.clears:
        board.clear()
        has_run.clear()
    elif spec.name not in has_run:
        has_run.append(spec.name)
    for change in outcome.changes:
        change(board)
    if outcome.value is None:
        board.add(Nothing())
    else:
        board.bind(spec.mark.output, outcome.value)
    for condition, holds in spec.posted.items():
        board.set_condition(condition, holds)


def ask_to_repeat(run: StepRun, spec: ActionSpec | None) -> None:
    """A step was cut off in the middle: one that is not to be done twice is asked about."""
    if spec is not None and not spec.mark.idempotent and not run.open_asks:
        run.asks.append(PersonWait("repeat", str(Reason("agents.cut_off", {"step": run.action}))))


def _failed(error: BaseException) -> StepOutcome:
    return StepOutcome("failed", reason=Reason.of(error), passing=_may_pass(error))


def _may_pass(error: BaseException) -> bool:
    """Whether the same call may succeed later: what says so anywhere among the causes decides."""
    chain: list[BaseException] = []
    while error not in chain:
        chain.append(error)
        error = error.__cause__ or error
    parts = [part for each in chain for part in _parts(each)]
    if any(isinstance(each, _TRANSIENT) for each in parts):
        return True
    return all(isinstance(each, Exception) and not isinstance(each, _PERMANENT) for each in parts)


def _parts(error: BaseException) -> Iterator[BaseException]:
    """What a group is made of; an error that is none by itself."""
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for each in error.exceptions:
        yield from _parts(each)
