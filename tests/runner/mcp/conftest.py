"""Fixtures of the tests that talk to MCP servers."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from tests.runner.mcp import real_servers
from tests.runner.mcp.support import Client


@pytest.fixture
async def client(tmp_path: Path) -> Client:
    """Somebody to be connected."""
    return Client(tmp_path)


@pytest.fixture(scope="session")
def npm_servers(request: pytest.FixtureRequest) -> Path:
    """Where the servers from npm are installed."""
    cache = getattr(request.config, "cache", None)
    folder = (
        cache.mkdir("npm-servers")
        if cache is not None
        else Path(tempfile.gettempdir()) / f"partner-npm-servers-{os.getuid()}"
    )
    return real_servers.installed_from_npm(folder, real_servers.EVERYTHING, real_servers.FILESYSTEM)
