"""Servers come, change and go with their files, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.mcp.serving import call, listed, plain, status, until, until_listed, write
from tests.support import Watcher

pytestmark = pytest.mark.integration


@pytest.mark.promise("actions.mcp.hotplug")
async def test_a_file_adds_edits_and_removes_a_server_while_others_keep_their_process(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    builtins = [ability for ability in partner.abilities.list() if ability.key.startswith("builtin::")]
    write(action_dir, "keep.json", {"keep": plain()})
    await until_listed(partner, watcher, "keep::pid")
    pid = (await call(partner, watcher, "keep::pid", "first")).action.stdout
    write(action_dir, "other.json", {"mcpServers": {"other": plain("--tools", "pid,one")}})
    await until_listed(partner, watcher, "other::one")
    other_pid = (await call(partner, watcher, "other::pid", "second")).action.stdout
    write(action_dir, "other.json", {"mcpServers": {"other": plain("--tools", "pid,two")}})
    await until_listed(partner, watcher, "other::two")
    assert listed(partner, "other") == ["other::pid", "other::two"]
    assert (await call(partner, watcher, "other::pid", "third")).action.stdout != other_pid
    (action_dir / "mcp" / "other.json").unlink()
    await until(partner, watcher, lambda: not listed(partner, "other"))
    assert status(partner, "other") is None
    assert (await call(partner, watcher, "keep::pid", "fourth")).action.stdout == pid
    assert [a for a in partner.abilities.list() if a.key.startswith("builtin::")] == builtins
