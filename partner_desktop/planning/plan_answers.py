"""What a search for a plan answers: the cheapest plan, that there is none and why, or that it gave up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from partner_desktop.planning.plan_descriptions import Fact, PlanAction, PlanningError


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far a search goes before it gives up.

    `expansions` is how many situations it looks beyond, which is the same on every machine. `cancelled` is
    asked before each of them: a deadline or a stop by the user is a question of the caller's.

    Raises:
        PlanningError: `expansions` is below 1.
    """

    expansions: int = 100_000
    cancelled: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.expansions < 1:
            raise PlanningError(f"a search of {self.expansions} expansions finds nothing; allow at least 1")


@dataclass(frozen=True, slots=True)
class ComputedPlan:
    """The cheapest plan: no other costs less, and none that costs the same has fewer steps.

    `cost` is the sum of the actions' costs. A plan without actions says that the goal holds already.
    """

    actions: tuple[PlanAction, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class MissingCondition:
    """A condition that no plan can give the value that is needed of it.

    `cause` says why: no action sets it so; nobody knows its value, and no action sets it so; or all actions
    that would set it so need it themselves, by way of others or at once. `needed_by` are the names of the
    actions that need it on the way to the goal, in order; `by_goal` says whether the goal does itself.
    """

    condition: str
    value: bool
    needed_by: tuple[str, ...]
    by_goal: bool
    cause: Literal["no_producer", "unknown", "circular"]

    @property
    def fact(self) -> Fact:
        return (self.condition, self.value)


@dataclass(frozen=True, slots=True)
class Unreachable:
    """There is no plan: that is proven.

    `missing` are the conditions at the root of it. It is empty where each condition can be met, and not all
    of them in one course of actions.
    """

    missing: tuple[MissingCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class GaveUp:
    """Whether there is a plan is not known: a limit was reached first.

    A plan would cost `at_least` so much; `expanded` situations were looked at.
    """

    limit: Literal["expansions", "cancelled"]
    expanded: int
    at_least: float


PlanAnswer = ComputedPlan | Unreachable | GaveUp
