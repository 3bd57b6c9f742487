"""The real program: a plan towards a goal is shown with its reasons, and carried out."""

from __future__ import annotations

import pytest

from tests.action.goals.talk_abilities import write_talk_abilities
from tests.action.verification.people_abilities import write

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


@pytest.mark.slow
def test_what_was_done_is_checked_and_offered_to_be_done_again(cli: Cli) -> None:
    code = 'pathlib.Path(given["file"]).write_text(given["line"])\n'
    code += 'print(json.dumps({"path": given["file"], "size": len(given["line"])}))\n'
    write(cli.action_dir / "dynamic", "keep_note", code, params=("line",), writes=("file",))
    note = cli.cwd / "note.txt"
    done = cli.run("actions", "run", "local::keep_note", f"file={note}", "line=hello", "--approve", "all")
    assert done.returncode == 0, done.stderr
    checked = cli.run("plan", "verify", "last")
    verified = "  1. Keep note: verified. ~/note.txt is there, with the size that it says.\n"
    assert (checked.returncode, checked.stdout) == (0, verified)
    run_id = cli.events("actions", "runs")[1][-1]["id"]
    note.write_text("longer")
    checked = cli.run("plan", "verify", run_id)
    assert checked.stdout.splitlines() == [
        "  1. Keep note: failed. ~/note.txt has 6 bytes and not 5.",
        "     wanted: 5 · found: 6",
    ]
    note.unlink()
    checked = cli.run("plan", "verify", run_id)
    assert (checked.returncode, checked.stdout) == (1, "  1. Keep note: failed. ~/note.txt is not there.\n")
    ended, (card,) = cli.events("plan", "repair", run_id)
    (step,) = card["chain"]["stages"][0]["steps"]
    assert (ended, card["status"], step["key"]) == (0, "waiting", "local::keep_note")
    assert not note.exists()
    assert cli.run("plan", "verify").returncode == 2
    assert cli.run("plan").returncode == 2
