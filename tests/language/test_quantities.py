"""Numbers, units and moments as they are written in a message."""

from __future__ import annotations

from decimal import Decimal

import pytest

from partner_desktop.language.values.moments import read_moments, wanted_format
from partner_desktop.language.values.quantities import asked_units, converted, find_quantities
from tests.mind.asking import TODAY
from tests.tables import all_rows


@all_rows(
    "text, found",
    [
        ("5 km", [("5", "km")]),
        ("-3 and +4", [("-3", ""), ("4", "")]),
        ("a range of 5-10", [("5", ""), ("10", "")]),
        ("$1,000.50", [("1000.50", "$")]),
        ("2.5 million", [("2500000.0", "")]),
        ("forty-two", [("42", "")]),
        ("three hundred and five", [("305", "")]),
        ("two and a half hours", [("2.5", "hours")]),
        ("a dozen eggs", [("12", "")]),
        ("half an hour", [("0.5", "hour")]),
        ("三百五十个", [("350", "")]),
        ("十五分钟", [("15", "分钟")]),
        ("两万人", [("20000", "")]),
        ("5公里", [("5", "公里")]),
        ("30%", [("30", "%")]),
        ("零下5度", [("-5", "度")]),
        ("负3", [("-3", "")]),
        ("quarterly", [("4", "per year")]),
        ("缩到四百像素", [("400", "像素")]),
        ("最长边改成六百五", [("650", "")]),
        ("三万二人民币", [("32000", "人民币")]),
        ("打车三十二块五", [("32.5", "块")]),
        ("身高一米七五，体重七十公斤", [("1.75", "米"), ("70", "公斤")]),
        ("番茄钟半小时", [("0.5", "小时")]),
        ("前五名", [("5", "")]),
        ("万一下雨，千万别去", []),
        ("the past fortnight", [("1", "fortnight")]),
        ("the next week", [("1", "week")]),
        ("ORD123 and 12345XYZ and v1.2.3", []),
        ("https://a.example/12 and ~/a/12.txt", []),
        ("x^2 + 3x", []),
    ],
)
def test_a_number_is_found_with_its_unit(text: str, found: list[tuple[str, str]]) -> None:
    quantities = find_quantities(text)
    assert [(quantity.value, quantity.unit) for quantity in quantities] == [
        (Decimal(value), unit) for value, unit in found
    ]


@pytest.mark.parametrize(
    ("value", "unit", "name", "description", "wanted"),
    [
        ("5", "km", "distance", "Distance in meters", "5000"),
        ("2", "hours", "timeout_s", "How long to wait", "7200"),
        ("90", "minutes", "hours", "", "1.5"),
        ("5", "mb", "size", "Smallest size in bytes", "5000000"),
        ("72", "fahrenheit", "temperature", "Temperature in Celsius", "22.22"),
        ("5", "km", "distance", "The distance", "5"),
        ("5", "$", "amount", "Amount in euros", "5"),
        ("6", "feet", "height", "Height in centimeters", "182.88"),
    ],
)
def test_a_number_becomes_the_unit_that_is_asked_for(
    value: str, unit: str, name: str, description: str, wanted: str
) -> None:
    assert converted(Decimal(value), unit, asked_units(name, description)) == Decimal(wanted)


@all_rows(
    "text, moments",
    [
        ("tomorrow", ["2025-03-06"]),
        ("the day after tomorrow", ["2025-03-07"]),
        ("next Monday", ["2025-03-10"]),
        ("this weekend", ["2025-03-08"]),
        ("in 3 days", ["2025-03-08"]),
        ("from April 1-April 30 2023", ["2023-04-01", "2023-04-30"]),
        ("on the 15th of April, 2023", ["2023-04-15"]),
        ("Sept. 4, 2024", ["2024-09-04"]),
        ("2024/02/29", ["2024-02-29"]),
        ("next Friday; today is Monday, June 2nd 2025", ["2025-06-06"]),
        ("明天", ["2025-03-06"]),
        ("下周三", ["2025-03-12"]),
        ("5月3日", ["2025-05-03"]),
        ("二〇二六年五月三日", ["2026-05-03"]),
        ("I may march on", []),
        ("2024-02-31", []),
    ],
)
async def test_a_date_is_read_from_a_fixed_day(text: str, moments: list[str]) -> None:
    found = await read_moments(text, TODAY)
    assert [f"{moment.at:%Y-%m-%d}" for moment in found] == moments


@pytest.mark.parametrize(
    ("description", "form"),
    [
        ("The day, in the format YYYY-MM-DD", "%Y-%m-%d"),
        ("Date as MM/DD/YYYY", "%m/%d/%Y"),
        ("dd/mm/yyyy", "%d/%m/%Y"),
        ("Time in 24-hour format", "%H:%M"),
        ("an ISO 8601 timestamp like 2024-01-01T00:00:00Z", "%Y-%m-%dT%H:%M:%SZ"),
        ("The day", ""),
    ],
)
def test_a_description_tells_how_a_date_is_written(description: str, form: str) -> None:
    assert wanted_format(description) == form
