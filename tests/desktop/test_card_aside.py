"""What a card offers beside its decision: to try before, to take back and to keep files after."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.proposed_script import ProposedSourceView
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import Risk

from .moments import Moments
from .on_card import button, line, look_through, press, words
from .run_samples import CODE, born, left_behind
from .samples import OPEN
from .server_samples import OUTSIDE
from .stage import Stage

pytestmark = pytest.mark.integration

FAILS = """import sys, time
print("half", flush=True)
print("no file", file=sys.stderr, flush=True)
time.sleep(1.5)
sys.exit(3)
"""
ECHO = """# /// partner
# description = "Say what it was given"
# [params.title]
# description = "the heading"
# ///
import json, sys
print("\\n".join(f"{name}={value}" for name, value in json.load(sys.stdin).items()))
"""
PLOTS = """# /// partner
# description = "Plot the types of files"
# ///
import pathlib
pathlib.Path("plots").mkdir()
for number in range(1, 10):
    pathlib.Path(f"plots/{number}.png").write_text("twelve bytes")
"""


def card_of(stage: Stage) -> ActionCard:
    card = stage.window.page.feed.card("a1")
    assert card is not None
    return card


def born_card(stage: Stage, moments: Moments, code: str = CODE) -> ActionCard:
    """A real card that proposes a new ability."""
    given: JsonObject = {
        "desc": "Count the words of a text file",
        "code": code,
        "codeType": "py",
        "launcher": "python3",
    }
    stage.open(moments)
    return stage.card(moments.ask_for("builtin::dynamic::generate", given).id)


def ran(stage: Stage, moments: Moments, key: str, params: JsonObject) -> ActionCard:
    """The card of a real run that the person said yes to, once it is over."""
    stage.open(moments)
    record = moments.ask_for(key, params)
    moments.ask(moments.partner.actions.approve(record.id))
    card = stage.window.page.feed.card(record.id)
    assert card is not None
    stage.until(lambda: card.record is not None and card.record.status.ended)
    stage.until(lambda: card.aftermath is not None)
    stage.let_listen(card)
    return card


def wrote(stage: Stage, moments: Moments, note: Path) -> ActionCard:
    """The same of one that wrote a file of the person's."""
    return ran(stage, moments, "builtin::files::write", {"file": str(note), "text": "hello"})


def ended(stage: Stage, moments: Moments, **facts: object) -> ActionCard:
    """A card whose run left something behind, a long time ago."""
    stage.open(moments)
    stage.do(lambda: moments.propose(left_behind(**facts)))  # type: ignore[arg-type] # a test's own facts
    stage.let_listen(card_of(stage))
    return card_of(stage)


def fill(stage: Stage, field: QLineEdit, text: str) -> None:
    """Type in place of what stands there."""
    stage.do(field.clear)
    stage.do(lambda: QTest.keyClicks(field, text))


# Before.


def test_a_proposed_ability_shows_its_source_in_colours_and_sends_it_unchanged(
    stage: Stage, moments: Moments
) -> None:
    card = born_card(stage, moments)
    (view,) = card.findChildren(ProposedSourceView)
    assert view.view.toPlainText() == CODE.rstrip("\n")
    first = view.view.document().firstBlock
    stage.until(lambda: first().layout().formats())
    description = line(card, "Description")
    fill(stage, description, "Count words")
    look_through(stage, card)
    press(stage, button(card, "once"))
    stage.until(lambda: card.record is not None and card.record.status is ActionStatus.SUCCEEDED)
    assert card.record is not None
    assert card.record.params["desc"] == "Count words"
    assert card.record.params["code"] == CODE
    assert any(path.read_text().endswith(CODE) for path in moments.action_dir.rglob("*.py"))
    assert "import json" not in words(card), "the line of parameters is no place for a script"
    stage.do(card.toggle_details)
    assert "import json" in words(card)


def test_a_try_is_told_on_the_card_and_settles_nothing(stage: Stage, moments: Moments) -> None:
    card = born_card(stage, moments, FAILS)
    look_through(stage, card)
    press(stage, button(card, "try"))
    assert not button(card, "try").isEnabled()
    assert button(card, "once").isEnabled()
    assert card.standing.tried is not None
    assert card.standing.tried.busy
    stage.until(lambda: card.standing.tried is not None and not card.standing.tried.busy)
    said = words(card)
    assert "Tried in the sandbox, without network or your files" in said
    assert "failed · exit code 3" in said
    for each in ("half", "no file"):
        assert each in said
    assert card.record is not None
    assert moments.record(card.record.id).status is ActionStatus.WAITING
    assert card.record.id not in {one for one, _, _ in moments.decisions()}
    assert button(card, "try").isEnabled()
    action_id = card.record.id
    stage.do(lambda: moments.change(action_id, ActionStatus.RUNNING))
    assert card.standing.tried is None


def test_a_script_is_tried_with_what_stands_on_its_card(stage: Stage, moments: Moments) -> None:
    moments.add_script("echo_text.py", ECHO)
    stage.open(moments)
    card = stage.card(moments.ask_for("local::echo_text", {"title": "names"}).id)
    title = line(card, "Title")
    fill(stage, title, "types")
    press(stage, button(card, "try"))
    stage.until(lambda: "worked" in words(card))
    assert "title=types" in words(card)


def test_a_try_that_cannot_be_made_says_why(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = stage.propose(moments)
    press(stage, button(card, "try"))
    assert "local::count_types" in words(card), "there is no such ability"
    assert button(card, "try").isEnabled()


def test_what_is_not_a_script_here_offers_no_try(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    card = stage.propose(moments, isolation=OUTSIDE, key="time::get")
    assert card.foot is not None
    assert "try" not in card.foot.buttons


def test_without_a_sandbox_the_card_says_why_and_nothing_can_be_tried(
    stage: Stage, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(moments.home.root))
    stage.open(moments)
    why = moments.partner.sandbox.reason
    card = stage.propose(moments, isolation=OPEN, risk=Risk.SYSTEM, grantable=False)
    assert f"Why there is no sandbox: {why}" in words(card)
    assert button(card, "once").text() == "Run without sandbox"
    attempt = button(card, "try")
    assert not attempt.isEnabled()
    assert why in attempt.toolTip()
    press(stage, button(card, "once"))
    assert not attempt.isEnabled(), "a decision that fails opens nothing else"
    stage.do(lambda: moments.propose(born("a2")))
    other = stage.window.page.feed.card("a2")
    assert other is not None
    assert why in words(other)


# After.


def test_undo_is_asked_for_once_and_then_said_to_be_done(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    note = user_home / "note.txt"
    card = wrote(stage, moments, note)
    assert note.exists()
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    assert undo.text() == "Undo (1 file)"

    def twice() -> None:
        undo.click()
        undo.click()

    stage.do(twice)
    stage.until(lambda: "1 file is as it was before" in words(card))
    assert not note.exists()
    assert card.aftermath is not None
    assert card.aftermath.undo_button is None
    assert "cannot be" not in words(card), "the second press asked for nothing"


def test_undo_by_the_keyboard_leaves_it_on_the_card(stage: Stage, moments: Moments, user_home: Path) -> None:
    note = user_home / "note.txt"
    card = wrote(stage, moments, note)
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    undo.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(undo, Qt.Key.Key_Return))
    stage.until(lambda: not note.exists())
    assert card.foot is not None
    assert stage.window.focusWidget() is card.foot.details_button


def test_an_undo_that_fails_says_so_on_the_card(stage: Stage, moments: Moments, user_home: Path) -> None:
    note = user_home / "note.txt"
    card = wrote(stage, moments, note)
    note.write_text("changed since")
    assert card.aftermath is not None
    undo = card.aftermath.undo_button
    assert undo is not None
    press(stage, undo)
    stage.until(lambda: "note.txt" in words(card) and "changed" in words(card))
    assert note.read_text() == "changed since"


def test_what_is_past_undoing_says_why(stage: Stage, moments: Moments) -> None:
    card = ended(stage, moments, undo=Undo(UndoState.GONE, 1, "The copies were kept for a day."))
    assert "It changed 1 file of yours" in words(card)
    assert "The copies were kept for a day." in words(card)
    assert card.aftermath is not None
    assert card.aftermath.undo_button is None


def test_files_that_a_run_left_are_listed_and_kept_in_a_folder(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    moments.add_script("plot_types.py", PLOTS)
    card = ran(stage, moments, "local::plot_types", {})
    assert "plots/1.png" in words(card)
    assert "12 B" in words(card)
    assert card.aftermath is not None
    keep = card.aftermath.keep_button
    assert keep is not None
    press(stage, keep)
    (dialog,) = stage.window.findChildren(QFileDialog)
    stage.do(lambda: dialog.fileSelected.emit(str(user_home)))
    stage.do(dialog.reject)
    stage.until((user_home / "plots" / "9.png").exists)
    texts = [each.text() for each in card.findChildren(QPushButton) if each.isVisibleTo(card)]
    assert "Open folder" in texts
    assert "Show all 9 files ▾" in texts
