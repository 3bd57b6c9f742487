"""What is approved for later is done at its times, as it was approved, and as long as that holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.evidence import NoSuchTime, Proposed
from tests.action.saved_plans.plan_room import calls
from tests.action.schedules.schedule_room import (
    BEGIN,
    Times,
    daily,
    of,
    once,
    planned,
    proposed,
    set_reminder,
)
from tests.support import FakeClock, Watcher

pytestmark = pytest.mark.integration

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)
"""Six in the evening in Berlin."""


@pytest.mark.promise("actions.schedule.cycle")
@pytest.mark.promise("actions.schedule.grant")
async def test_what_is_approved_once_is_done_each_day_without_a_question(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    assert (schedule.state, schedule.asks, calls(log)) == ("armed", False, [])
    assert [each.astimezone(UTC) for each in schedule.next_times] == [
        FIRST + timedelta(days) for days in range(3)
    ]
    cards = sum(isinstance(event, ProposalEvent) for event in watcher.events)
    for day in range(3):
        await times.to(FIRST + timedelta(day))
        firing = await times.fired(schedule.id, FIRST + timedelta(day))
        assert firing.state == "done"
        record = await partner.actions.get(firing.action_id)
        assert (record.status, record.schedule_id) == (ActionStatus.SUCCEEDED, schedule.id)
        assert record.conversation_id == schedule.conversation_id
    assert calls(log) == ["evening"] * 3
    asked = [e for e in watcher.events if isinstance(e, ProposalEvent)][cards:]
    assert len(asked) == 3, "a card shows what runs"
    assert (await of(partner, schedule.id)).next_at == FIRST + timedelta(3)


@pytest.mark.promise("actions.schedule.once")
async def test_a_single_time_comes_once(partner: Partner, times: Times, log: Path, clock: FakeClock) -> None:
    schedule = await planned(partner, once(FIRST), [{"log": str(log), "line": "once"}])
    await times.to(FIRST)
    assert (await times.fired(schedule.id, FIRST)).state == "done"
    assert (await of(partner, schedule.id)).state == "over"
    await times.by(days=2)
    assert calls(log) == ["once"]


async def test_a_reminder_says_its_message_once(partner: Partner, times: Times) -> None:
    at = BEGIN + timedelta(minutes=2)
    schedule = await set_reminder(partner, once(at), "call Ann")
    await times.to(at)
    event = await times.reminded()
    assert (event.schedule.id, event.firing.due_at, event.quiet) == (schedule.id, at, False)
    said = [each.text for each in await partner.messages.list(schedule.conversation_id)]
    assert said == ["Reminder: call Ann"]
    assert event.schedule.state == "over"


async def test_a_plan_of_steps_is_done_at_its_time(partner: Partner, times: Times, log: Path) -> None:
    steps = [{"log": str(log), "line": "one"}, {"log": str(log), "line": "two"}]
    schedule = await planned(partner, daily(), steps)
    for day in range(2):
        await times.to(FIRST + timedelta(day))
        firing = await times.fired(schedule.id, FIRST + timedelta(day))
        assert firing.state == "done", firing.why
    assert calls(log) == ["one", "two"] * 2


async def test_what_is_too_often_is_refused(partner: Partner, log: Path) -> None:
    from partner_desktop.domain.schedule import Cycle, Terms

    terms = Terms(cycle=Cycle(datetime(2026, 3, 1), cron="* * * * * *"), zone="Europe/Berlin")  # noqa: DTZ001
    evidence = await proposed(partner, terms, [{"log": str(log), "line": "often"}])
    assert evidence == NoSuchTime("note it later", "often")
    assert not isinstance(evidence, Proposed)
