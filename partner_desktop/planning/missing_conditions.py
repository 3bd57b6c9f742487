"""Why a goal cannot be reached: what nothing produces, what nobody knows, what needs itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

from partner_desktop.planning.bit_problem import Operator
from partner_desktop.planning.plan_answers import MissingCondition
from partner_desktop.planning.plan_descriptions import Fact


def roots_of(
    goal: Sequence[int],
    facts: Sequence[Fact],
    operators: Sequence[Operator],
    reached: Collection[int],
    unknown: Collection[str],
) -> tuple[MissingCondition, ...]:
    """The conditions for which facts of `goal` are out of reach, in order.

    Args:
        facts: Each fact by its number.
        reached: Numbers of the facts that can be reached.
        unknown: Conditions whose value is not known.
    """
    makers: dict[int, list[Operator]] = {}
    for operator in operators:
        for fact in operator.adds:
            makers.setdefault(fact, []).append(operator)
    lacking = _lacking(goal, makers, reached)
    causes: dict[int, Literal["no_producer", "unknown", "circular"]] = {}
    causes |= dict.fromkeys(_circular(goal, lacking), "circular")
    causes |= dict.fromkeys((fact for fact, needs in lacking.items() if not needs), "no_producer")
    causes |= dict.fromkeys((fact for fact in lacking if facts[fact][0] in unknown), "unknown")
    users: dict[int, set[str]] = {fact: set() for fact in causes}
    for fact in lacking:
        for maker in makers.get(fact, ()):
            for need in users.keys() & maker.needs:
                users[need].add(maker.action.name)
    return tuple(
        MissingCondition(*facts[fact], tuple(sorted(users[fact])), by_goal=fact in goal, cause=causes[fact])
        for fact in sorted(causes)
    )


def _lacking(
    goal: Iterable[int], makers: Mapping[int, Sequence[Operator]], reached: Collection[int]
) -> dict[int, list[int]]:
    """Facts out of reach on all ways back from the goal, and of each what those lack that make it."""
    waiting = [fact for fact in goal if fact not in reached]
    lacking: dict[int, list[int]] = {}
    while waiting:
        fact = waiting.pop()
        if fact not in lacking:
            needs = {need for maker in makers.get(fact, ()) for need in maker.needs if need not in reached}
            lacking[fact] = sorted(needs)
            waiting += needs
    return lacking


def _circular(goal: Iterable[int], lacking: Mapping[int, Sequence[int]]) -> set[int]:
    """Facts of one circle for each of the goal from which no way back ends at a fact that nothing makes."""
    needed_for: dict[int, list[int]] = {}
    for fact, needs in lacking.items():
        for need in needs:
            needed_for.setdefault(need, []).append(fact)
    ending: set[int] = set()
    waiting = [fact for fact, needs in lacking.items() if not needs]
    while waiting:
        fact = waiting.pop()
        if fact not in ending:
            ending.add(fact)
            waiting += needed_for.get(fact, ())
    circles: set[int] = set()
    walked: set[int] = set()
    for wanted in goal:
        way: dict[int, int] = {}
        fact = wanted
        while fact in lacking and fact not in ending and fact not in walked and fact not in way:
            way[fact] = len(way)
            fact = lacking[fact][0]
        if fact in way:
            circles |= {each for each, place in way.items() if place >= way[fact]}
        walked |= way.keys()
    return circles
