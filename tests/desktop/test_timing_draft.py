"""A timing as the form has it: what is typed comes back as terms, and what is none says why."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest

from partner_desktop.desktop.panel.schedules.timing_draft import (
    TimingProblemError,
    terms_from,
    timing_kind,
    values_of,
    with_missed,
)
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.schedule import Cycle, Once, Terms
from tests.tables import all_rows

START = datetime.fromisoformat("2030-05-14T12:00")
CYCLES = {
    "days": Cycle(START, rule="FREQ=WEEKLY;BYDAY=MO,WE", times=(time(8), time(18, 30))),
    "month": Cycle(START, rule="FREQ=MONTHLY;BYMONTHDAY=1,-1", times=(time(9),)),
    "every": Cycle(START, every_s=5400, between=(time(9), time(17))),
    "cron": Cycle(START, cron="*/5 9-17 * * 1-5"),
    "rule": Cycle(START, rule="FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", times=(time(15),), until=date(2031, 1, 1)),
}


@pytest.mark.parametrize("kind", CYCLES)
def test_a_cycle_that_nobody_touched_comes_back_as_it_was(kind: str) -> None:
    terms = Terms(cycle=CYCLES[kind], zone="Europe/Berlin", missed="skip", message="Drink something")
    assert timing_kind(terms) == kind
    assert terms_from(terms, kind, values_of(terms, START), START) == terms


def test_every_day_is_said_by_all_the_days_of_the_week() -> None:
    terms = Terms(cycle=Cycle(START, rule="FREQ=DAILY", times=(time(7),)))
    assert timing_kind(terms) == "days"
    assert terms_from(terms, "days", values_of(terms, START), START) == terms


def test_a_single_time_comes_back_as_it_was() -> None:
    terms = Terms(once=Once(START + timedelta(days=1)), message="Call Ann")
    assert terms_from(terms, "once", values_of(terms, START), START) == terms


def test_a_cycle_becomes_a_single_time_and_the_other_way_round() -> None:
    cycle = Terms(cycle=CYCLES["days"])
    once = terms_from(cycle, "once", {"date": "2030-05-15", "time": "9:05"}, START)
    assert once == Terms(once=Once(datetime.fromisoformat("2030-05-15T09:05")))
    again = terms_from(once, "every", {"amount": 30, "unit": "minutes"}, START)
    assert again == Terms(cycle=Cycle(START, every_s=1800))


def test_another_policy_is_taken_and_nonsense_is_not() -> None:
    terms = Terms(cycle=CYCLES["days"], missed="all")
    assert with_missed(terms, "skip") == replace(terms, missed="skip")
    assert with_missed(terms, None) == terms


@all_rows(
    "kind, values, said",
    [
        ("once", {"date": "2030-05-14", "time": "11:59"}, "That time has passed."),
        ("once", {"date": "2030-02-30", "time": "09:00"}, "Type a date, such as 2030-05-14."),
        ("once", {"date": "2030-06-01", "time": "25:00"}, "“25:00” is not a time, such as 18:00."),
        ("days", {"weekdays": [], "times": "09:00"}, "Choose at least one day."),
        ("days", {"weekdays": ["MO"], "times": ""}, "Type times, such as 09:00, 18:00."),
        ("days", {"weekdays": ["MO"], "times": "noon"}, "“noon” is not a time, such as 18:00."),
        ("month", {"month_days": "32", "times": "09:00"}, "“32” is not a day of a month."),
        ("month", {"month_days": " , ", "times": "09:00"}, "Type days of the month, such as 1, 15."),
        ("every", {"amount": 0, "unit": "seconds"}, "Type how often, as a number above 0."),
        (
            "every",
            {"amount": 1, "unit": "hours", "begin": "09:00", "end": "09:00"},
            "The end is to be another time than the beginning.",
        ),
        ("cron", {"cron": "every now and then"}, "This cron line cannot be read."),
        ("cron", {"cron": "0 0 30 2 *"}, "This cron line cannot be read."),
        ("cron", {"cron": ""}, "This cron line cannot be read."),
        ("cron", {"cron": "0 9 * * *", "until": "2030-05-13"}, "The last day has passed."),
    ],
)
def test_what_is_no_timing_says_why(kind: str, values: dict[str, Json], said: str) -> None:
    terms = Terms(cycle=CYCLES["days"])
    with pytest.raises(TimingProblemError) as found:
        terms_from(terms, kind, values, START)
    assert str(found.value) == said


def test_hours_may_go_on_past_midnight() -> None:
    values: dict[str, Json] = {"amount": 1, "unit": "hours", "begin": "22:00", "end": "06:00"}
    cycle = terms_from(Terms(cycle=CYCLES["days"]), "every", values, START).cycle
    assert cycle is not None
    assert cycle.between == (time(22), time(6))


def test_times_are_read_however_they_are_parted() -> None:
    values: dict[str, Json] = {"weekdays": ["SU"], "times": "18：00、8:00, 18:00"}
    terms = terms_from(Terms(cycle=CYCLES["days"]), "days", values, START)
    assert terms.cycle == Cycle(START, rule="FREQ=WEEKLY;BYDAY=SU", times=(time(8), time(18)))
