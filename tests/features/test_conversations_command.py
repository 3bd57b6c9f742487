"""The real program: conversations listed, found, renamed, exported, imported and deleted from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .test_command_line import Cli, cli

pytestmark = [pytest.mark.integration, pytest.mark.promise("desktop.conversations")]

__all__ = ["cli"]


@pytest.mark.slow
def test_a_conversation_goes_out_comes_back_and_is_deleted(cli: Cli) -> None:
    assert cli.run("chat", "--once", "hello from the harbour").returncode == 0
    code, (listed,) = cli.events("conversations", "list")
    assert (code, listed["title"]) == (0, "hello from the harbour")
    host = cli.host()
    renamed = cli.run("conversations", "rename", listed["id"][:8], "Harbour talk")
    assert renamed.stdout == "It is called “Harbour talk” now.\n"
    found = cli.run("conversations", "search", "harb")
    assert (found.returncode, found.stdout.splitlines()[0][10:]) == (0, "Harbour talk")
    assert cli.run("conversations", "search", "nothing like it").returncode == 1
    assert cli.run("conversations", "export", listed["id"], "talk.json").returncode == 0
    assert cli.run("conversations", "export", listed["id"], "talk.md").returncode == 0
    assert (cli.cwd / "talk.md").read_text(encoding="utf-8").startswith("# Harbour talk\n")
    moved = cli.run("conversations", "move", listed["id"][:8], "--folder", "Sea")
    assert "[in Sea]" in moved.stdout
    assert "[pinned, in Sea]" in cli.run("conversations", "pin", listed["id"]).stdout
    assert cli.run("conversations", "folders").stdout == "Sea  1\n"
    assert cli.run("conversations", "archive", listed["id"]).returncode == 0
    assert listed["id"] not in [one["id"] for one in cli.events("conversations", "list")[1]]
    assert cli.run("conversations", "search", "harb", "--no-archived").returncode == 1
    assert cli.run("conversations", "unarchive", listed["id"]).returncode == 0
    (others,) = [one for one in cli.events("conversations", "list")[1] if one["id"] != listed["id"]]
    assert cli.run("conversations", "delete", others["id"]).returncode == 0
    host.communicate(timeout=60)
    deleted = cli.run("conversations", "delete", listed["id"])
    assert deleted.stdout == "Deleted “Harbour talk”.\n"
    assert b"harbour" not in (cli.home / "partner.db").read_bytes().lower(), "erased when the command ended"
    assert cli.run("conversations", "list").stdout == ""
    code, (taken,) = cli.events("conversations", "import", "talk.json")
    assert (code, taken["title"]) == (0, "Harbour talk")
    refused = cli.run("conversations", "rename", listed["id"], "gone")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "There is no conversation" in refused.stderr
    assert cli.run("conversations", "import", "talk.md").returncode == 2


def test_a_command_attaches_to_the_host_and_both_see_the_same(cli: Cli, tmp_path: Path) -> None:
    host = cli.host()
    assert host.stdin is not None
    _, (listed,) = cli.events("conversations", "list")
    code, hits = cli.events("conversations", "search", "partner")
    assert (code, hits[0]["conversation"]["id"]) == (0, listed["id"])
    cli.cwd = tmp_path  # paths are those of the command, not of the host
    assert cli.run("conversations", "export", listed["id"], "out.json").returncode == 0
    assert json.loads((tmp_path / "out.json").read_text())["version"] == 1
    assert cli.run("conversations", "delete", listed["id"]).returncode == 0
    assert cli.run("conversations", "list").stdout == ""
    host.stdin.write("are you there?\n")
    host.stdin.flush()
    rest, _ = host.communicate(timeout=60)
    assert rest == "", "the host's own talk was deleted under it: nothing more is said there"
