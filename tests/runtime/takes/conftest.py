"""A talk to begin anew from anywhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.mind.question import ReplyRequest
from tests.runtime.minds import Piece, ScriptedMind
from tests.runtime.takes.talk import Talk
from tests.support import HastyClock, Watcher


@pytest.fixture
async def talk(home: Home, action_dir: Path) -> AsyncIterator[Talk]:
    numbers = iter(range(1, 100))

    def script(request: ReplyRequest) -> list[Piece]:
        return [f"answer {next(numbers)}"]

    mind = ScriptedMind(script)
    partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    try:
        yield Talk(partner, watcher, mind)
    finally:
        await partner.close()
