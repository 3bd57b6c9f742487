"""Why each step of a plan is in it: what needs its effects, and what there would be without it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from partner_desktop.planning.action_set import ActionSet, find_plan
from partner_desktop.planning.plan_answers import ComputedPlan, PlanAnswer, SearchLimits
from partner_desktop.planning.plan_descriptions import Fact, PlanAction, PlanningError, World, conditions_of


@dataclass(frozen=True, slots=True)
class NeededEffect:
    """An effect of a step that a later step needs, by its place in the plan; `None` stands for the goal."""

    condition: str
    value: bool
    needed_by: int | None


@dataclass(frozen=True, slots=True)
class StepReason:
    """What of a step is needed, and the answer if its action could not be taken: the cheapest alternative."""

    action: PlanAction
    needed: tuple[NeededEffect, ...]
    without: PlanAnswer


def explain(
    plan: ComputedPlan,
    start: Mapping[str, bool],
    goal: Mapping[str, bool],
    actions: Iterable[PlanAction] | ActionSet,
    *,
    unknown: Iterable[str] = (),
    limits: SearchLimits | None = None,
) -> tuple[StepReason, ...]:
    """For each step of `plan`, in order, why it is there. The other arguments are those it was found with.

    An effect counts for the step that last brought it about before it is needed, so each need has one source.

    Raises:
        PlanningError: the plan does not lead from `start` to `goal`, or something is described wrongly.
    """
    unknown = tuple(unknown)
    world = World.described(start, unknown)
    needed = _needed_effects(plan, world, conditions_of(goal, "the goal"))
    known = actions.actions.values() if isinstance(actions, ActionSet) else tuple(actions)
    without: dict[str, PlanAnswer] = {}
    for action in plan.actions:
        if action.name not in without:
            others = [each for each in known if each.name != action.name]
            without[action.name] = find_plan(start, goal, others, unknown=unknown, limits=limits)
    return tuple(
        StepReason(action, tuple(needed[place]), without[action.name])
        for place, action in enumerate(plan.actions)
    )


def _needed_effects(plan: ComputedPlan, world: World, goal: Mapping[str, bool]) -> list[list[NeededEffect]]:
    needed: list[list[NeededEffect]] = [[] for _ in plan.actions]
    #: The value that a condition has been given, and the step that gave it; the latest one that changed it.
    given: dict[str, tuple[bool, int]] = {}

    def look_for(facts: Iterable[Fact], place: int | None) -> None:
        for condition, value in sorted(facts):
            by_step = given.get(condition)
            if by_step is not None and by_step[0] is value:
                needed[by_step[1]].append(NeededEffect(condition, value, place))
            elif by_step is not None or not world.holds((condition, value)):
                who = "the goal" if place is None else f"step {place + 1} ({plan.actions[place].name!r})"
                raise PlanningError(
                    f"this is no plan for this start: {who} needs {condition!r} to be {value}"
                )

    for place, action in enumerate(plan.actions):
        look_for(action.preconditions.items(), place)
        for condition, value in action.effects.items():
            before = given.get(condition)
            if (before[0] is not value) if before is not None else not world.holds((condition, value)):
                given[condition] = (value, place)
    look_for(goal.items(), None)
    return needed
