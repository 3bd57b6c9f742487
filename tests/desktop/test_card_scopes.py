"""How far a yes reaches: once by the button, further only by what was gone to in the menu beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.permission import By, Scope
from partner_desktop.domain.run_facts import Risk

from .chat import Chat
from .on_card import button, choose_scope, press, scope_menu, words
from .samples import OPEN
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def card(stage: Stage, chat: Chat) -> ActionCard:
    chat.open()
    return stage.propose(chat)


def decide(stage: Stage, chat: Chat, scope: Scope, by: By) -> None:
    """A decision is told, and the run begins."""
    event = DecisionEvent(conversation_id="c1", action_id="a1", outcome="allow", scope=scope, by=by)
    stage.do(lambda: chat.deliver(event))
    stage.do(lambda: chat.change("a1", ActionStatus.RUNNING))


@pytest.mark.parametrize("scope", ["conversation", "always"])
def test_what_is_chosen_from_the_menu_is_sent(stage: Stage, chat: Chat, card: ActionCard, scope: str) -> None:
    choose_scope(stage, card, scope)
    assert chat.sent == [("approve", "a1", scope, None)]


def test_enter_after_enter_never_allows_more_than_once(stage: Stage, chat: Chat, card: ActionCard) -> None:
    allow = button(card, "allow")
    allow.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: QTest.keyClick(allow, Qt.Key.Key_Return))
    menu = scope_menu()
    for _ in range(3):
        stage.do(lambda: QTest.keyClick(menu, Qt.Key.Key_Return))
    stage.do(lambda: QTest.keyClick(menu, Qt.Key.Key_Down))
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    stage.do(lambda: QApplication.sendEvent(menu, held))
    assert chat.sent == []
    stage.do(menu.close)


def test_a_menu_closes_when_the_card_changes_and_opens_only_once_it_was_seen(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    press(stage, button(card, "allow"))
    assert scope_menu().isVisible()
    stage.do(lambda: chat.change("a1", ActionStatus.WAITING, title="Something else"))
    stage.until(lambda: QApplication.activePopupWidget() is None)
    choose_early(stage, card)
    assert chat.sent == []


def choose_early(stage: Stage, card: ActionCard) -> None:
    """Go for the menu in the moment in which the card does not listen."""
    stage.do(button(card, "allow").click)
    assert QApplication.activePopupWidget() is None


def test_where_nothing_may_be_granted_there_is_no_menu(stage: Stage, chat: Chat) -> None:
    chat.open()
    card = stage.propose(chat, isolation=OPEN, risk=Risk.SYSTEM, grantable=False)
    assert card.foot is not None
    assert "allow" not in card.foot.buttons


@pytest.mark.parametrize(
    ("scope", "by", "said"),
    [
        ("conversation", "person", "You allowed it in this conversation."),
        ("always", "person", "You allowed it from now on."),
        ("conversation", "grant", "Allowed by what you granted in this conversation."),
        ("always", "rule", "Allowed by a rule of yours."),
    ],
)
def test_the_card_says_which_yes_it_ran_with(
    stage: Stage, chat: Chat, card: ActionCard, scope: Scope, by: By, said: str
) -> None:
    decide(stage, chat, scope, by)
    assert said in words(card)


def test_a_plain_yes_stands_in_the_details_also_when_the_card_comes_to_view_again(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    decide(stage, chat, "once", "person")
    stage.do(lambda: stage.session.open("c2"))
    stage.do(lambda: stage.session.open("c1"))
    stage.do(lambda: chat.add_message(Role.ACTION, "", action_id="a1"))
    again = stage.window.page.feed.card("a1")
    assert again is not None
    stage.until(lambda: again.foot is not None)
    stage.do(again.toggle_details)
    assert "Allowed\nonce" in words(again)
