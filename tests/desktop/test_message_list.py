"""The conversation on the screen: order, paging, and where it scrolls to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.day_sheet import DaySheet
from partner_desktop.desktop.chat.message_list import MOST_ENTRIES, MessageList
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.chat.rolled_mark import DayMark
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.session.history import PAGE
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


def test_of_many_long_replies_only_those_about_the_view_are_more_than_their_heights(
    stage: Stage, moments: Moments
) -> None:
    part = (
        "Some *words* about it, and `code`.\n\n```python\nprint(1)\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n"
    )
    for number in range(40):
        moments.add_message("c1", Role.PARTNER, f"Reply {number}. {part * 6}")
    stage.open(moments, size=(1100, 500))
    feed = stage.window.page.feed
    stage.until(lambda: len(feed.entries) >= 40)
    replies = [entry.widget for entry in feed.entries if isinstance(entry.widget, ReplyView)]

    def awake() -> list[int]:
        return [
            number
            for number, reply in enumerate(replies)
            if any(not stretch.asleep for stretch in reply.body.stretches)
        ]

    stage.until(lambda: at_end(feed) and 39 in awake() and not feed.drawing)
    assert len(awake()) <= 10, "what nobody sees is made, and restyled with every change of the looks"
    scroll_to(stage, feed, 0)
    stage.until(lambda: 0 in awake() and not feed.drawing)
    stage.until(lambda: 39 not in awake())
    assert len(awake()) <= 10
    assert bar_value(feed) == 0, "what is seen stays where it is"


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


def positions(feed: MessageList) -> list[int]:
    return [entry.whole_position for entry in feed.entries if entry.whole_position]


def scroll_through(stage: Stage, feed: MessageList, *, up: bool, until: int) -> set[int]:
    """Scroll on until a position is shown; all that was shown on the way."""
    seen = set(positions(feed))
    while until not in seen:
        bar = feed.column.verticalScrollBar()
        before = positions(feed)
        scroll_to(stage, feed, bar.minimum() if up else bar.maximum())
        stage.until(lambda before=before: positions(feed) != before)  # type: ignore[misc] # bound now
        stage.settle()
        assert len(feed.entries) <= MOST_ENTRIES + PAGE
        seen |= set(positions(feed))
    return seen


@pytest.mark.promise("desktop.history")
def test_up_to_the_first_message_and_down_again_every_one_is_shown_and_few_are_kept(
    stage: Stage, moments: Moments
) -> None:
    feed = open_long(stage, moments, 700)
    first, last = min(positions(feed)), max(positions(feed))
    first = 1
    everything = set(range(first, last + 1))
    assert scroll_through(stage, feed, up=True, until=first) == everything
    assert feed.detached
    assert feed.jump_button.isVisible()
    assert scroll_through(stage, feed, up=False, until=last) == everything
    stage.until(lambda: not feed.detached)
    assert positions(feed) == sorted(positions(feed))


@pytest.mark.promise("desktop.history")
def test_what_is_said_while_an_old_stretch_is_shown_is_there_when_its_end_is_reached(
    stage: Stage, moments: Moments
) -> None:
    feed = open_long(stage, moments, 300)
    stage.do(stage.window.beginning_wanted.emit)
    stage.until(lambda: feed.detached and 1 in positions(feed))
    shown = positions(feed)
    said = stage.run(moments.partner.messages.send("and one thing more", conversation_id="c1"))
    stage.settle()
    assert positions(feed) == shown
    scroll_through(stage, feed, up=False, until=said.position)
    stage.until(lambda: not feed.detached)
    assert len(positions(feed)) == len(set(positions(feed)))


def days_apart(moments: Moments, days: int, each: int) -> None:
    """So many messages on each day, from 1 March 2026 on."""
    for number in range(days * each):
        at = datetime(2026, 3, 1, 12, tzinfo=UTC) + timedelta(days=number // each, minutes=number % each)
        moments.add_message("c1", Role.USER, f"Day {number // each}, message {number % each}", at=at)


def in_view(feed: MessageList) -> str:
    """All that bubbles in view say."""
    bubbles = [bubble for bubble in feed.findChildren(Bubble) if not bubble.visibleRegion().isEmpty()]
    return "\n".join(view.toPlainText() for bubble in bubbles for view in bubble.findChildren(TextView))


@pytest.mark.promise("desktop.history")
def test_a_day_is_gone_to_by_its_calendar(stage: Stage, moments: Moments) -> None:
    days_apart(moments, days=20, each=20)
    window = stage.open(moments, size=(1100, 500))
    feed = window.page.feed
    stage.until(lambda: len(feed.entries) >= 50)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier))
    stage.until(lambda: any(sheet.isVisible() for sheet in window.findChildren(DaySheet)))
    (sheet,) = window.findChildren(DaySheet)
    assert sheet.calendar.minimumDate() <= QDate(2026, 3, 1)
    stage.do(lambda: sheet.calendar.setSelectedDate(QDate(2026, 3, 4)))
    view = window.focusWidget()
    assert view is not None
    stage.do(lambda: QTest.keyClick(view, Qt.Key.Key_Return))
    assert not sheet.isVisible()
    stage.until(lambda: "Day 3, message 0" in in_view(feed))
    assert feed.detached


def test_between_two_days_stands_which_day_begins(stage: Stage, moments: Moments) -> None:
    days_apart(moments, days=3, each=3)
    stage.open(moments, size=(1100, 900))
    feed = stage.window.page.feed
    stage.until(lambda: len(feed.findChildren(DayMark)) >= 3)
    stage.settle()
    kinds = ["day" if isinstance(entry.widget, DayMark) else "said" for entry in feed.entries]
    assert "".join(kind[0] for kind in kinds).endswith("sssdsssdsss")


@pytest.mark.promise("desktop.history")
def test_the_beginning_of_a_conversation_that_is_not_the_first_is_gone_to(
    stage: Stage, moments: Moments
) -> None:
    moments.add_conversation("Another one")
    for number in range(200):
        moments.add_message("c1", Role.USER, f"of the first one {number}")
    for number in range(150):
        moments.add_message("c2", Role.USER, f"of the second one {number}")
    window = stage.open(moments, size=(1100, 500))
    feed = window.page.feed
    stage.do(lambda: stage.session.open("c2"))
    stage.until(lambda: len(feed.entries) >= 50)
    stage.do(window.beginning_wanted.emit)
    stage.until(lambda: "of the second one 0" in in_view(feed))
