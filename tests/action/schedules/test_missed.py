"""What was due while Partner was closed, or the machine slept: told once, and done by its policy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.message import Role
from partner_desktop.domain.schedule import Schedule
from tests.action.saved_plans.plan_room import calls
from tests.action.schedules.schedule_room import (
    BEGIN,
    MISSED,
    Times,
    cron,
    daily,
    hourly,
    of,
    once,
    planned,
    reminded,
    set_reminder,
    yes,
)
from tests.support import FakeClock, Watcher

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.schedule.missed")]

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)


@asynccontextmanager
async def started(build: Callable[[], Partner], clock: FakeClock) -> AsyncIterator[tuple[Partner, Times]]:
    """Another start of Partner, now."""
    partner, watcher = build(), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, Times(partner, clock, watcher)
    finally:
        await partner.close()


async def closed(partner: Partner, clock: FakeClock, until: datetime) -> None:
    """Partner is closed until then."""
    await partner.settled()
    await partner.close()
    clock.move(until - clock.now())


async def rows(partner: Partner, schedule: Schedule) -> list[tuple[datetime, str, int]]:
    return [(one.due_at, one.state, one.count) for one in await partner.schedules.history(schedule.id)]


@pytest.mark.parametrize(
    ("policy", "done", "kept"),
    [
        ("once", 1, [(FIRST + timedelta(4), "done", 5)]),
        ("skip", 0, [(FIRST + timedelta(4), "missed", 5)]),
        ("all", 5, [(FIRST + timedelta(day), "done", 1) for day in (4, 3, 2, 1, 0)]),
    ],
)
async def test_what_was_missed_is_done_by_its_policy(
    partner: Partner,
    build: Callable[[], Partner],
    clock: FakeClock,
    log: Path,
    policy: str,
    done: int,
    kept: list[tuple[datetime, str, int]],
) -> None:
    schedule = await planned(partner, daily(missed=policy), [{"log": str(log), "line": "evening"}])
    await closed(partner, clock, FIRST + timedelta(4, hours=2))
    async with started(build, clock) as (second, times):
        await times.fired(schedule.id, FIRST + timedelta(4), kept[0][1])
        await second.settled()
        assert await rows(second, schedule) == kept
        assert calls(log) == ["evening"] * done
        assert (await of(second, schedule.id)).next_at == FIRST + timedelta(5)


@pytest.mark.parametrize(("policy", "done"), [("once", 1), ("skip", 0), ("all", 3)])
async def test_where_nothing_else_is_said_the_settings_say_what_becomes_of_it(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path, policy: str, done: int
) -> None:
    schedule = await planned(partner, cron("0 18 * * *"), [{"log": str(log), "line": "evening"}])
    await partner.config.set("schedules", ("missed",), policy)
    await closed(partner, clock, FIRST + timedelta(2, hours=2))
    async with started(build, clock) as (second, times):
        await times.fired(schedule.id, FIRST + timedelta(2))
        await second.settled()
        assert calls(log) == ["evening"] * done


async def test_of_very_many_ten_are_done_and_the_rest_is_one_line(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    evidence = await reminded(partner, replace(hourly(), missed="all"), "drink")
    assert isinstance(evidence, Proposed)
    schedule = await yes(partner, evidence.action)
    await closed(partner, clock, BEGIN + timedelta(days=2, minutes=30))
    async with started(build, clock) as (second, times):
        await times.reminded(10)
        found = await rows(second, schedule)
        assert [state for _, state, _ in found] == ["done"] * 10 + ["missed"]
        assert found[-1] == (BEGIN + timedelta(hours=38), "missed", 38)


async def test_a_year_of_minutes_is_looked_over_at_once(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    schedule = await planned(partner, cron("* * * * *"), [{"log": str(log), "line": "minute"}])
    end = BEGIN + timedelta(365, seconds=30)
    await closed(partner, clock, end)
    async with started(build, clock) as (second, times):
        firing = await times.fired(schedule.id, BEGIN + timedelta(365))
        assert (firing.state, firing.count) == ("done", 1_000)
        assert (await of(second, schedule.id)).next_at == BEGIN + timedelta(365, minutes=1)
    assert calls(log) == ["minute"]


async def test_it_is_told_once(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    schedule = await planned(partner, daily(missed="skip"), [{"log": str(log), "line": "evening"}])
    await partner.settled()
    before = len([one for one in await partner.messages.list(schedule.conversation_id) if one.text])
    await closed(partner, clock, FIRST + timedelta(1, hours=1))
    for first in (True, False):
        async with started(build, clock) as (second, times):
            await times.fired(schedule.id, FIRST + timedelta(1))
            if first:
                await times.told()
            await times.by(seconds=20)
            await second.settled()
            said = await second.messages.list(schedule.conversation_id)
            assert len([one for one in said if one.role is Role.PARTNER and one.text]) == before + 1


async def test_what_is_made_up_for_one_by_one_is_told_once_whatever_restarts(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    await partner.permissions.ask("local::note")
    schedule = await planned(partner, daily(missed="all"), [{"log": str(log), "line": "evening"}])
    await closed(partner, clock, FIRST + timedelta(2, hours=2))
    told = []
    for day in range(3):
        async with started(build, clock) as (second, times):
            at = FIRST + timedelta(day)
            waiting = await times.fired(schedule.id, at, "waiting")
            await second.settled()
            await second.actions.reject(waiting.action_id)
            await times.fired(schedule.id, at, "called_off")
            if day < 2:
                await times.fired(schedule.id, at + timedelta(1), "waiting")
            await second.settled()
            said = await second.messages.list(schedule.conversation_id)
            told.append(sum(MISSED in one.text for one in said))
    assert told == [1, 1, 1]


async def test_a_reminder_that_was_missed_says_that_it_is_late(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock
) -> None:
    schedule = await set_reminder(partner, once(BEGIN + timedelta(minutes=2)))
    await closed(partner, clock, BEGIN + timedelta(hours=3))
    async with started(build, clock) as (second, times):
        await times.reminded()
        (said,) = await second.messages.list(schedule.conversation_id)
        assert said.text.startswith("Reminder: call Ann")
        assert "08:02" in said.text
        await times.by(hours=1)
        assert len(await second.messages.list(schedule.conversation_id)) == 1


async def test_a_machine_that_slept_does_what_it_missed_as_it_wakes(
    partner: Partner, times: Times, clock: FakeClock, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.settled()
    clock.set_by(timedelta(days=2, hours=11))
    await times.by(seconds=15)
    firing = await times.fired(schedule.id, FIRST + timedelta(2))
    assert (firing.state, firing.count) == ("done", 3)
    assert calls(log) == ["evening"]


@pytest.mark.parametrize("back", [timedelta(hours=1), timedelta(days=365)])
async def test_a_clock_that_is_put_back_neither_repeats_nor_waits(
    partner: Partner, times: Times, clock: FakeClock, log: Path, back: timedelta
) -> None:
    schedule = await planned(partner, hourly(), [{"log": str(log), "line": "hour"}])
    first = BEGIN + timedelta(hours=1)
    await times.to(first)
    await times.fired(schedule.id, first)
    await partner.settled()
    clock.set_by(-back)
    await times.by(seconds=15)
    now = clock.now()
    following = (now + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)
    await times.armed(schedule.id, following)
    await times.to(following)
    if following == first:
        await times.to(first + timedelta(hours=1))
        following = first + timedelta(hours=1)
    assert (await times.fired(schedule.id, following)).state == "done"
    assert calls(log) == ["hour"] * 2


async def test_a_clock_that_was_put_back_while_partner_was_closed_is_known(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, times: Times, log: Path
) -> None:
    schedule = await planned(partner, hourly(), [{"log": str(log), "line": "hour"}])
    first = BEGIN + timedelta(hours=1)
    await times.to(first)
    await times.fired(schedule.id, first)
    await closed(partner, clock, first - timedelta(days=30))
    async with started(build, clock) as (_, later):
        at = first - timedelta(days=30) + timedelta(hours=1)
        await later.to(at)
        assert (await later.fired(schedule.id, at)).state == "done"
