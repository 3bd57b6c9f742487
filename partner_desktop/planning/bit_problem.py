"""One planning problem as bits: what can matter between one start and one goal, and nothing else.

A fact is a condition with a value: a condition that is needed false is a fact like any other, and one whose
value is not known has neither of its two. A situation is an integer with a bit for each fact that holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from partner_desktop.planning.plan_descriptions import Fact, PlanAction, exact

#: Steps decide between plans of one cost: a step weighs this little beside the smallest difference in cost.
#: Plans of more steps than this could be told apart wrongly, and no search gets so far.
_STEPS = 1 << 24


class Operator(NamedTuple):
    """An action by the numbers of facts: where all of `needs` hold, it removes, and then adds."""

    action: PlanAction
    needs: tuple[int, ...]
    adds: tuple[int, ...]
    removes: tuple[int, ...]


@dataclass(frozen=True)
class BitProblem:
    """Operators in an order that decides ties, what each weighs, the situation at the start, facts to reach.

    `shared` times a weight is the cost in parts (`denominator` of them are 1), times `_STEPS`, and 1 for the
    step: the sum of weights orders plans by cost and then by steps.
    """

    facts: int
    start: int
    goal: int
    operators: Sequence[Operator]
    weights: Sequence[int]
    shared: int
    denominator: int

    def cost_at_least(self, weight: int) -> float:
        """What a plan costs at least that weighs so much at least."""
        return float(Fraction(weight * self.shared // _STEPS, self.denominator))


def operator_of(action: PlanAction, numbers: Mapping[Fact, int]) -> Operator:
    """The action as far as it is about the facts that have numbers."""
    needs = [numbers[fact] for fact in action.preconditions.items() if fact in numbers]
    adds, removes = [], []
    for fact in action.effects.items():
        condition, value = fact
        if fact in numbers:
            adds.append(numbers[fact])
        if (opposite := numbers.get((condition, not value))) is not None:
            removes.append(opposite)
    return Operator(action, tuple(needs), tuple(adds), tuple(removes))


def restricted(operators: Sequence[Operator], start: Collection[int], goal: Collection[int]) -> BitProblem:
    """The problem without what is always true and what is of no use: all of `operators` can be reached."""
    always = set(start).difference(*(operator.removes for operator in operators))
    makers: dict[int, list[int]] = {}
    for place, operator in enumerate(operators):
        for fact in operator.adds:
            makers.setdefault(fact, []).append(place)
    wanted = set(goal) - always
    waiting = list(wanted)
    useful: set[int] = set()
    while waiting:
        for place in makers.get(waiting.pop(), ()):
            if place not in useful:
                useful.add(place)
                new = set(operators[place].needs) - always - wanted
                wanted |= new
                waiting += new
    numbers = {old: new for new, old in enumerate(sorted(wanted))}
    weights, shared, denominator = _weighed([operators[place].action for place in sorted(useful)])
    chosen, weights = _distinct([_renumbered(operators[place], numbers) for place in sorted(useful)], weights)
    return BitProblem(
        facts=len(numbers),
        start=mask(numbers[fact] for fact in start if fact in numbers),
        goal=mask(numbers[fact] for fact in goal if fact in numbers),
        operators=chosen,
        weights=weights,
        shared=shared,
        denominator=denominator,
    )


def _renumbered(operator: Operator, numbers: Mapping[int, int]) -> Operator:
    action, *parts = operator
    needs, adds, removes = (tuple([numbers[fact] for fact in part if fact in numbers]) for part in parts)
    return Operator(action, needs, tuple([fact for fact in adds if fact not in needs]), removes)


def _weighed(actions: Sequence[PlanAction]) -> tuple[list[int], int, int]:
    """What the actions weigh, divided by what all share; that; and the parts that costs are counted in."""
    exactly = {cost: exact(cost) for cost in {action.cost for action in actions}}
    denominator = lcm(*(cost.denominator for cost in exactly.values()))
    weights = {cost: int(fraction * denominator) * _STEPS + 1 for cost, fraction in exactly.items()}
    shared = gcd(*weights.values()) or 1
    return [weights[action.cost] // shared for action in actions], shared, denominator


def _distinct(operators: Sequence[Operator], weights: Sequence[int]) -> tuple[list[Operator], list[int]]:
    """Of operators that do the same where the same is needed, the first of those that weigh least."""
    best: dict[tuple[frozenset[int], ...], int] = {}
    for place, (_, *parts) in enumerate(operators):
        key = tuple(frozenset(part) for part in parts)
        if key not in best or weights[place] < weights[best[key]]:
            best[key] = place
    kept = sorted(best.values())
    return [operators[place] for place in kept], [weights[place] for place in kept]


def mask(places: Iterable[int]) -> int:
    """The number whose ones are at these places."""
    number = 0
    for place in places:
        number |= 1 << place
    return number


def bits(number: int) -> list[int]:
    """The places of the ones of a number that is not negative, from the lowest."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found
