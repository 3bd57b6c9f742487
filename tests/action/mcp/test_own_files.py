"""What configures servers holds tokens and starts programs: no ability gets at it, wherever it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.runner.sandbox_probe import probe_sandbox
from tests.action.mcp.serving import call, plain, until_listed, write
from tests.support import Watcher

pytestmark = pytest.mark.integration

LOOK = """\
# /// partner
# description = "List what lies in a folder"
# [params.folder]
# type = "string"
# format = "path"
# access = "ACCESS"
# ///
import os, sys
print(sorted(os.listdir(sys.argv[1].partition("=")[2] + "/mcp")))
"""


async def test_no_builtin_reads_or_writes_what_configures_servers(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    path = write(action_dir, "notes.json", {"notes": plain(env={"TOKEN": "hush"})})
    await until_listed(partner, watcher, "notes::pid")
    read = await call(partner, watcher, "builtin::files::read", "e1", file=str(path))
    evil = str(path.with_name("evil.json"))
    written = await call(partner, watcher, "builtin::files::write", "e2", file=evil, text="{}")
    for ended in (read, written):
        assert ended.action.status == "rejected"
        assert "holds Partner's own data" in ended.action.error
    assert not Path(evil).exists()


async def test_no_script_sees_it_in_a_folder_that_it_was_given(
    partner: Partner, watcher: Watcher, action_dir: Path
) -> None:
    if not (await probe_sandbox()).available:
        pytest.skip("there is no sandbox here")
    write(action_dir, "notes.json", {"notes": plain()})
    for access in ("read", "write"):
        (action_dir / "dynamic" / f"{access}.py").write_text(LOOK.replace("ACCESS", access), encoding="utf-8")
        await until_listed(partner, watcher, f"local::{access}")
    looked = await call(partner, watcher, "local::read", "e1", folder=str(action_dir))
    assert looked.action.stdout == "[]\n"
    refused = await call(partner, watcher, "local::write", "e2", folder=str(action_dir))
    assert "holds Partner's own data" in refused.action.error
