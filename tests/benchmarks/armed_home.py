"""A home with so many schedules, and a Partner on it that measures itself; for `schedules`.

`python -m tests.benchmarks.armed_home fill HOME COUNT` writes the rows; `… watch HOME ACTION REPORT` runs a
Partner without a window: what it takes while nothing is due, then how late what is due begins.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule
from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, ReminderEvent, RunEvent
from partner_desktop.domain.schedule import Cycle, Once, Schedule, Terms
from partner_desktop.storage.database import Connection, Database
from tests.action.schedules.schedule_room import once, planned

QUIET_S = 60.0
#: Reminders that become due one after another, and actions.
REMINDERS, ACTIONS = 40, 10
#: Seconds from one to the next; each is due a little off the second.
_APART_S = 0.53
_SETTLE_S = 3.0
_PATIENCE_S = 60.0


def fill(home: Home, count: int) -> None:
    """Write schedules of every kind whose times are days away."""
    asyncio.run(_fill(home, count))


async def _fill(home: Home, count: int) -> None:
    home.prepare()
    database = Database(home.database, backups=home.backups, clock=SystemClock())
    await database.launch()
    try:
        store, now = ScheduleStore(database), datetime.now(UTC)
        writers = [store.putting(_stored(number, now)) for number in range(count)]

        def write(db: Connection) -> None:
            for each in writers:
                each(db)

        await database.write(write)
    finally:
        await database.shutdown()


def _stored(number: int, now: datetime) -> StoredSchedule:
    at = now + timedelta(days=2, seconds=60 * number)
    wall = at.replace(tzinfo=None)
    if number % 2:
        terms = Terms(once=Once(wall), zone="UTC", message=f"water plant {number}")
    else:
        cycle = Cycle(wall, "FREQ=WEEKLY;BYDAY=MO,WE,FR", (wall.time(),))
        terms = Terms(cycle=cycle, zone="UTC", message=f"water plant {number}")
    schedule = Schedule(f"armed-{number}", "somewhere", terms.message, terms, "armed", now, next_at=at)
    return StoredSchedule(schedule, language="en")


async def watch(home: Home, action_dir: Path) -> dict[str, Any]:
    """What one Partner takes, in seconds and bytes."""
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    try:
        await asyncio.sleep(_SETTLE_S)
        begun = time.process_time()
        await asyncio.sleep(QUIET_S)
        idle = time.process_time() - begun
        late = await _late_reminders(partner)
        return {
            "idle_percent": 100 * idle / QUIET_S,
            "late_s": late,
            "acts_late_s": await _late_acts(partner),
        }
    finally:
        await partner.close()


async def _late_reminders(partner: Partner) -> list[float]:
    """How many seconds behind its time each reminder is told."""
    late: dict[str, float] = {}
    heard = asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, ReminderEvent):
            late[event.schedule.id] = (datetime.now(UTC) - event.firing.due_at).total_seconds()
            heard.set()

    stop = partner.subscribe(hear)
    desk = partner.agent_context.capability(ScheduleManager)
    begin = datetime.now(UTC) + timedelta(seconds=8)
    conversation = await partner.conversations.create("late")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    for number in range(REMINDERS):
        at = begin + timedelta(seconds=_APART_S * number)
        terms = Terms(once=Once(at.replace(tzinfo=None)), zone="UTC", message=f"late {number}")
        await desk.remind(terms, exchange, terms.message)
    async with asyncio.timeout(_PATIENCE_S):
        while len(late) < REMINDERS:
            heard.clear()
            await heard.wait()
    stop()
    return sorted(late.values())


async def _late_acts(partner: Partner) -> list[float]:
    """How many seconds behind its time each action runs."""
    late: dict[str, float] = {}
    due: dict[str, datetime] = {}
    heard = asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, RunEvent) and event.action.schedule_id in due:
            begun, at = datetime.now(UTC), due[event.action.schedule_id]
            late.setdefault(event.action.schedule_id, (begun - at).total_seconds())
            heard.set()

    stop = partner.subscribe(hear)
    begin = datetime.now(UTC) + timedelta(seconds=20)
    for number in range(ACTIONS):
        at = begin + timedelta(seconds=2 * number, milliseconds=130)
        schedule = await planned(
            partner, once(at, "UTC"), [{"path": str(Path.home())}], key="builtin::files::info"
        )
        due[schedule.id] = at
    async with asyncio.timeout(_PATIENCE_S):
        while len(late) < ACTIONS:
            heard.clear()
            await heard.wait()
    stop()
    return sorted(late.values())


def main() -> None:
    """See the module."""
    match sys.argv[1:]:
        case ["fill", home, count]:
            fill(Home(Path(home)), int(count))
        case ["watch", home, action_dir, report]:
            figures = asyncio.run(watch(Home(Path(home)), Path(action_dir)))
            Path(report).write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
