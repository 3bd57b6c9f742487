"""The real program for the user stories, without importing all of it again at each start."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def starts_of_stories(quick_starts: None) -> None:
    """All of them start quickly."""
