"""What a model thinks before it speaks: folded above the answer, and no part of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from partner_desktop.desktop.chat.reply.reply import Reasoning, ReplyView
from partner_desktop.desktop.parts.controls import CopyButton
from partner_desktop.domain.events import ReplyEvent, TurnEvent
from partner_desktop.domain.message import MessageState, Role

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

LONG = "A whole paragraph of the answer.\n\n" * 8


def piece(reasoning: str = "", content: str = "", **facts: object) -> ReplyEvent:
    event = ReplyEvent(
        conversation_id="c1", reply_id="r1", seq=0, content=content, reasoning=reasoning, position=2
    )
    return replace(event, **facts)  # type: ignore[arg-type] # a test's own facts


def view(stage: Stage) -> ReplyView:
    one = stage.window.findChild(ReplyView)
    assert one is not None
    return one


def thoughts(stage: Stage) -> Reasoning:
    one = view(stage).thoughts
    assert one is not None
    return one


def test_while_only_thought_comes_its_last_words_show_in_one_line(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t1", state="started")))
    stage.do(lambda: moments.deliver(piece("First, the folder.\nThen "), piece("the files")))
    one = thoughts(stage)
    stage.until(lambda: one.preview.text() == "Then the files")
    assert "Thinking…" in one.fold.text()
    assert one.preview.isVisible()
    assert not window.page.feed.busy, "one sign of thinking is enough"
    assert view(stage).text == ""


def test_the_answer_folds_the_thoughts_away(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.deliver(piece("Hm."), piece(content="Hello")))
    one = thoughts(stage)
    stage.until(lambda: "Thought for a moment" in one.fold.text())
    assert not one.preview.isVisible()
    assert one.shown == ""
    assert not one.is_open
    assert one.mapTo(view(stage), one.rect().bottomLeft()).y() < view(stage).body.y() + 1


def test_they_open_by_mouse_and_by_key_and_grow_while_they_are_open(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.deliver(piece("One ")))
    one = thoughts(stage)
    stage.do(one.fold.click)
    assert one.shown == "One "
    stage.do(lambda: moments.deliver(piece("two\u00a0& <b>three</b>")))
    stage.until(lambda: "three" in one.shown)
    assert one.text == "One two\u00a0& <b>three</b>"
    assert "<b>three</b>" in one.shown, "plain text, whatever stands in it"
    stage.do(lambda: QTest.keyClick(one.fold, Qt.Key.Key_Return))
    assert not one.is_open
    assert one.fold.accessibleName() == "Thinking…: show"


def test_they_are_in_no_copy_and_in_no_name_of_the_reply(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.deliver(piece("SECRET THOUGHT"), piece(content=LONG)))
    stage.do(lambda: moments.deliver(piece("SECRET THOUGHT", done=True, text=LONG)))
    stage.until(lambda: not stage.window.page.feed.drawing)
    one = view(stage)
    assert "whole paragraph" in one.accessibleName()
    assert "SECRET" not in one.accessibleName()
    copy = next(button for button in one.findChildren(CopyButton) if "reply" in button.accessibleName())
    stage.do(copy.click)
    assert QGuiApplication.clipboard().text() == LONG
    assert thoughts(stage).text == "SECRET THOUGHT"


def test_a_reply_that_is_read_again_has_them_folded(stage: Stage, moments: Moments) -> None:
    kept = moments.add_message("c1", Role.PARTNER, "Hello.", reasoning="Whom do I greet?")
    stopped = moments.add_message("c1", Role.PARTNER, "", reasoning="I was", state=MessageState.STOPPED)
    window = stage.open(moments)
    stage.until(lambda: not window.page.feed.drawing)
    first, second = (window.page.feed.reply(one.id).thoughts for one in (kept, stopped))
    assert first is not None
    assert second is not None
    assert first.text == "Whom do I greet?"
    assert "Thought for a moment" in second.fold.text()
    assert not first.is_open
    stage.do(first.fold.click)
    assert first.shown == "Whom do I greet?"


def test_they_are_still_there_when_one_comes_back_to_a_reply_in_progress(
    stage: Stage, moments: Moments
) -> None:
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "hello")
    stage.open(moments)
    stage.do(lambda: moments.deliver(piece("First ")))
    stage.do(lambda: stage.session.open("c2"))
    stage.do(lambda: moments.deliver(piece("second")))
    stage.do(lambda: stage.session.open("c1"))
    stage.until(lambda: stage.window.page.feed.entries)
    one = stage.window.page.feed.reply("r1").thoughts
    assert one is not None
    assert one.text == "First second"
    assert "Thinking…" in one.fold.text()


def test_a_reply_without_thoughts_has_nothing_to_fold(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["Hello."]))
    assert view(stage).thoughts is None
    assert not any("Thought" in one.text() for one in view(stage).findChildren(QPushButton))
