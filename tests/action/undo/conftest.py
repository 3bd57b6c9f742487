"""A worker for each test, and a folder of the person's."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.listing import put
from tests.action.undo.working import KEY, WORKER, Worker
from tests.support import Watcher


@pytest.fixture
async def work(partner: Partner, watcher: Watcher, action_dir: Path) -> Worker:
    await put(watcher, action_dir / "dynamic" / "worker.py", WORKER, KEY)
    return Worker(partner, watcher)


@pytest.fixture
def papers(user_home: Path) -> Path:
    folder = user_home / "papers"
    folder.mkdir()
    return folder
