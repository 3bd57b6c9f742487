"""Which steps a process takes next: what it sees, the plan for it, and why there is none.

A step that asked for another plan is passed over once. One that the person declined, and one that ran so
often in the same state of the world that it goes round in circles, are not planned with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from partner_desktop.agents.agent_specs import AgentDefinition
from partner_desktop.agents.blackboard import Blackboard
from partner_desktop.agents.method_call import call_method
from partner_desktop.agents.process_state import ProcessState, Reason
from partner_desktop.agents.world_view import SeenWorld, WorldView
from partner_desktop.planning import ComputedPlan, GaveUp, GoalChoice, GoalPlan, PlanAction, Unreachable


@dataclass(frozen=True)
class StepChoice:
    """`best` is the plan, and `names` are the steps to begin now; without one, `reason` says why."""

    best: GoalPlan | None
    names: list[str] = field(default_factory=list)
    reason: Reason | None = None
    helped: bool = False
    """A stuck handler found something: it is worth another look."""


class StepChooser:
    """That of one process."""

    def __init__(
        self,
        state: ProcessState,
        definition: AgentDefinition,
        board: Blackboard,
        view: WorldView,
        seen: Callable[[SeenWorld], None],
    ) -> None:
        self._state = state
        self._definition = definition
        self._board = board
        self._view = view
        self._seen = seen
        """Told of each look."""

    async def choose(self) -> StepChoice:
        """Look, and plan."""
        state = self._state
        world = await self._view.look(state.has_run)
        self._seen(world)
        before = world.text
        circles = [
            each.name
            for each in self._definition.actions
            if state.seen.get(_key(before, each.name), 0) >= state.options.repeats
        ]
        without = [*state.declined, *circles]
        goals = [each for each in self._definition.goals if state.goal in ("", each.name)]
        choice = await self._view.choose(world, goals, [*without, *state.passed_over])
        if choice.best is None and state.passed_over:
            choice = await self._view.choose(world, goals, without)
        state.passed_over.clear()
        if choice.best is None:
            helped = await self._helped()
            return StepChoice(None, reason=self._why_stuck(choice, circles), helped=helped)
        names = self._startable(choice.best.plan, world)
        for name in names:
            key = _key(before, name)
            state.seen[key] = state.seen.get(key, 0) + 1
        return StepChoice(choice.best, names)

    def _startable(self, plan: ComputedPlan, world: SeenWorld) -> list[str]:
        """The first step; where steps may run together, also those that need nothing of the steps before."""
        found = [each.name for each in plan.actions[:1]]
        for place, step in enumerate(plan.actions if self._state.options.concurrent else ()):
            ready = all(world.known.get(key) is value for key, value in step.preconditions.items())
            if place and ready and not any(_interfere(step, other) for other in plan.actions[:place]):
                found.append(step.name)
        return found[: self._state.options.budget.steps - self._state.steps]

    async def _helped(self) -> bool:
        """Whether a stuck handler of the agent, `on_stuck(board) -> bool`, found something to go on with."""
        handler = getattr(self._definition.agent, "on_stuck", None)
        if handler is None or self._state.stuck_tries >= self._state.options.stuck_tries:
            return False
        self._state.stuck_tries += 1
        return await self._view.ask("on_stuck", lambda: call_method(handler, {"board": self._board})) is True

    def _why_stuck(self, choice: GoalChoice, circles: list[str]) -> Reason:
        if circles:
            return Reason("agents.in_circles", {"step": circles[0]})
        if self._state.declined:
            told = next(each for each in reversed(self._state.history) if each.end == "declined")
            return Reason("agents.no_other_way", {"reason": str(told.reason)})
        answers = choice.answers.values()
        if any(isinstance(each, GaveUp) for each in answers):
            return Reason("agents.gave_up")
        missing = [each for one in answers if isinstance(one, Unreachable) for each in one.missing]
        if not missing:
            return Reason("agents.no_way")
        return Reason("agents.nothing_produces", {"condition": missing[0].condition})


def _interfere(one: PlanAction, other: PlanAction) -> bool:
    """Whether it matters which of two steps comes first."""
    return any(
        needed.get(key, value) is not value
        for first, second in ((one, other), (other, one))
        for key, value in first.effects.items()
        for needed in (second.preconditions, second.effects)
    )


def _key(world: str, action: str) -> str:
    return hashlib.sha256(f"{world} {action}".encode()).hexdigest()[:16]
