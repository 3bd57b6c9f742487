"""Rows of function-calling data, and whether arguments are those that a row accepts.

A row: `{"id", "set", "text", "functions": [{"name", "description", "parameters"}], "expected"}`; `expected`
is null when no function fits, else `{"name", "arguments": {parameter: [accepted values]}}`, where `""` among
the accepted values says that the parameter may be left out. Inside an accepted object every value is again a
list of accepted values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route

SETS = ("simple_python", "multiple", "live_multiple", "irrelevance")

#: Accepted values by parameter, as the data has them.
Accepted = dict[str, list[Any]]


class DataError(Exception):
    """A data file that cannot be read; the message is one sentence for the person."""


class MeaningError(Exception):
    """The figures would be of words alone though meaning should have counted; one sentence."""


@dataclass(frozen=True)
class Row:
    """A request, the functions that could do it, and the call that would be right."""

    id: str
    group: str
    text: str
    functions: tuple[MetaActionInfo, ...]
    wanted: str = ""
    """The key of the right function; empty when none fits."""
    accepted: Accepted | None = None


def read_rows(file: Path) -> list[Row]:
    """The rows of a file of JSON lines.

    Raises:
        DataError: The file or a line cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"{file} cannot be read: {problem}.") from problem
    rows = list(_rows(file, lines))
    if not rows:
        raise DataError(f"{file} has no rows.")
    return rows


def _rows(file: Path, lines: list[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _row(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            reason = f"{type(problem).__name__}: {problem}"
            raise DataError(f"{file}, line {number} is no routing row ({reason}).") from problem


def _row(body: dict[str, Any]) -> Row:
    if body["set"] not in SETS:
        raise ValueError(f"its set is {body['set']!r}, known are {', '.join(SETS)}")
    functions = tuple(_info(function) for function in body["functions"])
    expected = body["expected"]
    if not isinstance(body["text"], str) or not functions:
        raise ValueError("its text or its functions are missing")
    if expected is None:
        return Row(str(body["id"]), body["set"], body["text"], functions)
    wanted = _key(expected["name"])
    if wanted not in {function.key for function in functions}:
        raise ValueError(f"the expected function {expected['name']!r} is none of its functions")
    if not all(isinstance(accepted, list) for accepted in expected["arguments"].values()):
        raise ValueError("an expected argument has no list of accepted values")
    return Row(str(body["id"]), body["set"], body["text"], functions, wanted, expected["arguments"])


def _key(name: str) -> str:
    return f"local::{name}"


def _info(function: dict[str, Any]) -> MetaActionInfo:
    return MetaActionInfo(
        key=_key(function["name"]),
        route=Route.MCP,
        description=str(function["description"]),
        params=dict(function["parameters"]),
    )


def verdicts(given: JsonObject, accepted: Accepted) -> dict[str, bool]:
    """Parameter → is it right? For those that are given and those that had to be; an extra one is wrong."""
    told = {name for name, values in accepted.items() if name in given or "" not in values}
    return {name: _is_right(given, accepted, name) for name in sorted(told | given.keys())}


def _is_right(given: JsonObject, accepted: Accepted, name: str) -> bool:
    return name in given and any(same(given[name], value) for value in accepted.get(name, ()))


def same(value: Json, wanted: Any) -> bool:
    """Whether a value equals an accepted one: numbers by size, strings letter by letter, lists in order."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and _same_object(value, wanted)
    if isinstance(wanted, list):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(same(mine, theirs) for mine, theirs in zip(value, wanted, strict=True))
        )
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    return bool(value == wanted)


def _same_object(value: JsonObject, wanted: dict[str, Any]) -> bool:
    accepted = {name: kinds if isinstance(kinds, list) else [kinds] for name, kinds in wanted.items()}
    return all(verdicts(value, accepted).values())
