"""Which of several goals is worth most, all costs told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from partner_desktop.planning.action_set import ActionSet, find_plan
from partner_desktop.planning.plan_answers import ComputedPlan, PlanAnswer, SearchLimits
from partner_desktop.planning.plan_descriptions import Goal, PlanAction, by_name, exact


@dataclass(frozen=True, slots=True)
class GoalPlan:
    """A goal, its cheapest plan, and the values of goal and steps less the costs."""

    goal: Goal
    plan: ComputedPlan
    net_value: float


@dataclass(frozen=True, slots=True)
class GoalChoice:
    """`ranked` are the goals that have a plan, best first; `answers` is what was found for each, by its name.

    A goal whose search gave up is not among the ranked, and may be worth more than they are.
    """

    ranked: tuple[GoalPlan, ...]
    answers: Mapping[str, PlanAnswer]

    @property
    def best(self) -> GoalPlan | None:
        return self.ranked[0] if self.ranked else None


def find_best_plan(
    start: Mapping[str, bool],
    goals: Iterable[Goal],
    actions: Iterable[PlanAction] | ActionSet,
    *,
    unknown: Iterable[str] = (),
    limits: SearchLimits | None = None,
) -> GoalChoice:
    """The goals by what their cheapest plans are worth; of equal ones that of fewer steps, then by name.

    A goal is planned for by itself: its plan ends where it holds, whatever other goals hold on the way. Who
    wants one goal and no other asks `find_plan` for it. The limits are those of each goal's search.

    Raises:
        PlanningError: something is described wrongly, or two goals or actions have one name.
    """
    wanted = by_name(goals, "goals")
    known = actions if isinstance(actions, ActionSet) else ActionSet(actions)
    unknown = tuple(unknown)
    answers = {
        name: find_plan(start, wanted[name].conditions, known, unknown=unknown, limits=limits)
        for name in sorted(wanted)
    }
    worth = {
        name: (_net_value(wanted[name], answer), answer)
        for name, answer in answers.items()
        if isinstance(answer, ComputedPlan)
    }
    order = sorted(worth, key=lambda name: (-worth[name][0], len(worth[name][1].actions), name))
    ranked = tuple(GoalPlan(wanted[name], worth[name][1], float(worth[name][0])) for name in order)
    return GoalChoice(ranked, answers)


def _net_value(goal: Goal, plan: ComputedPlan) -> Fraction:
    return exact(goal.value) + sum(exact(action.value) - exact(action.cost) for action in plan.actions)
