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
    "what's 11/30": "11/30",
    "11/30等于多少": "11/30",
    "算一下2000-1985": "2000-1985",
    "what's 1920 x 1080": "1920*1080",
    "30 minus 5": "30 - 5",
    "$20 + 30 dollars": "20 + 30",
    "¥20+30元": "20+30",
    "100加20%": "100+20%",
    "120 between 5 people, how much each": "120 / 5",
    "四个人吃饭一共388，每人多少": "388 / 4",
    "388块四个人平分": "388 / 4",
}
MEASURES = {
    "5 miles in km?": ("5", "miles", "km"),
    "and 180 cm in feet": ("180", "cm", "feet"),
    "convert 100 fahrenheit to celsius": ("100", "fahrenheit", "celsius"),
    "100f in c": ("100", "fahrenheit", "celsius"),
    "how many feet are in 2 meters": ("2", "meters", "feet"),
    "how many miles is 10k": ("10", "km", "miles"),
    "half marathon in miles": ("21.0975", "km", "miles"),
    "5公里等于多少米": ("5", "公里", "米"),
}
NONE = (
    "2026-11-28",
    "call 555-1234",
    "top 20",
    "make it 640",
    "10k files",
    "i ran a marathon",
    "split it between 3",
    "两个人一起去",
    "delete 3 files in 2 folders",
    "50 euros in dollars",
    "$20 + €30",
    "what's 20 dollars plus 30 euros",
    "20美元加30欧元是多少",
)
#: Times, dates, sizes and telephone numbers.
NEVER_SUMS = ("3:30", "9:00-17:00", "2026-11-30", "30/11/2026", "555-1234", "(212) 555-1234", "1920x1080")


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


@pytest.mark.parametrize("lead", ["", "and ", "what's ", "再"])
@pytest.mark.parametrize("said", NEVER_SUMS)
def test_times_dates_sizes_and_telephone_numbers_are_no_sums(lead: str, said: str) -> None:
    assert read_calculation(f"{lead}{said}") is None
    assert read_calculation(f"{lead}{said}", "17*23") is None


@pytest.mark.parametrize("said", ["and 11/30", "please 9-17", "再11/30", "and 1920 x 1080", "tell me 9–17"])
def test_what_may_be_a_date_a_span_or_a_size_is_a_sum_only_where_it_is_asked_what_it_comes_to(
    said: str,
) -> None:
    assert read_calculation(said) is None


def test_while_something_waits_a_sum_is_asked_for_in_so_many_words() -> None:
    for said in ("17*23", "and 640 * 2", "再100加20", "plus 9"):
        assert read_calculation(said, "3", only_asked=True) is None
    for said in ("what's 17*23", "17*23=?", "17乘以23等于多少"):
        assert read_calculation(said, only_asked=True) is not None


def test_a_sum_goes_on_with_the_one_before() -> None:
    assert read_calculation("plus 9", "17*23") == {"expression": "(17*23) + 9"}
    assert read_calculation("plus 9") is None


def test_a_measure_goes_on_with_its_result_and_in_its_unit() -> None:
    found = read_calculation("times 2", "8.0467", unit="km")
    assert found == {"expression": "(8.0467) * 2", "unit": "km", "into": "km"}


def test_a_sum_goes_on_with_the_and_split() -> None:
    assert read_calculation("plus the 84", "416") == {"expression": "(416) + 84"}
    assert read_calculation("split between 3", "500") == {"expression": "(500) / 3"}


def test_a_measure_is_followed_by_another_and_by_another_unit() -> None:
    assert read_calculation("and a half marathon", "6.2", unit="miles") == {
        "expression": "21.0975",
        "unit": "km",
        "into": "miles",
    }
    assert read_calculation("那换成磅", "1500", unit="克") == {
        "expression": "1500",
        "unit": "克",
        "into": "磅",
    }
    assert read_calculation("and 20 minutes", "6.2", unit="miles") is None
