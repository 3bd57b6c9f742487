"""The room that tests of chains are in, with a mind that answers about them as a test says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.plans.chain_room import ChainRoom
from tests.action.plans.leaving import write_leaving
from tests.action.plans.running import ChainMind, write_abilities
from tests.support import HastyClock, Trusting, Watcher


@pytest.fixture
async def chains(partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path) -> ChainRoom:
    folder = user_home / "work"
    folder.mkdir()
    (folder / "notes.txt").write_text("five!")
    room = ChainRoom(partner, watcher, action_dir, folder)
    await room.launch()
    return room


@pytest.fixture
async def leaving(partner: Partner, watcher: Watcher, action_dir: Path) -> Partner:
    """With scripts that leave things to each other."""
    await write_leaving(partner, watcher, action_dir)
    return partner


@pytest.fixture
def mind() -> ChainMind:
    return ChainMind()


@pytest.fixture
def notes(user_home: Path) -> Path:
    """Where the steps leave their lines."""
    return user_home / "notes.txt"


@pytest.fixture
async def partner(home: Home, action_dir: Path, mind: ChainMind) -> AsyncIterator[Partner]:
    write_abilities(action_dir)
    one = Partner(home, action_dir, mind=mind, meaning=False, quiet_clock=HastyClock())
    person = Trusting(one)
    await one.launch()
    try:
        yield one
    finally:
        await one.close()
        await person.settled()
