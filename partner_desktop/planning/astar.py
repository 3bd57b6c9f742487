"""A* over situations, which looks at a situation's landmarks only once it is the most promising.

A situation that is first seen is estimated by those of the cuts of the one before it that still stand, which
costs next to nothing. Most are never the most promising with that, and are never looked at closer.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal

from partner_desktop.planning.bit_problem import BitProblem, Operator, mask
from partner_desktop.planning.lm_cut import Cut, LandmarkCuts
from partner_desktop.planning.plan_answers import GaveUp, SearchLimits


@dataclass(slots=True)
class _Node:
    """A situation: the lightest known way to it (`weight`, by operator `by`), and what it weighs from there.

    `cuts` are of the situation itself once it is `settled`, and until then of the one that led to it.
    """

    weight: int
    ahead: int
    before: int
    by: int
    cuts: list[Cut]
    settled: bool = False
    closed: bool = False


def lightest(problem: BitProblem, limits: SearchLimits) -> list[Operator] | GaveUp | None:
    """The operators of the lightest plan, or `None` where there is none.

    Ties go by the order of the operators alone.
    """
    search = _Search(problem)
    expanded = 0
    while (found := search.most_promising()) is not None:
        situation, node = found
        if situation & problem.goal == problem.goal:
            return search.way_to(node)
        if (limit := _reached(limits, expanded)) is not None:
            return GaveUp(limit, expanded, problem.cost_at_least(node.weight + node.ahead))
        expanded += 1
        search.expand(situation, node)
    return None


def _reached(limits: SearchLimits, expanded: int) -> Literal["expansions", "cancelled"] | None:
    if expanded >= limits.expansions:
        return "expansions"
    return "cancelled" if limits.cancelled is not None and limits.cancelled() else None


class _Search:
    def __init__(self, problem: BitProblem) -> None:
        self._problem = problem
        self._heuristic = LandmarkCuts(problem)
        self._operators = [
            (mask(needs), ~mask(removes), mask(adds), number, problem.weights[number])
            for number, (_, needs, adds, removes) in enumerate(problem.operators)
        ]
        self._nodes = {problem.start: _Node(0, 0, -1, -1, [])}
        # The most promising first; of those the one nearest to the goal, then the one that was found last.
        self._waiting = [(0, 0, 0, problem.start)]
        self._turn = 0

    def most_promising(self) -> tuple[int, _Node] | None:
        """The next situation to look beyond: no plan that is left to find can weigh less than it promises."""
        while self._waiting:
            total, _, _, situation = heappop(self._waiting)
            node = self._nodes[situation]
            if node.closed or total != node.weight + node.ahead:
                continue
            if node.settled or situation & self._problem.goal == self._problem.goal:
                return situation, node
            if self._settle(situation, node):
                return situation, node
        return None

    def _settle(self, situation: int, node: _Node) -> bool:
        """Look closer at a situation; whether it is as promising as it seemed."""
        cuts = self._heuristic.cuts(situation, [cut for cut in node.cuts if node.by not in cut[0]])
        node.settled = True
        if cuts is None:
            node.ahead, node.closed = -1, True
            return False
        node.cuts = cuts
        ahead = sum([charge for _, charge in cuts])
        if ahead == node.ahead:
            return True
        node.ahead = ahead
        self._push(situation, node)
        return False

    def expand(self, situation: int, node: _Node) -> None:
        """Note each situation that follows this one, where this is the lightest way to it so far."""
        node.closed = True
        nodes = self._nodes
        charged = [0] * len(self._operators)
        for cut, charge in node.cuts:
            for number in cut:
                charged[number] += charge
        for need, keep, add, number, weight in self._operators:
            if situation & need != need:
                continue
            after = situation & keep | add
            total = node.weight + weight
            known = nodes.get(after)
            if known is None:
                known = nodes[after] = _Node(
                    total, node.ahead - charged[number], situation, number, node.cuts
                )
            elif total >= known.weight or known.ahead < 0:
                continue
            else:
                known.weight, known.before, known.by, known.closed = total, situation, number, False
                if not known.settled:
                    known.ahead, known.cuts = node.ahead - charged[number], node.cuts
            self._push(after, known)

    def _push(self, situation: int, node: _Node) -> None:
        self._turn -= 1
        heappush(self._waiting, (node.weight + node.ahead, node.ahead, self._turn, situation))

    def way_to(self, node: _Node) -> list[Operator]:
        way = []
        while node.by >= 0:
            way.append(self._problem.operators[node.by])
            node = self._nodes[node.before]
        return way[::-1]
