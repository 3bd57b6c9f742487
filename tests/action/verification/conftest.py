"""A Partner with abilities on a database of people."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject
from tests.action.plans.running import Wanted, approved, ended
from tests.action.verification.people_abilities import make_people, trust, write_people
from tests.support import HastyClock, Watcher

Ran = Callable[..., Awaitable[ActionRecord]]


@pytest.fixture
def people(user_home: Path) -> Path:
    path = user_home / "people.db"
    make_people(path, ("E1", "Bob Ray"))
    return path


@pytest.fixture
def scripts(action_dir: Path) -> Path:
    folder = action_dir / "dynamic"
    write_people(folder)
    return folder


@pytest.fixture
async def partner(home: Home, action_dir: Path, scripts: Path) -> AsyncIterator[Partner]:
    home.config.mkdir(parents=True, exist_ok=True)
    # A busy machine starts processes slowly.
    (home.config / "action.toml").write_text("[verification]\neach_s = 30\nall_s = 60\n")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()


@pytest.fixture
async def trusted(partner: Partner, watcher: Watcher, people: Path) -> Path:
    """The database; the person has said yes to a look at it."""
    params: JsonObject = {"employee_id": "E1", "db": str(people)}
    await trust(partner, watcher, "local::query_employee", params)
    return people


@pytest.fixture
def ran(partner: Partner, watcher: Watcher) -> Ran:
    """The plan of these steps, one after another, when it is over and told."""

    async def run(*steps: Wanted) -> ActionRecord:
        record = await approved(partner, [[step] for step in steps])
        return await ended(partner, watcher, record.id)

    return run
