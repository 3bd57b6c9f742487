"""Dataclasses back from JSON and rows of our own making; the other way of `events.as_json`.

No pydantic: it takes no half emoji and no undecodable path, and such a text must not keep a result off the
screen.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime, time
from enum import Enum
from functools import cache, partial
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")

_Read = Callable[[Any], Any]  # Any: JSON, and what it stands for


def decoded(kind: type[T], raw: Mapping[str, Any], **known: object) -> T:
    """A dataclass with `known`, and the rest as `raw` names it; names of other versions are passed over, and
    what is null has its default.

    Raises:
        TypeError: Something without a default is missing.
        ValueError: A time or a choice is none.
    """
    values = dict(known)
    readers = _readers(cast("Hashable", kind))
    for name, value in raw.items():
        if name in known or (found := readers.get(name)) is None:
            continue
        read, default = found
        if value is not None:
            values[name] = value if read is _as_it_is else read(value)
        elif not default:
            values[name] = None
    return kind(**values)


@cache
def _readers(kind: Any) -> Mapping[str, tuple[_Read, bool]]:  # noqa: ANN401 - a dataclass, hashable as all types
    """What reads each field, and whether it has a default."""
    hints = get_type_hints(kind)
    return {
        one.name: (
            _reader(hints[one.name]),
            one.default is not MISSING or one.default_factory is not MISSING,
        )
        for one in fields(kind)
    }


def _reader(hint: Any) -> _Read:  # noqa: ANN401 - a type, or what stands for one
    parts = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) in (Union, types.UnionType) and len(parts) == 1:
        read = _reader(parts[0])
        return read if read is _as_it_is else partial(_if_there, read)
    if get_origin(hint) is tuple:
        return partial(_all, _reader(parts[0]))
    if isinstance(hint, type) and is_dataclass(hint):
        return partial(decoded, hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    return hint.fromisoformat if hint in (datetime, date, time) else _as_it_is


def _all(read: _Read, values: Any) -> tuple[Any, ...]:  # noqa: ANN401 - see `_Read`
    return tuple(values) if read is _as_it_is else tuple(map(read, values))


def _if_there(read: _Read, value: Any) -> Any:  # noqa: ANN401 - see `_Read`
    return read(value) if value else None


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - see `_Read`
    return value
