"""The conversation on the screen: order, paging, and where it scrolls to."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.message_list import MessageList
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.domain.events import MessageEvent
from partner_desktop.domain.message import Role

from .in_actions import entries
from .moments import Moments
from .samples import count_action
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration


def long_conversation(moments: Moments, count: int) -> None:
    for number in range(count):
        role = Role.USER if number % 2 == 0 else Role.PARTNER
        moments.add_message("c1", role, f"Message number {number} with a few words in it.")


def open_long(stage: Stage, moments: Moments, count: int) -> MessageList:
    long_conversation(moments, count)
    stage.open(moments, size=(1100, 500))
    feed = stage.window.page.feed
    stage.until(lambda: len(feed.entries) >= min(count, 50))
    stage.settle()
    return feed


def bar_value(feed: MessageList) -> int:
    return feed.column.verticalScrollBar().value()


def at_end(feed: MessageList) -> bool:
    bar = feed.column.verticalScrollBar()
    return bar.maximum() > 0 and bar.value() == bar.maximum()


def scroll_to(stage: Stage, feed: MessageList, value: int) -> None:
    stage.do(lambda: feed.column.verticalScrollBar().setValue(value))


def test_a_conversation_opens_at_its_end(stage: Stage, moments: Moments) -> None:
    feed = open_long(stage, moments, 60)
    stage.until(lambda: at_end(feed))
    assert not feed.jump_button.isVisible()


def test_at_the_end_a_growing_reply_is_followed(stage: Stage, moments: Moments) -> None:
    feed = open_long(stage, moments, 30)
    stage.until(lambda: at_end(feed))
    before = bar_value(feed)
    stage.do(lambda: moments.stream("c1", "r1", ["a line\n\n"] * 20))
    stage.until(lambda: bar_value(feed) > before and at_end(feed))


def test_elsewhere_a_growing_reply_moves_nothing_and_the_end_is_one_click_away(
    stage: Stage, moments: Moments
) -> None:
    feed = open_long(stage, moments, 40)
    stage.until(lambda: at_end(feed))
    scroll_to(stage, feed, 400)
    stage.do(lambda: moments.stream("c1", "r1", ["a line\n\n"] * 20))
    stage.settle()
    assert bar_value(feed) == 400
    assert feed.jump_button.isVisible()
    stage.do(lambda: QTest.mouseClick(feed.jump_button, Qt.MouseButton.LeftButton))
    stage.until(lambda: at_end(feed))
    assert not feed.jump_button.isVisible()


def test_older_messages_come_in_when_the_top_is_near_and_what_is_in_view_stays(
    stage: Stage, moments: Moments
) -> None:
    feed = open_long(stage, moments, 120)
    stage.until(lambda: at_end(feed))
    assert len(feed.entries) == 50
    watched = feed.entries[4].widget
    places: list[int] = []

    def scroll_up() -> None:
        feed.column.verticalScrollBar().setValue(200)
        places.append(_top(watched, feed))

    stage.do(scroll_up)
    stage.until(lambda: len(feed.entries) == 100)
    stage.settle()
    stage.until(lambda: abs(_top(watched, feed) - places[0]) <= 2)
    assert [entry.position for entry in feed.entries] == sorted(entry.position for entry in feed.entries)


def _top(widget: QWidget, feed: MessageList) -> int:
    return widget.mapTo(feed, widget.rect().topLeft()).y()


def test_a_message_appears_once_however_often_it_is_reported(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    message = moments.add_message("c1", Role.USER, "once")
    for _ in range(3):
        stage.do(lambda: moments.deliver(MessageEvent(conversation_id="c1", message=message)))
    assert [entry.key for entry in stage.window.page.feed.entries].count(message.id) == 1


def test_a_reply_that_was_streamed_is_not_shown_again_when_its_message_comes(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "m2", ["Hello."]))
    message = moments.add_message("c1", Role.PARTNER, "Hello.")
    stage.do(lambda: moments.deliver(MessageEvent(conversation_id="c1", message=message)))
    assert len(stage.window.page.feed.entries) == 2


def test_what_happens_in_another_conversation_stays_there(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Another", days_ago=1)
    stage.open(moments)
    stage.do(lambda: moments.stream("c2", "r9", ["Elsewhere."], done=False))
    assert len(stage.window.page.feed.entries) == 1
    stage.do(lambda: stage.session.open("c2"))
    stage.until(lambda: len(stage.window.page.feed.entries) == 1)
    assert stage.window.page.feed.reply("r9").text == "Elsewhere."


def test_a_card_from_history_fetches_its_record(stage: Stage, moments: Moments) -> None:
    moments.add_action(count_action("old", title="An old one"))
    moments.add_message("c1", Role.ACTION, "", action_id="old")
    stage.open(moments)
    feed = stage.window.page.feed
    stage.until(lambda: (card := feed.card("old")) is not None and card.record is not None)


def test_a_click_in_the_panel_brings_the_card_to_view(stage: Stage, moments: Moments) -> None:
    moments.add_action(count_action("old", title="An old one"))
    moments.add_message("c1", Role.ACTION, "", action_id="old")
    feed = open_long(stage, moments, 90)
    item = entries(stage, "waiting")[0]
    stage.do(item.click)
    stage.until(lambda: (card := feed.card("old")) is not None and not card.visibleRegion().isEmpty())


def test_a_chat_that_only_grows_gives_its_oldest_part_back_and_it_can_be_had_again(
    stage: Stage, moments: Moments
) -> None:
    feed = open_long(stage, moments, 40)
    stage.until(lambda: at_end(feed))
    for number in range(140):
        message = moments.add_message("c1", Role.USER, f"later {number}")
        stage.do(partial(moments.deliver, MessageEvent(conversation_id="c1", message=message)))
    assert len(feed.entries) < 161
    assert feed.entries[-1].key == message.id
    first = feed.entries[0].position
    assert first > 1
    stage.do(lambda: feed.column.verticalScrollBar().setValue(0))
    stage.until(lambda: feed.entries[0].position < first)


def test_a_bubble_shows_all_of_its_text_whatever_widths_were_asked_about(
    stage: Stage, moments: Moments
) -> None:
    words = "tidy up my downloads by file type, but leave the PDFs where they are"
    moments.write("DELETE FROM messages")
    moments.add_message("c1", Role.USER, words)
    window = stage.open(moments)
    bubble = window.page.feed.entries[0].widget
    assert isinstance(bubble, Bubble)
    for width in (640, 644, 400):
        bubble.heightForWidth(width)
    stage.do(bubble.repaint)
    view = bubble.findChildren(TextView)[0]
    assert view.document().size().height() <= view.height()
