"""A file that lands in a folder fires what was approved for it: each once, whole, and none that was there."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.schedules.trigger_room import Landings, moving
from tests.support import FakeClock

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.trigger")]


@pytest.fixture
def landings(partner: Partner, clock: FakeClock) -> Landings:
    return Landings(partner, clock)


@pytest.fixture
def inbox(user_home: Path) -> Path:
    (user_home / "Inbox").mkdir()
    return user_home / "Inbox"


@pytest.fixture
def kept(user_home: Path) -> Path:
    (user_home / "Kept").mkdir()
    return user_home / "Kept"


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def test_a_pdf_that_lands_is_moved_and_what_was_there_stays(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    (inbox / "old.pdf").write_text("old")
    schedule = await moving(partner, inbox, kept, "*.pdf")
    (inbox / "new.PDF").write_text("new")
    (inbox / "notes.txt").write_text("text")
    (firing,) = await landings.fired(schedule)
    await landings.pass_by()
    assert (firing.state, names(kept), names(inbox)) == ("done", ["new.PDF"], ["notes.txt", "old.pdf"])
    assert (kept / "new.PDF").read_text() == "new"
    assert len(await partner.schedules.history(schedule.id)) == 1
    assert firing.landed == ""  # told by its action from then on
