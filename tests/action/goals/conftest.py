"""A Partner whose abilities say what they need and bring."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.action.goals.talk_abilities import write_talk_abilities
from tests.support import HastyClock


@pytest.fixture
def talk(user_home: Path) -> Path:
    """What a person has lying about."""
    path = user_home / "talk.txt"
    path.write_text("We met on Monday.\nAnn objects.\n")
    return path


@pytest.fixture
async def partner(home: Home, action_dir: Path, talk: Path) -> AsyncIterator[Partner]:
    write_talk_abilities(action_dir / "dynamic")
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    try:
        yield one
    finally:
        await one.close()
