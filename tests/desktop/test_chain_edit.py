"""A plan is changed on its card: another order, without a step, with other arguments."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.editor import EditedPlan, EditRow, PlanEditor
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import PlanEdit, StepEdit

from .chain_samples import DOWNLOADS, backup, chain_action, chain_of, running, step
from .chat import Chat
from .moments import Moments
from .on_card import button, field, press, words
from .stage import Stage
from .test_chain_card import Pressing, change, every_way, show

pytestmark = [pytest.mark.promise("desktop.approve"), pytest.mark.integration]


SCRIPT = """# /// partner
# description = "Go on with {name}"
# ///
print("done")
"""


@pytest.fixture
def card(stage: Stage, chat: Chat) -> ActionCard:
    """A plan that waits."""
    chat.open()
    return show(stage, chat, chain_action())


def editor(card: ActionCard) -> PlanEditor:
    assert card.plan is not None
    assert card.plan.editor is not None
    return card.plan.editor


def edit_row(card: ActionCard, step_id: str) -> EditRow:
    return editor(card).rows[step_id]


def begin(stage: Stage, card: ActionCard) -> PlanEditor:
    press(stage, button(card, "edit"))
    return editor(card)


def key(stage: Stage, target: QWidget, which: Qt.Key, alt: bool = False) -> None:
    held = Qt.KeyboardModifier.AltModifier if alt else Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.keyClick(target, which, held))


def asked_edit(chat: Chat) -> PlanEdit:
    kind, action_id, edit = chat.sent[-1]
    assert (kind, action_id) == ("edit", "a1")
    assert isinstance(edit, PlanEdit)
    return edit


def stages(*groups: tuple[str, ...]) -> PlanEdit:
    return PlanEdit(tuple(tuple(StepEdit(each) for each in group) for group in groups))


@every_way
def test_steps_change_places_and_the_plan_asks_anew(
    stage: Stage, chat: Chat, card: ActionCard, pressing: Pressing
) -> None:
    pressing(stage, button(card, "edit"))
    pressing(stage, edit_row(card, "s3").up)
    assert stage.window.focusWidget() is not None
    pressing(stage, editor(card).save_button)
    assert asked_edit(chat) == stages(("s1",), ("s3",), ("s2",))


def test_what_was_saved_comes_back_as_a_plan_that_does_not_listen_at_once(
    stage: Stage, moments: Moments
) -> None:
    for name in ("list_files", "group_files"):
        moments.add_script(f"{name}.py", SCRIPT.format(name=name))
    stage.open(moments)
    bare: dict[str, object] = {"params": {}, "schema": {}, "paths": ()}
    steps = [step(one, key=f"local::{one}", **bare) for one in ("list_files", "group_files")]
    card = show(stage, moments, chain_action("a1", *steps))
    begin(stage, card)
    press(stage, edit_row(card, "group_files").up)
    press(stage, editor(card).save_button)
    assert card.plan is not None
    stage.until(lambda: card.plan is not None and card.plan.editor is None)
    assert [each.id for each in chain_of(moments.record("a1")).steps] == ["group_files", "list_files"]
    press(stage, button(card, "once"), at_once=True)
    assert moments.decisions() == []
    assert moments.record("a1").status is ActionStatus.WAITING


def test_alt_and_the_arrows_move_a_step_and_the_keyboard_goes_with_it(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    begin(stage, card)
    drop = edit_row(card, "s1").drop
    drop.setFocus(Qt.FocusReason.TabFocusReason)
    key(stage, drop, Qt.Key.Key_Down, alt=True)
    key(stage, drop, Qt.Key.Key_Down, alt=True)
    key(stage, drop, Qt.Key.Key_Down, alt=True)
    assert stage.window.focusWidget() is drop
    assert editor(card).draft.order == ["s2", "s3", "s1"]
    press(stage, editor(card).save_button)
    assert asked_edit(chat) == stages(("s2",), ("s3",), ("s1",))


@every_way
def test_a_step_is_left_out_and_can_be_put_back_until_then(
    stage: Stage, chat: Chat, card: ActionCard, pressing: Pressing
) -> None:
    begin(stage, card)
    for step_id in ("s2", "s3"):
        pressing(stage, edit_row(card, step_id).drop)
    assert edit_row(card, "s3").drop.accessibleName() == "Put back: Move the files into folders"
    pressing(stage, edit_row(card, "s3").drop)
    assert "Groups ← from a step that is left out" in words(card)
    pressing(stage, editor(card).save_button)
    assert asked_edit(chat) == stages(("s1",), ("s3",))


def test_a_plan_without_a_step_is_not_saved(stage: Stage, chat: Chat, card: ActionCard) -> None:
    begin(stage, card)
    for row in editor(card).rows.values():
        press(stage, row.drop)
    assert not editor(card).save_button.isEnabled()
    assert "Nothing would be left." in words(card)
    press(stage, editor(card).save_button)
    assert chat.sent == []


@every_way
def test_arguments_are_changed_in_their_fields(
    stage: Stage, chat: Chat, card: ActionCard, pressing: Pressing
) -> None:
    begin(stage, card)
    pressing(stage, edit_row(card, "s1").change)
    depth = field(card, QLineEdit, "Depth")
    assert stage.window.focusWidget() is field(card, QLineEdit, "Folder")
    depth.setFocus()
    stage.do(lambda: QTest.keyClicks(depth, "4"))
    pressing(stage, editor(card).save_button)
    first = asked_edit(chat).stages[0][0]
    assert first == StepEdit("s1", {"folder": DOWNLOADS, "depth": 4})
    assert asked_edit(chat).stages[1:] == stages(("s2",), ("s3",)).stages


def test_what_an_earlier_step_brings_is_told_and_not_typed(stage: Stage, card: ActionCard) -> None:
    begin(stage, card)
    press(stage, edit_row(card, "s2").change)
    names = [each.accessibleName() for each in edit_row(card, "s2").findChildren(QLineEdit)]
    assert names == ["Skip"]
    assert "Files ← from step 1" in words(card)


def test_an_argument_that_does_not_do_is_said_below_it_and_nothing_is_sent(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    begin(stage, card)
    press(stage, edit_row(card, "s1").change)
    depth = field(card, QLineEdit, "Depth")
    stage.do(lambda: QTest.keyClicks(depth, "40"))
    press(stage, editor(card).save_button)
    assert chat.sent == []
    assert "At most 9." in words(card)
    assert stage.window.focusWidget() is depth or stage.window.focusWidget() is field(
        card, QLineEdit, "Folder"
    )


def test_why_it_cannot_be_so_is_said_in_the_card_and_the_edit_goes_on(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = show(stage, moments, chain_action())
    begin(stage, card)
    press(stage, edit_row(card, "s1").down)
    press(stage, editor(card).save_button)
    stage.until(lambda: editor(card).problem)
    assert "which must come before it" in editor(card).problem
    assert editor(card).save_button.isEnabled()
    assert editor(card).draft.order == ["s2", "s1", "s3"]


@pytest.mark.parametrize("by", ["button", "esc"])
def test_calling_it_off_brings_the_plan_back_as_it_was(
    stage: Stage, chat: Chat, card: ActionCard, by: str
) -> None:
    begin(stage, card)
    press(stage, edit_row(card, "s1").drop)
    if by == "button":
        press(stage, editor(card).cancel_button)
    else:
        key(stage, edit_row(card, "s1").drop, Qt.Key.Key_Escape)
    assert card.plan is not None
    assert card.plan.editor is None
    assert next(iter(card.plan.rows.values())).button.title.text() == "List the files"
    assert all(row.isVisible() for row in card.plan.rows.values())
    assert button(card, "once").isVisible()
    assert chat.sent == []


def test_while_it_is_edited_nothing_can_be_approved(stage: Stage, card: ActionCard) -> None:
    begin(stage, card)
    assert not button(card, "once").isVisible()
    assert not button(card, "reject").isVisible()


def test_what_was_edited_is_given_up_when_the_plan_begins(stage: Stage, chat: Chat, card: ActionCard) -> None:
    begin(stage, card)
    change(stage, chat, running())
    assert card.plan is not None
    assert card.plan.editor is None
    assert button(card, "cancel").isVisible()


def test_a_late_row_of_the_same_plan_does_not_take_the_edit_away(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    begin(stage, card)
    press(stage, edit_row(card, "s1").drop)
    change(stage, chat, replace(chain_action(), reminded=True, number=1))
    assert editor(card).draft.dropped == {"s1"}


def test_what_stands_with_others_leaves_them_when_it_moves() -> None:
    draft = EditedPlan(chain_of(backup()))
    draft.move("p2", -1)
    assert draft.stages == [["p2"], ["p1"], ["p3"]]
    draft.move("p3", -1)
    assert draft.stages == [["p2"], ["p3"], ["p1"]]
    draft.move("p2", -1)
    assert draft.stages == [["p2"], ["p3"], ["p1"]], "there is no place before the first"


def test_those_that_run_together_stay_so_when_another_passes_them() -> None:
    draft = EditedPlan(chain_of(backup()))
    draft.move("p3", -1)
    assert draft.edit({}) == stages(("p3",), ("p1", "p2"))


def test_a_plan_that_is_over_offers_no_edit(stage: Stage, chat: Chat, card: ActionCard) -> None:
    change(stage, chat, replace(chain_action(), status=ActionStatus.REJECTED))
    assert card.foot is not None
    assert "edit" not in card.foot.buttons


@every_way
def test_a_step_is_pinned_so_that_it_stays(
    stage: Stage, chat: Chat, card: ActionCard, pressing: Pressing
) -> None:
    begin(stage, card)
    pressing(stage, edit_row(card, "s2").pin)
    pressing(stage, edit_row(card, "s3").pin)
    assert edit_row(card, "s3").pin.accessibleName() == "Unpin: Move the files into folders"
    pressing(stage, edit_row(card, "s3").pin)
    pressing(stage, editor(card).save_button)
    assert asked_edit(chat).stages[1] == (StepEdit("s2", pinned=True),)
    assert asked_edit(chat).stages[2] == (StepEdit("s3"),)


def test_an_order_in_which_a_step_lacks_what_it_needs_is_told_at_once(stage: Stage, card: ActionCard) -> None:
    begin(stage, card)
    press(stage, edit_row(card, "s1").down)
    assert "A step stands before one that brings what it needs." in words(card)
    press(stage, edit_row(card, "s1").up)
    assert "A step stands before" not in words(card)


def test_a_step_of_a_saved_plan_lacks_what_it_waits_for_where_that_comes_later() -> None:
    chain = chain_of(chain_action())
    first, second, *_ = (replace(step, feeds=()) for step in chain.steps)
    chain = chain.with_step(replace(first, outcomes={"done": {"task": "a"}}))
    draft = EditedPlan(chain.with_step(replace(second, when={"task": "a", "status": "done"})))
    draft.move(first.id, 1)
    assert draft.torn
    draft.move(first.id, -1)
    assert not draft.torn
