"""The real program: what is familiar by now, listed and forgotten from a terminal."""

from __future__ import annotations

import pytest

from .test_command_line import Cli, cli, with_samples

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.cache")]

__all__ = ["cli", "with_samples"]


def test_what_is_familiar_is_listed_and_forgotten_one_by_one_or_all(with_samples: Cli) -> None:
    cli = with_samples
    assert cli.run("familiar").stdout.startswith("Nothing is familiar yet")
    for _ in range(2):
        assert cli.run("chat", "--once", "what time is it?").returncode == 0
    code, (listed,) = cli.events("familiar", "list")
    assert (code, listed["words"], listed["passes"], listed["active"]) == (0, "what time is it?", 2, False)
    shown = cli.run("familiar", "list").stdout
    assert f"{listed['id']}  what time is it? → {listed['key']}  confirmed 2 of 6 times" in shown
    savings = cli.run("familiar", "savings").stdout
    assert savings == "Familiar requests: 0; 0 calls of a model saved, 0.0 s.\n"
    refused = cli.run("familiar", "forget", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "There is no familiar request nobody" in refused.stderr
    assert "familiar no longer" in cli.run("familiar", "forget", str(listed["id"])).stdout
    assert cli.events("familiar", "list") == (0, [])
    assert "Nothing is familiar now" in cli.run("familiar", "clear").stdout
