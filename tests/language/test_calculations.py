"""Sums and measures in words: what is worked out, and what only has numbers in it."""

from __future__ import annotations

import pytest

from partner_desktop.language.values.calculations import read_calculation

SUMS = {
    "what's 15% of 740": "15% * 740",
    "What is 20 percent off 85 euros?": "85 * (1 - 20%)",
    "how much is twelve times 740": "12 * 740",
    "1,200 divided by 3 please": "1200 / 3",
    "17*23": "17*23",
    "split 90 between 4 people": "90 / 4",
    "square root of 144": "144 ** 0.5",
    "12乘以7等于多少": "12*7",
    "740的15%是多少": "740 * 15%",
}
MEASURES = {
    "5 miles in km?": ("5", "miles", "km"),
    "and 180 cm in feet": ("180", "cm", "feet"),
    "convert 100 fahrenheit to celsius": ("100", "fahrenheit", "celsius"),
    "100f in c": ("100", "fahrenheit", "celsius"),
    "how many feet are in 2 meters": ("2", "meters", "feet"),
    "5公里等于多少米": ("5", "公里", "米"),
}
NONE = (
    "2026-11-28",
    "call 555-1234",
    "top 20",
    "make it 640",
    "delete 3 files in 2 folders",
    "50 euros in dollars",
)


@pytest.mark.parametrize(("said", "expression"), SUMS.items())
def test_a_sum_in_words_is_read(said: str, expression: str) -> None:
    assert read_calculation(said) == {"expression": expression}


@pytest.mark.parametrize(("said", "measure"), MEASURES.items())
def test_a_measure_in_another_unit_is_read(said: str, measure: tuple[str, str, str]) -> None:
    found = read_calculation(said)
    assert found is not None
    assert (found["expression"], found["unit"], found["into"]) == measure


@pytest.mark.parametrize("said", NONE)
def test_words_that_only_have_numbers_in_them_are_no_sum(said: str) -> None:
    assert read_calculation(said) is None


def test_a_sum_goes_on_with_the_one_before() -> None:
    assert read_calculation("plus 9", "17*23") == {"expression": "(17*23) + 9"}
    assert read_calculation("plus 9") is None
