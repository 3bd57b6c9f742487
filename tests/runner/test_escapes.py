"""A part of the ways out of the sandbox (`python -m tests.long.escapes` tries all, with controls)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from partner_desktop.runner.sandbox_probe import probe_sandbox
from tests.long.escapes.attempts import ATTEMPTS
from tests.long.escapes.ordeal import run_free, run_held

pytestmark = pytest.mark.integration

_PROBE = asyncio.run(probe_sandbox())
_SUITE = [attempt for attempt in ATTEMPTS if attempt.suite]
#: What a run of its own is needed for: to end it, or to be given a path.
_ALONE = [attempt for attempt in _SUITE if attempt.alone or attempt.read or attempt.write]
_TOGETHER = [attempt for attempt in _SUITE if attempt not in _ALONE]
#: These show that the traps would catch something: one of a kind, run without the sandbox.
_CONTROLS = ("read-diary", "socket-dbus", "write-own-script", "kill")

needs_sandbox = pytest.mark.skipif(not _PROBE.available, reason=_PROBE.reason)


def test_the_table_is_long_and_every_attempt_has_a_name_of_its_own() -> None:
    names = [attempt.name for attempt in ATTEMPTS]
    assert len(set(names)) == len(names) >= 140
    assert len(_SUITE) >= 20


@needs_sandbox
@pytest.mark.promise("actions.sandbox")
def test_what_is_tried_together_does_not_get_out(tmp_path: Path) -> None:
    verdicts = run_held(_TOGETHER, tmp_path)
    assert not [verdict.attempt.name for verdict in verdicts if not verdict.contained]
    assert not [verdict.attempt.name for verdict in verdicts if "did not come so far" in verdict.how]


@needs_sandbox
@pytest.mark.promise("actions.sandbox")
@pytest.mark.parametrize("attempt", _ALONE, ids=lambda attempt: attempt.name)
def test_what_needs_a_run_of_its_own_does_not_get_out(tmp_path: Path, attempt: object) -> None:
    (verdict,) = run_held([one for one in _ALONE if one is attempt], tmp_path)
    assert verdict.contained, verdict.how


@pytest.mark.parametrize("name", _CONTROLS)
def test_without_the_sandbox_the_same_gets_out(tmp_path: Path, name: str) -> None:
    (attempt,) = (one for one in ATTEMPTS if one.name == name)
    assert run_free(attempt, tmp_path)
