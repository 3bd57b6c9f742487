"""The real program for the user stories, without importing all of it again at each start."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.features.fork_server import ForkServer, forking_popen


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    one = ForkServer()
    yield one
    one.close()


@pytest.fixture(autouse=True)
def quick_starts(
    request: pytest.FixtureRequest, fork_server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starts are forks, except in tests marked `real_start`, which are about the start itself."""
    if request.node.get_closest_marker("real_start") is None:
        monkeypatch.setattr(subprocess, "Popen", forking_popen(fork_server))
