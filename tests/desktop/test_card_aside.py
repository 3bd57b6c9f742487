"""What a card offers beside its decision: to try before, to take back and to keep files after."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from partner_desktop.desktop.card.born import BornView
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.run_facts import Risk

from .fake_partner import FakePartner, FakeSandbox
from .on_card import button, line, look_through, press, words
from .run_samples import CODE, born, left_behind
from .samples import OPEN
from .server_samples import OUTSIDE
from .stage import Stage

pytestmark = pytest.mark.integration

WHY = "bubblewrap is not installed, so scripts cannot be sandboxed."


def card_of(stage: Stage) -> ActionCard:
    card = stage.window.page.feed.card("a1")
    assert card is not None
    return card


def proposed(stage: Stage, partner: FakePartner) -> ActionCard:
    """A card that proposes a new ability, past its quiet moment."""
    stage.open(partner)
    stage.do(lambda: partner.propose(born()))
    stage.let_listen(card_of(stage))
    return card_of(stage)


def ended(stage: Stage, partner: FakePartner, **facts: object) -> ActionCard:
    """A card whose run left something behind."""
    stage.open(partner)
    stage.do(lambda: partner.propose(left_behind(**facts)))  # type: ignore[arg-type] # a test's own facts
    stage.let_listen(card_of(stage))
    return card_of(stage)


def fill(stage: Stage, field: QLineEdit, text: str) -> None:
    """Type in place of what stands there."""
    stage.do(field.clear)
    stage.do(lambda: QTest.keyClicks(field, text))


# Before.


def test_a_proposed_ability_shows_its_source_in_colours_and_sends_it_unchanged(
    stage: Stage, partner: FakePartner
) -> None:
    card = proposed(stage, partner)
    (view,) = card.findChildren(BornView)
    assert view.view.toPlainText() == CODE.rstrip("\n")
    first = view.view.document().firstBlock
    stage.until(lambda: first().layout().formats())
    description = line(card, "What it does")
    fill(stage, description, "Count words")
    look_through(stage, card)
    press(stage, button(card, "once"))
    sent = {**born().params, "desc": "Count words"}
    assert partner.asked == [("approve", "a1", "once", sent)]
    stage.do(lambda: partner.change("a1", ActionStatus.SUCCEEDED, stdout="made"))
    assert "import json" not in words(card), "the line of parameters is no place for a script"
    stage.do(card.toggle_details)
    assert "import json" in words(card)


def test_a_try_is_told_on_the_card_and_settles_nothing(stage: Stage, partner: FakePartner) -> None:
    partner.try_ready = asyncio.Event()
    partner.tried = RunnerResponse(
        ok=False, stdout="half\n", stderr="no file", exit_code=3, error="It failed."
    )
    card = proposed(stage, partner)
    look_through(stage, card)
    press(stage, button(card, "try"))
    assert partner.asked == [("try_out", "a1", None)]
    assert not button(card, "try").isEnabled()
    assert button(card, "once").isEnabled()
    assert card.standing.tried is not None
    assert card.standing.tried.busy
    stage.do(partner.try_ready.set)
    said = words(card)
    assert "Tried in the sandbox, without network or your files" in said
    assert "failed · exit code 3" in said
    for each in ("It failed.", "half", "no file"):
        assert each in said
    assert card.record is not None
    assert card.record.status is ActionStatus.WAITING
    assert button(card, "try").isEnabled()
    stage.do(lambda: partner.change("a1", ActionStatus.RUNNING))
    assert card.standing.tried is None


def test_a_script_is_tried_with_what_stands_on_its_card(stage: Stage, partner: FakePartner) -> None:
    stage.open(partner)
    card = stage.propose(partner)
    title = line(card, "Title")
    fill(stage, title, "types")
    press(stage, button(card, "try"))
    ((verb, _, params),) = partner.asked
    assert verb == "try_out"
    assert isinstance(params, dict)
    assert params["title"] == "types"
    assert "worked" in words(card)


def test_a_try_that_cannot_be_made_says_why(stage: Stage, partner: FakePartner) -> None:
    partner.try_error = "The script is gone."
    card = proposed(stage, partner)
    press(stage, button(card, "try"))
    assert "The script is gone." in words(card)
    assert button(card, "try").isEnabled()


def test_what_is_not_a_script_here_offers_no_try(stage: Stage, partner: FakePartner) -> None:
    stage.open(partner)
    card = stage.propose(partner, isolation=OUTSIDE, key="time::get")
    assert card.foot is not None
    assert "try" not in card.foot.buttons


def test_without_a_sandbox_the_card_says_why_and_nothing_can_be_tried(
    stage: Stage, partner: FakePartner
) -> None:
    partner.sandbox = FakeSandbox(available=False, reason=WHY)
    stage.open(partner)
    card = stage.propose(partner, isolation=OPEN, risk=Risk.SYSTEM, grantable=False)
    assert f"Why there is no sandbox: {WHY}" in words(card)
    assert button(card, "once").text() == "Run without sandbox"
    attempt = button(card, "try")
    assert not attempt.isEnabled()
    assert WHY in attempt.toolTip()
    partner.approve_error = "No."
    press(stage, button(card, "once"))
    assert not attempt.isEnabled(), "a decision that fails opens nothing else"
    stage.do(lambda: partner.propose(born("a2")))
    other = stage.window.page.feed.card("a2")
    assert other is not None
    assert WHY in words(other)


# After.


def test_undo_is_asked_for_once_and_then_said_to_be_done(stage: Stage, partner: FakePartner) -> None:
    card = ended(stage, partner)
    assert "A file that is larger than 64 MB cannot be taken back." in words(card)
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    assert undo.text() == "Undo (3 files)"

    def twice() -> None:
        undo.click()
        undo.click()

    stage.do(twice)
    assert partner.asked == [("undo", "a1")]
    assert "It is as it was." in words(card)
    assert undo.isHidden()
    stage.do(lambda: partner.change("a1", ActionStatus.SUCCEEDED, undo=Undo(UndoState.DONE, 3)))
    assert "3 files are as they were before" in words(card)
    assert card.aftermath is not None
    assert card.aftermath.undo_button is None


def test_undo_by_the_keyboard_leaves_it_on_the_card(stage: Stage, partner: FakePartner) -> None:
    card = ended(stage, partner)
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    undo.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(undo, Qt.Key.Key_Return))
    assert partner.asked == [("undo", "a1")]
    assert card.foot is not None
    assert stage.window.focusWidget() is card.foot.details_button


def test_an_undo_that_fails_says_so_on_the_card(stage: Stage, partner: FakePartner) -> None:
    partner.aftermath_error = "a.txt was changed again since."
    card = ended(stage, partner)
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    press(stage, undo)
    assert "a.txt was changed again since." in words(card)
    assert undo.isEnabled()


def test_what_is_past_undoing_says_why(stage: Stage, partner: FakePartner) -> None:
    card = ended(stage, partner, undo=Undo(UndoState.GONE, 1, "The copies were kept for a day."))
    assert "It changed 1 file of yours" in words(card)
    assert "The copies were kept for a day." in words(card)
    assert card.aftermath is not None
    assert card.aftermath.undo_button is None


def test_files_that_a_run_left_are_listed_and_kept_in_a_folder(
    stage: Stage, partner: FakePartner, tmp_path: Path
) -> None:
    card = ended(stage, partner, undo=None, files=left_behind().files * 3)
    assert "plots/types-by-month.png" in words(card)
    assert "182 KB" in words(card)
    assert card.aftermath is not None
    keep = card.aftermath.keep_button
    assert keep is not None
    press(stage, keep)
    (dialog,) = stage.window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(tmp_path)))
    stage.do(dialog.reject)
    assert partner.asked == [("keep_files", "a1", tmp_path)]
    assert "They are kept." in words(card)
    texts = [each.text() for each in card.findChildren(QPushButton) if each.isVisibleTo(card)]
    assert "Open folder" in texts
    assert "Show all 9 files ▾" in texts
