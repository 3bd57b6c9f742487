"""After kill -9 in the middle of a run: what it had changed by then can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus, UndoState

from .test_after_a_crash import Dies, dies, started, write_noter

#: Real processes that die.
pytestmark = pytest.mark.integration

__all__ = ["dies"]


async def test_what_a_killed_run_had_changed_is_undone_after_the_restart(
    home: Home, action_dir: Path, user_home: Path, dies: Dies
) -> None:
    notes = user_home / "notes.txt"
    notes.write_text("")
    write_noter(action_dir, "{}", notes)
    await dies(f"file:{notes}", "note the tide")
    assert notes.read_text() == "x\n"
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert action.status is ActionStatus.INTERRUPTED
        assert action.undo is not None
        assert (action.undo.state, action.undo.count) == (UndoState.POSSIBLE, 1)
        assert action.undo.note.startswith("Partner ended while it ran")
        await partner.actions.undo(action.id)
        assert notes.read_text() == ""
        assert list(home.undo.iterdir()) == []


async def test_a_run_that_goes_on_after_the_restart_is_undone_to_before_its_first_try(
    home: Home, action_dir: Path, user_home: Path, dies: Dies
) -> None:
    notes = user_home / "notes.txt"
    notes.write_text("")
    write_noter(action_dir, "{ idempotentHint = true }", notes)
    await dies(f"file:{notes}", "note the tide")
    async with started(home, action_dir) as (partner, _):
        (action,) = await partner.actions.list()
        assert (action.status, notes.read_text()) == (ActionStatus.SUCCEEDED, "x\nx\n")
        await partner.actions.undo(action.id)
        assert notes.read_text() == ""
