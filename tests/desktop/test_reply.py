"""A reply on the screen: it grows, what has settled stays as it is, and nothing is fetched or opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument, QTextLayout
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from partner_desktop.desktop.chat.busy import BusyRow
from partner_desktop.desktop.chat.reply.chunk_view import TextBlock
from partner_desktop.desktop.chat.reply.code_block import CodeBlock
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice
from partner_desktop.desktop.window import tab_stops
from partner_desktop.domain.events import ModuleEvent, ReplyEvent, ReplyMode, TurnEvent
from partner_desktop.domain.message import Message, MessageState, Role

from .moments import Moments
from .samples import NOON
from .stage import Stage

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

SETTLED = 7

HOSTILE = (
    *("<script>alert(1)</script>", "<img src='file:///etc/hostname'>", "![x](file:///etc/hostname)"),
    *(
        "![](http://example.org/x.png)",
        "<a href='javascript:x'>",
        "&lt;img src=x&gt;",
        "| a | <img src=x> |\n",
    ),
    *("|---|---|\n", "```html\n", "```\n", "- ", "> ", "`<img src=x>`", "<style>@import 'x'</style>", "\n"),
    *("<table background='file:///x'>", "[x](file:///etc/passwd)", "<svg/onload=x>", "\ufffc", "\0", "\n\n"),
    *("\u2029", "\ufdd0", "\U0001f600", "\u2028", "\u202e"),
)


def open_reply(stage: Stage, moments: Moments, pieces: list[str]) -> ReplyView:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", pieces, done=False))
    view = stage.window.page.feed.reply("r1")
    stage.until(lambda: shown(view))
    return view


def shown(view: ReplyView) -> str:
    return "\n".join(prose.toPlainText() for prose in view.findChildren(TextBlock))


def test_pieces_are_added_to_what_is_there(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["I found ", "**58** files."])
    assert shown(view) == "I found 58 files."
    stage.do(lambda: moments.stream("c1", "r1", [" Shall I"]))
    stage.until(lambda: "Shall I" in view.text)


def test_settled_paragraphs_are_not_made_again(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["First.\n\n", "Second.\n\nThi"])
    prose = view.findChildren(TextBlock)[0]
    prose.document().begin().setUserState(SETTLED)
    for piece in ("rd ", "goes ", "on.\n\nFourth"):
        stage.do(partial(moments.stream, "c1", "r1", [piece], done=False))
        stage.until(lambda: view.text.strip().split()[-1].strip(".") in shown(view))
    assert shown(view) == "First.\nSecond.\nThird goes on.\nFourth"
    assert prose.document().begin().userState() == SETTLED


def test_code_stands_in_its_own_block_and_can_be_copied(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["Look:\n\n```py\nx = 1\n", "y = 2\n```\n\nDone."])
    stage.until(lambda: "Done." in shown(view))
    block = view.findChildren(CodeBlock)[0]
    copy = block.findChildren(QPushButton)[0]
    stage.do(copy.click)
    assert QApplication.clipboard().text() == "x = 1\ny = 2"


def test_no_image_is_loaded_and_html_stays_text(stage: Stage, moments: Moments) -> None:
    text = "Look ![a cat](file:///etc/hostname) <b>here</b> ![](https://example.org/x.png)"
    view = open_reply(stage, moments, [text])
    assert "[image: a cat]" in shown(view)
    assert "<b>here</b>" in shown(view)
    prose = view.findChildren(TextBlock)[0]
    assert (
        prose.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl("file:///etc/hostname"))
        is None
    )
    formats = [each.format.isImageFormat() for each in prose.document().begin().textFormats()]
    assert not any(formats)


def test_a_link_is_shown_whole_and_asked_about(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["The [handbook](https://example.org/handbook) says."])
    prose = view.findChildren(TextBlock)[0]
    layout = prose.document().documentLayout()
    assert layout.anchorAt(QPointF(40, 8)) == "https://example.org/handbook"
    stage.do(lambda: prose.anchorClicked.emit(QUrl("https://example.org/handbook")))
    banner = stage.window.page.findChildren(Banner)[0]
    assert banner.text.text() == "https://example.org/handbook"
    assert [each.text() for each in banner.findChildren(QPushButton)] == ["Open", "Copy", "Cancel"]


def test_a_link_with_an_odd_scheme_cannot_be_opened(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["[x](javascript:alert(1))"])
    stage.do(lambda: view.link_clicked.emit("javascript:alert(1)"))
    banner = stage.window.page.findChildren(Banner)[0]
    assert [each.text() for each in banner.findChildren(QPushButton)] == ["Copy", "Cancel"]


def test_the_whole_text_at_the_end_is_what_counts(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["I thnik"])
    event = ReplyEvent(conversation_id="c1", reply_id="r1", seq=2, content="", done=True, text="I think so.")
    stage.do(lambda: moments.deliver(event))
    assert shown(view) == "I think so."


def test_a_replaced_reply_is_shown_anew(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["Let me", " see"])
    event = ReplyEvent(
        conversation_id="c1", reply_id="r1", seq=2, content="Here it is.", mode=ReplyMode.REPLACE
    )
    stage.do(lambda: moments.deliver(event))
    stage.until(lambda: shown(view) == "Here it is.")


def test_a_stopped_reply_says_so(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["Well"])
    event = ReplyEvent(
        conversation_id="c1", reply_id="r1", seq=1, content="", done=True, stopped=True, text="Well"
    )
    stage.do(lambda: moments.deliver(event))
    assert view.note == "You stopped this reply."


@pytest.mark.parametrize(
    ("state", "words"), [(MessageState.CUT, "longest length"), (MessageState.BROKEN_OFF, "broke off")]
)
def test_a_reply_that_did_not_come_to_its_end_says_so_at_once_in_a_line_above_its_buttons(
    stage: Stage, moments: Moments, state: MessageState, words: str
) -> None:
    text = "Well, and then. " * 20
    view = open_reply(stage, moments, [text])
    event = ReplyEvent(
        conversation_id="c1", reply_id="r1", seq=1, content="", done=True, state=state, text=text
    )
    stage.do(lambda: moments.deliver(event))
    assert words in view.note
    stage.until(lambda: view.copies and not view.waiting)
    note = next(label for label in view.findChildren(QLabel) if label.text() == view.note)
    stage.until(lambda: view.body.geometry().bottom() < note.y() < note.geometry().bottom() < view.why.y())


def test_a_reply_that_was_taken_back_is_gone_also_from_a_page_that_was_read_before(
    stage: Stage, moments: Moments
) -> None:
    open_reply(stage, moments, ["Well"])
    feed = stage.window.page.feed
    event = ReplyEvent(conversation_id="c1", reply_id="r1", seq=1, content="", done=True, withdrawn=True)
    stage.do(lambda: moments.deliver(event))
    assert not feed.has("r1")
    feed.add_message(Message("r1", "c1", Role.PARTNER, "Well", NOON, 9, state=MessageState.STREAMING))
    stage.do(stage.session.chat.show_live)
    assert not feed.has("r1")
    stage.do(lambda: moments.stream("c1", "r2", ["Well, both."]))
    assert shown(feed.reply("r2")) == "Well, both."


def test_a_module_that_takes_its_time_is_named_in_plain_words(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    works = ModuleEvent(conversation_id="c1", turn_id="t1", module="ActionPlanner", state="running")
    started = TurnEvent(conversation_id="c1", turn_id="t1", state="started")
    stage.do(lambda: moments.deliver(started, works))
    row = window.page.feed.findChildren(BusyRow)[0]
    assert row.words == "Thinking…"
    stage.until(lambda: row.words == "Looking for what can do this…")
    stage.do(lambda: moments.deliver(replace(works, state="done")))
    assert row.words == "Thinking…"


def test_a_reply_that_was_broken_off_says_so(stage: Stage, moments: Moments) -> None:
    moments.add_message("c1", Role.PARTNER, "I was about", id="m9", state=MessageState.BROKEN_OFF)
    stage.open(moments)
    stage.until(lambda: stage.window.page.feed.has("m9"))
    assert stage.window.page.feed.reply("m9").note == "This reply broke off before its end."


def test_a_turn_without_text_shows_that_something_is_going_on(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t1", state="started")))
    stage.until(lambda: window.page.feed.busy)
    stage.do(lambda: moments.stream("c1", "r1", ["Here"], done=False))
    assert not window.page.feed.busy


def test_copying_from_a_list_brings_its_marks(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["Two:\n\n1. one\n   - [x] done\n2. two"])
    prose = view.findChildren(TextBlock)[0]
    stage.until(lambda: len(prose.lines) == 4)
    stage.do(prose.selectAll)
    stage.do(prose.copy)
    assert QApplication.clipboard().text() == "Two:\n1. one\n  ☑ done\n2. two"


def test_the_whole_reply_can_be_copied_as_it_was_written(stage: Stage, moments: Moments) -> None:
    text = "# Head\n\nSome *words*."
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", [text]))
    view = stage.window.page.feed.reply("r1")
    copy = next(each for each in view.findChildren(QPushButton) if each.isVisible())
    assert copy.accessibleName() == "Copy this reply"
    assert copy in tab_stops([stage.window.page])
    stage.do(copy.click)
    assert QApplication.clipboard().text() == text
    assert copy.text() == "Copied"
    stage.until(lambda: copy.text() == "Copy")


def test_a_reply_says_itself_to_screen_readers(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["# Head\n\n- *one*\n- `two`\n\n```py\nx = 1\n```\n"]))
    view = stage.window.page.feed.reply("r1")
    stage.until(lambda: not stage.window.page.feed.drawing)
    assert view.accessibleName() == "Head\n• one\n• two\nx = 1"


def test_marks_and_bars_are_painted_in_both_themes(stage: Stage, moments: Moments) -> None:
    text = "> said\n> - a\n>\n> > deeper\n\n1. one\n   - two\n     - [ ] three\n\nEnd."
    view = open_reply(stage, moments, [text])
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        stage.do(partial(stage.theme.choose, choice))
        image = view.grab().toImage()
        assert image.pixelColor(1, 8) == stage.theme.color("line")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=8).map("".join))
def test_nothing_that_a_reply_says_becomes_html_or_is_loaded(theme: Theme, text: str) -> None:
    slices = Slices()
    view = ReplyView(theme, slices)
    try:
        view.add(text[: len(text) // 2])
        view.finish(text)
        while slices.busy:
            QApplication.processEvents()
        for shown_text in view.findChildren(TextView):
            html = shown_text.document().toHtml()
            assert "<img" not in html
            assert "<script" not in html
            assert not any(each.format.isImageFormat() for each in formats(shown_text.document()))
    finally:
        view.deleteLater()


def formats(document: QTextDocument) -> Iterator[QTextLayout.FormatRange]:
    block = document.begin()
    while block.isValid():
        yield from block.textFormats()
        block = block.next()


def test_colours_follow_the_theme(stage: Stage, moments: Moments) -> None:
    view = open_reply(stage, moments, ["See [this](https://example.org/)."])
    prose = view.findChildren(TextBlock)[0]
    cursor = QTextCursor(prose.document())
    cursor.setPosition(6)
    assert cursor.charFormat().foreground().color() == stage.theme.color("accent")
    stage.do(lambda: stage.theme.choose(ThemeChoice.DARK))
    assert cursor.charFormat().foreground().color() == stage.theme.color("accent")
