"""Nothing that becomes of one schedule holds up the others: times that were set back, rows that are broken,
what is forgotten while it begins.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.saved_plans.plan_room import calls
from tests.action.schedules.schedule_room import (
    BEGIN,
    Times,
    daily,
    once,
    planned,
    set_reminder,
)
from tests.support import FakeClock

pytestmark = pytest.mark.integration

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)


@pytest.mark.parametrize("paused", [False, True])
async def test_a_time_that_was_done_and_passes_again_is_left_as_it_is(
    partner: Partner, times: Times, log: Path, clock: FakeClock, paused: bool
) -> None:
    schedule = await planned(partner, daily(missed="skip"), [{"log": str(log), "line": "evening"}])
    await times.to(FIRST)
    assert (await times.fired(schedule.id, FIRST)).state == "done"
    await partner.settled()
    clock.set_by(timedelta(hours=-1))
    clock.move(timedelta(seconds=16))
    await times.armed(schedule.id, FIRST)
    reminder = await set_reminder(partner, once(FIRST + timedelta(minutes=30)))
    if paused:
        await partner.schedules.pause()
    await times.by(hours=1, minutes=10)
    if paused:
        await partner.schedules.resume()
    await times.armed(schedule.id, FIRST + timedelta(days=1))
    await times.by(hours=1)
    await times.is_so(reminder.id, "over")
    assert [one.state for one in await partner.schedules.history(schedule.id)] == ["done"]
    assert calls(log) == ["evening"]


@pytest.mark.logs_errors  # it is reported
async def test_a_row_that_cannot_be_written_does_not_hold_up_the_others(
    partner: Partner, times: Times, home: Home
) -> None:
    broken = await set_reminder(partner, once(BEGIN + timedelta(hours=1)), "break")
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON firings "
            f"WHEN new.schedule_id = '{broken.id}' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    other_one = await set_reminder(partner, once(BEGIN + timedelta(hours=1)), "call Ann")
    await times.to(BEGIN + timedelta(hours=1))
    await times.is_so(other_one.id, "over")
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DROP TRIGGER broken")
    await times.by(seconds=20)
    await times.is_so(broken.id, "over")


async def test_a_rule_that_breaks_its_library_stops_its_schedule_alone(
    partner: Partner, times: Times, home: Home
) -> None:
    broken = await set_reminder(partner, daily(9), "break")
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "UPDATE schedules SET terms = json_set(terms, '$.cycle.cron', '', '$.cycle.rule', "
            "'FREQ=YEARLY;BYEASTER=262', '$.cycle.times', json('[\"09:00:00\"]'))"
        )
    other_one = await set_reminder(partner, once(BEGIN + timedelta(hours=2)), "call Ann")
    await times.to(BEGIN + timedelta(hours=2))
    await times.is_so(other_one.id, "over")
    await times.is_so(broken.id, "stopped")
