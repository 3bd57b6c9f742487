"""The composer: always live, never losing what was typed."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import TurnEvent

from .moments import Moments, StuckMind
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def composer(stage: Stage, moments: Moments) -> Composer:
    return stage.open(moments).page.composer


def type_text(stage: Stage, composer: Composer, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(composer.edit, text))


def enter(
    stage: Stage, composer: Composer, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return, modifier))


def test_enter_sends_and_empties(stage: Stage, moments: Moments, composer: Composer) -> None:
    type_text(stage, composer, "what time is it")
    enter(stage, composer)
    assert moments.said() == ["what time is it"]
    assert composer.text == ""
    first, second = [
        entry.widget for entry in stage.window.page.feed.entries if isinstance(entry.widget, Bubble)
    ]
    assert (first.text, second.text) == ("tidy up my downloads", "what time is it")


def test_shift_enter_makes_a_line(stage: Stage, moments: Moments, composer: Composer) -> None:
    type_text(stage, composer, "one")
    enter(stage, composer, Qt.KeyboardModifier.ShiftModifier)
    type_text(stage, composer, "two")
    assert composer.text == "one\ntwo"
    assert moments.said() == []


def test_nothing_but_spaces_is_not_sent(stage: Stage, moments: Moments, composer: Composer) -> None:
    type_text(stage, composer, "   ")
    enter(stage, composer)
    assert moments.said() == []


def test_enter_does_not_send_while_an_input_method_composes(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    type_text(stage, composer, "hello ")
    stage.do(lambda: QApplication.sendEvent(composer.edit, QInputMethodEvent("zhou", [])))
    enter(stage, composer)
    assert moments.said() == []
    settled = QInputMethodEvent()
    settled.setCommitString("周报")
    stage.do(lambda: QApplication.sendEvent(composer.edit, settled))
    enter(stage, composer)
    assert moments.said() == ["hello 周报"]


def test_enter_held_down_sends_once(stage: Stage, moments: Moments, composer: Composer) -> None:
    type_text(stage, composer, "hello")
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    stage.do(lambda: QApplication.sendEvent(composer.edit, held))
    assert moments.said() == []
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
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    long = "remember this " * 20_000
    stage.do(lambda: composer.set_text(long))
    enter(stage, composer)
    assert composer.text == long.strip()
    (toast,) = stage.window.page.toasts.toasts
    assert "A message can hold 200,000 characters" in resolve_text(toast.notice.text)
    assert len(stage.window.page.feed.entries) == 1


def test_what_was_typed_since_stays_behind_what_comes_back(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.do(lambda: composer.set_text("newer"))
    stage.do(lambda: composer.give_back("older"))
    assert composer.text == "older\nnewer"


def test_send_becomes_stop_while_a_turn_runs(stage: Stage, moments: Moments) -> None:
    moments.mind = StuckMind()
    composer = stage.open(moments).page.composer
    type_text(stage, composer, "a poem")
    enter(stage, composer)
    stage.until(composer.stop_button.isVisible)
    assert not composer.send_button.isVisible()
    feed = stage.window.page.feed
    stage.until(lambda: [one for one in feed.findChildren(ReplyView) if "Well" in one.text])
    stage.do(composer.stop_button.click)
    stage.until(composer.send_button.isVisible)
    ((state,),) = moments.read("SELECT state FROM messages WHERE role = 'partner'")
    assert state == "stopped"


def test_while_a_turn_runs_more_can_be_said(stage: Stage, moments: Moments, composer: Composer) -> None:
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started")))
    type_text(stage, composer, "and the PDFs too")
    assert composer.send_button.isVisible()
    enter(stage, composer)
    assert moments.said() == ["and the PDFs too"]


def test_another_conversations_turn_stops_nothing_here(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c7", turn_id="t", state="started")))
    assert not composer.stop_button.isVisible()


def test_the_first_message_of_a_new_chat_makes_a_conversation(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.sidebar.new_button.click)
    type_text(stage, window.page.composer, "hello")
    enter(stage, window.page.composer)
    (made,) = [one for one in moments.ask(moments.partner.conversations.list()) if one.id != "c1"]
    assert made.title == "hello"
    assert stage.session.outbox.place.conversation_id == made.id


def test_an_example_is_put_into_the_composer_and_not_sent(stage: Stage, moments: Moments) -> None:
    moments.write("DELETE FROM conversations")
    moments.add_ability("count_types", "Count file types", aliases='["count file types", "统计"]')
    window = stage.open(moments)
    stage.until(lambda: window.page.welcome.buttons)
    stage.do(window.page.welcome.buttons[0].click)
    assert window.page.composer.text == "count file types"
    assert moments.said() == []


def test_the_first_letters_of_the_first_message_get_partner_ready_once(
    stage: Stage, moments: Moments
) -> None:
    edit = stage.open(moments).page.composer.edit
    warming: list[int] = []

    def type_on(text: str) -> None:
        QTest.keyClicks(edit, text)
        warming.append(sum(task.get_name() == "window:warm up" for task in asyncio.all_tasks()))

    stage.do(lambda: type_on("count"))
    stage.do(lambda: type_on(" words"))
    assert warming == [1, 0]


def compose(stage: Stage, composer: Composer, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    stage.do(lambda: QApplication.sendEvent(composer.edit, event))


def test_what_an_input_method_composes_stands_on_no_placeholder(stage: Stage, composer: Composer) -> None:
    compose(stage, composer, "ni hao")
    composed = composer.edit.grab().toImage()
    stage.do(lambda: composer.edit.setPlaceholderText(""))
    assert composer.edit.grab().toImage() == composed
    assert composer.text == ""


def test_undo_takes_back_what_was_committed_and_nothing_of_the_composing(
    stage: Stage, composer: Composer
) -> None:
    type_text(stage, composer, "hello ")
    for preedit in ("n", "ni", "ni h", "ni hao"):
        compose(stage, composer, preedit)
    compose(stage, composer, "", "你好")
    assert composer.text == "hello 你好"
    stage.do(composer.edit.undo)
    assert composer.text in ("hello ", "")
    stage.do(composer.edit.redo)
    assert composer.text == "hello 你好"


def test_what_is_composed_and_given_up_leaves_nothing(stage: Stage, composer: Composer) -> None:
    type_text(stage, composer, "hello")
    compose(stage, composer, "ni")
    compose(stage, composer, "")
    assert composer.text == "hello"
    stage.do(composer.edit.undo)
    assert composer.text == ""


def test_while_composing_the_arrow_keys_are_the_input_methods(stage: Stage, composer: Composer) -> None:
    compose(stage, composer, "ni")
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Up))
    assert composer.text == ""
    assert composer.edit.composing


def paste(stage: Stage, composer: Composer, text: str) -> None:
    QApplication.clipboard().setText(text)
    stage.do(composer.edit.paste)


def test_of_a_long_message_its_length_and_the_limit_are_shown(stage: Stage, composer: Composer) -> None:
    def labels() -> list[str]:
        return [one.text() for one in composer.findChildren(QLabel) if one.isVisible()]

    paste(stage, composer, "a" * 9_999)
    assert not any("characters" in text for text in labels())
    paste(stage, composer, "b")
    assert "10,000 of 200,000 characters" in labels()
    paste(stage, composer, "c" * 200_000)
    assert "210,000 characters: 200,000 can be sent at once" in labels()
    stage.do(composer.edit.clear)
    assert not any("characters" in text for text in labels())


def test_a_paste_that_no_message_holds_is_told_and_changes_nothing(stage: Stage, composer: Composer) -> None:
    type_text(stage, composer, "look: ")
    paste(stage, composer, "a" * 200_001)
    assert composer.text == "look: "
    (toast,) = stage.window.page.toasts.toasts
    assert "it has 200,001 characters, and a message holds 200,000" in resolve_text(toast.notice.text)
