"""Which condition that is not known to find out about next: one that can change the best plan.

A plan that does not lean on what is unknown works whatever turns out. One that leans on guesses may be
better: a guess that it cannot do without is worth checking. So plans are searched that may lean on any guess;
then again, each time without one of the guesses of the plan before, until none is better than what works
without. This finds all conditions that matter, alone or together with others (they are the minimal sets of a
hitting-set tree: Reiter, "A theory of diagnosis from first principles", 1987), in a number of searches that
grows with those that matter and not with all that is unknown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from partner_desktop.planning.action_set import ActionSet
from partner_desktop.planning.plan_answers import ComputedPlan, GaveUp, PlanAnswer, SearchLimits
from partner_desktop.planning.plan_descriptions import (
    Fact,
    PlanAction,
    PlanningError,
    World,
    conditions_of,
    exact,
    finite,
)

#: So many sets of guesses are tried. Past that, the cheapest condition found so far is the answer.
_TRIED = 256


def worth_sensing(
    start: Mapping[str, bool],
    goal: Mapping[str, bool],
    actions: Iterable[PlanAction] | ActionSet,
    *,
    unknown: Iterable[str],
    costs: Mapping[str, float] | None = None,
    limits: SearchLimits | None = None,
) -> str | None:
    """The cheapest unknown condition that can change the best plan, or `None` if none of them can.

    It can where, some others being known or not, knowing it allows a plan of less cost, of fewer steps at
    the same cost, or any plan at all. Ask again when it is known.

    Args:
        costs: What it costs to find out about a condition, 0 where it is not named. They only order.
        limits: Of each search. Where one gives up and no condition was found for sure, each that some action
            on the way needs counts as one that can.

    Raises:
        PlanningError: something is described wrongly, or two actions have one name.
    """
    known = actions if isinstance(actions, ActionSet) else ActionSet(actions)
    prices = {name: finite(cost, "the cost of sensing", name) for name, cost in (costs or {}).items()}
    if (negative := min(prices.values(), default=0)) < 0:
        raise PlanningError(f"a cost of sensing is {negative}; it has to be 0 or more")
    guesses = _Guesses(
        World.described(start, unknown), conditions_of(goal, "the goal"), known, limits or SearchLimits()
    )
    candidates = sorted({name for name, _ in guesses.every}, key=lambda name: (prices.get(name, 0.0), name))
    mattering: set[str] = set()
    for names in guesses.mattering():
        mattering |= names
        if candidates[0] in mattering:
            break
    if not mattering and guesses.gave_up:
        mattering = set(candidates)
    return next((name for name in candidates if name in mattering), None)


class _Guesses:
    """The search for the guesses that better plans cannot do without."""

    def __init__(
        self, world: World, goal: Mapping[str, bool], known: ActionSet, limits: SearchLimits
    ) -> None:
        self._world, self._goal, self._known, self._limits = world, goal, known, limits
        self.every = frozenset(fact for fact in known.relevant(goal).facts if fact[0] in world.unknown)
        self.gave_up = False

    def mattering(self) -> Iterable[set[str]]:
        """Sets of conditions that matter, of which each needs the others of its set."""
        safe = _rank(self._plan(frozenset()))
        waiting: deque[frozenset[Fact]] = deque([frozenset()])
        seen: set[frozenset[Fact]] = set()
        while waiting and len(seen) < _TRIED:
            without = waiting.popleft()
            if without in seen:
                continue
            seen.add(without)
            answer = self._plan(self.every - without)
            if not isinstance(answer, ComputedPlan) or _rank(answer) >= safe:
                continue
            used = _leaned_on(answer, self._goal, self._world.unknown)
            # No world is both: one of the two guesses is to go.
            both = sorted(name for name, value in used if value and (name, False) in used)
            if both:
                waiting += [without | {(both[0], value)} for value in (False, True)]
                continue
            for fact in sorted(used):
                if _rank(self._plan(used - {fact})) <= _rank(answer):
                    used -= {fact}
            yield {name for name, _ in used}
            waiting += [without | {fact} for fact in sorted(used)]
        self.gave_up = self.gave_up or bool(waiting)

    def _plan(self, guesses: frozenset[Fact]) -> PlanAnswer:
        world = World(self._world.known, self._world.unknown, guesses)
        answer = self._known.answer(world, self._goal, self._limits)
        self.gave_up = self.gave_up or isinstance(answer, GaveUp)
        return answer


def _rank(answer: PlanAnswer) -> tuple[float | Fraction, int]:
    """Plans by cost and steps, the better the less; no plan is the worst."""
    if not isinstance(answer, ComputedPlan):
        return (float("inf"), 0)
    return (sum((exact(action.cost) for action in answer.actions), Fraction(0)), len(answer.actions))


def _leaned_on(plan: ComputedPlan, goal: Mapping[str, bool], unknown: Collection[str]) -> frozenset[Fact]:
    """What a plan needs of unknown conditions before it sets them itself."""
    used: set[Fact] = set()
    changed: set[str] = set()
    for action in plan.actions:
        used |= {fact for fact in action.preconditions.items() if fact[0] not in changed}
        changed |= action.effects.keys()
    used |= {fact for fact in goal.items() if fact[0] not in changed}
    return frozenset(fact for fact in used if fact[0] in unknown)
