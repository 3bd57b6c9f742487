"""What a step has at hand: the mind, the person, tools, other agents, and the blackboard.

Contract: what a step leaves on the blackboard is written down only when it has succeeded, in the order of the
plan, so steps that run together do not see each other's halves. A question to the person ends the run of the
step; with the answer the step is run again from its beginning, and what was answered is not asked again. So a
step asks before it acts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from partner_desktop.agents.agent_specs import StepService
from partner_desktop.agents.blackboard import Blackboard
from partner_desktop.agents.process_state import PersonWait, ProcessStatus, Reason, StepRun
from partner_desktop.agents.usage_ledger import UsageRow
from partner_desktop.agents.writing_mind import (
    DEFAULT_WRITING,
    CreateObject,
    GenerateText,
    Persona,
    WritingMind,
    WritingOptions,
    WrittenAnswer,
)
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AgentError
from partner_desktop.base.messages import LazySentence

T = TypeVar("T")

#: Something that is done to the blackboard when the step has succeeded.
BoardChange = Callable[[Blackboard], object]


class StepSignal(BaseException):
    """How a step ends other than by a result or an error; no `except Exception` of the step catches it."""

    def __init__(self, end: Literal["waits", "declined", "replanned", "ended"], reason: Reason) -> None:
        super().__init__(end)
        self.end = end
        self.reason = reason


@dataclass(frozen=True)
class ChildOrder:
    """Another agent to be run, with what it begins with."""

    agent: str
    inputs: tuple[object, ...] = ()
    goal: str = ""


@dataclass(frozen=True)
class ChildEnd:
    """How a child ended, or that it waits."""

    status: ProcessStatus
    reason: Reason | None
    output: object


class StepHost(Protocol):
    """The process, as far as its steps need it."""

    @property
    def board(self) -> Blackboard: ...

    def check_kept(self, value: object) -> None:
        """Raises an `AgentError` where an object could not be written down."""
        ...

    def note(self, row: UsageRow) -> None:
        """A model was called, or a tool used."""
        ...

    async def stop_point(self) -> None:
        """Where this process was halted, go no further: the cancellation is on its way."""
        ...

    async def run_below(self, run: StepRun, orders: list[tuple[int, ChildOrder]]) -> list[ChildEnd]:
        """Run children of a step together, or on; each is known by its place among the step's."""
        ...


class StepContext(StepService):
    """Made for each run of a step."""

    def __init__(self, run: StepRun, host: StepHost, mind: WritingMind, clock: Clock) -> None:
        self._run = run
        self._host = host
        self._mind = mind
        self._clock = clock
        self._asked = 0
        self._children = 0
        self.changes: list[BoardChange] = []
        """What is done to the blackboard when the step has succeeded."""

    @property
    def step_id(self) -> str:
        """The same over all waits and restarts: for what is to be done outside only once."""
        return self._run.id

    def get(self, name: str, kind: type[T]) -> T | None:
        """What is on the blackboard; see `Blackboard.get`."""
        return self._host.board.get(name, kind)

    def bind(self, name: str, value: object) -> None:
        """Give an object a name, beside the result.

        Raises:
            AgentError: No agent speaks of its class: it could not be kept.
        """
        self._host.check_kept(value)
        self.changes.append(lambda board: board.bind(name, value))

    def hide(self, value: object) -> None:
        """Let nothing find an object any more."""
        self.changes.append(lambda board: board.hide(value))

    def set_condition(self, name: str, holds: bool) -> None:
        """Say of a condition whether it holds."""
        self.changes.append(lambda board: board.set_condition(name, holds))

    # The mind, and tools.

    async def create_object(
        self,
        kind: type[T],
        prompt: str,
        *,
        persona: Persona | None = None,
        options: WritingOptions = DEFAULT_WRITING,
    ) -> T:
        """An object of a class, made by a mind.

        Raises:
            AgentError: This mind cannot make one.
        """
        request = CreateObject(kind, prompt, persona, options)
        value = await self._written(self._mind.create_object(request), options.model, kind.__name__)
        if not isinstance(value, kind):
            raise AgentError("agents.wrong_object", wanted=kind.__name__, got=type(value).__name__)
        return value

    async def generate_text(
        self, prompt: str, *, persona: Persona | None = None, options: WritingOptions = DEFAULT_WRITING
    ) -> str:
        """A text, written by a mind.

        Raises:
            AgentError: This mind cannot write.
        """
        request = GenerateText(prompt, persona, options)
        who = persona.name if persona is not None else self._run.action
        return await self._written(self._mind.generate_text(request), options.model, who)

    async def _written(self, answer: Awaitable[WrittenAnswer[T] | None], model: str, what: str) -> T:
        try:
            written = await answer
        except BaseException:
            self._host.note(UsageRow("model", model, step=self._run.action, ok=False))
            raise
        if written is None:
            raise AgentError("agents.cannot_write", what=what)
        for use in written.calls:
            self._host.note(UsageRow.of_model(use, step=self._run.action))
        await self._host.stop_point()
        return written.value

    async def use_tool(self, name: str, use: Callable[[], Awaitable[T]]) -> T:
        """Use a tool; that it was used, for how long and whether it failed is kept."""
        begun_s, ok = self._clock.monotonic_s(), False
        try:
            found = await use()
            ok = True
            return found
        finally:
            took_ms = (self._clock.monotonic_s() - begun_s) * 1000
            self._host.note(UsageRow("tool", name, step=self._run.action, duration_ms=took_ms, ok=ok))

    # The person.

    async def confirm(self, message: str) -> None:
        """Go on only if the person says yes; with a no the step is over, and planned without."""
        answer = self._answer(PersonWait("confirm", message))
        if not answer.accepted:
            raise StepSignal("declined", declined(self._run.action, answer))

    async def ask_form(self, kind: type[T], message: str) -> T:
        """What the person fills in, as an object of a class; putting the form aside is a no."""
        adapter = TypeAdapter(kind)
        answer = self._answer(PersonWait("form", message, adapter.json_schema()))
        if not answer.accepted:
            raise StepSignal("declined", declined(self._run.action, answer))
        try:
            return adapter.validate_python(answer.content)
        except ValidationError as error:  # it is asked again, and told why
            answer.accepted, answer.note = None, error.errors()[0]["msg"]
            raise StepSignal("waits", Reason("agents.waits")) from None

    def _answer(self, wait: PersonWait) -> PersonWait:
        place, self._asked = self._asked, self._asked + 1
        asks = [each for each in self._run.asks if each.kind != "repeat"]
        known = asks[place] if place < len(asks) else None
        if known is None or (known.message, known.schema) != (wait.message, wait.schema):
            for later in asks[place:]:  # it asks something else this time
                self._run.asks.remove(later)
            self._run.asks.append(wait)
            known = wait
        if known.accepted is None:
            raise StepSignal("waits", Reason("agents.waits"))
        return known

    # Other agents, and the course of this one.

    async def run_child(self, agent: str, *inputs: object, goal: str = "") -> object:
        """The output of another agent that runs below this step, on a copy of the blackboard.

        Raises:
            AgentError: It did not reach its goal.
        """
        return (await self.run_children(ChildOrder(agent, inputs, goal)))[0]

    async def run_children(self, *orders: ChildOrder) -> list[object]:
        """The outputs of several that run together; raises as `run_child`, when all have ended."""
        first, self._children = self._children, self._children + len(orders)
        ends = await self._host.run_below(self._run, list(enumerate(orders, first)))
        for order, end in zip(orders, ends, strict=True):
            if end.status not in (ProcessStatus.COMPLETED, ProcessStatus.WAITING):
                why = end.reason or LazySentence(f"agents.status.{end.status}")
                raise AgentError("agents.child_ended", agent=order.agent, reason=why)
        if any(end.status is ProcessStatus.WAITING for end in ends):
            raise StepSignal("waits", Reason("agents.waits"))
        return [end.output for end in ends]

    def replan(self, reason: str) -> NoReturn:
        """Plan anew, without this step the next time; what was bound here is kept."""
        raise StepSignal("replanned", Reason("common.told", {"text": reason}))

    def end(self, reason: str) -> NoReturn:
        """End the process in good order."""
        raise StepSignal("ended", Reason("common.told", {"text": reason}))


def declined(action: str, answer: PersonWait) -> Reason:
    """That the person does not want a step, with what they said to it."""
    if answer.note:
        return Reason("agents.declined_because", {"step": action, "note": answer.note})
    return Reason("agents.declined", {"step": action})
