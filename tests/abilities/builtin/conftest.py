"""A caller for each test."""

from __future__ import annotations

import pytest

from partner_desktop.app import Partner
from tests.abilities.builtin.calling import Caller
from tests.support import Watcher


@pytest.fixture
def call(partner: Partner, watcher: Watcher) -> Caller:
    return Caller(partner, watcher)
