"""Timings that cannot be, or never come, are told apart in no time; none is looked for without an end."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from partner_desktop.domain.schedule import Cycle, Once, Timing, days_of_rule, occurrences
from tests.tables import all_rows

WALL = datetime(2026, 3, 1)  # noqa: DTZ001 - on the wall
NOW = datetime(2026, 3, 2, 7, tzinfo=UTC)
EIGHT = (time(8),)


def wall(year: int) -> datetime:
    return datetime(year, 1, 1)  # noqa: DTZ001 - on the wall


def rule(text: str) -> Cycle:
    return Cycle(WALL, rule=text, times=EIGHT)


@all_rows(
    "timing",
    [
        rule("FREQ=DAILY;INTERVAL=0"),
        rule("FREQ=DAILY;INTERVAL=-1"),
        rule("FREQ=HOURLY"),
        rule("FREQ=MINUTELY"),
        rule("FREQ=SECONDLY;BYMONTHDAY=30;BYMONTH=2"),
        rule("FREQ=DAILY;BYSECOND=1"),
        rule("FREQ=YEARLY;BYEASTER=262"),
        rule("RRULE:FREQ=DAILY\nEXRULE:FREQ=DAILY"),
        rule("FREQ=DAILY\nEXRULE:FREQ=DAILY"),
        rule("FREQ=DAILY;FREQ=WEEKLY"),
        rule("FREQ=YEARLY;BYDAY=" + ",".join(["MO"] * 1000)),
        rule("FREQ=WEEKLY;BYDAY=XX"),
        Cycle(WALL, rule="FREQ=DAILY"),
        Cycle(WALL),
        Cycle(WALL, rule="FREQ=DAILY", times=EIGHT, every_s=-1),
        Cycle(WALL, every_s=-1),
        Cycle(WALL, every_s=10**30),
        Cycle(wall(1), every_s=10),
        Cycle(wall(1900), rule="FREQ=DAILY", times=EIGHT),
        Cycle(wall(9999), every_s=60),
        Cycle(WALL, cron="61 * * * *"),
        Cycle(WALL, cron="0 0 30 2 *"),
        Cycle(NOW, every_s=60),
        Once(wall(1)),
        Once(wall(9999)),
        Once(NOW),
    ],
)
def test_what_is_no_timing_is_refused_by_one_error(timing: Timing) -> None:
    with pytest.raises(ValueError, match=r"."):
        next(occurrences(timing, ZoneInfo("Europe/Berlin"), after=NOW), None)


@pytest.mark.parametrize(
    "timing",
    [
        rule("FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2"),
        rule("FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2"),
        rule("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4"),
        Cycle(WALL, every_s=86_400, between=(time(9), time(17))),
        Cycle(WALL, every_s=60, until=date(2000, 1, 1)),
    ],
    ids=str,
)
def test_what_never_comes_is_known_to_never_come(timing: Timing) -> None:
    assert next(occurrences(timing, UTC, after=NOW), None) is None


@pytest.mark.parametrize("text", ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;INTERVAL=99"])
def test_what_comes_seldom_comes(text: str) -> None:
    assert next(occurrences(rule(text), UTC, after=NOW), None) is not None


@pytest.mark.parametrize(
    "text",
    [
        "FREQ=DAILY",
        "FREQ=DAILY;INTERVAL=5;BYDAY=MO,TU,SA",
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH;WKST=WE",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;BYSETPOS=1",
        "FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU,-1FR",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    ],
)
def test_a_rule_names_the_same_days_however_late_it_is_looked_at(text: str) -> None:
    for begin in (WALL.date() + timedelta(number) for number in range(7)):
        whole = list(islice(days_of_rule(text, begin), 200))
        for late in range(0, 100, 3):
            since = begin + timedelta(late)
            wanted = [day for day in whole if day >= since][:3]
            assert list(islice(days_of_rule(text, begin, since=since), 3)) == wanted, (begin, since)
