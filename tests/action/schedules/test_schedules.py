"""What is approved for later is done at its times, as it was approved, and as long as that holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.audit import AuditQuery
from partner_desktop.domain.events import AbilitiesEvent, ProposalEvent
from partner_desktop.domain.evidence import NoSuchTime, Proposed
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Role
from partner_desktop.domain.permission import Mode
from partner_desktop.domain.schedule import Cycle, Terms
from tests.action.saved_plans.plan_room import calls, write_step
from tests.action.schedules.schedule_room import (
    BEGIN,
    START,
    Times,
    cron,
    daily,
    hourly,
    of,
    once,
    planned,
    proposed,
    reminded,
    set_reminder,
    yes,
)
from tests.support import FakeClock, Watcher

pytestmark = pytest.mark.integration

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)
"""Six in the evening in Berlin."""

#: Goes on until its log says so.
SLOW = """\
# /// partner
# description = "Be slow"
# [params.log]
# type = "string"
# format = "path"
# access = "write"
# ///
import json, sys, time
path = json.load(sys.stdin)["log"]
while "go" not in open(path).read():
    time.sleep(0.01)
print("at last")
"""
SAME = """\
# /// partner
# description = "Say the same"
# params = {}
# ///
print("as ever")
"""


async def slow_script(watcher: Watcher, dynamic: Path) -> None:
    before = len(watcher.events)
    (dynamic / "slow.py").write_text(SLOW)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])


async def edited(watcher: Watcher, path: Path, name: str, description: str) -> None:
    before = len(watcher.events)
    write_step(path.parent, name, description)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])


async def firings_of(partner: Partner) -> list[ActionRecord]:
    """The actions that were begun by schedules."""
    return [one for one in await partner.actions.list() if one.schedule_id and one.terms is None]


async def entries(partner: Partner, key: str) -> AsyncIterator[tuple[str, str, str]]:
    """The rows of the audit log under a key."""
    for row in await partner.audit.page(AuditQuery(action=key)):
        yield row.kind, row.outcome, row.action_id


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


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        (cron("* * * * * *"), "often"),
        (Terms(cycle=Cycle(START, every_s=0)), "often"),
        (Terms(cycle=Cycle(START, every_s=9)), "often"),
        (cron("0 0 30 2 *"), "never"),
        (Terms(cycle=Cycle(START, rule="FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", times=(time(9),))), "never"),
        (Terms(cycle=Cycle(START, rule="nonsense", times=(time(9),))), "never"),
        (cron("nonsense"), "never"),
        (Terms(cycle=Cycle(START, every_s=86_400, between=(time(23), time(23, 30)))), "never"),
        (once(BEGIN - timedelta(hours=1)), "past"),
        (cron("0 9 * * *", zone="Nowhere/At_All"), "unclear"),
        (Terms(), "unclear"),
    ],
)
async def test_times_that_there_are_not_are_refused_before_any_card(
    partner: Partner, log: Path, terms: Terms, why: str
) -> None:
    evidence = await proposed(partner, terms, [{"log": str(log), "line": "never"}])
    assert evidence == NoSuchTime("note it later", why)  # type: ignore[arg-type] # one of them
    assert await partner.actions.list() == []


async def test_a_run_that_goes_on_is_not_begun_a_second_time(
    partner: Partner, times: Times, dynamic: Path, log: Path, watcher: Watcher
) -> None:
    await slow_script(watcher, dynamic)
    schedule = await planned(partner, hourly(), [{"log": str(log)}], key="local::slow")
    first = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    await times.to(first)
    running = await times.fired(schedule.id, first, "running")
    times.jump(first + timedelta(hours=1))
    skipped = await times.fired(schedule.id, first + timedelta(hours=1))
    assert (skipped.state, skipped.why) == ("skipped", "The run before was still going on.")
    log.write_text("go")
    assert (await times.fired(schedule.id, first)).state == "done"
    await partner.settled()
    assert (await partner.actions.get(running.action_id)).status is ActionStatus.SUCCEEDED
    assert len(await firings_of(partner)) == 1


@pytest.mark.promise("actions.schedule.grant")
async def test_an_edited_script_does_not_run_until_its_card_is_approved_anew(
    partner: Partner, watcher: Watcher, times: Times, dynamic: Path, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await edited(watcher, dynamic / "note.py", "note", "Note another line")
    await times.to(FIRST)
    stopped = await times.is_so(schedule.id, "stopped")
    assert "edited" in stopped.why
    (firing,) = await partner.schedules.history(schedule.id)
    assert (firing.state, firing.action_id) == ("refused", "")
    said = (await partner.messages.list(schedule.conversation_id))[-1].text
    assert "has stopped" in said
    assert stopped.why in said
    await times.by(days=3)
    assert len(await partner.schedules.history(schedule.id)) == 1
    assert calls(log) == []
    answer = await partner.schedules.resume(schedule.id)
    again = await yes(partner, answer.actions[0])
    assert (again.id, again.state) == (schedule.id, "armed")
    await times.to(FIRST + timedelta(4))
    assert (await times.fired(schedule.id, FIRST + timedelta(4))).state == "done"
    assert calls(log) == ["evening"]


@pytest.mark.promise("actions.schedule.grant")
async def test_a_removed_script_stops_its_schedule(
    partner: Partner, watcher: Watcher, times: Times, dynamic: Path, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    before = len(watcher.events)
    (dynamic / "note.py").unlink()
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])
    await times.to(FIRST)
    assert (await times.is_so(schedule.id, "stopped")).why


@pytest.mark.promise("actions.schedule.grant")
async def test_a_grant_that_was_taken_back_stops_it(partner: Partner, times: Times, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST)
    (grant,) = (await partner.permissions.list()).grants
    assert grant.action_key == f"schedule::{schedule.id}"
    await partner.permissions.revoke(grant.id)
    await times.to(FIRST + timedelta(1))
    stopped = await times.is_so(schedule.id, "stopped")
    assert stopped.why == "you took back what it was allowed"
    assert calls(log) == ["evening"]


@pytest.mark.promise("actions.schedule.grant")
async def test_an_edit_takes_the_grant_of_before_with_it(partner: Partner, times: Times, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await times.to(FIRST)
    assert (await times.fired(schedule.id, FIRST)).state == "done", "as it was, until the other is approved"
    answer = await partner.schedules.edit(schedule.id, daily(20))
    assert answer.actions[0].terms is not None
    moved = await yes(partner, answer.actions[0])
    assert moved.id == schedule.id
    (grant,) = (await partner.permissions.list()).grants
    later = FIRST + timedelta(hours=2)
    await times.to(later)
    assert (await times.fired(schedule.id, later)).state == "done"
    assert grant.current
    assert calls(log) == ["evening"] * 2


async def test_a_rule_that_denies_wins_and_is_told_once(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.permissions.deny("local::note")
    told = []
    for day in range(3):
        await times.to(FIRST + timedelta(day))
        firing = await times.fired(schedule.id, FIRST + timedelta(day))
        assert firing.state == "refused"
        told.append(bool(firing.action_id))
    assert told == [True, False, False]
    assert (await of(partner, schedule.id)).state == "armed"
    assert calls(log) == []


async def test_what_asks_each_time_makes_a_card_for_each(
    partner: Partner, watcher: Watcher, times: Times, log: Path
) -> None:
    await partner.permissions.ask("local::note")
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    assert schedule.asks
    assert (await partner.permissions.list()).grants == ()
    await times.to(FIRST)
    firing = await times.fired(schedule.id, FIRST, "waiting")
    assert calls(log) == []
    await partner.settled()
    await partner.actions.approve(firing.action_id, scope="once")
    assert (await times.fired(schedule.id, FIRST)).state == "done"
    assert calls(log) == ["evening"]
    await times.to(FIRST + timedelta(1))
    second = await times.fired(schedule.id, FIRST + timedelta(1), "waiting")
    await partner.settled()
    await partner.actions.reject(second.action_id)
    assert (await times.fired(schedule.id, FIRST + timedelta(1))).state == "called_off"


async def test_a_card_that_went_with_its_conversation_holds_up_no_later_time(
    partner: Partner, times: Times, log: Path
) -> None:
    await partner.permissions.ask("local::note")
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST, "waiting")
    await partner.settled()
    await partner.conversations.delete(schedule.conversation_id)
    await times.to(FIRST + timedelta(1))
    second = await times.fired(schedule.id, FIRST + timedelta(1), "waiting")
    assert (await times.fired(schedule.id, FIRST)).state == "called_off"
    await partner.settled()
    await partner.actions.approve(second.action_id, scope="once")
    assert (await times.fired(schedule.id, FIRST + timedelta(1))).state == "done"
    assert calls(log) == ["evening"]


async def test_an_outcome_that_the_disk_refused_holds_up_no_later_time(
    partner: Partner, times: Times, log: Path, home: Home
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON firings WHEN new.state = 'done' "
            "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST, "running")
    await partner.settled()
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DROP TRIGGER full")
    await times.to(FIRST + timedelta(1))
    await times.fired(schedule.id, FIRST + timedelta(1))
    assert [one.state for one in await partner.schedules.history(schedule.id)] == ["done", "done"]
    assert calls(log) == ["evening"] * 2


FREE = [
    ("builtin::command::execute", {"argv": ["touch", "{home}/made"]}),
    ("builtin::files::copy", {"source": "{home}/log.txt", "target": "{home}/made"}),
]
EACH_TIME = [
    ("builtin::command::execute", {"argv": ["sh", "-c", "touch {home}/made"]}),
    ("builtin::command::execute", {"argv": ["env", "sudo", "touch", "{home}/made"]}),
    ("builtin::command::execute", {"argv": ["python3", "-c", "open('{home}/made', 'w')"]}),
    ("builtin::files::copy", {"source": "{home}/log.txt", "target": "{home}/.bashrc"}),
]


def filled(params: Mapping[str, Json], home: Path) -> dict[str, Json]:
    text: dict[str, Json] = json.loads(json.dumps(params).replace("{home}", str(home)))
    return text


@pytest.mark.promise("actions.schedule.grant")
@pytest.mark.parametrize(("key", "params"), FREE)
@pytest.mark.parametrize("steps", [1, 2])
async def test_a_yes_reaches_to_each_firing_of_exactly_what_was_shown(
    partner: Partner, times: Times, log: Path, key: str, params: dict[str, Json], steps: int
) -> None:
    wanted = [filled(params, log.parent) for _ in range(steps)]
    if steps == 2:
        wanted[1] = filled(json.loads(json.dumps(params).replace("made", "also")), log.parent)
    evidence = await proposed(partner, daily(), wanted, key=key)
    assert isinstance(evidence, Proposed), evidence
    assert evidence.action.grantable, "the card says that it is not asked about again"
    schedule = await yes(partner, evidence.action)
    assert not schedule.asks
    (grant,) = (await partner.permissions.list()).grants
    assert grant.action_key == f"schedule::{schedule.id}"
    await times.to(FIRST)
    assert (await times.fired(schedule.id, FIRST)).state == "done"
    assert (log.parent / "made").exists()


@pytest.mark.promise("actions.schedule.grant")
@pytest.mark.parametrize(("key", "params"), EACH_TIME)
@pytest.mark.parametrize("steps", [1, 2])
async def test_what_is_a_hazard_asks_at_each_firing(
    partner: Partner, times: Times, log: Path, key: str, params: dict[str, Json], steps: int
) -> None:
    wanted = [filled(params, log.parent) for _ in range(steps)]
    evidence = await proposed(partner, daily(), wanted, key=key)
    assert isinstance(evidence, Proposed), evidence
    assert not evidence.action.grantable, "the card says that each time is asked about"
    schedule = await yes(partner, evidence.action)
    assert schedule.asks
    assert (await partner.permissions.list()).grants == ()
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST, "waiting")
    assert not (log.parent / "made").exists()


@pytest.mark.promise("actions.schedule.grant")
@pytest.mark.parametrize("before", [True, False])
async def test_in_the_mode_that_always_asks_each_firing_does(
    partner: Partner, times: Times, log: Path, before: bool
) -> None:
    if before:
        await partner.permissions.set_mode(Mode.ASK)
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    assert schedule.asks == before
    if not before:
        await partner.permissions.set_mode(Mode.ASK)
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST, "waiting")
    assert calls(log) == []


async def test_a_firing_can_be_undone_and_is_in_the_audit_log_under_its_schedule(
    partner: Partner, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await times.to(FIRST)
    firing = await times.fired(schedule.id, FIRST)
    rows = [row async for row in entries(partner, f"schedule::{schedule.id}")]
    assert ("firing", "started", firing.action_id) in rows
    story = await partner.actions.story(firing.action_id)
    assert [(row.kind, row.outcome, row.by_whom) for row in story.decisions if row.kind == "decision"] == [
        ("decision", "allow", "grant")
    ]


async def test_a_single_time_is_left_out(partner: Partner, times: Times, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    answer = await partner.schedules.skip(schedule.id, due_at=FIRST + timedelta(1))
    assert [each.astimezone(UTC) for each in answer.schedules[0].next_times] == [
        FIRST,
        FIRST + timedelta(2),
        FIRST + timedelta(3),
    ]
    await partner.schedules.skip(schedule.id)
    with pytest.raises(UsageError, match="not due then"):
        await partner.schedules.skip(schedule.id, due_at=FIRST + timedelta(hours=1))
    for day in (1, 2):
        await times.to(FIRST + timedelta(day))
    await times.fired(schedule.id, FIRST + timedelta(2))
    assert calls(log) == ["evening"]


async def test_what_is_paused_is_not_done_and_goes_on_from_now(
    partner: Partner, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    (paused,) = (await partner.schedules.pause(schedule.id)).schedules
    assert (paused.state, paused.next_at) == ("paused", None)
    await times.to(FIRST + timedelta(2, hours=1))
    (going,) = (await partner.schedules.resume(schedule.id)).schedules
    assert (going.state, going.next_at) == ("armed", FIRST + timedelta(3))
    assert calls(log) == []


async def test_everything_is_paused_and_what_passed_is_not_made_up_for(
    partner: Partner, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.schedules.pause()
    await times.to(FIRST + timedelta(2, hours=1))
    await partner.schedules.resume()
    passed = await times.fired(schedule.id, FIRST + timedelta(2))
    assert (passed.state, passed.count, passed.why) == ("skipped", 3, "Everything was paused.")
    await times.to(FIRST + timedelta(3))
    assert (await times.fired(schedule.id, FIRST + timedelta(3))).state == "done"


async def test_it_is_done_now_and_at_its_time_as_well(partner: Partner, times: Times, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.schedules.run(schedule.id)
    await times.fired(schedule.id, BEGIN)
    await times.to(FIRST)
    await times.fired(schedule.id, FIRST)
    assert calls(log) == ["evening"] * 2


async def test_what_is_cancelled_may_do_nothing(partner: Partner, times: Times, log: Path) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.schedules.cancel(schedule.id)
    assert not await partner.schedules.list()
    assert (await partner.permissions.list()).grants == ()
    await times.to(FIRST)
    await times.by(days=1)
    assert calls(log) == []


async def test_a_reminder_is_put_off_moved_and_done(partner: Partner, times: Times) -> None:
    at = BEGIN + timedelta(minutes=2)
    schedule = await set_reminder(partner, once(at))
    await times.to(at)
    await times.reminded()
    await partner.schedules.snooze(schedule.id, at + timedelta(minutes=10))
    await times.to(at + timedelta(minutes=10))
    assert (await times.reminded(2)).firing.due_at == at + timedelta(minutes=10)
    later = at + timedelta(hours=1)
    (moved,) = (await partner.schedules.edit(schedule.id, once(later))).schedules
    assert (moved.state, moved.next_at, moved.title) == ("armed", later, "call Ann")
    (done,) = (await partner.schedules.done(schedule.id)).schedules
    assert done.state == "over"
    await times.to(later)
    await times.by(hours=1)
    assert len(await partner.schedules.history(schedule.id)) == 2


async def test_a_text_that_is_too_long_for_a_reminder_is_refused(partner: Partner) -> None:
    for terms in (once(BEGIN + timedelta(minutes=2)), daily()):
        evidence = await reminded(partner, terms, "x" * 2_001)
        assert isinstance(evidence, NoSuchTime)
        assert evidence.why == "long"
    for most in ("x" * 2_000, "call Ann"):
        schedule = await set_reminder(partner, once(BEGIN + timedelta(minutes=2)), most)
    for terms in (once(BEGIN + timedelta(minutes=3)), daily()):
        with pytest.raises(UsageError, match="up to 2,000 characters"):
            await partner.schedules.edit(schedule.id, replace(terms, message="x" * 2_001))
    assert (await of(partner, schedule.id)).title == "call Ann"


async def test_a_reminder_that_comes_again_shows_a_card(partner: Partner, times: Times) -> None:
    evidence = await reminded(partner, daily(), "water the plants")
    assert isinstance(evidence, Proposed)
    schedule = await yes(partner, evidence.action)
    assert (schedule.title, schedule.terms.message) == ("water the plants", "water the plants")
    for day in range(2):
        await times.to(FIRST + timedelta(day))
        await times.reminded(day + 1)


async def test_in_quiet_hours_nothing_calls_for_attention_but_what_was_wanted_then(
    partner: Partner, times: Times
) -> None:
    await partner.config.set("schedules", ("quiet_from",), "17:00")
    await partner.config.set("schedules", ("quiet_to",), "7:00")
    again = await reminded(partner, daily(), "again")
    assert isinstance(again, Proposed)
    await yes(partner, again.action)
    await times.to(FIRST)
    assert (await times.reminded()).quiet
    await set_reminder(partner, once(FIRST + timedelta(minutes=5)))
    await times.to(FIRST + timedelta(minutes=5))
    assert not (await times.reminded(2)).quiet


async def test_the_schedule_of_a_deleted_conversation_goes_on_in_a_new_one(
    partner: Partner, times: Times, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.settled()
    await partner.conversations.delete(schedule.conversation_id)
    await times.to(FIRST)
    firing = await times.fired(schedule.id, FIRST)
    assert firing.state == "done"
    now = await of(partner, schedule.id)
    assert now.conversation_id != schedule.conversation_id
    record = await partner.actions.get(firing.action_id)
    assert record.conversation_id == now.conversation_id
    assert now.conversation_id in {each.id for each in await partner.conversations.list()}


async def test_the_same_outcome_is_not_told_again_within_a_day(
    partner: Partner, watcher: Watcher, times: Times, dynamic: Path
) -> None:
    before = len(watcher.events)
    (dynamic / "same.py").write_text(SAME)
    await watcher.until(lambda e: isinstance(e, AbilitiesEvent) and e in watcher.events[before:])
    schedule = await planned(partner, hourly(), [{}], key="local::same")
    told = []
    for hour in range(4):
        at = datetime(2026, 3, 2, 8, 0, tzinfo=UTC) + timedelta(hours=hour)
        await times.to(at)
        assert (await times.fired(schedule.id, at)).state == "done"
        await partner.settled()
        said = await partner.messages.list(schedule.conversation_id)
        told.append(sum(1 for one in said if one.role is Role.PARTNER and one.text))
    assert told[1:] == [told[0]] * 3


async def test_it_goes_on_after_another_start(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, log: Path
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    await partner.settled()
    await partner.close()
    second = build()
    watcher = Watcher()
    second.subscribe(watcher)
    await second.launch()
    try:
        (found,) = await second.schedules.list()
        assert (found.id, found.next_at) == (schedule.id, FIRST)
        times = Times(second, clock, watcher)
        await times.to(FIRST)
        assert (await times.fired(schedule.id, FIRST)).state == "done"
    finally:
        await second.close()
    assert calls(log) == ["evening"]


@pytest.mark.logs_errors
async def test_a_disk_that_refuses_loses_nothing_and_does_nothing_twice(
    partner: Partner, times: Times, log: Path, home: Home
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    for table in ("firings", "actions"):
        with closing(sqlite3.connect(home.database)) as other, other:
            other.execute(
                f"CREATE TRIGGER full_{table} BEFORE INSERT ON {table} "
                "BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )
        if table == "firings":
            await times.to(FIRST)
            await times.by(seconds=20)
            assert await partner.schedules.history(schedule.id) == ()
            with closing(sqlite3.connect(home.database)) as other, other:
                other.execute("DROP TRIGGER full_firings")
    await times.by(seconds=20)
    assert (await times.fired(schedule.id, FIRST, "begun")).state == "begun"
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DROP TRIGGER full_actions")
    await times.by(seconds=20)
    assert (await times.fired(schedule.id, FIRST)).state == "done"
    assert calls(log) == ["evening"]


async def test_a_zone_that_is_no_more_stops_its_schedule(
    partner: Partner, times: Times, log: Path, home: Home
) -> None:
    schedule = await planned(partner, daily(), [{"log": str(log), "line": "evening"}])
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("UPDATE schedules SET terms = replace(terms, 'Europe/Berlin', 'Atlantis/Port')")
    await times.to(FIRST)
    stopped = await times.is_so(schedule.id, "stopped")
    assert "Atlantis/Port" in stopped.why
    assert calls(log) == []
