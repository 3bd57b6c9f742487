"""Objects in parameters: their properties are found like parameters of their own, and put together again."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.arguments.slot import Slot

#: Between the names of an object and of its property; in no name of a parameter.
_JOINT = "\x1f"
_DEEPEST = 3
_LONGEST_LITERAL = 2_000
_LITERAL = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def flattened(slots: Sequence[Slot], depth: int = 0) -> Iterator[Slot]:
    """The slots, with those of objects replaced by those of their properties."""
    for slot in slots:
        inner = slot.schema.get("properties")
        if "object" not in slot.types or not isinstance(inner, dict) or depth >= _DEEPEST:
            yield slot
            continue
        named = slot.schema.get("required")
        required = set(named) if isinstance(named, list) else set()
        parts = [
            Slot(f"{slot.name}{_JOINT}{name}", schema, slot.required and name in required)
            for name, schema in inner.items()
            if isinstance(schema, dict)
        ]
        yield from flattened(parts, depth + 1)


def own_name(name: str) -> str:
    """The name of the property itself."""
    return name.rpartition(_JOINT)[2]


def rebuilt(values: JsonObject) -> dict[str, Json]:
    """Values of flattened slots → the objects that they belong to."""
    found: dict[str, Json] = {}
    for name, value in values.items():
        *outer, last = name.split(_JOINT)
        place = found
        for part in outer:
            inner = place.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            place = inner
        place[last] = value
    return found


def literals(text: str) -> Iterator[tuple[int, int, JsonObject]]:
    """Objects written out in a text, as JSON or with single quotes."""
    for match in _LITERAL.finditer(text[:_LONGEST_LITERAL]):
        value = _read(match.group())
        if isinstance(value, dict):
            yield match.start(), match.end(), value


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        value = ast.literal_eval(text)
        json.dumps(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value
