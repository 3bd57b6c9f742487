"""The real program: servers listed, mended, switched and read of from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.action.mcp.serving import plain, write

from .test_command_line import Cli, cli, read_events

pytestmark = pytest.mark.slow

__all__ = ["cli"]


def test_servers_are_listed_mended_and_switched_from_a_terminal(cli: Cli) -> None:
    assert "There are no servers yet" in cli.run("servers", "list").stdout
    write(cli.action_dir, "notes.json", {"mcpServers": {"notes": plain("--tools", "pid,find")}})
    broken = write(cli.action_dir, "files.json", {"files": {"command": "no-such-program-here"}})
    listed = cli.run("servers", "list")
    assert listed.returncode == 1
    first, reason, second = listed.stdout.splitlines()
    assert first == f"✗ {'files':<24} failed  stdio"
    assert reason.startswith("  resolve: ")
    assert "no-such-program-here" in reason
    assert second == f"● {'notes':<24} ready  stdio, 2 tools"
    write(cli.action_dir, broken.name, {"files": plain()})
    code, found = cli.events("servers", "list")
    assert (code, [(one["id"], one["phase"]) for one in found]) == (
        0,
        [("files", "ready"), ("notes", "ready")],
    )
    assert "plain server is here" in cli.run("servers", "log", "notes").stdout
    assert cli.run("servers", "disable", "files").stdout == f"· {'files':<24} stopped  stdio\n"
    assert "files::pid" not in cli.run("actions", "list").stdout
    assert cli.run("servers", "restart", "files").returncode == 2
    assert cli.run("servers", "enable", "files").stdout.startswith("● files")
    refused = cli.run("servers", "log", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "There is no server called nobody; there are: files, notes.\n"


def test_a_tool_of_a_server_is_run_from_a_terminal_and_by_the_host(cli: Cli, tmp_path: Path) -> None:
    write(cli.action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    args = ["actions", "run", "notes::find", "--approve", "all", "text=milk"]
    alone = cli.run(*args)
    assert (alone.returncode, 'find {"text": "milk"}' in alone.stdout) == (0, True), alone
    host = cli.start("chat", "--json")
    assert host.stdin is not None
    host.stdin.write("hello from the host\n")
    host.stdin.flush()
    read_events(host, "done")
    code, (restarted,) = cli.events("servers", "restart", "notes")
    assert (code, restarted["server"]["phase"]) == (0, "ready")
    assert json.loads(cli.run("servers", "list", "--json").stdout)["tools"] == 2
    assert cli.run(*args).returncode == 0
