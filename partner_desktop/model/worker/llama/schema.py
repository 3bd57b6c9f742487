"""Reads the parts of a JSON Schema that bound and combine, and refuses what is none."""

from __future__ import annotations

import math
from typing import Any

from partner_desktop.model.worker.llama.faults import ModelFaultError

Schema = dict[str, Any]  # JSON, as it came


def refusal(why: str) -> ModelFaultError:
    """What to raise; `why` is a clause."""
    return ModelFaultError("schema", f"The schema cannot constrain a model: {why}.")


def listed(schema: Schema, keyword: str) -> list[Any]:
    """A keyword's list.

    Raises:
        ModelFaultError: It is none; the others here raise it alike.
    """
    value = schema[keyword]
    if not isinstance(value, list):
        raise refusal(f"its {keyword} is no list")
    return value


def merged_parts(schema: Schema) -> Schema:
    """`allOf` of plain parts, as one schema; parts that both say something of a key are refused."""
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for part in listed(schema, "allOf"):
        if not isinstance(part, dict):
            raise refusal("a part of its allOf is not a schema")
        for key, value in part.items():
            if key == "properties" and isinstance(merged.get(key), dict) and isinstance(value, dict):
                merged[key] = {**merged[key], **value}
            elif key == "required" and isinstance(merged.get(key), list) and isinstance(value, list):
                merged[key] = [*merged[key], *value]
            elif key in ("title", "description") or merged.setdefault(key, value) == value:
                continue
            else:
                raise refusal(f"its allOf says two things of {key}")
    return merged


def counts(schema: Schema, least_name: str, most_name: str) -> tuple[int, int | None]:
    """How often at least, and at most, if there is a most."""
    least, most = schema.get(least_name, 0), schema.get(most_name)
    for bound in (least, most):
        if bound is not None and (not isinstance(bound, int) or bound < 0):
            raise refusal(f"{least_name} and {most_name} are not counts")
    if most is not None and most < least:
        raise refusal(f"{most_name} is below {least_name}")
    return least, most


def least_whole(schema: Schema) -> int | None:
    """The least whole number that the schema takes; `None` without a bound."""
    found = [math.ceil(bound) for bound in _bound(schema, "minimum")]
    found += [math.floor(bound) + 1 for bound in _bound(schema, "exclusiveMinimum")]
    return max(found, default=None)


def most_whole(schema: Schema) -> int | None:
    """The greatest whole number that the schema takes; `None` without a bound."""
    found = [math.floor(bound) for bound in _bound(schema, "maximum")]
    found += [math.ceil(bound) - 1 for bound in _bound(schema, "exclusiveMaximum")]
    return min(found, default=None)


def is_never_negative(schema: Schema) -> bool:
    """Whether no number below zero is taken."""
    return any(bound >= 0 for name in ("minimum", "exclusiveMinimum") for bound in _bound(schema, name))


def _bound(schema: Schema, name: str) -> list[float]:
    value = schema.get(name)
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return [value] if value is not None and fits else []
