"""Builtins that work something out: sums, measures, the time elsewhere, how far a day is."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

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


@pytest.mark.parametrize("expression", ["1 / 0", "__import__('os')", "9 ** 9 ** 9 ** 9", "2 +", "len"])
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
