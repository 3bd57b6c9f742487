"""What can be done and what is wanted: actions and goals over named conditions that are true or false."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

#: A condition, and the value that is meant of it. What is false is a fact of its own.
Fact = tuple[str, bool]


class PlanningError(ValueError):
    """What was to be planned with is described wrongly. The message says where and how."""


@dataclass(frozen=True, slots=True)
class PlanAction:
    """A step that a plan can take: what it needs, what it changes, what it costs and what it is worth.

    `preconditions` and `effects` map names of conditions to the value that is needed, or set. `cost` is at
    least 0 and `value` any finite number, in one unit; both count as the decimals they are written as, so
    that three times 0.1 is 0.3.

    Raises:
        PlanningError: a name is empty, a condition neither true nor false, a cost negative or not finite.
    """

    name: str
    preconditions: Mapping[str, bool] = field(default_factory=dict)
    effects: Mapping[str, bool] = field(default_factory=dict)
    cost: float = 0.0
    value: float = 0.0

    def __post_init__(self) -> None:
        check_name(self.name, "an action")
        needs = conditions_of(self.preconditions, "the needs of action", self.name)
        object.__setattr__(self, "preconditions", needs)
        object.__setattr__(self, "effects", conditions_of(self.effects, "the effects of action", self.name))
        if finite(self.cost, "the cost of action", self.name) < 0:
            raise PlanningError(f"the cost of action {self.name!r} is {self.cost}; it has to be 0 or more")
        finite(self.value, "the value of action", self.name)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Goal:
    """Conditions that are to hold together at the end of a plan, and what that is worth.

    Raises:
        PlanningError: as for `PlanAction`.
    """

    name: str
    conditions: Mapping[str, bool]
    value: float = 0.0

    def __post_init__(self) -> None:
        check_name(self.name, "a goal")
        object.__setattr__(self, "conditions", conditions_of(self.conditions, "goal", self.name))
        finite(self.value, "the value of goal", self.name)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class World:
    """What holds at the start: `known` (what it does not name is false), but for what is not known.

    Of an unknown condition, only what is `assumed` holds; both of its values may be.

    Raises:
        PlanningError: a condition is both known and unknown, or described wrongly.
    """

    known: Mapping[str, bool]
    unknown: frozenset[str] = frozenset()
    assumed: frozenset[Fact] = frozenset()

    def __post_init__(self) -> None:
        if both := sorted(self.unknown & self.known.keys()):
            raise PlanningError(f"condition {both[0]!r} is unknown and has a value at the start; choose one")

    @classmethod
    def described(cls, start: Mapping[str, bool], unknown: Iterable[str]) -> World:
        names = list(unknown)
        for name in names:
            check_name(name, "an unknown condition")
        return cls(conditions_of(start, "the start"), frozenset(names))

    def holds(self, fact: Fact) -> bool:
        condition, value = fact
        if condition in self.unknown:
            return fact in self.assumed
        return self.known.get(condition, False) is value


def check_name(name: object, what: str) -> None:
    """Refuse a name that is none.

    Raises:
        PlanningError: `name` is no text, or empty.
    """
    if not isinstance(name, str) or not name:
        raise PlanningError(f"{what} is named {name!r}; a name is a text that is not empty")


def conditions_of(mapping: Mapping[str, bool], where: str, name: str = "") -> dict[str, bool]:
    """A copy of `mapping`, which stands in the `name` that is a `where`.

    Raises:
        PlanningError: it is no mapping from names to true or false.
    """
    if not isinstance(mapping, Mapping):
        raise PlanningError(
            f"{_place(where, name)}: {mapping!r} does not map names of conditions to true or false"
        )
    for condition, value in mapping.items():
        if value is not True and value is not False:
            raise PlanningError(
                f"{_place(where, name)}: condition {condition!r} is {value!r}; it has to be true or false"
            )
        if not condition or type(condition) is not str:
            check_name(condition, f"{_place(where, name)}: a condition")
    return dict(mapping)


def finite(number: float, where: str, name: str = "") -> float:
    """The number as a float, which stands in the `name` that is a `where`.

    Raises:
        PlanningError: it is none, infinite, or not a number.
    """
    try:
        as_float = float(number)
    except (TypeError, ValueError, OverflowError) as problem:
        raise PlanningError(f"{_place(where, name)} is {number!r}; it has to be a number") from problem
    if not math.isfinite(as_float):
        raise PlanningError(f"{_place(where, name)} is {number!r}; it has to be finite")
    return as_float


def _place(where: str, name: str) -> str:
    """Where something wrong stands. Put together only for an error: actions are described by the thousand."""
    return f"{where} {name!r}" if name else where


def exact(number: float) -> Fraction:
    """The decimal that a float is written as: 0.1 is a tenth, and not the binary fraction next to it."""
    return Fraction(str(float(number)))


Named = TypeVar("Named", PlanAction, Goal)


def by_name(items: Iterable[Named], what: str) -> dict[str, Named]:
    """The items by their names.

    Raises:
        PlanningError: two of them have one name.
    """
    every = list(items)
    found = {item.name: item for item in every}
    if len(found) < len(every):
        names = sorted(item.name for item in every)
        twice = next(name for name, following in pairwise(names) if name == following)
        raise PlanningError(f"two {what} are named {twice!r}; each needs a name of its own")
    return found
