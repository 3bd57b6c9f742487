"""On a plan's card: what a check came to, what was taken out or tried again, and what may be asked then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.row_parts import RemovedSteps
from partner_desktop.desktop.card.plan.save_form import PlanSaveForm
from partner_desktop.desktop.card.plan.step_words import progress_words
from partner_desktop.desktop.panel.actions.action_words import second_line
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Change
from partner_desktop.domain.verification import VerdictStatus, Verification

from .chain_samples import chain_action, chain_of, child_of, done, failed, moved, running, with_steps
from .chat import Chat
from .moments import Moments
from .on_card import button, press, words
from .samples import NOON
from .stage import Stage
from .test_chain_card import GROUP, Pressing, change, every_way, plan, planned, row, show, told
from .verified_samples import GROUPED, LISTED, MOVED, checked, rerouted, verified

pytestmark = [pytest.mark.promise("desktop.plan"), pytest.mark.integration]

V = VerdictStatus
SIGN = """# /// partner
# description = "Go on where the file says so"
# [params.file]
# type = "string"
# format = "path"
# access = "read"
# description = "the file that says so"
# ///
import json, sys
sys.exit(0 if "ready" in open(json.load(sys.stdin)["file"]).read() else "not yet")
"""


@pytest.fixture
def opened(stage: Stage, chat: Chat) -> Chat:
    """A window in one chat."""
    chat.open()
    return chat


def verdict(card: ActionCard, step_id: str) -> str:
    """The word at a step's row."""
    label = row(card, step_id).button.verdict
    return label.text() if label.isVisibleTo(card) else ""


def bar(card: ActionCard) -> str:
    checks = plan(card).checks
    assert checks is not None
    return checks.accessibleName()


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (V.VERIFIED, "verified"),
        (V.FAILED, "check failed"),
        (V.UNABLE, "could not check"),
        (V.TIMED_OUT, "check timed out"),
        (V.UNVERIFIED, "not checked"),
    ],
)
def test_each_verdict_is_a_word_at_its_step_and_is_read_out(
    stage: Stage, opened: Chat, status: VerdictStatus, said: str
) -> None:
    card = show(stage, opened, checked(replace(LISTED, status=status)))
    assert verdict(card, "s1") == said
    assert said in row(card, "s1").button.accessibleName()
    assert "done" in row(card, "s1").button.accessibleName()
    assert verdict(card, "s2") == ""
    assert bar(card).startswith(said)


def test_while_it_is_checked_the_steps_say_so_until_their_verdict_comes(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, done())
    assert plan(card).checks is None
    change(stage, opened, checked(ended=False))
    assert [verdict(card, each) for each in ("s1", "s2", "s3")] == ["checking…"] * 3
    assert bar(card) == "checking…: 0 of 3 verified"
    assert "Check again" not in words(card)
    change(stage, opened, checked(LISTED, ended=False))
    assert [verdict(card, each) for each in ("s1", "s2")] == ["verified", "checking…"]
    change(stage, opened, checked(LISTED, GROUPED, MOVED))
    assert bar(card) == "check failed: 1 of 3 verified · 1 check failed · 1 not checked"


def test_a_step_unfolds_what_its_verdict_rests_on(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, checked(LISTED, GROUPED, MOVED))
    press(stage, row(card, "s3").button)
    shown = words(card)
    for part in (
        "Check by Files: check failed",
        "Two of the six folders are not as it says.",
        "There are 17 files in Images.",
        "wanted: 19 · found: 17\ntold by local::list_files",
        "wanted: a folder · found: not there",
        "Asked: builtin::files::stat",
    ):
        assert part in shown, part
    signs = [label.accessibleName() for label in card.findChildren(QLabel) if label.text() in ("✓", "✗")]
    assert signs == ["it is so", "it is not so", "it is not so"]
    assert "wanted: 58" not in shown, "what is so needs no two numbers"


def test_what_is_unfolded_gains_its_evidence_when_that_comes(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, done())
    press(stage, row(card, "s1").button)
    change(stage, opened, verified())
    assert "There are 58 files in Downloads." in words(card)


@every_way
def test_a_check_is_asked_for_again_and_what_failed_is_repaired(
    stage: Stage, opened: Chat, pressing: Pressing
) -> None:
    card = show(stage, opened, checked(LISTED, GROUPED, MOVED))
    checks = plan(card).checks
    assert checks is not None
    pressing(stage, checks.again)
    pressing(stage, checks.repair)
    assert opened.sent == [("verify", "a1"), ("repair", "a1")]
    assert not checks.again.isEnabled()
    stage.do(card.settle)
    assert checks.again.isEnabled()


def test_only_what_failed_is_repaired(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, verified())
    checks = plan(card).checks
    assert checks is not None
    assert checks.again.isVisible()
    assert not checks.repair.isVisible()


@pytest.mark.parametrize(
    ("record", "verbs"),
    [
        (done(), ["again", "verify", "save"]),
        (verified(), ["again", "save"]),
        (failed(), ["again", "resume", "save"]),
        (chain_action(status=ActionStatus.REJECTED), []),
        (running(), ["cancel"]),
    ],
)
def test_what_may_be_asked_of_a_plan_depends_on_how_it_ended(
    stage: Stage, opened: Chat, record: ActionRecord, verbs: list[str]
) -> None:
    card = show(stage, opened, record)
    assert card.foot is not None
    assert list(card.foot.buttons) == verbs
    for verb in ("resume", "verify", "save"):
        if verb in verbs:
            press(stage, button(card, verb))
            assert opened.sent[-1] == (verb, "a1")
            stage.do(card.settle)


def test_what_is_taken_out_stays_in_view_where_it_stood_with_the_reason(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, running())
    change(stage, opened, rerouted())
    (gone,) = card.findChildren(RemovedSteps)
    names = [
        label.accessibleName() for label in gone.findChildren(QLabel) if label.property("look") == "struck"
    ]
    assert names == ["Taken out: Make a folder for each type", "Taken out: Look for the same files"]
    assert words(card).count("“Group them by name” will do it instead") == 1
    tops = [each.mapTo(card, each.rect().topLeft()).y() for each in (row(card, "r1"), gone, row(card, "n1"))]
    assert tops == sorted(tops)


def test_what_was_taken_out_before_all_others_stands_above_them(stage: Stage, opened: Chat) -> None:
    gone_first = Change("delete", "mind", "It is not needed.", NOON, ("Look around",), "")
    late = Change("delete", "mind", "It was too late.", NOON, ("Say so",), "nobody")
    card = show(stage, opened, with_steps(running(), changes=(gone_first, late)))
    above, below = card.findChildren(RemovedSteps)
    at = [
        each.mapTo(card, each.rect().topLeft()).y()
        for each in (above, row(card, "s1"), row(card, "s3"), below)
    ]
    assert at == sorted(at)
    assert "Replanned: It is not needed." in words(card)


def test_a_step_that_is_tried_again_says_which_try_it_is(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, rerouted())
    assert told(card, "r1").startswith("tried again (2 of 4)")
    assert told(card, "n1").startswith("in place of step 2"), "all tries of a step are one step"


def test_a_step_that_was_tried_again_counts_once() -> None:
    over = replace(rerouted(), status=ActionStatus.FAILED)
    count = len(chain_of(over).steps) - 1
    assert progress_words(over) == f"1 of {count} steps done"
    assert f"1 of {count} steps done" in second_line(replace(over, error=""), NOON)


def test_what_another_does_instead_is_struck_through_with_the_reason_below(
    stage: Stage, opened: Chat
) -> None:
    (told_why,) = chain_of(rerouted()).changes
    record = with_steps(rerouted(), changes=(replace(told_why, removed=()),))
    card = show(stage, opened, record)
    looks = {each: row(card, each).button.title.property("look") for each in ("s1", "s2", "r1", "n1")}
    assert looks == {"s1": "", "s2": "", "r1": "struck", "n1": ""}
    (why,) = card.findChildren(RemovedSteps)
    tops = [each.mapTo(card, each.rect().topLeft()).y() for each in (row(card, "r1"), why, row(card, "n1"))]
    assert tops == sorted(tops)


def test_a_plan_that_is_taken_up_again_runs_and_a_late_word_of_before_does_not_count(
    stage: Stage, opened: Chat
) -> None:
    card = show(stage, opened, failed())
    change(stage, opened, running())
    assert card.record == failed(), "it was so before"
    change(stage, opened, replace(running(), exchange_id="e2"))
    assert "step 2 of 3" in words(card)
    assert button(card, "cancel").isVisible()


def test_what_is_tried_again_does_not_run_together_with_what_it_mends(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, rerouted())
    assert "together" not in words(card)


def test_a_pinned_step_says_so(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, rerouted())
    assert row(card, "s3").button.note.text() == "pinned"
    assert "pinned" in row(card, "s3").button.accessibleName()


def test_undo_all_is_offered_once_a_step_is_known_that_can_be_taken_back(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, done())
    assert card.foot is not None
    assert "undo" not in card.foot.buttons
    stage.do(lambda: plan(card).note_step(moved(done())))
    press(stage, button(card, "undo"))
    assert opened.sent == [("undo", "a1")]


def test_what_stands_alone_says_below_its_outcome_what_a_check_came_to(stage: Stage, opened: Chat) -> None:
    ran = child_of(done(), "s3", status=ActionStatus.SUCCEEDED, stdout="moved\n", parent_id="")
    found = Verification(NOON, None)
    card = show(stage, opened, replace(ran, verification=found))
    assert "checking…" in words(card)
    change(stage, opened, replace(ran, verification=replace(found, ended_at=NOON, verdicts=(MOVED,))))
    assert "checking…" not in words(card)
    assert "wanted: 19 · found: 17" in words(card)


def test_what_ran_of_a_saved_plan_is_kept_as_an_ability_too(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, with_steps(done(), saved_key="local::tidy"))
    press(stage, button(card, "save"))
    assert opened.sent == [("save", "a1")]


# With a real Partner behind it.


def written(stage: Stage, moments: Moments, user_home: Path) -> tuple[ActionCard, Path, Path]:
    """A plan that wrote a file and made a folder."""
    note, folder = user_home / "one.txt", user_home / "two"
    writes: JsonObject = {"file": str(note), "text": "hello"}
    makes: JsonObject = {"folder": str(folder)}
    card = planned(stage, moments, ("builtin::files::write", writes), ("builtin::files::make_folder", makes))
    stage.until(lambda: card.record is not None and card.record.status is ActionStatus.SUCCEEDED)
    assert note.exists()
    assert folder.exists()
    return card, note, folder


def chain_steps(card: ActionCard) -> list[str]:
    return [*plan(card).rows]


def pressed_once_there(stage: Stage, card: ActionCard, verb: str) -> None:
    stage.until(lambda: card.foot is not None and verb in card.foot.buttons)
    stage.let_listen(card)
    press(stage, button(card, verb))


def test_a_plan_is_checked_as_it_ends_and_again_when_asked_and_what_is_gone_is_repaired(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    card, note, _ = written(stage, moments, user_home)
    first = next(iter(plan(card).rows))
    assert verdict(card, first) == "verified"
    note.unlink()
    checks = plan(card).checks
    assert checks is not None
    stage.let_listen(card)
    press(stage, checks.again)
    stage.until(lambda: verdict(card, first) == "check failed")
    assert bar(card).startswith("check failed")
    press(stage, row(card, first).button)
    assert "✗" in words(card)
    stage.until(lambda: checks.repair.isVisible() and checks.repair.isEnabled())
    stage.let_listen(card)
    press(stage, checks.repair)
    stage.until(lambda: len(stage.window.page.feed.cards) == 2)


def test_a_plan_that_failed_goes_on_where_it_ended(stage: Stage, moments: Moments, user_home: Path) -> None:
    moments.add_script("group_files.py", GROUP)
    moments.add_script("wait_for_sign.py", SIGN)
    note = user_home / "note.txt"
    note.write_text("not yet")
    card = planned(stage, moments, ("local::group_files", {}), ("local::wait_for_sign", {"file": str(note)}))
    stage.until(lambda: card.record is not None and card.record.status.ended)
    assert card.record is not None
    assert card.record.status is ActionStatus.FAILED
    note.write_text("ready")
    pressed_once_there(stage, card, "resume")
    stage.until(lambda: card.record is not None and card.record.status is ActionStatus.SUCCEEDED)
    assert "tried again (2 of 2)" in row(card, chain_of(card.record).steps[-1].id).button.accessibleName()


def test_a_plan_that_ran_is_kept_as_an_ability_with_the_arguments_that_are_to_be_asked_for(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    card, note, _ = written(stage, moments, user_home)
    pressed_once_there(stage, card, "save")
    stage.until(lambda: card.findChildren(PlanSaveForm))
    (form,) = card.findChildren(PlanSaveForm)
    assert not button(card, "save").isVisible()
    given = {
        argument.param: at for at, argument in enumerate(form.arguments.read()) if argument.value != str(note)
    }
    text = given["text"]
    assert f"Ask for text of step 1 · {row(card, chain_steps(card)[0]).step.title}" == (
        form.arguments.boxes[text].accessibleName()
    )
    stage.do(lambda: form.arguments.boxes[text].setChecked(False))
    assert not form.arguments.names[text].isEnabled()
    stage.do(lambda: form.name.setText(""))
    press(stage, form.save_button)
    stage.until(form.save_button.isEnabled)
    assert form.isVisible(), "it has no name"
    stage.do(lambda: form.name.setText("note_and_folder"))
    press(stage, form.save_button)
    stage.until(lambda: "“note_and_folder” is kept." in words(card))
    assert not card.findChildren(PlanSaveForm) or not form.isVisible()
    saved = moments.action_dir / "dynamic" / "note_and_folder" / "plan.json"
    assert saved.exists()
    assert '"hello"' in saved.read_text()


def test_all_that_a_plan_changed_is_taken_back_at_once(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    card, note, folder = written(stage, moments, user_home)
    pressed_once_there(stage, card, "undo")
    stage.until(lambda: not note.exists() and not folder.exists())
    stage.until(lambda: not button(card, "undo").isVisible())
    assert "1 file is as before" in words(card)
