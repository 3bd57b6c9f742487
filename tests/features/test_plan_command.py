"""The real program: a plan towards a goal is shown with its reasons, and carried out."""

from __future__ import annotations

import pytest

from tests.action.goals.talk_abilities import write_talk_abilities

from .test_command_line import Cli, cli

pytestmark = pytest.mark.integration

__all__ = ["cli"]


@pytest.mark.slow
def test_a_plan_is_shown_with_its_reasons_and_carried_out(cli: Cli) -> None:
    write_talk_abilities(cli.action_dir / "dynamic")
    talk = cli.cwd / "talk.txt"
    talk.write_text("We met.\n")
    cli.host()
    shown = cli.run("plan", "--goal", "Summary", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines() == [
        "3 steps, cost 3:",
        "  1. Read talk  (local::read_talk)",
        "     file: will be asked for",
        "     brings Transcript, for step 2; cost 1; there is no other way",
        "  2. Extract points  (local::extract_points)",
        "     transcript: from step 1",
        "     brings TalkingPoints, for step 3; cost 1; without it the plan would cost 7 and not 3",
        "  3. Summarise points  (local::summarise_points)",
        "     points: from step 2",
        "     brings Summary, which is the goal; cost 1; there is no other way",
    ]
    code, (plan,) = cli.events(
        "plan", "--goal", "Summary", "--goal", "mail is sent", "--have", "file=talk.txt", "--dry-run"
    )
    assert code == 0
    assert plan["goal"] == {"have:Summary": True, "mail is sent": True}
    assert [len(stage) for stage in plan["stages"]] == [1, 1, 2], "what has nothing in common runs together"
    assert plan["stages"][0][0]["params"] == {"file": "talk.txt"}
    assert cli.run("actions", "runs").stdout == "Nothing was proposed or run yet.\n"
    done = cli.run("plan", "--goal", "Summary", "--have", f"file={talk}", "--approve", "all")
    assert done.returncode == 0, done.stderr
    assert "In short: We met." in done.stdout
    wrong = cli.run("plan", "--goal", "Summry", "--dry-run")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Nothing here is known as “Summry”; is Summary meant?" in wrong.stderr
