"""Leaves: the single values in a result, as far as it is worth looking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from partner_desktop.domain.json_value import Json

#: Characters of a text that is brought.
MOST_TEXT = 1_000_000
#: Places of a result that are looked at, and how deep they lie.
_MOST_LEAVES, DEEPEST = 2_000, 6


@dataclass(frozen=True)
class Leaf:
    """A value in a result, and what it is called there."""

    name: str
    value: Json


def _leaves(data: Json, name: str = "", depth: int = 0) -> Iterator[Leaf]:
    """Everything in a result that is no object, outer things first; lists as a whole, then what they hold."""
    if depth > DEEPEST:
        return
    if isinstance(data, dict):
        inner = [(str(key), value) for key, value in data.items()]
        yield from (Leaf(key, value) for key, value in inner if not isinstance(value, dict))
        for key, value in inner:
            if isinstance(value, dict | list):
                yield from _leaves(value, key, depth + 1)
    elif isinstance(data, list):
        for value in data:
            if isinstance(value, dict | list):
                yield from _leaves(value, name, depth + 1)
            else:
                yield Leaf(name, value)
    else:
        yield Leaf(name, data)


def leaves_of(data: Json) -> list[Leaf]:
    found: list[Leaf] = []
    for leaf in _leaves(data):
        found.append(leaf)
        if len(found) >= _MOST_LEAVES:
            break
    return found
