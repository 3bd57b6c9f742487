"""The real program: a plan of several steps is shown, approved, stopped and read from a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.features.terminal import Terminal
from tests.support import UPPER_SCRIPT

from .test_command_line import SLEEPER, Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]

FENCE = """\
# /// partner
# description = "Paint the fence"
# ///
print("it is white")
"""
ASKED = 'shout "first" in capital letters and then paint the fence'


def add(cli: Cli, **scripts: str) -> None:
    for name, script in scripts.items():
        (cli.action_dir / "dynamic" / f"{name}.py").write_text(script)


@pytest.mark.slow
def test_a_plan_is_told_step_by_step_and_its_record_is_read(cli: Cli) -> None:
    add(cli, upper=UPPER_SCRIPT, fence=FENCE)
    cli.host()
    waits = cli.run("chat", "--once", ASKED)
    *card, by_card, by_words = waits.stderr.splitlines()
    assert card == [
        "Upper → Fence · 2 steps",
        "  1. Upper · reads only · sandboxed · no network",
        "     text: first",
        "  2. Fence · reads only · sandboxed · no network",
    ]
    assert by_card.startswith("  it waits; a yes to this and nothing else: `partner-desktop actions approve ")
    assert by_words.startswith("  to answer in words: `partner-desktop chat --conversation ")
    done = cli.run("chat", "--once", ASKED, "--approve", "all")
    assert done.returncode == 0
    told = done.stderr.splitlines()
    assert told[-3:] == ["… Upper → Fence is running", "1/2 Upper … done", "2/2 Fence … done"]
    assert done.stdout.count("FIRST") == 1, "the result is told once"

    newest, before = cli.run("actions", "runs").stdout.splitlines()
    assert newest.startswith("✓ ")
    assert newest.endswith("Upper → Fence · succeeded · 2 of 2 steps")
    assert before.endswith("Upper → Fence · waiting · 0 of 2 steps")
    shown = cli.run("actions", "show", newest.split()[1]).stdout
    assert f"asked: {ASKED}" in shown
    assert "✓ 1. Upper · succeeded" in shown
    assert "     text: first\n     | FIRST\n" in shown
    assert "local::fence allow once by flag" in shown
    code, (whole,) = cli.events("actions", "show", "last")
    assert code == 0
    assert [step["stdout"] for step in whole["steps"]] == ["FIRST\n", "it is white\n"]
    assert [len(stage["steps"]) for stage in whole["action"]["chain"]["stages"]] == [1, 1]
    nothing = cli.run("actions", "show", "nowhere")
    assert nothing.returncode != 0
    assert nothing.stdout == ""

    _, events = cli.events("chat", "--once", ASKED, "--approve", "all")
    ended = {event["action"]["id"]: event["action"] for event in events if event["type"] == "result"}
    (plan,) = [action for action in ended.values() if action["chain"]]
    assert [action["parent_id"] for action in ended.values() if action is not plan] == [plan["id"]] * 2
    _, events = cli.events("chat", "--once", ASKED, "--approve", "never")
    assert "run" not in [event["type"] for event in events]


@pytest.mark.slow
def test_a_yes_in_words_waits_for_what_it_lets_run_and_its_exit_code_says_how_it_went(cli: Cli) -> None:
    add(cli, upper=UPPER_SCRIPT, fence=FENCE + "raise SystemExit('no paint is left')\n")
    piped = cli.run("chat", stdin=f"{ASKED}\nyes\n")
    assert piped.stderr.splitlines()[-3:] == [
        "… Upper → Fence is running",
        "1/2 Upper … done",
        "2/2 Fence … failed: It ended with exit code 1: no paint is left",
    ]
    assert "FIRST" in piped.stdout
    assert "no paint is left" in piped.stdout
    assert piped.returncode == 1
    cli.host()
    _, events = cli.events("chat", "--once", 'shout "later" in capital letters')
    place = events[-1]["conversation_id"]
    said = cli.run("chat", "--once", "yes", "--conversation", place)
    assert "LATER" in said.stdout, "also where another process runs it"
    assert said.returncode == 0


def test_a_plan_that_runs_is_ended_as_a_whole_from_another_terminal(cli: Cli) -> None:
    add(cli, sleeper=SLEEPER, fence=FENCE)
    cli.host()
    talking = cli.start(
        "chat", "--json", "--once", "wait for the bus and then paint the fence", "--approve", "all"
    )
    assert talking.stdout is not None
    for line in talking.stdout:
        event = json.loads(line)
        if event["type"] == "output" and "waiting" in event["text"]:
            break
    ended = cli.run("actions", "cancel", "last")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("– ")
    assert "Sleeper → Fence · cancelled" in ended.stdout
    assert not any("it is white" in line for line in talking.stdout), "nothing of it goes on"
    again = cli.run("actions", "cancel", "last")
    assert again.returncode != 0
    assert "does not run; it is cancelled" in again.stderr


def test_a_plan_is_asked_about_once_and_stopped_by_one_key(cli: Cli, user_home: Path) -> None:
    add(cli, sleeper=SLEEPER, fence=FENCE)
    where = ("--home", str(cli.home), "--action-dir", str(cli.action_dir))
    with Terminal(*where, cwd=user_home) as one:
        one.ready()
        one.enter("wait for the bus and then paint the fence")
        one.until("2. Fence · reads only")  # the question may stand there before its card
        asked = one.until("Let it run?")
        assert "Sleeper → Fence · 2 steps" in asked
        one.press_until("y", "is running")
        one.until("1/2 Sleeper is running")
        one.press_until("\x03", "– Sleeper → Fence · cancelled")
        one.ready()
        assert one.leave() == 0
        assert one.text.count("Let it run?") <= 1
        assert "it is white" not in one.text
        assert "– 1/2 Sleeper · cancelled\n2/2 Fence … cancelled\n– Sleeper → Fence · cancelled" in one.text
    audit = cli.run("audit").stdout
    for key in ("local::sleeper", "local::fence"):
        assert f"{key} by person (once): chain " in audit, "one yes, and each step has its own row"
