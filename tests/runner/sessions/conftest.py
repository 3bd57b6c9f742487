"""The background of a Partner with one conversation."""

from __future__ import annotations

import pytest

from partner_desktop.app import Partner
from tests.runner.sessions.background import Background
from tests.support import Watcher


@pytest.fixture
async def background(partner: Partner, watcher: Watcher) -> Background:
    return Background(partner, watcher, (await partner.conversations.create("Work")).id)
