"""A home for those who start Partner several times."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home


@pytest.fixture
def used_home(home: Home, fresh_home: Path) -> Home:
    """A home that was used once: the first start of a new one takes longest."""
    shutil.copytree(fresh_home, home.root)
    return home
