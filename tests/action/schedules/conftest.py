"""A Partner on a clock that stands still, with scripts that leave their lines in a log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.saved_plans.plan_room import write_steps
from tests.action.schedules.schedule_room import BEGIN, Times
from tests.support import FakeClock, HastyClock, Watcher


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(BEGIN)


@pytest.fixture
def build(home: Home, action_dir: Path, clock: FakeClock) -> Callable[[], Partner]:
    write_steps(action_dir / "dynamic")
    return lambda: Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())


@pytest.fixture
async def partner(build: Callable[[], Partner]) -> AsyncIterator[Partner]:
    one = build()
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


@pytest.fixture
def times(partner: Partner, clock: FakeClock, watcher: Watcher) -> Times:
    return Times(partner, clock, watcher)


@pytest.fixture
def dynamic(action_dir: Path) -> Path:
    return action_dir / "dynamic"


@pytest.fixture
def log(user_home: Path) -> Path:
    path = user_home / "log.txt"
    path.touch()
    return path
