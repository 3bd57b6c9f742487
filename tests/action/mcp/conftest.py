"""The SDK is loaded before anything is waited for: on a busy machine that alone takes seconds."""

from __future__ import annotations

import importlib

import pytest


@pytest.fixture(scope="session", autouse=True)
def loaded_sdk() -> None:
    importlib.import_module("partner_desktop.runner.mcp.protocol.connection")
