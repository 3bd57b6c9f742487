"""Comparisons over the tasks of a saved plan: data, of which this is the whole grammar. Pure.

    {"task": "a", "status": "done"}          a task's status; a list of statuses: one of them
    {"context": "a.total", "above": 3}       what a task's step told under `total` (`a.size.width` further in)
    {"all": [...]}, {"any": [...]}, {"none": [...]}

A comparison of a value has exactly one of `is`, `not`, `above`, `below`, `at_least`, `at_most`, `in` (one of
a list), `contains` (a list or a text holds it) and `there` (true or false). Numbers are compared with numbers
and texts with texts, so that days written as 2026-03-01 come in their order; `is` knows 1 from true.

A comparison with what is not there is false, `not` too; only `{"there": false}` is true of it. Statuses are
`open` (nothing came of it yet), `running`, `done`, `failed` and whatever a plan's outputs say; upper and
lower case are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Final

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject

OPEN, RUNNING, DONE, FAILED = "open", "running", "done", "failed"
#: What others call them.
_SAME_STATUS: Mapping[str, str] = {
    "error": FAILED,
    "notstarted": OPEN,
    "not_started": OPEN,
    "succeeded": DONE,
    "success": DONE,
}
_GROUPS: Final = ("all", "any", "none")
#: Comparisons in comparisons, and comparisons in all, of one condition.
MOST_DEPTH, MOST_PARTS = 8, 1_000

#: Where in a condition: keys and places in lists.
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class TaskWorld:
    """What is so of a plan's tasks at a moment."""

    statuses: Mapping[str, str] = field(default_factory=dict)
    """Task → status; one that is not there is `open`."""
    context: Mapping[str, JsonObject] = field(default_factory=dict)
    """Task → what was told of it."""


@dataclass(frozen=True)
class ConditionFlaw:
    """Why something is no condition."""

    place: Place
    why: str
    """The end of a message id, below `saved_plan.condition`."""
    name: str = ""


def plain_status(text: str) -> str:
    """A status in its one form."""
    word = text.strip().casefold().replace(" ", "_")
    return _SAME_STATUS.get(word, word)


def holds(condition: JsonObject, world: TaskWorld) -> bool:
    """Whether it is so; an empty condition is. What is no condition is not so."""
    if not condition:
        return True
    for group in _GROUPS:
        if group in condition:
            return _group_holds(group, condition[group], world)
    task, path = condition.get("task"), condition.get("context")
    if isinstance(task, str):
        return world.statuses.get(task, OPEN) in _statuses(condition)
    if isinstance(path, str):
        operation = next((name for name in condition if name in _OPERATIONS), "")
        there, value = _value(path, world)
        if operation == "there":
            return there is condition["there"]
        return there and bool(operation) and _OPERATIONS[operation](value, condition[operation])
    return False


def _statuses(comparison: JsonObject) -> tuple[str, ...]:
    wanted = comparison.get("status")
    words = wanted if isinstance(wanted, list) else [wanted]
    return tuple(plain_status(word) for word in words if isinstance(word, str))


def _group_holds(group: str, parts: Json, world: TaskWorld) -> bool:
    listed = parts if isinstance(parts, list) else []
    found = (holds(part, world) for part in listed if isinstance(part, dict))
    if group == "all":
        return all(found)
    return any(found) if group == "any" else not any(found)


def _value(path: str, world: TaskWorld) -> tuple[bool, Json]:
    """Whether something is there, and what."""
    task, _, name = path.partition(".")
    value: Json = world.context.get(task)
    if isinstance(value, dict) and name in value:
        return True, value[name]
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return False, None
        value = value[part]
    return True, value


def _same(one: Json, other: Json) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def _ordered(compare: Callable[[float, float], bool]) -> Callable[[Json, Json], bool]:
    """Of two numbers, or of two texts by their letters."""

    def compared(one: Json, other: Json) -> bool:
        if isinstance(one, str) and isinstance(other, str):
            return compare((one > other) - (one < other), 0)
        if isinstance(one, bool) or isinstance(other, bool):
            return False
        return isinstance(one, int | float) and isinstance(other, int | float) and compare(one, other)

    return compared


def _among(one: Json, many: Json) -> bool:
    return isinstance(many, list) and any(_same(one, each) for each in many)


def _contains(whole: Json, part: Json) -> bool:
    if isinstance(whole, str):
        return isinstance(part, str) and part in whole
    return _among(part, whole)


_OPERATIONS: Mapping[str, Callable[[Json, Json], bool]] = {
    "is": _same,
    "not": lambda one, other: not _same(one, other),
    "above": _ordered(lambda one, other: one > other),
    "below": _ordered(lambda one, other: one < other),
    "at_least": _ordered(lambda one, other: one >= other),
    "at_most": _ordered(lambda one, other: one <= other),
    "in": _among,
    "contains": _contains,
    "there": lambda one, other: True,
}


def named_tasks(condition: JsonObject) -> Iterator[tuple[Place, str, tuple[str, ...]]]:
    """Each task that it speaks of: where, its id, and the statuses that are compared (none: a value is)."""
    for place, part in _parts(condition):
        task, path = part.get("task"), part.get("context")
        if isinstance(task, str):
            yield (*place, "task"), task, _statuses(part)
        elif isinstance(path, str):
            yield (*place, "context"), path.partition(".")[0], ()


def _parts(condition: JsonObject, place: Place = ()) -> Iterator[tuple[Place, JsonObject]]:
    """The comparisons in it, without the groups."""
    group = next((name for name in _GROUPS if name in condition), "")
    parts = condition.get(group)
    if not group:
        yield place, condition
    elif isinstance(parts, list):
        for number, part in enumerate(parts):
            if isinstance(part, dict):
                yield from _parts(part, (*place, group, number))


def flaw_of(condition: Json) -> ConditionFlaw | None:
    """What is wrong with the shape of one; whether its tasks are there is for who knows the plan."""
    count = 0

    def look(part: Json, place: Place, depth: int) -> ConditionFlaw | None:
        nonlocal count
        count += 1
        if depth > MOST_DEPTH or count > MOST_PARTS:
            return ConditionFlaw(place, "too_much")
        if not isinstance(part, dict) or not part:
            return ConditionFlaw(place, "empty")
        group = next((name for name in _GROUPS if name in part), "")
        if not group:
            return _comparison_flaw(part, place)
        parts = part[group]
        if len(part) > 1 or not isinstance(parts, list) or not parts:
            return ConditionFlaw((*place, group), "group", group)
        inner = (look(each, (*place, group, number), depth + 1) for number, each in enumerate(parts))
        return next(filter(None, inner), None)

    return look(condition, (), 0)


def _comparison_flaw(part: JsonObject, place: Place) -> ConditionFlaw | None:
    if "task" in part:
        wanted = part.get("status")
        words = wanted if isinstance(wanted, list) else [wanted]
        fits = isinstance(part["task"], str) and words and all(isinstance(word, str) for word in words)
        return None if fits and len(part) == 2 else ConditionFlaw(place, "task")
    if "context" not in part:
        return ConditionFlaw(place, "nothing", next(iter(part)))
    path = part["context"]
    if not isinstance(path, str) or not all(path.partition(".")[::2]):
        return ConditionFlaw((*place, "context"), "path")
    return _operation_flaw([name for name in part if name != "context"], part, place)


def _operation_flaw(operations: list[str], part: JsonObject, place: Place) -> ConditionFlaw | None:
    if len(operations) != 1 or operations[0] not in _OPERATIONS:
        return ConditionFlaw(place, "operation", ", ".join(_OPERATIONS))
    (name,) = operations
    kinds = {"there": bool, "in": list}
    fits = isinstance(part[name], kinds.get(name, object))
    return None if fits else ConditionFlaw((*place, name), name)
