"""Builtins that work something out: sums, measures, the time elsewhere, how far a day is."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from partner_desktop.abilities.builtin.calculator import calculated
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.json_value import JsonObject
from tests.abilities.builtin.calling import Caller, summary

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration


async def test_sums_and_measures_are_worked_out(call: Caller) -> None:
    assert summary(await call("calculate", {"expression": "15% * 740"})) == "15% × 740 = 111"
    assert summary(await call("calculate", {"expression": "10 / 4 - 2 ** 3"})) == "10 ÷ 4 − 2 ^ 3 = -5.5"
    length: JsonObject = {"expression": "5", "unit": "miles", "into": "km"}
    assert summary(await call("calculate", length)) == "5 miles = 8.0467 km"


SUMS = {
    "100 + 20%": "120",
    "100+20%+10": "130",
    "200 - 10%": "180",
    "(17*23) + 10%": "430.1",
    "10% + 20%": "0.3",
    "85 * (1 - 20%)": "68",
    "17 % 5": "2",
    "007 + 1": "8",
    "100 + 0.05 + 1.005": "101.055",
    "123456789012.55 + 0": "123,456,789,012.55",
    "2 / 3": "0.666666666667",
    "10 ** 15": "1,000,000,000,000,000",
}
MEASURES = (
    ("1", "year", "months", "1 year = 12 months"),
    ("36", "months", "years", "36 months = 3 years"),
    ("1", "年", "个月", "1 年 = 12 个月"),
    ("2", "quarters", "months", "2 quarters = 6 months"),
    ("1", "decade", "years", "1 decade = 10 years"),
    ("1", "year", "days", "1 year = 365 days"),
    ("(8.0467) * 2", "km", "km", "(8.0467) × 2 = 16.0934 km"),
)


@pytest.mark.parametrize(("expression", "result"), SUMS.items())
def test_a_sum_comes_to_its_result(expression: str, result: str) -> None:
    assert str(calculated(expression)["summary"]).rpartition(" = ")[2] == result


@pytest.mark.parametrize(("expression", "unit", "into", "told"), MEASURES)
def test_a_measure_is_told_in_another_unit(expression: str, unit: str, into: str, told: str) -> None:
    assert calculated(expression, unit, into)["summary"] == told


@pytest.mark.parametrize(
    "expression", ["1 / 0", "0 ** -1", "7 @ 3", "__import__('os')", "9 ** 9 ** 9 ** 9", "2 +", "len"]
)
async def test_what_is_no_sum_is_told(call: Caller, expression: str) -> None:
    record = await call("calculate", {"expression": expression})
    assert record.status is ActionStatus.FAILED
    assert "no sum" in summary(record)


async def test_units_of_two_kinds_are_not_turned_into_one_another(call: Caller) -> None:
    for unit, into in (("miles", "kg"), ("euros", "dollars")):
        told = summary(await call("calculate", {"expression": "5", "unit": unit, "into": into}))
        assert "can't turn" in told


async def test_the_time_is_told_for_another_zone_and_a_day_by_how_far_it_is(call: Caller) -> None:
    assert "in the time zone of Tokyo" in summary(await call("time", {"timezone": "Asia/Tokyo"}))
    assert "no time zone" in summary(await call("time", {"timezone": "Nowhere/Atall"}))
    today = datetime.now().astimezone().date()
    ahead = summary(await call("time", {"date": (today + timedelta(6)).isoformat()}))
    assert ahead.endswith("is in 6 days.")
    assert "was 1 day ago" in summary(await call("time", {"date": (today - timedelta(1)).isoformat()}))
    assert summary(await call("time", {"date": "2000-01-01"})).startswith("Saturday, 1 January 2000 was ")
