"""The real program: a conversation is summed up by hand, and what was summed up is listed and opened."""

from __future__ import annotations

import pytest

from .test_command_line import Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]


def test_what_was_summed_up_is_listed_and_opens_as_it_was_said(cli: Cli) -> None:
    long = "Ann has 3 dogs. " + "They bark, and they run. " * 30
    assert cli.run("chat", "--once", long).returncode == 0
    _, (listed,) = cli.events("conversations", "list")
    assert cli.run("memory", "units", listed["id"][:8]).stdout == "There is nothing of that kind in memory.\n"
    rolled = cli.run("memory", "roll", listed["id"][:8])
    assert rolled.returncode == 0
    assert rolled.stdout.splitlines()[0].endswith("  by hand")
    assert "  You: Ann has 3 dogs." in rolled.stdout.splitlines()
    assert cli.run("memory", "units", listed["id"]).stdout == rolled.stdout
    again = cli.run("memory", "roll", listed["id"])
    assert again.stdout == "Nothing was said there since it was summed up last.\n"
    _, (part,) = cli.events("memory", "slices")
    opened = cli.run("memory", "show", part["id"])
    assert f"    {long.strip()}" in [line.rstrip() for line in opened.stdout.splitlines()]
