"""How much a situation still costs at least: landmark cuts, kept from one situation to the next.

The heuristic is LM-cut (Helmert and Domshlak, "Landmarks, critical paths and abstractions", ICAPS 2009). In
the problem without removals, it finds sets of operators of which each plan has to take one ("cuts"), charges
each set what its cheapest operator weighs, and makes them all lighter by it; the sum is admissible. A cut
that does not hold the operator that led to a situation is one of that situation, too (Pommerening and
Helmert, "Incremental LM-cut", ICAPS 2013), so only what is not yet accounted for is computed anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from partner_desktop.planning.bit_problem import BitProblem, bits

#: Operators by number, of which one is in each plan, and what is charged for them.
Cut = tuple[tuple[int, ...], int]


class LandmarkCuts:
    """The heuristic for one problem. The goal is a fact of its own, made by an operator of no weight."""

    def __init__(self, problem: BitProblem) -> None:
        count = len(problem.operators)
        always, self._goal = problem.facts, problem.facts + 1
        self._always = 1 << always
        self._size = problem.facts + 2
        self._needs: list[tuple[int, ...]] = [each.needs or (always,) for each in problem.operators]
        self._needs.append(tuple(bits(problem.goal)) or (always,))
        self._adds: list[tuple[int, ...]] = [each.adds for each in problem.operators]
        self._adds.append((self._goal,))
        self._weights = [*problem.weights, 0]
        self._counts = [len(needs) for needs in self._needs]
        self._users: list[list[int]] = [[] for _ in range(self._size)]
        self._makers: list[list[int]] = [[] for _ in range(self._size)]
        for number in range(count + 1):
            for fact in self._needs[number]:
                self._users[fact].append(number)
            for fact in self._adds[number]:
                self._makers[fact].append(number)

    def cuts(self, situation: int, kept: Sequence[Cut] = ()) -> list[Cut] | None:
        """Cuts of the situation, those of `kept` among them; none at all (`None`) if it leads nowhere.

        What they charge adds up to no more than the weight of the lightest plan from here.
        """
        weights = self._weights.copy()
        for cut, charge in kept:
            for operator in cut:
                weights[operator] -= charge
        levels, supporters = self._levels(situation | self._always, weights)
        if levels[self._goal] < 0:
            return None
        found = list(kept)
        while levels[self._goal] > 0:
            cut = self._cut(weights, supporters)
            charge = min([weights[operator] for operator in cut])
            for operator in cut:
                weights[operator] -= charge
            found.append((cut, charge))
            self._lower(cut, levels, supporters, weights)
        return found

    def _levels(self, situation: int, weights: list[int]) -> tuple[list[int], list[int]]:
        """For each fact what its most expensive need costs, all the way (-1: it cannot be had); for each
        operator the most expensive of its needs (-1: it cannot be taken)."""
        size, users, adds = self._size, self._users, self._adds
        left = self._counts.copy()
        levels = [-1] * size
        supporters = [-1] * len(left)
        now = bits(situation)
        for fact in now:
            levels[fact] = 0
        level = 0
        later: list[int] = []
        while True:
            while now:
                fact = now.pop()
                for operator in users[fact]:
                    left[operator] -= 1
                    if left[operator]:
                        continue
                    supporters[operator] = fact
                    weight = weights[operator]
                    reached = level + weight
                    for added in adds[operator]:
                        before = levels[added]
                        if before < 0 or reached < before:
                            levels[added] = reached
                            if weight:
                                heappush(later, reached * size + added)
                            else:
                                now.append(added)
            while later:
                level, fact = divmod(heappop(later), size)
                if levels[fact] == level:
                    now.append(fact)
                    break
            else:
                return levels, supporters

    def _cut(self, weights: list[int], supporters: list[int]) -> tuple[int, ...]:
        """The operators by which each plan enters the zone from which the goal costs nothing any more."""
        makers = self._makers
        zone = {self._goal}
        waiting = [self._goal]
        border: set[int] = set()
        while waiting:
            for operator in makers[waiting.pop()]:
                supporter = supporters[operator]
                if supporter < 0:
                    continue
                if weights[operator]:
                    border.add(operator)
                elif supporter not in zone:
                    zone.add(supporter)
                    waiting.append(supporter)
        return tuple([operator for operator in border if supporters[operator] not in zone])

    def _lower(
        self, cut: Sequence[int], levels: list[int], supporters: list[int], weights: list[int]
    ) -> None:
        """Bring levels and supporters up to date after the operators of `cut` became cheaper."""
        size, users, adds, needs = self._size, self._users, self._adds, self._needs
        changed: list[int] = []
        for operator in cut:
            reached = levels[supporters[operator]] + weights[operator]
            for added in adds[operator]:
                if reached < levels[added]:
                    levels[added] = reached
                    heappush(changed, reached * size + added)
        while changed:
            level, fact = divmod(heappop(changed), size)
            if levels[fact] != level:
                continue
            for operator in users[fact]:
                if supporters[operator] != fact:
                    continue
                if len(needs[operator]) > 1:
                    supporters[operator] = supporter = max(needs[operator], key=levels.__getitem__)
                    reached = levels[supporter] + weights[operator]
                else:
                    reached = level + weights[operator]
                for added in adds[operator]:
                    if reached < levels[added]:
                        levels[added] = reached
                        heappush(changed, reached * size + added)
