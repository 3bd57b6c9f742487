"""A table as one test: every row is tried, and what does not hold is told with its row."""

from __future__ import annotations

import inspect

import pytest

from tests.tables import all_rows


def test_every_row_is_tried_and_those_that_fail_are_told_together() -> None:
    tried: list[int] = []

    @all_rows("number", [1, 2, 3, 4])
    def is_even(number: int) -> None:
        tried.append(number)
        assert number % 2 == 0

    with pytest.raises(ExceptionGroup, match="2 of 4 rows do not hold") as told:
        is_even()
    assert tried == [1, 2, 3, 4]
    assert [error.__notes__ for error in told.value.exceptions] == [
        ["the row: number=1"],
        ["the row: number=3"],
    ]


async def test_one_that_fails_is_raised_as_it_is_also_where_it_is_awaited() -> None:
    @all_rows("word, length", [("one", 3), ("three", 4)])
    async def has(word: str, length: int) -> None:
        assert len(word) == length

    with pytest.raises(AssertionError) as told:
        await has()
    assert told.value.__notes__ == ["the row: word='three', length=4"]


def test_what_no_row_gives_comes_from_fixtures() -> None:
    @all_rows("word", ["a"])
    def test(word: str, partner: object) -> None:
        assert (word, partner) == ("a", "b")

    assert list(inspect.signature(test).parameters) == ["partner"]
    test(partner="b")


def test_an_empty_table_proves_nothing_and_rows_have_no_marks() -> None:
    with pytest.raises(AssertionError, match="proves nothing"):
        all_rows("word", [])
    with pytest.raises(AssertionError, match="marks"):
        all_rows("word", [pytest.param("a")])
