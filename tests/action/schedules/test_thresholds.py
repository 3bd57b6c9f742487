"""A limit that is passed fires once, as it is passed; a start in between makes no difference."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.action.schedules.measures import Measured, folder_size, is_beyond
from partner_desktop.app import Partner
from partner_desktop.domain.schedule import Terms, Threshold
from tests.action.schedules.schedule_room import planned, set_reminder
from tests.action.schedules.trigger_room import Landings
from tests.support import FakeClock

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.trigger")]

LOOK = timedelta(seconds=61)


@pytest.fixture
def landings(partner: Partner, clock: FakeClock) -> Landings:
    return Landings(partner, clock)


@pytest.fixture
def inbox(user_home: Path) -> Path:
    (user_home / "Inbox" / "inner").mkdir(parents=True)
    return user_home / "Inbox"


def size_of(folder: Path, limit: float, *, over: bool = True) -> Terms:
    return Terms(crosses=Threshold("folder", limit, over, str(folder)))


@pytest.mark.parametrize(
    ("over", "values", "passed"),
    [
        (True, [90, 100, 101, 96, 101, 95, 94, 101], [False, False, True, True, True, True, False, True]),
        (False, [110, 100, 99, 104, 99, 105, 106, 99], [False, False, True, True, True, True, False, True]),
    ],
)
def test_a_value_that_swings_about_the_limit_passes_it_once(
    over: bool, values: list[float], passed: list[bool]
) -> None:
    threshold, before, found = Threshold("memory", 100, over), None, []
    for value in values:
        before = is_beyond(threshold, Measured(value), before=before)
        found.append(before)
    assert found == passed


@pytest.mark.parametrize(
    ("over", "value", "passed"), [(True, 101, True), (True, 99, None), (False, 99, None), (False, 106, False)]
)
def test_the_least_that_a_value_can_be_tells_what_it_tells(
    over: bool, value: float, passed: bool | None
) -> None:
    measured = Measured(value, is_whole=False)
    assert is_beyond(Threshold("folder", 100, over), measured, before=False) is passed


def test_the_size_of_a_folder_counts_each_file_once_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "one").write_bytes(b"x" * 1_000)
    (tmp_path / "two").hardlink_to(tmp_path / "inner" / "one")
    (tmp_path / "round").symlink_to(tmp_path)
    assert folder_size(str(tmp_path)) == Measured(1_000)


async def test_a_folder_that_gets_over_its_limit_is_told_of_each_time_that_it_does(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, landings: Landings, inbox: Path
) -> None:
    schedule = await set_reminder(partner, size_of(inbox, 1_000), "it is full")
    await landings.pass_by(2)
    (inbox / "inner" / "large").write_bytes(b"x" * 1_001)
    await landings.fired(schedule, span=LOOK)
    for _ in range(4):
        await landings.step(LOOK)
    assert len(await partner.schedules.history(schedule.id)) == 1
    await partner.close()
    second = build()
    again = Landings(second, clock)
    await second.launch()
    try:
        for _ in range(4):
            await again.step(LOOK)
        assert len(await second.schedules.history(schedule.id)) == 1
        (inbox / "inner" / "large").write_bytes(b"x" * 900)
        for _ in range(4):
            await again.step(LOOK)
        (inbox / "now").write_bytes(b"x" * 200)
        await again.fired(schedule, 2, span=timedelta(seconds=2))
    finally:
        await second.close()


async def test_what_is_over_as_it_is_armed_is_nothing_that_happens(
    partner: Partner, landings: Landings, inbox: Path
) -> None:
    (inbox / "large").write_bytes(b"x" * 2_000)
    over = await set_reminder(partner, size_of(inbox, 1_000), "it is full")
    memory = await set_reminder(partner, Terms(crosses=Threshold("memory", 0.001)), "memory is used")
    space = await set_reminder(
        partner, Terms(crosses=Threshold("free_space", 1e18, over=False)), "it is full"
    )
    busy = await set_reminder(partner, Terms(crosses=Threshold("processor", 101.0)), "it is busy")
    for _ in range(5):
        await landings.step(LOOK)
    for each in (over, memory, space, busy):
        assert not await partner.schedules.history(each.id)


async def test_its_own_action_does_not_fire_it_again(
    partner: Partner, landings: Landings, inbox: Path
) -> None:
    """What it writes takes the folder from below its limit over it."""
    log = inbox / "log.txt"
    schedule = await planned(partner, size_of(inbox, 1_000, over=False), [{"log": str(log), "line": "x"}])
    (inbox / "large").write_bytes(b"x" * 2_000)
    for _ in range(3):
        await landings.step(LOOK)
    (inbox / "large").unlink()
    await landings.fired(schedule, span=LOOK)
    for _ in range(5):
        await landings.step(LOOK)
    assert log.read_text().splitlines() == ["x"]


async def test_a_folder_that_is_gone_is_told_once(
    partner: Partner, landings: Landings, inbox: Path, user_home: Path
) -> None:
    schedule = await set_reminder(partner, size_of(inbox, 1_000), "it is full")
    await landings.pass_by(2)
    inbox.rename(user_home / "Elsewhere")
    assert await landings.said(schedule, "is not there") == 1
    for _ in range(4):
        await landings.step(LOOK)
    assert await landings.times_said(schedule, "is not there") == 1
    (user_home / "Elsewhere" / "large").write_bytes(b"x" * 2_000)
    (user_home / "Elsewhere").rename(inbox)
    await landings.fired(schedule, span=LOOK)
