"""A table of rows as one test: each row costs what it does, not what a test costs.

Pytest makes folders, fixtures and reports for every test, which takes longer than most of what is said in one
line; thousands of such lines were a third of the fast gate. Where rows leave nothing behind, they are one
test here: all of them are tried, and all that fail are told, each with its row.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import pytest

#: So many are told in full; who has more to mend begins with these.
_TOLD = 10


def all_rows(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Like `pytest.mark.parametrize`, for rows that need no surroundings of their own.

    What else the test takes comes from fixtures, once for all rows.
    """
    keys = [name.strip() for name in names.split(",")]
    rows = list(rows)
    assert not any(type(row) is type(pytest.param()) for row in rows), "marks and names are for tests"
    table = [dict(zip(keys, row if len(keys) > 1 else (row,), strict=True)) for row in rows]
    assert table, "a table without a row proves nothing"

    def in_turn(test: Callable[..., Any]) -> Callable[..., Any]:
        run = _in_turn_async(test, table) if inspect.iscoroutinefunction(test) else _in_turn(test, table)
        whole = inspect.signature(test)
        rest = [one for name, one in whole.parameters.items() if name not in keys]
        vars(run)["__signature__"] = whole.replace(parameters=rest)
        return run

    return in_turn


def _in_turn(test: Callable[..., None], table: list[dict[str, Any]]) -> Callable[..., None]:
    @functools.wraps(test)
    def run(**given: Any) -> None:
        failed = _Failed(table)
        for row in table:
            try:
                test(**row, **given)
            except Exception as error:  # noqa: BLE001 - the other rows are tried, and then it is raised
                failed.add(row, error)
        failed.tell()

    return run


def _in_turn_async(
    test: Callable[..., Awaitable[None]], table: list[dict[str, Any]]
) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def run(**given: Any) -> None:
        failed = _Failed(table)
        for row in table:
            try:
                await test(**row, **given)
            except Exception as error:  # noqa: BLE001 - the other rows are tried, and then it is raised
                failed.add(row, error)
        failed.tell()

    return run


class _Failed:
    """The rows that do not hold."""

    def __init__(self, table: list[dict[str, Any]]) -> None:
        self._table = table
        self._errors: list[Exception] = []

    def add(self, row: Mapping[str, Any], error: Exception) -> None:
        error.add_note("the row: " + ", ".join(f"{name}={value!r:.300}" for name, value in row.items()))
        self._errors.append(error)

    def tell(self) -> None:
        """Raise what was found: one by itself, several together."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            told = f"{len(self._errors)} of {len(self._table)} rows do not hold"
            raise ExceptionGroup(told, self._errors[:_TOLD])
