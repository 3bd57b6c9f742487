"""What was said before, gone through with the arrow keys in the composer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.domain.message import Role

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

UP, DOWN = Qt.Key.Key_Up, Qt.Key.Key_Down


def opened(stage: Stage, moments: Moments, *, answers: int = 0) -> Composer:
    """Not in a fixture: what goes on behind the window would go on between that and the test."""
    moments.add_conversation("Trip to Ulm", id="c2", days_ago=3)
    moments.add_message("c2", Role.USER, "said elsewhere")
    for number in range(answers):
        moments.add_message("c1", Role.PARTNER, f"answer {number}")
    for text in ("second", "third\nwith two lines", "third\nwith two lines", "fourth"):
        moments.add_message("c1", Role.USER, text)
        moments.add_message("c1", Role.PARTNER, "Done.")
    return stage.open(moments).page.composer


def press(stage: Stage, key: Qt.Key) -> str:
    composer = stage.window.page.composer
    stage.do(lambda: QTest.keyClick(composer.edit, key))
    return composer.text


def go_up(stage: Stage, wanted: str) -> None:
    press(stage, UP)
    stage.until(lambda: stage.window.page.composer.text == wanted)


def test_it_goes_back_through_ones_own_messages_and_comes_back(stage: Stage, moments: Moments) -> None:
    opened(stage, moments, answers=130)
    go_up(stage, "fourth")
    go_up(stage, "third\nwith two lines")
    assert press(stage, UP) == "third\nwith two lines"  # to its first line
    go_up(stage, "second")
    go_up(stage, "tidy up my downloads")
    assert press(stage, UP) == "tidy up my downloads"
    assert press(stage, DOWN) == "second"
    assert press(stage, DOWN) == "third\nwith two lines"
    assert press(stage, DOWN) == "fourth"
    assert press(stage, DOWN) == ""
    assert press(stage, DOWN) == ""


def test_the_draft_comes_back_and_is_what_is_kept(stage: Stage, moments: Moments) -> None:
    composer = opened(stage, moments)
    stage.do(lambda: composer.set_text("half a sentence"))
    assert press(stage, UP) == "half a sentence"
    stage.do(lambda: composer.edit.moveCursor(QTextCursor.MoveOperation.Start))
    go_up(stage, "fourth")
    assert composer.draft == "half a sentence"
    stage.until(lambda: moments.read("SELECT text FROM drafts") == [("half a sentence",)])
    stage.do(lambda: stage.session.open("c2"))
    go_up(stage, "said elsewhere")
    stage.do(lambda: stage.session.open("c1"))
    assert composer.text == "half a sentence"
    stage.do(lambda: composer.edit.moveCursor(QTextCursor.MoveOperation.Start))
    go_up(stage, "fourth")
    assert press(stage, DOWN) == "half a sentence"


def test_what_is_changed_is_a_draft_of_its_own(stage: Stage, moments: Moments) -> None:
    composer = opened(stage, moments)
    go_up(stage, "fourth")
    stage.do(lambda: QTest.keyClicks(composer.edit, " one"))
    assert composer.draft == "fourth one"
    assert press(stage, DOWN) == "fourth one"
    stage.do(lambda: composer.edit.moveCursor(QTextCursor.MoveOperation.Start))
    go_up(stage, "fourth")
    assert press(stage, DOWN) == "fourth one"


def test_what_was_just_said_comes_first_and_enter_says_it_again(stage: Stage, moments: Moments) -> None:
    composer = opened(stage, moments)
    go_up(stage, "fourth")
    press(stage, DOWN)
    stage.do(lambda: QTest.keyClicks(composer.edit, "fifth"))
    press(stage, Qt.Key.Key_Return)
    stage.until(lambda: moments.said() == ["fifth"])
    go_up(stage, "fifth")
    press(stage, Qt.Key.Key_Return)
    stage.until(lambda: moments.said() == ["fifth", "fifth"])


def test_in_a_new_chat_there_is_nothing_to_go_back_to(stage: Stage, moments: Moments) -> None:
    composer = opened(stage, moments)
    stage.do(lambda: stage.session.open(""))
    assert press(stage, UP) == ""
    stage.do(lambda: QTest.keyClicks(composer.edit, "a"))
    assert composer.text == "a"
