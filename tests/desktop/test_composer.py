"""The composer: always live, never losing what was typed."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.domain.events import TurnEvent

from .fake_partner import FakePartner
from .samples import ability
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def composer(stage: Stage, partner: FakePartner) -> Composer:
    return stage.open(partner).page.composer


def type_text(stage: Stage, composer: Composer, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(composer.edit, text))


def enter(
    stage: Stage, composer: Composer, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return, modifier))


def test_enter_sends_and_empties(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    type_text(stage, composer, "what time is it")
    enter(stage, composer)
    assert [message.text for message in partner.sent] == ["what time is it"]
    assert composer.text == ""
    assert [entry.key for entry in stage.window.page.feed.entries] == ["m1", "m2"]


def test_shift_enter_makes_a_line(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    type_text(stage, composer, "one")
    enter(stage, composer, Qt.KeyboardModifier.ShiftModifier)
    type_text(stage, composer, "two")
    assert composer.text == "one\ntwo"
    assert partner.sent == []


def test_nothing_but_spaces_is_not_sent(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    type_text(stage, composer, "   ")
    enter(stage, composer)
    assert partner.sent == []


def test_enter_does_not_send_while_an_input_method_composes(
    stage: Stage, partner: FakePartner, composer: Composer
) -> None:
    type_text(stage, composer, "hello ")
    stage.do(lambda: QApplication.sendEvent(composer.edit, QInputMethodEvent("zhou", [])))
    enter(stage, composer)
    assert partner.sent == []
    settled = QInputMethodEvent()
    settled.setCommitString("周报")
    stage.do(lambda: QApplication.sendEvent(composer.edit, settled))
    enter(stage, composer)
    assert [message.text for message in partner.sent] == ["hello 周报"]


def test_enter_held_down_sends_once(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    type_text(stage, composer, "hello")
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    stage.do(lambda: QApplication.sendEvent(composer.edit, held))
    assert partner.sent == []
    assert composer.text == "hello"


def test_it_grows_with_its_lines_up_to_eight(stage: Stage, composer: Composer) -> None:
    heights = []
    for lines in (1, 2, 8, 9, 40):
        stage.do(partial(composer.set_text, "\n".join(["line"] * lines)))
        stage.settle()
        heights.append(composer.edit.height())
    assert heights[0] < heights[1] < heights[2]
    assert heights[2] == heights[3] == heights[4]


def test_a_message_that_is_not_taken_comes_back_and_the_reason_is_said(
    stage: Stage, partner: FakePartner, composer: Composer
) -> None:
    partner.send_error = "The disk is full; nothing was saved."
    type_text(stage, composer, "remember this")
    enter(stage, composer)
    assert composer.text == "remember this"
    assert [toast.notice.text for toast in stage.window.page.toasts.toasts] == [
        "The disk is full; nothing was saved."
    ]
    assert len(stage.window.page.feed.entries) == 1


def test_what_was_typed_since_stays_behind_what_comes_back(
    stage: Stage, partner: FakePartner, composer: Composer
) -> None:
    stage.do(lambda: composer.set_text("newer"))
    stage.do(lambda: composer.give_back("older"))
    assert composer.text == "older\nnewer"


def test_send_becomes_stop_while_a_turn_runs(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    stage.do(lambda: partner.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started")))
    assert composer.stop_button.isVisible()
    assert not composer.send_button.isVisible()
    stage.do(composer.stop_button.click)
    assert partner.asked == [("stop", "c1")]
    stage.do(lambda: partner.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="stopped")))
    assert composer.send_button.isVisible()


def test_while_a_turn_runs_more_can_be_said(stage: Stage, partner: FakePartner, composer: Composer) -> None:
    stage.do(lambda: partner.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started")))
    type_text(stage, composer, "and the PDFs too")
    assert composer.send_button.isVisible()
    enter(stage, composer)
    assert [message.text for message in partner.sent] == ["and the PDFs too"]


def test_another_conversations_turn_stops_nothing_here(
    stage: Stage, partner: FakePartner, composer: Composer
) -> None:
    stage.do(lambda: partner.deliver(TurnEvent(conversation_id="c7", turn_id="t", state="started")))
    assert not composer.stop_button.isVisible()


def test_the_first_message_of_a_new_chat_makes_a_conversation(stage: Stage, partner: FakePartner) -> None:
    window = stage.open(partner)
    stage.do(window.sidebar.new_button.click)
    type_text(stage, window.page.composer, "hello")
    enter(stage, window.page.composer)
    assert [message.conversation_id for message in partner.sent] == ["c2"]
    assert stage.session.outbox.place.conversation_id == "c2"


def test_an_example_is_put_into_the_composer_and_not_sent(stage: Stage, partner: FakePartner) -> None:
    partner.known_conversations.clear()
    partner.known_abilities = [
        ability("count_types", "Count file types", aliases=("count file types", "统计"))
    ]
    window = stage.open(partner)
    stage.until(lambda: window.page.welcome.buttons)
    stage.do(window.page.welcome.buttons[0].click)
    assert window.page.composer.text == "count file types"
    assert partner.sent == []


def test_the_first_letters_of_the_first_message_get_partner_ready_once(
    stage: Stage, partner: FakePartner
) -> None:
    edit = stage.open(partner).page.composer.edit
    assert partner.warmed == 0
    stage.do(lambda: QTest.keyClicks(edit, "count"))
    stage.do(lambda: QTest.keyClicks(edit, " words"))
    assert partner.warmed == 1
