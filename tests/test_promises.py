"""Every promise has a test, every test's promise exists, and what is not built yet stands in one list.

The list only shrinks: an id leaves it with the first test that proves the promise.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

HERE = Path(__file__).resolve().parent

_MARKER = re.compile(r"""\.promise\(\s*["']([^"']+)["']""")

PENDING: frozenset[str] = frozenset(
    {
        "desktop.loop",
    }
)


def _promised() -> dict[str, str]:
    tables = tomllib.loads((HERE / "promises.toml").read_text(encoding="utf-8"))
    return {name: text for table in tables.values() for name, text in table.items()}


def _named_by_tests() -> set[str]:
    found: set[str] = set()
    for path in HERE.rglob("*.py"):
        if path != Path(__file__).resolve():
            found |= set(_MARKER.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_promise_has_a_test_or_is_pending() -> None:
    without = set(_promised()) - _named_by_tests() - PENDING
    assert not without, f"promises without a test: {sorted(without)}"


def test_no_test_names_a_promise_that_is_not_made() -> None:
    unknown = _named_by_tests() - set(_promised())
    assert not unknown, f"tests name unknown promises: {sorted(unknown)}"


def test_pending_holds_only_promises_without_a_test() -> None:
    assert set(_promised()) >= PENDING, f"no promises: {sorted(PENDING - set(_promised()))}"
    kept = PENDING & _named_by_tests()
    assert not kept, f"proven, so take them out of PENDING: {sorted(kept)}"
