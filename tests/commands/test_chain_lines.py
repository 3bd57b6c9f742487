"""A plan in lines for a terminal: what is asked, and what is told as its steps end."""

from __future__ import annotations

from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.commands.plan_lines import PlanProgress, proposal_lines
from partner_desktop.domain.json_value import JsonObject


def step(number: int, title: str, status: str = "planned", **facts: object) -> JsonObject:
    one: dict[str, object] = {
        "id": f"s{number}",
        "title": title,
        "risk": "read",
        "isolation": {"summary": "sandboxed · no network"},
        "params": {},
        "feeds": [],
        "status": status,
        "error": "",
        **facts,
    }
    return one  # type: ignore[return-value] # JSON as a test writes it


def plan(*steps: JsonObject, status: str = "waiting") -> JsonObject:
    stages: list[object] = [{"steps": [each]} for each in steps]
    one: dict[str, object] = {
        "id": "p1",
        "title": "Find → Zip",
        "chain": {"stages": stages},
        "isolation": None,
        "params": {},
        "status": status,
        "error": "",
        "parent_id": "",
    }
    return one  # type: ignore[return-value] # JSON as a test writes it


def ended(number: int, title: str, status: str, error: str = "") -> JsonObject:
    return {
        "id": f"s{number}",
        "title": title,
        "chain": None,
        "status": status,
        "error": error,
        "parent_id": "p1",
        "finished_at": "2030-05-14T12:00:00+00:00",
    }


FED = {"files": {"$from": "s1"}, "target": "/tmp/a.zip\x1b[2J"}


def test_a_plan_is_asked_about_with_every_step_its_risk_and_its_arguments() -> None:
    zipping = step(2, "Zip", risk="write", params=FED, feeds=[{"param": "files", "step": "s1"}])
    lines = list(proposal_lines(plan(step(1, "Find", params={"folder": "/tmp/pics"}), zipping)))
    assert lines == [
        "Find → Zip · 2 steps",
        "  1. Find · reads only · sandboxed · no network",
        "     folder: /tmp/pics",
        "  2. Zip · changes things · sandboxed · no network",
        "     target: /tmp/a.zip⟨U+001B⟩[2J",
        "     files: from step 1",
    ]


def test_a_single_action_is_asked_about_as_before() -> None:
    single: JsonObject = {"title": "Zip", "isolation": {"summary": "sandboxed"}, "params": {"text": "a"}}
    assert list(proposal_lines(single)) == ["Zip · sandboxed", "  text: a"]


def test_each_step_is_told_once_as_it_ends_and_what_never_ran_at_the_end() -> None:
    told = PlanProgress()
    told.note(plan(step(1, "Find"), step(2, "Zip")))
    first = ended(1, "Find", "failed", "No such folder.")
    told.note(first)
    assert list(told.ended(first)) == ["1/2 Find … failed: No such folder."]
    over = plan(step(1, "Find", "failed"), step(2, "Zip", "skipped", error="Step 1 failed."), status="failed")
    told.note(over)
    assert list(told.ended(over)) == ["2/2 Zip … skipped: Step 1 failed."]
    told.note(ended(2, "Zip", "cancelled"))
    stopped = plan(step(1, "Find", "cancelled"), step(2, "Zip", "cancelled"), status="cancelled")
    assert list(told.ended(stopped)) == [], "both were told of"


def test_on_the_screen_a_step_that_asks_says_which_plan_it_belongs_to() -> None:
    lines: list[str] = []
    transcript = Transcript(lines.append, lambda: 80)
    transcript.show({"type": "action", "action": plan(step(1, "Find"), step(2, "Zip", "waiting"))})
    asks: JsonObject = {**ended(2, "Zip", "waiting"), "finished_at": None, "params": {"text": "a"}}
    transcript.show({"type": "proposal", "action": asks})
    transcript.show({"type": "run", "action": asks})
    transcript.show({"type": "result", "action": ended(2, "Zip", "succeeded")})
    assert lines == [
        "Zip · a step of Find → Zip",
        "  text: a",
        "… 2/2 Zip is running",
        "✓ 2/2 Zip · succeeded",
    ]


def test_all_tries_of_a_step_are_one() -> None:
    again = step(3, "Shaky", "succeeded", origin="retry", mends="s2")
    steps = (step(1, "First", "succeeded"), step(2, "Shaky", "failed"), again, step(4, "Last", "succeeded"))
    progress = PlanProgress()
    progress.note(plan(*steps, status="succeeded"))
    places = [progress.place(ended(number, str(each["title"]), "")) for number, each in enumerate(steps, 1)]
    assert places == ["1/3 First", "2/3 Shaky", "2/3 Shaky", "3/3 Last"]
