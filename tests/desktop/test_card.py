"""The card as a question: what it sends, and what it does not take for a decision."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QFileDialog, QPlainTextEdit, QPushButton

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.run_facts import Isolation, Risk

from .chat import Chat
from .moments import Moments
from .on_card import button, choose_scope, field, line, press, scope_menu, words
from .samples import COUNT_SCRIPT, OPEN, count_action
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def card(stage: Stage, chat: Chat) -> ActionCard:
    chat.open()
    return stage.propose(chat)


@pytest.fixture
def real(stage: Stage, moments: Moments) -> ActionCard:
    """A card of an ability that is there."""
    moments.add_script("count_types.py", COUNT_SCRIPT)
    stage.open(moments)
    return stage.card(moments.ask_to_count(depth=3).id)


def test_a_click_on_approve_runs_the_proposal_as_it_is(
    stage: Stage, moments: Moments, real: ActionCard
) -> None:
    assert real.record is not None
    asked = real.record
    press(stage, button(real, "once"))
    stage.until(lambda: real.record is not None and real.record.status is ActionStatus.SUCCEEDED)
    assert moments.decisions() == [(asked.id, "allow", "once")]
    assert moments.record(asked.id).params == asked.params
    assert moments.ask(moments.partner.permissions.list()).grants == ()


def test_always_allow_sends_the_lasting_scope(stage: Stage, moments: Moments, real: ActionCard) -> None:
    assert real.record is not None
    choose_scope(stage, real, "always")
    (grant,) = moments.ask(moments.partner.permissions.list()).grants
    assert (grant.action_key, grant.scope) == ("local::count_types", "always")
    assert [place.path for place in grant.places or ()] == [str(real.record.params["folder"])]


@pytest.mark.promise("actions.grant.places")
@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {},
            {
                "conversation": "Allow in this conversation",
                "always": "Always allow on these places",
                "everywhere": "Always allow everywhere",
            },
        ),
        ({"paths": ()}, {"conversation": "Allow in this conversation", "always": "Always allow"}),
        (
            {"paths": (), "program": "Cat & Co"},
            {
                "conversation": "Allow in this conversation, asked for by “Cat && Co”",
                "always": "Always allow, asked for by “Cat && Co”",
            },
        ),
        (
            {
                "paths": (),
                "isolation": Isolation(sandboxed=False, net=True, summary="outside", server="notes"),
            },
            {
                "conversation": "Allow in this conversation",
                "always": "Always allow with these arguments",
                "everywhere": "Always allow with any arguments",
            },
        ),
    ],
    ids=["places", "no-place", "program", "server"],
)
def test_the_menu_says_how_far_each_yes_reaches(
    stage: Stage, chat: Chat, facts: dict[str, Any], said: dict[str, str]
) -> None:
    chat.open()
    card = stage.propose(chat, **facts)
    press(stage, button(card, "allow"))
    menu = scope_menu()
    assert {each.data(): each.text() for each in menu.actions()} == said
    placed = "everywhere" in said
    tips = {each.data(): each.toolTip() for each in menu.actions()}
    assert ("others ask again" in tips["always"]) is placed
    assert ("others ask again" in tips["conversation"]) is placed
    stage.do(menu.close)


@pytest.mark.promise("actions.grant.places")
def test_everywhere_is_sent_as_such(stage: Stage, moments: Moments, real: ActionCard) -> None:
    choose_scope(stage, real, "everywhere")
    (grant,) = moments.ask(moments.partner.permissions.list()).grants
    assert grant.scope == "everywhere"


def test_what_a_program_was_refused_can_be_run_again_from_its_card(stage: Stage, chat: Chat) -> None:
    chat.open()
    card = stage.propose(chat, status=ActionStatus.REJECTED, program="Tester")
    press(stage, button(card, "again"))
    assert chat.sent == [("again", "a1")]


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_focused_button_is_pressed_by_keyboard(
    stage: Stage, chat: Chat, card: ActionCard, key: Qt.Key
) -> None:
    approve = button(card, "once")
    approve.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(approve, key))
    assert chat.sent == [("approve", "a1", "once", None)]


def test_tab_leads_from_the_last_field_to_the_buttons(stage: Stage, card: ActionCard) -> None:
    line(card, "Title").setFocus()
    stage.do(lambda: QTest.keyClick(line(card, "Title"), Qt.Key.Key_Tab))
    assert stage.window.focusWidget() is button(card, "once")


def test_enter_in_a_field_does_not_approve(stage: Stage, chat: Chat, card: ActionCard) -> None:
    title = line(card, "Title")
    title.setFocus()
    stage.do(lambda: QTest.keyClicks(title, "types"))
    stage.do(lambda: QTest.keyClick(title, Qt.Key.Key_Return))
    assert chat.sent == []


def test_a_card_takes_no_focus_when_it_appears(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    window.page.composer.edit.setFocus()
    card = stage.propose(chat)
    assert not any(widget.hasFocus() for widget in card.findChildren(QPushButton))
    assert stage.window.focusWidget() is window.page.composer.edit


def test_a_key_that_is_held_down_does_not_approve(stage: Stage, chat: Chat, card: ActionCard) -> None:
    approve = button(card, "once")
    approve.setFocus(Qt.FocusReason.TabFocusReason)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    stage.do(lambda: QApplication.sendEvent(approve, held))
    assert chat.sent == []


def test_a_click_in_flight_when_the_card_appears_decides_nothing(stage: Stage, chat: Chat) -> None:
    chat.open()
    stage.do(lambda: chat.propose(count_action()))
    card = stage.window.page.feed.card("a1")
    assert card is not None
    stage.until(lambda: card.seen)
    press(stage, button(card, "once"), at_once=True)
    assert chat.sent == []
    stage.clock.move(timedelta(seconds=0.5))
    press(stage, button(card, "once"), at_once=True)
    assert chat.sent == [("approve", "a1", "once", None)]


def test_a_card_that_asks_something_else_does_not_listen_at_once(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    stage.do(lambda: card.show_record(count_action(isolation=OPEN, risk=Risk.SYSTEM)))
    press(stage, button(card, "once"), at_once=True)
    assert chat.sent == []


def test_edited_parameters_are_what_is_sent(stage: Stage, chat: Chat, card: ActionCard) -> None:
    depth = line(card, "Depth")
    depth.selectAll()
    stage.do(lambda: QTest.keyClicks(depth, "5"))
    hidden = field(card, QCheckBox, "Hidden")
    stage.do(hidden.click)
    order = field(card, QComboBox, "Order")
    stage.do(lambda: QTest.keyClick(order, Qt.Key.Key_Up))
    skip = field(card, QPlainTextEdit, "Skip")
    stage.do(lambda: skip.setPlainText(".git\n\n.cache\n"))
    press(stage, button(card, "once"))
    sent = {
        "folder": "/home/user/Downloads",
        "depth": 5,
        "hidden": True,
        "order": "name",
        "skip": [".git", ".cache"],
    }
    assert chat.sent == [("approve", "a1", "once", sent)]


def test_an_emptied_optional_parameter_is_left_out(stage: Stage, chat: Chat, card: ActionCard) -> None:
    depth = line(card, "Depth")
    depth.selectAll()
    stage.do(lambda: QTest.keyClick(depth, Qt.Key.Key_Delete))
    press(stage, button(card, "once"))
    assert len(chat.sent) == 1
    params = chat.sent[0][3]
    assert isinstance(params, dict)
    assert "depth" not in params


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("many", "Type a whole number."), ("12", "At most 9."), ("0", "At least 1.")],
)
def test_a_value_that_does_not_do_is_named_and_not_sent(
    stage: Stage, chat: Chat, card: ActionCard, typed: str, sentence: str
) -> None:
    depth = line(card, "Depth")
    depth.selectAll()
    stage.do(lambda: QTest.keyClicks(depth, typed))
    press(stage, button(card, "once"))
    assert chat.sent == []
    assert sentence in words(card)
    assert depth.property("problem") == "true"


def test_a_required_parameter_cannot_be_left_empty(stage: Stage, chat: Chat, card: ActionCard) -> None:
    folder = line(card, "Folder")
    folder.selectAll()
    stage.do(lambda: QTest.keyClick(folder, Qt.Key.Key_Delete))
    press(stage, button(card, "once"))
    assert chat.sent == []
    assert "This is needed." in words(card)


def test_the_place_that_a_path_leads_to_is_shown_until_the_path_is_edited(
    stage: Stage, card: ActionCard
) -> None:
    assert "reads /home/user/Downloads" in words(card)
    stage.do(lambda: QTest.keyClicks(line(card, "Folder"), "/x"))
    assert "reads /home/user/Downloads" not in words(card)


def test_a_form_in_use_survives_news_that_change_nothing_it_shows(stage: Stage, card: ActionCard) -> None:
    stage.do(lambda: QTest.keyClicks(line(card, "Title"), "kinds"))
    stage.do(lambda: card.show_record(count_action(cwd="/elsewhere")))
    assert line(card, "Title").text() == "kinds"


def test_choosing_a_path_opens_beside_the_window_and_fills_the_field(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    choose = next(each for each in card.findChildren(QPushButton) if each.text() == "Choose…")
    press(stage, choose)
    dialog = stage.window.findChildren(QFileDialog)[0]
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    stage.do(lambda: dialog.fileSelected.emit("/home/user/Pictures"))
    stage.do(dialog.reject)
    assert line(card, "Folder").text() == "/home/user/Pictures"
    press(stage, button(card, "once"))
    assert "'folder': '/home/user/Pictures'" in str(chat.sent)
