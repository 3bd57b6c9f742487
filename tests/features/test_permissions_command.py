"""The real program: what may run, listed and changed from a terminal."""

from __future__ import annotations

import pytest

from tests.support import UPPER_SCRIPT

from .test_command_line import Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]


def test_mode_rules_and_grants_are_listed_and_changed_in_the_partner_that_runs(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    cli.host()
    assert cli.run("permissions", "deny", "local::up*").returncode == 0
    refused = cli.run("actions", "run", "local::upper", "text=hello", "--approve", "all")
    assert "HELLO" not in refused.stdout
    assert "deny local::up" in refused.stdout
    code, (now,) = cli.events("permissions", "mode", "ask")
    assert (code, now["mode"], now["rules"][0]["effect"]) == (0, "ask", "deny")
    shown = cli.run("permissions", "forget", "1").stdout.splitlines()
    assert shown[0].startswith("Mode: ask (")
    assert shown[1:] == ["No rules.", "You allowed nothing beyond single runs."]
    wrong = cli.run("permissions", "revoke", "abc")
    assert (wrong.returncode, wrong.stdout, "no such grant" in wrong.stderr) == (2, "", True), wrong
