"""The part of a set of actions that matters for one goal, and its searches from one start after the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from partner_desktop.planning.astar import lightest
from partner_desktop.planning.bit_problem import operator_of, restricted
from partner_desktop.planning.missing_conditions import roots_of
from partner_desktop.planning.plan_answers import (
    ComputedPlan,
    GaveUp,
    PlanAnswer,
    SearchLimits,
    Unreachable,
)
from partner_desktop.planning.plan_descriptions import Fact, PlanAction, World, exact

#: So many answers are remembered for a goal.
_ANSWERS = 1_000


class RelevantPart:
    """Facts and actions from which a way of needs leads to `goal`, in a fixed order. It remembers answers."""

    def __init__(self, goal: Collection[Fact], facts: Sequence[Fact], actions: Sequence[PlanAction]) -> None:
        self.facts, self.actions = facts, actions
        numbers = {fact: number for number, fact in enumerate(facts)}
        self._goal = [numbers[fact] for fact in sorted(goal)]
        self._operators = [operator_of(action, numbers) for action in actions]
        self._places = {action.name: place for place, action in enumerate(actions)}
        self._users: list[list[int]] = [[] for _ in facts]
        for place, operator in enumerate(self._operators):
            for fact in operator.needs:
                self._users[fact].append(place)
        self._answers: dict[bytes, ComputedPlan | Unreachable] = {}

    def answer(self, world: World, limits: SearchLimits) -> PlanAnswer:
        """The cheapest plan from `world`, or why there is none."""
        holding = bytes([world.holds(fact) for fact in self.facts])
        if (known := self._answers.get(holding)) is not None:
            return known
        if len(self._answers) >= _ANSWERS:
            self._answers.clear()
        start = [number for number, holds in enumerate(holding) if holds]
        reached, usable = self._reachable(start)
        if not reached.issuperset(self._goal):
            missing = roots_of(self._goal, self.facts, self._operators, reached, world.unknown)
            self._answers[holding] = Unreachable(missing)
            return self._answers[holding]
        found = lightest(restricted([self._operators[place] for place in usable], start, self._goal), limits)
        if isinstance(found, GaveUp):
            return found
        if found is None:
            self._answers[holding] = Unreachable()
        else:
            self._remember(holding, tuple([operator.action for operator in found]))
        return self._answers[holding]

    def _reachable(self, start: Sequence[int]) -> tuple[set[int], list[int]]:
        """Facts, and places of operators, that can be reached where nothing is ever removed again."""
        left = [len(operator.needs) for operator in self._operators]
        reached = set(start)
        waiting = list(start)
        usable: list[int] = []
        ready = [place for place, count in enumerate(left) if not count]
        while ready or waiting:
            for place in ready:
                new = [fact for fact in self._operators[place].adds if fact not in reached]
                reached.update(new)
                waiting += new
            usable += ready
            ready = []
            while waiting:
                for place in self._users[waiting.pop()]:
                    left[place] -= 1
                    if not left[place]:
                        ready.append(place)
        return reached, sorted(usable)

    def _remember(self, holding: bytes, actions: tuple[PlanAction, ...]) -> None:
        """Keep the plan for where it starts, and what is left of it for wherever it passes."""
        worlds = [holding]
        for action in actions:
            world = bytearray(worlds[-1])
            operator = self._operators[self._places[action.name]]
            for fact in operator.removes:
                world[fact] = False
            for fact in operator.adds:
                world[fact] = True
            worlds.append(bytes(world))
        cost = Fraction(0)
        for done in range(len(actions), -1, -1):
            self._answers[worlds[done]] = ComputedPlan(actions[done:], float(cost))
            if done:
                cost += exact(actions[done - 1].cost)
