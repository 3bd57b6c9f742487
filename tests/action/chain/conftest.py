"""The room that tests of chains are in."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.chain.chain_room import ChainRoom
from tests.support import Watcher


@pytest.fixture
async def chains(partner: Partner, watcher: Watcher, action_dir: Path, user_home: Path) -> ChainRoom:
    folder = user_home / "work"
    folder.mkdir()
    (folder / "notes.txt").write_text("five!")
    room = ChainRoom(partner, watcher, action_dir, folder)
    await room.launch()
    return room
