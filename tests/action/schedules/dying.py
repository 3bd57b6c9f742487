"""A Partner that is killed as a firing has come to one of its transitions.

`python -m tests.action.schedules.dying HOME ACTIONS LOG MOMENT`: plans a line for the log, lets its time
come, and dies by SIGKILL as soon as what is called MOMENT is on disk.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.schedules.schedule_room import BEGIN, daily, once, planned, set_reminder
from tests.action.schedules.trigger_room import Landings, moving
from tests.support import FakeClock, HastyClock

DUE = BEGIN + timedelta(hours=1)
#: What is on disk then; a trigger of the database tells, at the end of its statement.
MOMENTS = {
    "begun": "AFTER INSERT ON firings",
    "shown": "AFTER INSERT ON messages WHEN new.role = 'action' AND "
    "EXISTS (SELECT 1 FROM firings WHERE action_id = new.action_id)",
    "running": "AFTER UPDATE ON firings WHEN new.state = 'running'",
    "ended": "AFTER UPDATE ON actions WHEN new.status = 'succeeded' AND "
    "EXISTS (SELECT 1 FROM firings WHERE action_id = new.id)",
    "done": "AFTER UPDATE ON firings WHEN new.state = 'done'",
    "reminded": "AFTER INSERT ON firings",
    "landed": "AFTER INSERT ON firings WHEN new.landed <> ''",
    "owed": "AFTER INSERT ON turn_queue WHEN new.subject_id LIKE 'missed:%'",
}


def mark(home: Home, moment: str) -> None:
    """Have the database tell of a moment."""
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("CREATE TABLE IF NOT EXISTS moment (at TEXT)")
        db.execute(f"CREATE TRIGGER dies {MOMENTS[moment]} BEGIN INSERT INTO moment VALUES ('now'); END")


def die_at_it(home: Home) -> None:
    """Blocking. Die once it is committed."""
    with closing(sqlite3.connect(home.database)) as db:
        while not db.execute("SELECT count(*) FROM moment").fetchone()[0]:
            time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGKILL)


async def main(home: Home, action_dir: Path, log: Path, moment: str) -> None:
    clock = FakeClock(BEGIN)
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    if moment == "landed":
        await moving(partner, log.parent / "Inbox", log.parent / "Kept")
    elif moment == "reminded":
        await set_reminder(partner, once(DUE))
    elif moment == "owed":
        await planned(partner, daily(missed="skip"), [{"log": str(log), "line": "never"}])
    else:
        await planned(partner, once(DUE), [{"log": str(log), "line": "once"}])
    await partner.settled()
    mark(home, moment)
    death = asyncio.create_task(asyncio.to_thread(die_at_it, home))
    if moment == "landed":
        (log.parent / "Inbox" / "new.pdf").write_text("new")
        await Landings(partner, clock).pass_by(looks=100)
    clock.move((DUE if moment != "owed" else BEGIN + timedelta(days=3)) - clock.now())
    await death


if __name__ == "__main__":
    asyncio.run(main(Home(Path(sys.argv[1])), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]))
