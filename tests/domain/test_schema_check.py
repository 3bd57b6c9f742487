"""Schemas that strangers wrote, and values that keep them or not."""

from __future__ import annotations

import pytest

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schema_check import misfit

pytestmark = pytest.mark.integration


def nested(steps: int) -> JsonObject:
    """Each step refers to the next one twice."""
    named: JsonObject = {
        f"s{number}": {"allOf": [{"$ref": f"#/$defs/s{number + 1}"}] * 2} for number in range(steps)
    }
    return {"$defs": {**named, f"s{steps}": {"type": "object"}}, "$ref": "#/$defs/s0"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": "^(a+)+$b"}, "a" * 40),
        ({"patternProperties": {"^(a+)+$b": False}, "additionalProperties": False}, {"a" * 40: 1}),
        ({"patternProperties": {"^(a+)+$b": False}, "unevaluatedProperties": False}, {"a" * 40: 1}),
        (nested(40), {}),
    ],
)
def test_what_would_take_for_ever_counts_as_fitting(schema: JsonObject, value: Json) -> None:
    assert misfit(schema, value, foreign=True) is None


def test_a_stranger_s_schema_is_kept_otherwise() -> None:
    schema: JsonObject = {"properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    assert misfit(schema, {"a": 1}, foreign=True) is None
    wrong = misfit(schema, {"a": "x"}, foreign=True)
    assert wrong is not None
    assert wrong.param == "a"
    assert misfit(schema, {"b": 1}, foreign=True) is not None
    assert misfit(nested(3), 5, foreign=True) is not None


@pytest.mark.parametrize("foreign", [True, False])
def test_a_schema_without_an_end_is_told_as_wrong(foreign: bool) -> None:
    found = misfit({"type": "object", "$ref": "#"}, {}, foreign=foreign)
    assert found is not None
    assert found.of_schema


@pytest.mark.parametrize("pattern", ["^a+$", r"^\d{4}-\d{2}$", "^(?:red|green)$", "^[]+*a]+$"])
def test_a_plain_pattern_of_a_script_counts(pattern: str) -> None:
    assert misfit({"pattern": pattern}, "b") is not None


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$b",
        "^(a|a)*$b",
        "a*a*a*a*a*a*a*a*b",
        "a?" * 30 + "a" * 30 + "b",
        r"(a*)\1*\1*b",
        "^(?:a+){9}b$",
    ],
)
def test_a_pattern_of_a_script_that_may_take_for_ever_is_not_tried(pattern: str) -> None:
    assert misfit({"pattern": pattern}, "a" * 400) is None
