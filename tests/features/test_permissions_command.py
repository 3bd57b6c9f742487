"""The real program: what may run, listed and changed from a terminal."""

from __future__ import annotations

import pytest

from tests.support import UPPER_SCRIPT

from .test_command_line import Cli, cli, read_events

pytestmark = pytest.mark.slow

__all__ = ["cli"]


def test_mode_rules_and_grants_are_listed_and_changed_in_the_partner_that_runs(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    host = cli.start("chat", "--json")
    assert host.stdin is not None
    host.stdin.write("hello from the host\n")
    host.stdin.flush()
    read_events(host, "done")
    fresh = cli.run("permissions").stdout.splitlines()
    assert fresh[0].startswith("Mode: smart (")
    assert fresh[1:] == ["No rules.", "You allowed nothing beyond single runs."]
    assert cli.run("permissions", "deny", "local::up*").returncode == 0
    refused = cli.run("actions", "run", "local::upper", "text=hello", "--approve", "all")
    assert "HELLO" not in refused.stdout
    assert "deny local::up" in refused.stdout
    code, (now,) = cli.events("permissions", "ask", "builtin::command::*")
    assert (code, [rule["effect"] for rule in now["rules"]]) == (0, ["deny", "ask"])
    listed = cli.run("permissions", "forget", "1").stdout
    assert "   1  ask    builtin::command::*" in listed
    assert "local::up*" not in listed
    assert "HELLO" in cli.run("actions", "run", "local::upper", "text=hello", "--approve", "all").stdout
    code, (now,) = cli.events("permissions", "mode", "ask")
    assert (code, now["mode"]) == (0, "ask")
    sentences = {
        ("mode", "often"): "There is no mode often; there are ask, smart, autonomous.",
        ("deny", "upper"): "“upper” matches no action",
        ("forget", "first"): "first is no number of a rule",
        ("forget", "9"): "There is no rule 9; there are 1.",
        ("revoke", "abc"): "There is no such grant",
    }
    for arguments, sentence in sentences.items():
        wrong = cli.run("permissions", *arguments)
        assert (wrong.returncode, wrong.stdout, sentence in wrong.stderr) == (1, "", True), wrong
