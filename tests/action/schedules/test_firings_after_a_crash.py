"""After kill -9 at each transition of a firing: nothing is done twice, and nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import HostError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.message import Role
from tests.action.saved_plans.plan_room import calls, write_steps
from tests.action.schedules.dying import DUE
from tests.action.schedules.schedule_room import BEGIN, MISSED, Times, launched, once, planned
from tests.action.schedules.trigger_room import Landings
from tests.support import REPOSITORY, WAIT_S, FakeClock, HastyClock, Watcher

#: Real processes that die.
pytestmark = [pytest.mark.integration, pytest.mark.promise("runtime.durable")]


async def killed(home: Home, action_dir: Path, log: Path, moment: str) -> bool:
    """Die at a moment, or a little later: whether a run was under way by then."""
    write_steps(action_dir / "dynamic")
    died = await asyncio.to_thread(
        subprocess.run,
        [
            sys.executable,
            "-m",
            "tests.action.schedules.dying",
            str(home.root),
            str(action_dir),
            str(log),
            moment,
        ],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        timeout=60,
        check=False,
        capture_output=True,
        text=True,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("DROP TRIGGER dies")
        (running,) = db.execute("SELECT count(*) FROM actions WHERE status = 'running'").fetchone()
    return bool(running)


@pytest.mark.parametrize("moment", ["begun", "shown", "running", "ended", "done"])
async def test_a_firing_is_done_once_whenever_partner_dies(
    home: Home, action_dir: Path, log: Path, moment: str
) -> None:
    cut_off = await killed(home, action_dir, log, moment)
    clock, watcher = FakeClock(DUE + timedelta(seconds=10)), Watcher()
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    partner.subscribe(watcher)
    await partner.launch()
    try:
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        (schedule,) = await partner.schedules.list(over=True)
        assert schedule.state == "over"
        times = Times(partner, clock, watcher)
        firing = await times.fired(schedule.id, DUE)
        record = await partner.actions.get(firing.action_id)
        if cut_off:  # how far it came is not known: that is told, and not done again
            assert firing.state in ("done", "failed")
            assert len(calls(log)) <= 1
            assert record.status in (ActionStatus.SUCCEEDED, ActionStatus.INTERRUPTED)
        else:
            assert (firing.state, calls(log)) == ("done", ["once"])
        shown = await partner.messages.list(record.conversation_id)
        assert [one.action_id for one in shown].count(record.id) == 1
        await times.by(hours=3)
        assert len(await partner.schedules.history(schedule.id)) == 1
        assert len(calls(log)) <= 1
    finally:
        await partner.close()


@pytest.mark.promise("actions.trigger")
async def test_a_file_that_landed_is_taken_up_with_its_firing(
    home: Home, action_dir: Path, log: Path, user_home: Path
) -> None:
    inbox, kept = user_home / "Inbox", user_home / "Kept"
    inbox.mkdir()
    kept.mkdir()
    await killed(home, action_dir, log, "landed")
    assert [one.name for one in inbox.iterdir()] == ["new.pdf"]
    clock = FakeClock(DUE)
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    landings = Landings(partner, clock)
    await partner.launch()
    try:
        (schedule,) = await partner.schedules.list()
        (firing,) = await landings.fired(schedule)
        await landings.pass_by()
        assert (firing.state, [one.name for one in kept.iterdir()]) == ("done", ["new.pdf"])
        assert len(await partner.schedules.history(schedule.id)) == 1
    finally:
        await partner.close()


async def test_a_reminder_is_said_once_whenever_partner_dies(home: Home, action_dir: Path, log: Path) -> None:
    await killed(home, action_dir, log, "reminded")
    clock = FakeClock(DUE + timedelta(seconds=10))
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    try:
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        (schedule,) = await partner.schedules.list(over=True)
        (firing,) = await partner.schedules.history(schedule.id)
        said = await partner.messages.list(schedule.conversation_id)
        assert [one.text for one in said if one.role is Role.PARTNER] == ["Reminder: call Ann"]
        assert (schedule.state, firing.state, firing.message_id) == ("over", "done", said[0].id)
    finally:
        await partner.close()


@pytest.mark.promise("actions.schedule.missed")
async def test_what_was_missed_is_told_though_partner_dies_as_it_is_about_to(
    home: Home, action_dir: Path, log: Path
) -> None:
    await killed(home, action_dir, log, "owed")
    clock = FakeClock(BEGIN + timedelta(days=3, seconds=10))
    for _ in range(2):
        partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
        async with launched(partner):
            async with asyncio.timeout(WAIT_S):
                await partner.idle()
            (schedule,) = await partner.schedules.list()
            said = await partner.messages.list(schedule.conversation_id)
            told = [one.text for one in said if one.role is Role.PARTNER and MISSED in one.text]
            assert len(told) == 1
            assert "3 times" in told[0]


@pytest.mark.logs_errors
@pytest.mark.promise("runtime.host")
async def test_a_second_partner_on_the_home_does_nothing_of_it(
    home: Home, action_dir: Path, log: Path
) -> None:
    write_steps(action_dir / "dynamic")
    clock = FakeClock(DUE - timedelta(hours=1))
    first = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    watcher = Watcher()
    first.subscribe(watcher)
    await first.launch()
    try:
        schedule = await planned(first, once(DUE), [{"log": str(log), "line": "once"}])
        second = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
        with pytest.raises(HostError):
            await second.launch()
        times = Times(first, clock, watcher)
        await times.to(DUE)
        assert (await times.fired(schedule.id, DUE)).state == "done"
        await second.close()
    finally:
        await first.close()
    assert calls(log) == ["once"]
