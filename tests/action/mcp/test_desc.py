"""A description of the person's own stands for a tool's, and goes again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from tests.action.mcp.serving import call, plain, until, until_listed, write
from tests.support import Watcher

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


def described(partner: Partner, key: str) -> str:
    found = next(a.info for a in partner.abilities.list() if a.key == key)
    assert found is not None
    return found.description


@pytest.mark.promise("actions.mcp.desc")
async def test_a_desc_file_replaces_a_tools_description_until_it_is_deleted(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    await until_listed(partner, watcher, "notes::find")
    before = {a.key: a.info for a in partner.abilities.list()}
    pid = partner.servers.list()[0].since
    path = action_dir / "mcp" / "desc" / "notes::find.desc.json"
    path.write_text(json.dumps({"description": "Search my notes", "aliases": ["look it up"]}))
    await until(partner, watcher, lambda: described(partner, "notes::find") == "Search my notes")
    now = {a.key: a.info for a in partner.abilities.list()}
    changed = now["notes::find"]
    original = before["notes::find"]
    assert changed is not None
    assert original is not None
    assert changed.aliases == ("look it up",)
    assert changed.content_hash != original.content_hash  # what was granted before asks again
    assert now["notes::pid"] is before["notes::pid"]
    path.unlink()
    await until(partner, watcher, lambda: described(partner, "notes::find") == "the tool find")
    assert {a.key: a.info for a in partner.abilities.list()} == before
    assert partner.servers.list()[0].since == pid  # the server itself never noticed


async def test_a_description_without_its_tool_is_told_with_its_server(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    write(action_dir, "notes.json", {"notes": plain()})
    await until_listed(partner, watcher, "notes::pid")
    path = action_dir / "mcp" / "desc" / "notes__gone.desc.json"
    path.write_text(json.dumps({"description": "Search my notes"}))
    await until(partner, watcher, lambda: bool(partner.servers.list()[0].hints))
    assert partner.servers.list()[0].hints == (
        "The server `notes` offers no tool `gone` now; this description is used when it does.",
    )


async def test_a_time_limit_in_a_desc_file_is_the_limit_of_the_call(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    (action_dir / "mcp" / "desc" / "notes::silent.desc.json").write_text(json.dumps({"timeoutSeconds": 0.2}))
    write(action_dir, "notes.json", {"notes": plain("--tools", "silent")})
    await until_listed(partner, watcher, "notes::silent")
    ended = await call(partner, watcher, "notes::silent", "e1")
    assert ended.action.error == "notes did not answer within 0.2 s, so I stopped waiting."
