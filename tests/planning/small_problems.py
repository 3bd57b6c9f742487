"""Small planning problems of every kind, and what they cost when all situations are gone through in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from hypothesis import strategies as st

from partner_desktop.planning import PlanAction

NAMES = ("a", "b", "c", "d", "e", "f")
COSTS = (0.0, 0.0, 0.1, 0.2, 0.3, 1.0, 2.5)


@dataclass(frozen=True)
class SmallProblem:
    start: Mapping[str, bool]
    goal: Mapping[str, bool]
    actions: Sequence[PlanAction]
    unknown: tuple[str, ...]


class Worth(NamedTuple):
    """What the best plan costs, and its steps."""

    cost: Fraction
    steps: int


def conditions(*, at_least: int = 0, at_most: int = 3) -> st.SearchStrategy[dict[str, bool]]:
    return st.dictionaries(st.sampled_from(NAMES), st.booleans(), min_size=at_least, max_size=at_most)


@st.composite
def small_problems(draw: st.DrawFn) -> SmallProblem:
    count = draw(st.integers(1, 12))
    actions = [
        PlanAction(f"act {number}", draw(conditions()), draw(conditions()), draw(st.sampled_from(COSTS)))
        for number in range(count)
    ]
    unknown = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3))
    start = {name: value for name, value in draw(conditions(at_most=6)).items() if name not in unknown}
    return SmallProblem(start, draw(conditions(at_least=1)), actions, tuple(unknown))


def dijkstra(problem: SmallProblem, *, without: Collection[str] = ()) -> Worth | None:
    """The best plan's worth by Dijkstra over whole situations; `None` where there is no plan.

    A situation maps each condition to true, false or `None`: not known.
    """
    first = {name: None if name in problem.unknown else problem.start.get(name, False) for name in NAMES}
    waiting: list[tuple[Fraction, int, int, dict[str, bool | None]]] = [(Fraction(0), 0, 0, first)]
    seen: set[tuple[bool | None, ...]] = set()
    found = 0
    while waiting:
        cost, steps, _, now = heappop(waiting)
        if tuple(now.values()) in seen:
            continue
        seen.add(tuple(now.values()))
        if all(now[name] is value for name, value in problem.goal.items()):
            return Worth(cost, steps)
        for action in problem.actions:
            if action.name in without:
                continue
            if all(now[name] is value for name, value in action.preconditions.items()):
                found += 1
                after = {**now, **action.effects}
                heappush(waiting, (cost + Fraction(str(action.cost)), steps + 1, found, after))
    return None


def carried_out(problem: SmallProblem, plan: Sequence[PlanAction]) -> dict[str, bool | None]:
    """The situation after the plan's steps, each of which has what it needs."""
    now = {name: None if name in problem.unknown else problem.start.get(name, False) for name in NAMES}
    for action in plan:
        assert all(now[name] is value for name, value in action.preconditions.items()), action.name
        now |= action.effects
    return now
