"""The real program: servers listed, mended, switched and read of from a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.action.mcp.serving import plain, write
from tests.action.mcp.sign_in_server import SECRET, browse, guarded
from tests.features.terminal import Terminal
from tests.runner.mcp import servers

from .test_command_line import TIMEOUT_S, Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]


def test_servers_are_listed_mended_and_switched_in_the_partner_that_runs(cli: Cli) -> None:
    cli.host()
    write(cli.action_dir, "notes.json", {"mcpServers": {"notes": plain("--tools", "pid,find")}})
    write(cli.action_dir, "files.json", {"files": {"command": "no-such-program-here"}})
    asking = until_listed(cli, "✗ files", "? notes")
    assert "It would run, with your rights, `" in asking.stdout
    assert "partner-desktop servers allow notes" in asking.stdout
    assert allowed(cli, "notes").stdout == f"● {'notes':<24} ready  stdio, 2 tools\n"
    listed = until_listed(cli, "✗ files", "● notes")
    assert listed.returncode == 1
    first, reason, second = listed.stdout.splitlines()
    assert first == f"✗ {'files':<24} failed  stdio"
    assert reason.startswith("  resolve: ")
    assert "no-such-program-here" in reason
    assert second == f"● {'notes':<24} ready  stdio, 2 tools"
    write(cli.action_dir, "files.json", {"files": plain()})
    until_listed(cli, "? files")
    allowed(cli, "files")
    assert until_listed(cli, "● files").returncode == 0
    assert "plain server is here" in cli.run("servers", "log", "notes").stdout
    assert cli.run("servers", "disable", "files").stdout == f"· {'files':<24} stopped  stdio\n"
    code, (done,) = cli.events("servers", "restart", "notes")
    assert (code, done["phase"]) == (0, "ready")
    refused = cli.run("servers", "log", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "There is no server called nobody; there are: files, notes.\n"


def test_a_tool_of_a_server_is_run_by_a_command_that_hosts_the_home_itself(cli: Cli) -> None:
    write(cli.action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    unasked = cli.run("actions", "run", "notes::find", "text=milk", "--approve", "all")
    assert unasked.returncode != 0, "a yes to everything is none to a server that starts for the first time"
    assert allowed(cli, "notes").returncode == 0
    done = cli.run("actions", "run", "notes::find", "text=milk", "--approve", "all")
    assert (done.returncode, 'find {"text": "milk"}' in done.stdout) == (0, True), done


def test_a_message_to_no_host_waits_for_the_server_that_it_may_be_meant_for(cli: Cli, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    options = ("--tools", "list_tables,run_query", "--gate", str(gate))
    write(cli.action_dir, "database.json", {"database": plain(*options)})
    allowing = started(cli, "servers", "allow", "database", "--shown", shown_hash(cli, "database"))
    gate.write_bytes(b"")  # it starts, and the command ends when it is ready
    assert "ready" in allowing.communicate(timeout=TIMEOUT_S)[0]
    asking = started(cli, "chat", "--once", 'run the query "select 1+1 as two"', "--approve", "all")
    assert asking.stderr is not None
    assert any(line.startswith("(Waiting for database") for line in asking.stderr)
    gate.write_bytes(b"")
    out, _ = asking.communicate(timeout=TIMEOUT_S)
    assert asking.returncode == 0
    assert "run_query" in out


def started(cli: Cli, *words: str) -> subprocess.Popen[str]:
    """A command that goes on meanwhile."""
    pipe = subprocess.PIPE
    command = cli.arguments(*words)
    process = subprocess.Popen(command, cwd=cli.cwd, env=cli.environment, stdout=pipe, stderr=pipe, text=True)
    cli.started.append(process)
    return process


ASKS = {"command": sys.executable, "args": ["-B", str(servers.path("asks"))]}
NOBODY = "Nobody can be asked here, so it was cancelled. asks asks: Which city?"


def test_what_a_server_asks_where_nobody_can_answer_is_cancelled_at_once_and_said(cli: Cli) -> None:
    write(cli.action_dir, "asks.json", {"asks": ASKS})
    assert allowed(cli, "asks").returncode == 0
    done = cli.run("actions", "run", "asks::elicit", "--approve", "all")
    assert done.returncode == 0
    assert f"({NOBODY})" in done.stderr.splitlines()
    cli.host()
    code, events = cli.events("actions", "run", "asks::elicit", "--approve", "all")
    assert code == 0
    assert [event["open"] for event in events if event["type"] == "elicitation"] == [False]
    assert [event["text"] for event in events if event["type"] == "notice"] == [NOBODY]
    (result,) = [event["action"] for event in events if event["type"] == "result"]
    assert json.loads(result["stdout"]) == {"action": "cancel"}


def test_a_yes_on_a_terminal_is_to_what_was_printed_there_and_elsewhere_to_what_is_named(cli: Cli) -> None:
    cli.host()
    write(cli.action_dir, "notes.json", {"notes": plain("--tools", "pid,find")})
    until_listed(cli, "? notes")
    unnamed = cli.run("servers", "allow", "notes")
    assert (unnamed.returncode, "--shown HASH" in unnamed.stderr) == (2, True), unnamed
    printed = shown_hash(cli, "notes")
    words = ("allow", "notes", "--home", str(cli.home), "--action-dir", str(cli.action_dir))
    with Terminal(*words, cwd=cli.cwd, command=("servers",)) as terminal:
        terminal.until("[N] no:")
        assert "plain_server.py --tools pid,find" in "".join(terminal.text.split("\n"))
        terminal.type("\r")
        terminal.until("Nothing was allowed.")
        assert terminal.ends() == 1
    with Terminal(*words, cwd=cli.cwd, command=("servers",)) as terminal:
        terminal.until("[N] no:")
        write(cli.action_dir, "notes.json", {"notes": plain("--tools", "pid")})
        until_hash(cli, "notes", other_than=printed)
        terminal.type("y\r")
        terminal.until("not what was shown any more")
        assert terminal.ends() == 2
    stale = cli.run("servers", "allow", "notes", "--shown", printed)
    assert (stale.returncode, "not what was shown any more" in stale.stderr) == (2, True), stale
    with Terminal(*words, cwd=cli.cwd, command=("servers",)) as terminal:
        terminal.until("[N] no:")
        terminal.type("y\r")
        terminal.until("1 tool")
        assert terminal.ends() == 0


@pytest.mark.promise("actions.mcp.secrets")
def test_a_secret_that_stands_in_a_file_as_plain_text_moves_to_the_keyring_by_a_command(cli: Cli) -> None:
    config = {"command": "true", "disabled": True, "env": {"GITHUB_TOKEN": "ghp_0123456789"}}
    path = write(cli.action_dir, "github.json", {"github": config})
    moved = cli.run("servers", "move-secrets", "github")
    told = "Moved to the keyring: GITHUB_TOKEN of github."
    assert (moved.returncode, told in moved.stdout.splitlines()) == (0, True), moved
    assert json.loads(path.read_text())["github"]["env"] == {"GITHUB_TOKEN": "${keyring:GITHUB_TOKEN}"}
    assert "ghp_0123456789" in (cli.home / "secrets.toml").read_text()
    again = cli.run("servers", "move-secrets", "github")
    assert (again.returncode, "No secret" in again.stderr) == (2, True), again


@pytest.mark.promise("actions.mcp.oauth")
def test_a_remote_server_is_signed_in_to_and_out_of_from_a_terminal(cli: Cli) -> None:
    cli.host()
    with guarded() as world:
        write(cli.action_dir, "notes.json", {"notes": {"type": "http", "url": world.url}})
        until_listed(cli, "? notes")
        allowed(cli, "notes")
        needed = until_listed(cli, "? notes")
        assert "needs you to sign in: partner-desktop servers sign-in notes" in needed.stdout
        signing = started(cli, "servers", "sign-in", "notes", "--no-browser")
        assert signing.stderr is not None
        page = next(line for line in signing.stderr if line.startswith("http://127.0.0.1:"))
        assert browse(page.strip())[0] == 200
        out, _ = signing.communicate(timeout=TIMEOUT_S)
        assert (signing.returncode, out.splitlines()) == (
            0,
            [f"● {'notes':<24} ready  http, 1 tool", "  signed in"],
        )
        assert SECRET not in "".join(cli.run("servers", "list", "--json").stdout)
        signed_out = cli.run("servers", "sign-out", "notes")
        assert "needs you to sign in" in signed_out.stdout
        denied = started(cli, "servers", "sign-in", "notes", "--no-browser")
        assert denied.stderr is not None
        page = next(line for line in denied.stderr if line.startswith("http://127.0.0.1:"))
        browse(page.strip(), code=None, error="access_denied")
        out, _ = denied.communicate(timeout=TIMEOUT_S)
        assert (denied.returncode, "The access was denied on the page" in out) == (1, True)
        signing = started(cli, "servers", "sign-in", "notes", "--no-browser")
        assert signing.stderr is not None
        page = next(line for line in signing.stderr if line.startswith("http://127.0.0.1:"))
        browse(page.strip())
        signing.communicate(timeout=TIMEOUT_S)
        world.revoked.clear()
        (cli.action_dir / "mcp" / "notes.json").unlink()
        until_listed(cli, "There are no servers yet")
        removed = cli.run("servers", "sign-out", "notes")
        assert (removed.returncode, len(world.revoked)) == (0, 1), "also where it was removed"


def shown_hash(cli: Cli, name: str) -> str:
    """Of the question that is listed now; empty while there is none, as a moment after a file was saved."""
    _, listed = cli.events("servers", "list")
    questions = [each["question"] for each in listed if each["id"] == name]
    return str(questions[0]["shown_hash"]) if questions and questions[0] else ""


def until_hash(cli: Cli, name: str, *, other_than: str) -> None:
    until_listed(cli, f"? {name}")
    for _ in range(20):
        if shown_hash(cli, name) not in ("", other_than):
            return
    raise AssertionError(f"{name} asks the same as before")


def allowed(cli: Cli, name: str) -> CompletedProcess[str]:
    """A yes to what is listed."""
    return cli.run("servers", "allow", name, "--shown", shown_hash(cli, name))


def until_listed(cli: Cli, *lines: str) -> CompletedProcess[str]:
    """A saved file is taken in within a second; each look takes longer than that on a busy machine."""
    for _ in range(20):
        listed = cli.run("servers", "list")
        if all(line in listed.stdout for line in lines):
            return listed
    raise AssertionError(f"{lines} are not listed: {listed}")
