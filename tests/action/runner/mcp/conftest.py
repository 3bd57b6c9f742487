"""Fixtures of the tests that talk to MCP servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.action.runner.mcp.support import Client


@pytest.fixture
async def client(tmp_path: Path) -> Client:
    """Somebody to be connected."""
    return Client(tmp_path)
