"""Comparisons over the tasks of a saved plan: as a table."""

from __future__ import annotations

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan_condition import TaskWorld, flaw_of, holds
from tests.tables import all_rows

WORLD = TaskWorld(
    {"main": "running", "a": "done", "b": "failed", "c": "sent"},
    {
        "a": {
            "count": 3,
            "name": "Ann Lee",
            "day": "2026-03-01",
            "ok": True,
            "tags": ["red", 1],
            "size": {"width": 20},
            "a.b": "dotted",
            "nothing": None,
        }
    },
)


def value(path: str, operation: str, wanted: Json) -> JsonObject:
    return {"context": path, operation: wanted}


@all_rows(
    "condition, so",
    [
        ({}, True),
        ({"task": "a", "status": "done"}, True),
        ({"task": "a", "status": "Done"}, True),
        ({"task": "b", "status": "Error"}, True),
        ({"task": "c", "status": ["done", "sent"]}, True),
        ({"task": "a", "status": "failed"}, False),
        ({"task": "gone", "status": "open"}, True),
        ({"task": "gone", "status": "done"}, False),
        (value("a.count", "is", 3), True),
        (value("a.count", "is", 3.0), True),
        (value("a.ok", "is", 1), False),
        (value("a.ok", "is", True), True),
        (value("a.count", "not", 4), True),
        (value("a.count", "above", 2), True),
        (value("a.count", "above", 3), False),
        (value("a.count", "at_least", 3), True),
        (value("a.count", "below", 3), False),
        (value("a.count", "at_most", 3), True),
        (value("a.ok", "at_most", 3), False),
        (value("a.count", "above", "2"), False),
        (value("a.day", "above", "2026-02-28"), True),
        (value("a.day", "below", "2026-02-28"), False),
        (value("a.name", "in", ["Ann Lee", "Bob"]), True),
        (value("a.name", "in", ["Bob"]), False),
        (value("a.name", "contains", "Lee"), True),
        (value("a.tags", "contains", "red"), True),
        (value("a.tags", "contains", True), False),
        (value("a.count", "contains", 3), False),
        (value("a.size.width", "is", 20), True),
        (value("a.a.b", "is", "dotted"), True),
        (value("a.count", "there", True), True),
        (value("a.nothing", "there", True), True),
        (value("a.gone", "there", True), False),
        (value("a.gone", "there", False), True),
        (value("gone.count", "there", False), True),
        (value("a.gone", "is", 3), False),
        (value("a.gone", "not", 3), False),
        (value("a.size.gone.deep", "is", None), False),
        ({"all": [{"task": "a", "status": "done"}, {"task": "b", "status": "failed"}]}, True),
        ({"all": [{"task": "a", "status": "done"}, {"task": "b", "status": "done"}]}, False),
        ({"any": [{"task": "a", "status": "open"}, {"task": "b", "status": "failed"}]}, True),
        ({"none": [{"task": "a", "status": "open"}, {"task": "b", "status": "done"}]}, True),
        ({"none": [{"any": [{"task": "a", "status": "done"}]}]}, False),
        ({"none": [{"task": "a", "status": "done"}, {"task": "b", "status": "done"}]}, False),
        ({"__import__('os')": 1}, False),
    ],
)
def test_a_comparison_is_so_or_not(condition: JsonObject, so: bool) -> None:
    assert holds(condition, WORLD) is so
    if condition and "__import__('os')" not in condition:
        assert flaw_of(condition) is None


def deep(depth: int) -> JsonObject:
    found: JsonObject = {"task": "a", "status": "done"}
    for _ in range(depth):
        found = {"all": [found]}
    return found


@all_rows(
    "condition, place, why",
    [
        ("a is done", (), "empty"),
        ({}, (), "empty"),
        ({"when": "a"}, (), "nothing"),
        ({"task": "a"}, (), "task"),
        ({"task": "a", "status": []}, (), "task"),
        ({"task": "a", "status": "done", "is": 3}, (), "task"),
        ({"all": []}, ("all",), "group"),
        ({"all": [{"task": "a", "status": "done"}], "any": []}, ("all",), "group"),
        ({"any": [{"task": "a", "status": "done"}, {}]}, ("any", 1), "empty"),
        ({"context": "a", "is": 3}, ("context",), "path"),
        ({"context": "a.n"}, (), "operation"),
        ({"context": "a.n", "is": 3, "not": 4}, (), "operation"),
        ({"context": "a.n", "like": 3}, (), "operation"),
        ({"context": "a.n", "there": 1}, ("there",), "there"),
        ({"context": "a.n", "in": "abc"}, ("in",), "in"),
        (deep(9), ("all", 0) * 9, "too_much"),
        ({"any": [{"task": "a", "status": "done"}] * 1_000}, ("any", 999), "too_much"),
    ],
)
def test_what_is_no_comparison_is_told_where(condition: Json, place: tuple[str | int, ...], why: str) -> None:
    flaw = flaw_of(condition)
    assert flaw is not None
    assert (flaw.place, flaw.why) == (place, why)
