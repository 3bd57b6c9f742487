"""The card of a plan: what it shows, what it sends, and what of it may still be decided while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.body import PlanBody
from partner_desktop.desktop.card.plan.step_row import StepRow
from partner_desktop.domain import plan as nouns
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent, ProposalEvent, ResultEvent, RunEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Change, Plan, StepPurpose, StepStatus
from partner_desktop.domain.run_facts import Risk

from .chain_samples import (
    DOWNLOADS,
    backup,
    chain_action,
    chain_of,
    child_of,
    done,
    failed,
    running,
    step,
    tidy_steps,
    with_steps,
)
from .chat import Chat
from .moments import Moments, PlanningMind
from .on_card import button, press, words
from .samples import NOON, SORT_SCRIPT
from .stage import Proposes, Stage

pytestmark = pytest.mark.integration

Pressing = Callable[[Stage, QAbstractButton], None]
SHOWN = display_path(Path(DOWNLOADS))
GROUP = """# /// partner
# description = "Group files by their type"
# ///
import sys
print(len(sys.argv))
"""


def show(stage: Stage, where: Proposes, record: ActionRecord) -> ActionCard:
    """A plan in view, past the moment in which it does not listen yet."""
    stage.do(lambda: where.propose(record))
    card = stage.window.page.feed.card(record.id)
    assert card is not None
    stage.let_listen(card)
    return card


def change(stage: Stage, where: Chat | Moments, record: ActionRecord) -> None:
    """It is so now, and everyone hears."""
    stage.do(lambda: where.show(record))


def plan(card: ActionCard) -> PlanBody:
    assert card.plan is not None
    return card.plan


def row(card: ActionCard, step_id: str) -> StepRow:
    found = plan(card).row(step_id)
    assert found is not None
    return found


def told(card: ActionCard, step_id: str) -> str:
    """The line below a step's title."""
    return row(card, step_id).button.line.text()


def by_mouse(stage: Stage, wanted: QAbstractButton) -> None:
    press(stage, wanted)


def by_space(stage: Stage, wanted: QAbstractButton) -> None:
    wanted.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(wanted, Qt.Key.Key_Space))


def by_enter(stage: Stage, wanted: QAbstractButton) -> None:
    wanted.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(wanted, Qt.Key.Key_Return))


every_way = pytest.mark.parametrize("pressing", [by_mouse, by_space, by_enter])


@pytest.fixture
def opened(stage: Stage, chat: Chat) -> Chat:
    """A window with the Partner behind it."""
    chat.open()
    return chat


# What it shows.


def test_each_step_says_in_words_what_it_would_do(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    assert [each.button.title.text() for each in plan(card).rows.values()] == [
        "List the files",
        "Group them by type",
        "Move the files into folders",
    ]
    assert told(card, "s1") == f"Folder: {SHOWN}"
    assert told(card, "s2") == "Skip: pdf · Files ← from step 1"
    assert told(card, "s3") == f"Folder: {SHOWN} · Groups ← from step 2"
    assert "plan · 3 steps" in words(card)


def test_the_head_says_the_highest_risk_and_what_holds_the_least_held(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    assert card.head.risk.text() == "writes 1 folder"
    assert card.head.isolation.text() == "sandboxed · no network"
    careless = show(stage, opened, backup("a2"))
    assert careless.head.risk.text() == "full access to your account"
    assert careless.head.isolation.text() == "not all sandboxed"
    assert "Step 3 runs without a sandbox, with your own rights." in words(careless)
    assert button(careless, "once").text() == "Approve without sandbox"


def test_a_place_that_only_an_earlier_step_knows_is_no_workspace(stage: Stage, opened: Chat) -> None:
    first, _, third = tidy_steps()
    fed = replace(third, params={}, paths=(), feeds=(replace(third.feeds[0], param="folder", step="s1"),))
    card = show(stage, opened, chain_action("a1", first, fed))
    assert card.head.risk.text() == "can change things"


def test_steps_that_run_together_stand_together(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, backup())
    assert words(card).count("together") == 1
    group = row(card, "p1").parentWidget()
    assert group is row(card, "p2").parentWidget()
    assert group is not row(card, "p3").parentWidget()


def test_while_it_runs_the_steps_say_how_far_they_are(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = show(stage, moments, chain_action())
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING, started_at=stage.clock.now()))
    change(stage, moments, running())
    assert "step 2 of 3" in words(card)
    assert told(card, "s1") == "58 files"
    assert row(card, "s1").button.status.text() == "done"
    assert row(card, "s2").button.status.text() == "running"
    progress = ProgressEvent(conversation_id="c1", action_id="s2", progress=3, total=9, message="Sorting")
    stage.do(lambda: moments.deliver(progress))
    assert told(card, "s2") == "3 of 9 · Sorting"


def test_a_plan_keeps_the_place_of_its_rows_when_it_begins_and_ends(stage: Stage, opened: Chat) -> None:
    title = "Find the same files → Zip backup"
    card = show(stage, opened, chain_action(title=title, waits_until=NOON + timedelta(minutes=30)))
    assert any(word.startswith("waits until") for word in words(card).split("\n"))
    places = []
    for now in (chain_action(), running(), done()):
        change(stage, opened, replace(now, title=title))
        stage.settle()
        places.append((card.head.height(), row(card, "s1").mapTo(card, QPoint()).y()))
    assert len(set(places)) == 1, places


def test_a_result_names_the_own_folder_as_a_person_writes_it(
    stage: Stage, opened: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    first, second, _ = tidy_steps()
    card = show(stage, opened, running())
    record = with_steps(
        running(),
        replace(first, status=StepStatus.SUCCEEDED, result="58 files in /home/user/Downloads."),
        replace(second, status=StepStatus.FAILED, error="There is no /home/user/Other."),
    )
    change(stage, opened, record)
    assert (told(card, "s1"), told(card, "s2")) == ("58 files in ~/Downloads.", "There is no ~/Other.")


def test_what_became_of_it_is_said_step_by_step(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, failed())
    assert told(card, "s2") == "It ended with exit code 1: no group fits “.xyz”."
    assert row(card, "s3").button.status.text() == "skipped"
    assert "1 of 3 steps done" in words(card)
    assert "Step 2 failed, so the files were not moved." in words(card)


def test_a_change_of_the_plan_and_the_final_check_stand_below_the_steps(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, done())
    assert "Replanned: “make folders” is not needed, they exist already." in words(card)
    assert "Everything you asked for is done." in words(card)


def test_a_step_that_asks_again_is_no_other_plan(stage: Stage, opened: Chat) -> None:
    asks = Change("insert", "partner", "“List the files” asks before it is run again.", NOON)
    card = show(stage, opened, with_steps(running(), changes=(asks,)))
    assert "“List the files” asks before it is run again." in words(card)
    assert "Replanned" not in words(card)


def test_a_row_unfolds_all_that_is_known_of_its_step(stage: Stage, moments: Moments) -> None:
    moments.add_script("group_files.py", GROUP)
    stage.open(moments)
    card = show(stage, moments, chain_action())
    by_enter(stage, row(card, "s2").button)
    shown = words(card)
    for part in ("← from step 1", "sandboxed · no network", "local::group_files", "by file type, but leave"):
        assert part in shown
    details = row(card, "s2").details
    assert details is not None
    assert details.source_button is not None
    press(stage, details.source_button)
    assert "print(len(sys.argv))" in words(card)
    by_space(stage, row(card, "s2").button)
    assert "local::group_files" not in words(card)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            StepPurpose(("Talk",), needed_by=("s2",), cost=1, is_only_way=True),
            ("It brings Talk for step 2.", "no other way"),
        ),
        (StepPurpose(("A", "B"), needed_by=("s2", "s3")), ("It brings A, B for the steps 2, 3.",)),
        (
            StepPurpose(("Summary",), cost=2, without=7, total=3),
            ("which is what was asked for", "cost 7, and not 3", "2 of 3"),
        ),
        (StepPurpose(()), ("It is what was asked for.",)),
    ],
)
def test_a_computed_step_says_why_it_is_there(
    stage: Stage, opened: Chat, why: StepPurpose, said: tuple[str, ...]
) -> None:
    first, *others = tidy_steps()
    card = show(stage, opened, chain_action("a1", replace(first, reason=why, origin="goal"), *others))
    press(stage, row(card, "s1").button)
    assert all(each in words(card) for each in said), words(card)


def test_all_rows_unfold_at_once_and_fold_again(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    assert card.foot is not None
    press(stage, card.foot.details_button)
    assert all(each.details is not None for each in plan(card).rows.values())
    assert card.foot.details_button.text() == "All details ▴"
    press(stage, row(card, "s1").button)
    assert card.foot.details_button.text() == "All details ▾"
    press(stage, card.foot.details_button)
    press(stage, card.foot.details_button)
    assert all(each.details is None for each in plan(card).rows.values())


def planned(stage: Stage, moments: Moments, *steps: tuple[str, JsonObject]) -> ActionCard:
    """A real plan of these steps, said yes to."""
    moments.mind = PlanningMind(*steps)
    stage.open(moments)
    moments.say("do this and then that")
    stage.until(lambda: stage.window.page.feed.cards)
    (card,) = stage.window.page.feed.cards
    stage.until(lambda: card.record is not None and card.record.status is ActionStatus.WAITING)
    stage.let_listen(card)
    press(stage, button(card, "once"))
    return card


def test_output_comes_to_the_row_of_its_step_live_and_from_before(stage: Stage, moments: Moments) -> None:
    moments.add_script("sort_files.py", SORT_SCRIPT)
    moments.add_script("group_files.py", GROUP)
    card = planned(stage, moments, ("local::sort_files", {}), ("local::group_files", {}))
    first = next(iter(plan(card).rows))
    stage.until(lambda: moments.partner.actions.output(first))
    press(stage, row(card, first).button)
    stage.until(lambda: "sorted 20" in words(card))
    assert words(card).count("reading") == 1
    press(stage, button(card, "cancel"))
    stage.until(lambda: card.record is not None and card.record.status.ended)


def test_an_ended_step_shows_its_run_and_takes_it_back(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    moments.add_script("group_files.py", GROUP)
    note = user_home / "note.txt"
    writes: JsonObject = {"file": str(note), "text": "hello"}
    card = planned(stage, moments, ("builtin::files::write", writes), ("local::group_files", {}))
    stage.until(lambda: card.record is not None and card.record.status is ActionStatus.SUCCEEDED)
    assert note.read_text() == "hello"
    first = next(iter(plan(card).rows))
    press(stage, row(card, first).button)
    stage.until(lambda: "can be undone" in words(card))
    details = row(card, first).details
    assert details is not None
    assert details.aftermath is not None
    undo = details.aftermath.undo_button
    assert undo is not None
    press(stage, undo)
    stage.until(lambda: not note.exists())
    stage.until(lambda: "as before" in words(card))


def test_what_was_unfolded_stays_so_while_the_chain_goes_on(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    press(stage, row(card, "s1").button)
    change(stage, opened, replace(chain_action(), status=ActionStatus.RUNNING))
    change(stage, opened, running())
    assert row(card, "s1").details is not None
    change(stage, opened, done())
    assert row(card, "s1").details is not None


def test_a_step_that_comes_in_between_gets_a_row_and_the_others_keep_theirs(
    stage: Stage, opened: Chat
) -> None:
    card = show(stage, opened, running())
    kept = row(card, "s3")
    chain = chain_of(running())
    added = nouns.Stage((step("s9", title="Make the folders", origin="mind", mends="s1"),))
    changed = replace(
        chain,
        stages=(*chain.stages[:2], added, *chain.stages[2:]),
        changes=(Change("insert", "mind", "folders come first.", NOON),),
    )
    change(stage, opened, replace(running(), chain=changed))
    assert list(plan(card).rows) == ["s1", "s2", "s3", "s9"]
    assert row(card, "s3") is kept
    assert told(card, "s9").startswith("in place of step 1")
    assert kept.button.accessibleName().startswith("Step 4 of 4: Move the files into folders")
    assert "Replanned: folders come first." in words(card)


# What it sends.


@every_way
@pytest.mark.promise("desktop.approve")
def test_one_yes_is_for_all_steps_this_time(stage: Stage, opened: Chat, pressing: Pressing) -> None:
    card = show(stage, opened, chain_action())
    pressing(stage, button(card, "once"))
    assert opened.sent == [("approve", "a1", "once", None)]


def test_a_plan_is_allowed_for_one_run_and_never_beyond(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    assert card.foot is not None
    assert list(card.foot.buttons) == ["once", "edit", "reject"]


@every_way
@pytest.mark.promise("desktop.approve")
def test_reject_cancel_and_run_again_are_asked_of_the_whole_plan(
    stage: Stage, opened: Chat, pressing: Pressing
) -> None:
    card = show(stage, opened, chain_action())
    pressing(stage, button(card, "reject"))
    change(stage, opened, running())
    stage.let_listen(card)
    pressing(stage, button(card, "cancel"))
    change(stage, opened, failed())
    stage.let_listen(card)
    pressing(stage, button(card, "again"))
    asked = [entry for entry in opened.sent if entry[0] in ("reject", "cancel", "again")]
    assert asked == [("reject", "a1"), ("cancel", "a1"), ("again", "a1")]


@every_way
@pytest.mark.promise("desktop.approve")
def test_a_step_to_come_can_be_skipped_while_the_chain_runs(
    stage: Stage, opened: Chat, pressing: Pressing
) -> None:
    card = show(stage, opened, running())
    assert row(card, "s1").skip_button is None
    assert row(card, "s2").skip_button is None, "it runs already"
    skip = row(card, "s3").skip_button
    assert skip is not None
    assert skip.accessibleName() == "Skip: Move the files into folders"
    pressing(stage, skip)
    assert opened.sent == [("skip", "a1", "s3")]


def test_why_a_step_cannot_be_skipped_is_said_on_the_card(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = show(stage, moments, running())
    skip = row(card, "s3").skip_button
    assert skip is not None
    press(stage, skip)
    assert "is not under way; nothing of it can be changed." in words(card)
    assert skip.isEnabled()


def test_a_click_before_the_plan_was_seen_decides_nothing(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, chain_action())
    other = with_steps(chain_action(), step(params={"folder": "/home/user/Notes"}))
    stage.do(lambda: opened.deliver(ProposalEvent(conversation_id="c1", action=other)))
    press(stage, button(card, "once"), at_once=True)
    assert opened.sent == []
    stage.let_listen(card)
    press(stage, button(card, "once"))
    assert opened.sent == [("approve", "a1", "once", None)]


def test_cancel_listens_on_while_steps_come_and_go(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, running())
    third = chain_of(running()).steps[2]
    change(stage, opened, with_steps(running(), replace(third, status=StepStatus.RUNNING), at=2))
    press(stage, button(card, "cancel"))
    assert opened.sent == [("cancel", "a1")]


def test_the_keyboard_stays_in_the_card_when_the_step_it_was_at_begins(stage: Stage, opened: Chat) -> None:
    card = show(stage, opened, running())
    skip = row(card, "s3").skip_button
    assert skip is not None
    skip.setFocus(Qt.FocusReason.TabFocusReason)
    third = chain_of(running()).steps[2]
    change(stage, opened, with_steps(running(), replace(third, status=StepStatus.RUNNING), at=2))
    assert stage.window.focusWidget() is row(card, "s3").button


# Steps as actions of their own.


def test_what_happens_to_a_step_makes_no_second_card(stage: Stage, opened: Chat) -> None:
    record = running()
    card = show(stage, opened, record)
    press(stage, row(card, "s2").button)
    child = child_of(record, "s2")
    stage.do(lambda: opened.deliver(RunEvent(conversation_id="c1", action=child)))
    ended = replace(child, status=ActionStatus.SUCCEEDED, stdout="six groups\n")
    stage.do(lambda: opened.deliver(ResultEvent(conversation_id="c1", action=ended)))
    assert stage.window.page.feed.cards == (card,)
    assert "six groups" in words(card)


def test_a_step_that_asks_says_on_its_card_which_plan_it_belongs_to(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    record = running()
    show(stage, moments, record)
    card = show(stage, moments, child_of(record, "s3", status=ActionStatus.WAITING))
    assert "Step 3 of “Tidy Downloads by type”" in words(card)
    assert button(card, "once").text() == "Approve once"


def test_the_plan_of_a_step_is_asked_for_when_its_card_is_not_in_view(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    record = moments.add_action(running())
    card = show(stage, moments, child_of(record, "s3", status=ActionStatus.WAITING))
    stage.until(lambda: "Step 3 of “Tidy Downloads by type”" in words(card))


def test_twelve_steps_fit_a_small_window(stage: Stage, chat: Chat) -> None:
    chat.open(size=(900, 600))
    many = tuple(step(f"l{number}", title="Look through it " * 9) for number in range(12))
    card = show(stage, chat, chain_action("a1", *many, risk=Risk.READ))
    edges = {
        each.mapTo(card, each.rect().topRight()).x()
        for each in card.findChildren(QWidget)
        if each.isVisibleTo(card)
    }
    assert max(edges) < card.width()


def test_time_goes_on_in_the_head(stage: Stage, opened: Chat) -> None:
    started = stage.clock.now() - timedelta(seconds=12)
    card = show(stage, opened, replace(running(), started_at=started))
    assert "step 2 of 3 · 13 s" in words(card) or "step 2 of 3 · 12 s" in words(card)


def test_an_empty_chain_is_shown_without_a_row(stage: Stage, opened: Chat) -> None:
    card = show(
        stage, opened, chain_action(chain=Plan(()), status=ActionStatus.FAILED, error="Nothing was left.")
    )
    assert plan(card).rows == {}
    assert "Nothing was left." in words(card)
