"""A Partner whose abilities write their lines to a log, for plans that call them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.saved_plans.plan_room import write_steps
from tests.support import HastyClock


@pytest.fixture
async def partner(home: Home, action_dir: Path) -> AsyncIterator[Partner]:
    write_steps(action_dir / "dynamic")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


@pytest.fixture
def dynamic(action_dir: Path) -> Path:
    return action_dir / "dynamic"


@pytest.fixture
def log(user_home: Path) -> Path:
    path = user_home / "log.txt"
    path.touch()
    return path
