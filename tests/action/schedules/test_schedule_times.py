"""A whole year on the walls of two zones, over each leap of their clocks, against other reckoning."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pytest

from partner_desktop.action.schedules.firing_times import next_time
from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.schedule import Cycle, Once, Schedule, Terms
from tests.action.schedules.schedule_room import BEGIN, Times, once, set_reminder
from tests.support import FakeClock

pytestmark = pytest.mark.integration

ZONES = ("Europe/Berlin", "America/New_York")
YEAR = date(2026, 1, 1), date(2027, 1, 1)


@cache
def first_moments(zone: str) -> dict[datetime, datetime]:
    """What each quarter of an hour shows on the wall → the first that does."""
    table = ZoneInfo(zone)
    seen: dict[datetime, datetime] = {}
    moment = datetime(2025, 12, 30, tzinfo=UTC)
    while moment < datetime(2027, 1, 3, tzinfo=UTC):
        seen.setdefault(moment.astimezone(table).replace(tzinfo=None), moment)
        moment += timedelta(minutes=15)
    return seen


def reckoned(zone: str, at: time) -> list[datetime]:
    """Each day's moment, by looking at every minute that there is: the first that shows this time, or, where
    none does, the one that is as far behind the leap as the time is.
    """
    seen = first_moments(zone)
    days = (YEAR[0] + timedelta(number) for number in range((YEAR[1] - YEAR[0]).days))
    walls = [datetime.combine(day, at) for day in days]
    return [seen.get(wall) or seen[wall + timedelta(hours=1)] for wall in walls]


@pytest.mark.promise("actions.schedule.cycle")
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("at", [time(0), time(1, 30), time(2, 30), time(3), time(18)])
@pytest.mark.parametrize("form", ["cron", "rule"])
def test_each_day_of_a_year_comes_once_and_at_its_time(zone: str, at: time, form: str) -> None:
    start = datetime(2025, 12, 31)  # noqa: DTZ001 - on the wall
    cycle = Cycle(start, cron=f"{at.minute} {at.hour} * * *")
    if form == "rule":
        cycle = Cycle(start, rule="FREQ=DAILY", times=(at,))
    schedule = Schedule("one", "", "daily", Terms(cycle=cycle, zone=zone), "armed", BEGIN)
    wanted = reckoned(zone, at)
    moment: datetime | None = wanted[0] - timedelta(minutes=1)
    found = []
    for _ in wanted:
        assert moment is not None
        moment = next_time(schedule, moment)
        assert moment is not None
        found.append(moment.astimezone(UTC))
    assert found == wanted


@pytest.mark.promise("actions.schedule.cycle")
async def test_a_year_of_nights_in_two_zones_is_told_without_a_gap(
    partner: Partner, clock: FakeClock, times: Times, home: Home
) -> None:
    at, ids = time(2, 30), {}
    for zone in ZONES:
        terms = Terms(
            cycle=Cycle(datetime(2026, 1, 1), cron="30 2 * * *"),  # noqa: DTZ001 - on the wall
            zone=zone,
        )
        ids[zone] = (await set_reminder(partner, terms, f"night in {zone}")).id
    wanted = {zone: [each for each in reckoned(zone, at) if each > clock.now()] for zone in ZONES}
    await partner.settled()  # a yes is told by a turn, which would take hours
    for number, moment in enumerate(sorted(each for found in wanted.values() for each in found), 1):
        times.jump(moment)
        await times.reminded(number)
    for zone in ZONES:
        fired = await partner.schedules.history(ids[zone], limit=1_000)
        assert [each.due_at for each in reversed(fired)] == wanted[zone]


@pytest.mark.promise("actions.schedule.once")
@pytest.mark.parametrize(
    ("zone", "wall", "moment"),
    [
        ("Europe/Berlin", datetime(2026, 3, 29, 2, 30), datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),  # noqa: DTZ001
        ("Europe/Berlin", datetime(2026, 3, 29, 9, 0), datetime(2026, 3, 29, 7, 0, tzinfo=UTC)),  # noqa: DTZ001
        ("Europe/Berlin", datetime(2026, 10, 25, 2, 30), datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),  # noqa: DTZ001
        ("Europe/Berlin", datetime(2026, 10, 26, 9, 0), datetime(2026, 10, 26, 8, 0, tzinfo=UTC)),  # noqa: DTZ001
        ("America/New_York", datetime(2026, 3, 8, 2, 30), datetime(2026, 3, 8, 7, 30, tzinfo=UTC)),  # noqa: DTZ001
        ("America/New_York", datetime(2026, 11, 1, 1, 30), datetime(2026, 11, 1, 5, 30, tzinfo=UTC)),  # noqa: DTZ001
    ],
)
async def test_a_single_time_comes_once_whatever_the_clock_does(
    partner: Partner, times: Times, zone: str, wall: datetime, moment: datetime
) -> None:
    schedule = await set_reminder(partner, Terms(once=Once(wall), zone=zone))
    assert schedule.next_at == moment
    await times.to(moment - timedelta(seconds=1))
    await times.to(moment)
    assert (await times.reminded()).firing.due_at == moment
    await times.by(hours=2)
    assert len(await partner.schedules.history(schedule.id)) == 1


async def test_ten_thousand_of_them_wait_and_one_that_is_due_comes_at_its_time(
    partner: Partner, times: Times, home: Home
) -> None:
    schedule = await set_reminder(partner, once(BEGIN + timedelta(minutes=5)))
    with closing(sqlite3.connect(home.database)) as db, db:
        (row,) = db.execute("SELECT terms FROM schedules").fetchall()
        terms = json.loads(row[0])
        db.executemany(
            "INSERT INTO schedules (id, conversation_id, title, state, why, waits_for, terms, called_off, "
            "asks, language, template, created_at, next_at) "
            "VALUES (?, '', 'call', 'armed', '', 'once', ?, '[]', 0, 'en', '', ?, ?)",
            [
                (f"{number:032}", json.dumps(terms), BEGIN.isoformat(), (BEGIN + timedelta(9)).isoformat())
                for number in range(10_000)
            ],
        )
    await times.by(minutes=5)
    event = await times.reminded()
    assert event.schedule.id == schedule.id
    assert await partner.schedules.count() == 10_000
    assert len(await partner.schedules.list()) == 40
    planned = await partner.agent_context.capability(ScheduleManager).listed()
    assert (len(planned.schedules), planned.more) == (40, 9_960)
