"""The real program: a saved plan runs, is given up and resumed, and what it did is kept as another one."""

from __future__ import annotations

import json

import pytest

from tests.action.saved_plans.plan_room import calls, listener, plan, write_plan, write_steps

from .test_command_line import Cli, cli

pytestmark = [pytest.mark.integration, pytest.mark.slow]

__all__ = ["cli"]


@pytest.mark.promise("verification.retry")
@pytest.mark.promise("planning.saved")
def test_a_plan_is_run_given_up_resumed_and_kept_from_the_terminal(cli: Cli) -> None:
    dynamic, log = cli.action_dir / "dynamic", cli.cwd / "log.txt"
    log.touch()
    write_steps(dynamic)
    listeners = [
        listener("first", "main", "a"),
        listener("shaky", "a", "b", fails=2, retries=1),
        listener("mail", "b", "main"),
    ]
    write_plan(dynamic, plan(listeners, ["a", "b"]))
    cli.host()
    given_up = cli.run("actions", "run", "local::take_in", f"log={log}", "--approve", "all")
    assert given_up.returncode == 1, given_up.stderr
    assert calls(log) == ["first", "shaky", "shaky"]
    runs = json.loads(cli.run("actions", "runs", "--json").stdout.splitlines()[0])
    assert runs["status"] == "failed"
    assert f"plan resume {runs['id'][:8]}`" in runs["error"]
    done = cli.run("plan", "resume", runs["id"][:8], "--approve", "all")
    assert done.returncode == 0, done.stderr
    assert calls(log) == ["first", "shaky", "shaky", "shaky", "mail"]
    names = ("--param", "1.line=who", "--param", "2.line=", "--param", "3.line=")
    kept = cli.run("plan", "save", runs["id"][:8], "--name", "welcome", *names)
    assert kept.returncode == 0, kept.stderr
    assert kept.stdout.splitlines()[0] == "It is kept as local::welcome."
    assert "  step 1: line is asked for as who" in kept.stdout
    body = json.loads((dynamic / "welcome" / "plan.json").read_text())
    assert body["params"]["required"] == ["log", "who"]
    wrong = cli.run("plan", "save", runs["id"][:8], "--param", "9.line=who")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "There is no 9.line; there are 1.log, 1.line" in wrong.stderr
    nothing = cli.run("plan")
    assert nothing.returncode == 2
    assert "`save`, `resume`, `verify` or `repair` with an ACTION" in nothing.stderr
