"""Plans that are computed: from what holds, what is wanted and what can be done, the cheapest way there.

Pure, and of use alone: it knows nothing else of ours, and does no I/O. `find_plan` is the way in.
"""

from partner_desktop.planning.action_set import ActionSet, find_plan
from partner_desktop.planning.goal_choice import GoalChoice, GoalPlan, find_best_plan
from partner_desktop.planning.plan_answers import (
    ComputedPlan,
    GaveUp,
    MissingCondition,
    PlanAnswer,
    SearchLimits,
    Unreachable,
)
from partner_desktop.planning.plan_descriptions import Goal, PlanAction, PlanningError
from partner_desktop.planning.sensing_choice import worth_sensing
from partner_desktop.planning.step_reasons import NeededEffect, StepReason, explain

__all__ = [
    "ActionSet",
    "ComputedPlan",
    "GaveUp",
    "Goal",
    "GoalChoice",
    "GoalPlan",
    "MissingCondition",
    "NeededEffect",
    "PlanAction",
    "PlanAnswer",
    "PlanningError",
    "SearchLimits",
    "StepReason",
    "Unreachable",
    "explain",
    "find_best_plan",
    "find_plan",
    "worth_sensing",
]
