"""The library is imported before a test waits for anything: on a busy machine that takes its time."""

from __future__ import annotations

import importlib

import pytest


@pytest.fixture(autouse=True, scope="session")
def imported() -> None:
    for name in ("partner_desktop.model.endpoint.wire", "jsonschema", "keyring"):
        importlib.import_module(name)
