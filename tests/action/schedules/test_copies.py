"""What Partner itself does to files is planned by one yes, and goes on when its target is there by now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.schedules.schedule_room import Times, daily, of, planned

pytestmark = pytest.mark.integration

FIRST = datetime(2026, 3, 2, 17, 0, tzinfo=UTC)


@pytest.mark.promise("actions.schedule.grant")
async def test_a_folder_is_copied_each_evening(partner: Partner, times: Times, user_home: Path) -> None:
    notes, backup = user_home / "Notes", user_home / "Backup"
    notes.mkdir()
    (notes / "a.txt").write_text("a")
    params = {"source": str(notes), "target": str(backup)}
    schedule = await planned(partner, daily(), [params], key="builtin::files::copy")
    states = []
    for day in range(2):
        await times.to(FIRST + timedelta(day))
        firing = await times.fired(schedule.id, FIRST + timedelta(day))
        states.append((firing.state, firing.why))
    assert states == [("done", "")] * 2
    assert (backup / "Notes" / "a.txt").read_text() == "a"
    await times.to(FIRST + timedelta(2))
    firing = await times.fired(schedule.id, FIRST + timedelta(2))
    assert firing.state == "failed", "nothing is written over"
    assert (await of(partner, schedule.id)).state == "armed"
