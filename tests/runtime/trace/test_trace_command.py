"""`partner-desktop trace` as the real program, without a host and beside one."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.support import REPOSITORY, HastyClock, Watcher, run_cli_arguments

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("quick_starts")]

TIMEOUT_S = 60


def trace(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        run_cli_arguments("trace", *arguments, "--home", str(home.root)),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.fixture
async def said(home: Home, action_dir: Path) -> list[str]:
    """The conversations of two turns of a Partner that is closed again."""
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    found = []
    for text in ("hello", "thanks"):
        message = await partner.messages.send(text, conversation_id=None)
        await watcher.done()
        watcher.events.clear()
        found.append(message.conversation_id)
    await partner.close()
    return found


@pytest.mark.promise("framework.trace")
def test_the_last_turn_is_printed_as_a_tree_without_a_host(said: list[str], home: Home) -> None:
    done = trace(home, "--last")
    assert (done.returncode, done.stderr) == (0, "")
    head, *tree = done.stdout.splitlines()
    assert head.startswith("turn ")
    assert f"conversation {said[-1][:8]}" in head
    assert any("order 5" in line for line in tree)
    assert any("mind reply" in line and "ms" in line for line in tree)
    assert not (home.root / "host.json").exists(), "nobody became the host for it"


@pytest.mark.promise("framework.trace")
async def test_turns_are_listed_and_found_by_the_beginning_of_their_id_while_a_host_runs(
    said: list[str], home: Home, action_dir: Path
) -> None:
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        listed = trace(home, "--list", "--json")
        turns = [json.loads(line) for line in listed.stdout.splitlines()]
        assert [turn["conversation"] for turn in turns] == said
        assert all(turn["state"] == "ended" and turn["errors"] == 0 for turn in turns)
        plain = trace(home, "--list", "--limit", "1").stdout
        assert plain.startswith(turns[1]["turn"][:8])
        one = trace(home, "--turn", turns[0]["turn"][:8], "--json")
        records = [json.loads(line) for line in one.stdout.splitlines()]
        assert {record["turn"] for record in records} == {turns[0]["turn"]}
        assert records[0]["state"] == "started"
    finally:
        await partner.close()


def test_what_is_not_there_is_said(said: list[str], home: Home, tmp_path: Path) -> None:
    del said
    unknown = trace(home, "--turn", "nothing")
    assert unknown.returncode == 2
    assert "There is no turn nothing" in unknown.stderr
    several = trace(home, "--turn", "")
    assert several.returncode == 0
    empty = trace(Home(tmp_path / "empty"), "--last")
    assert (empty.returncode, empty.stdout) == (1, "")
    assert "No turn was traced" in empty.stderr
    assert not (tmp_path / "empty").exists()
