"""What is moved, put off or done now without a card is what a person may have so; else it asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.schedule import Cycle, Once, Terms
from tests.action.saved_plans.plan_room import calls
from tests.action.schedules.schedule_room import (
    BEGIN,
    START,
    Times,
    daily,
    hourly,
    of,
    once,
    planned,
    proposed,
    set_reminder,
    yes,
)

pytestmark = pytest.mark.integration

SOON = BEGIN + timedelta(minutes=2)


async def test_a_single_reminder_becomes_a_cycle_by_a_card_alone(partner: Partner) -> None:
    schedule = await set_reminder(partner, once(SOON))
    with pytest.raises(UsageError, match="too often"):
        await partner.schedules.edit(schedule.id, Terms(cycle=Cycle(START, every_s=1)))
    answer = await partner.schedules.edit(schedule.id, hourly())
    assert len(answer.actions) == 1
    assert (await of(partner, schedule.id)).terms == schedule.terms


@pytest.mark.parametrize("year", [1, 2000, 9999])
async def test_times_that_are_none_are_refused_in_a_sentence(partner: Partner, year: int) -> None:
    schedule = await set_reminder(partner, once(SOON))
    wall = datetime(year, 1, 1)  # noqa: DTZ001 - on the wall
    with pytest.raises(UsageError):
        await partner.schedules.edit(schedule.id, Terms(once=Once(wall), zone="Europe/Berlin"))
    if year != 2000:
        with pytest.raises(UsageError, match="put off"):
            await partner.schedules.snooze(schedule.id, wall.replace(tzinfo=UTC))


async def test_what_is_over_is_neither_done_again_nor_revived(
    partner: Partner, times: Times, log: Path
) -> None:
    cancelled = await set_reminder(partner, hourly())
    await partner.schedules.cancel(cancelled.id)
    with pytest.raises(UsageError, match="is over"):
        await partner.schedules.snooze(cancelled.id, SOON)
    schedule = await planned(partner, once(SOON), [{"log": str(log), "line": "once"}])
    await times.to(SOON)
    await times.fired(schedule.id, SOON)
    with pytest.raises(UsageError, match="is over"):
        await partner.schedules.run(schedule.id)
    assert calls(log) == ["once"]


async def test_what_was_put_off_and_paused_comes_at_that_time(partner: Partner, times: Times) -> None:
    schedule = await set_reminder(partner, once(SOON))
    await times.to(SOON)
    await times.reminded()
    later = SOON + timedelta(hours=1)
    await partner.schedules.snooze(schedule.id, later)
    await partner.schedules.pause(schedule.id)
    await partner.schedules.resume(schedule.id)
    await times.to(later)
    assert (await times.reminded(2)).firing.due_at == later


async def test_a_folder_that_another_took_the_place_of_stops_it(
    partner: Partner, times: Times, log: Path, user_home: Path
) -> None:
    folder, other = user_home / "project", user_home / "other"
    folder.mkdir()
    other.mkdir()
    asked = await proposed(partner, hourly(), [{"log": str(log), "line": "one"}], cwd=folder)
    assert isinstance(asked, Proposed)
    schedule = await yes(partner, asked.action)
    await times.to(BEGIN + timedelta(hours=1))
    await times.fired(schedule.id, BEGIN + timedelta(hours=1), "done")
    folder.rename(user_home / "before")
    folder.symlink_to(other)
    await times.to(BEGIN + timedelta(hours=2))
    await times.is_so(schedule.id, "stopped")
    assert calls(log) == ["one"]


async def test_a_plan_does_not_become_a_message(partner: Partner, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "one"}])
    with pytest.raises(UsageError, match="only a reminder"):
        await partner.schedules.edit(schedule.id, replace(daily(9), message="hello"))
