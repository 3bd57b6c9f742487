"""A reply while it is written: what stands does not move, and only what is near the eye is widgets."""

from __future__ import annotations

import re
from functools import partial

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.desktop.chat.reply.chunk_view import ChunkView, TextBlock
from partner_desktop.desktop.chat.reply.code_block import FOLDED_OVER, CodeBlock
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.chat.reply.reply_body import MOST_AWAKE
from partner_desktop.desktop.chat.reply.table_block import TableBlock, shares
from partner_desktop.domain.message import Role

from .chat import Chat
from .days import LONG_REPLY
from .moments import Moments
from .stage import Stage

#: Real windows: for the whole gate.
pytestmark = pytest.mark.integration

#: About 50 kB: more than is ever awake at once.
HUGE = "".join(f"# Part {number}\n\n{LONG_REPLY}\n\n" for number in range(20))


def begin(stage: Stage, chat: Chat, text: str) -> ReplyView:
    chat.open()
    stage.do(lambda: chat.stream("c1", "r1", [text], done=False))
    view = stage.window.page.feed.reply("r1")
    until_drawn(stage, view)
    return view


def until_drawn(stage: Stage, view: ReplyView) -> None:
    """Until all of it is there and has its place; as patient as it takes while it gets on, for a machine that
    others share. What was made last gets its height with the next layout."""
    feed = stage.window.page.feed

    def reached() -> tuple[int, ...]:
        filled = sum(len(stretch.segments) for stretch in view.body.stretches)
        return view.reader.waiting, len(view.reader.parts), view.body.drawn, filled

    def whole() -> bool:
        return bool(view.body.stretches) and not (feed.drawing or view.reader.busy or view.waiting)

    settled = False
    while not settled:
        while not whole():
            before = reached()
            stage.until(lambda: whole() or reached() != before)  # noqa: B023 - used at once
        stage.settle()
        settled = whole()


def go_on(stage: Stage, chat: Chat, view: ReplyView, text: str) -> None:
    """One more piece, until it is on the screen."""
    stage.do(partial(chat.stream, "c1", "r1", [text], done=False))
    stage.until(lambda: not view.reader.busy and not view.waiting and not stage.window.page.feed.drawing)
    stage.settle()


def places(view: ReplyView) -> dict[TextBlock | CodeBlock | TableBlock, int]:
    """Where each part begins, from the top of the reply."""
    return {segment: segment.mapTo(view, QPoint(0, 0)).y() for segment in view.body.segments}


def awake(view: ReplyView) -> list[ChunkView]:
    return [stretch for stretch in view.body.stretches if not stretch.asleep]


def open_huge(stage: Stage, moments: Moments) -> ReplyView:
    moments.add_message("c1", Role.PARTNER, HUGE)
    feed = stage.open(moments).page.feed
    stage.until(lambda: feed.has("m2"))
    # It is heights at first, and made about the view a moment later.
    stage.until(lambda: awake(feed.reply("m2")))
    until_drawn(stage, feed.reply("m2"))
    return feed.reply("m2")


@pytest.mark.promise("desktop.stream")
def test_what_stands_never_moves_while_a_reply_is_written(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, "Look:\n\n")
    before = places(view)
    for piece in re.findall(r"[\s\S]{1,24}", LONG_REPLY[LONG_REPLY.index("- [x]") :]):
        go_on(stage, chat, view, piece)
        after = places(view)
        kept = [segment for segment in before if segment in after]
        assert len(kept) >= len(before) - 1  # only the open end may turn out to be something else
        assert [after[segment] for segment in kept] == [before[segment] for segment in kept]
        before = after
    assert {type(segment) for segment in before} == {TextBlock, CodeBlock, TableBlock}


@pytest.mark.promise("desktop.stream")
def test_a_table_that_is_written_stays_one_table_and_its_columns_only_grow(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, "| folder | files | note |\n|:--|--:|:--|\n")
    (table,) = view.findChildren(TableBlock)
    width, rows = 0, "".join(f"| `~/folder-{n}` | {n} | changed **{n} times** |\n" for n in range(14))
    for piece in re.findall(r"[\s\S]{1,9}", rows):
        go_on(stage, chat, view, piece)
        assert table.text.sizeHint().width() >= width
        width = table.text.sizeHint().width()
    assert view.findChildren(TableBlock) == [table]
    go_on(stage, chat, view, "\nDone.\n\n")
    assert table.text.shown_rows == 14
    assert table.plain().splitlines()[-1] == "~/folder-13\t13\tchanged 13 times"


@pytest.mark.promise("desktop.stream")
def test_code_that_becomes_long_before_the_eyes_is_not_folded_under_them(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, "Look:\n\n```py\n" + "x = 1\n" * (FOLDED_OVER - 2))
    (block,) = view.findChildren(CodeBlock)
    heights = [block.height()]
    for _ in range(6):
        go_on(stage, chat, view, "x = 2\n")
        heights.append(block.height())
    assert heights == sorted(heights)
    go_on(stage, chat, view, "```\n\nDone.\n\n")
    assert not block.folded
    fold = next(each for each in block.findChildren(QPushButton) if "Show" in each.text())
    assert fold.accessibleName() == "Show less"
    stage.do(fold.click)
    assert block.folded


@pytest.mark.promise("desktop.stream")
def test_pieces_that_come_within_a_frame_are_drawn_once(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, "Some ")
    drawn = view.body.drawn
    stage.do(lambda: chat.stream("c1", "r1", ["word "] * 50, done=False))
    stage.until(lambda: not view.waiting and not view.reader.busy)
    assert view.body.drawn - drawn == 1
    assert view.text == "Some " + "word " * 50


@pytest.mark.promise("desktop.stream")
def test_of_a_long_reply_only_what_is_near_the_eye_is_made_of_widgets(stage: Stage, moments: Moments) -> None:
    view = open_huge(stage, moments)
    assert len(view.body.stretches) > MOST_AWAKE
    assert view.body.drawn < len(view.reader.parts) / 3
    assert len(awake(view)) <= MOST_AWAKE
    assert view.text == HUGE
    last = view.body.stretches[-1]
    stage.until(lambda: not last.asleep)
    assert not last.visibleRegion().isEmpty()


@pytest.mark.promise("desktop.stream")
def test_a_piece_at_the_end_of_a_huge_reply_draws_one_part(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, HUGE)
    for number in range(12):
        before = view.body.drawn, len(view.findChildren(QWidget))
        go_on(stage, chat, view, f"Paragraph {number} with **words**.\n\n")
        assert view.body.drawn - before[0] <= 2
        assert len(view.findChildren(QWidget)) <= before[1] + 3


def test_stretches_stand_one_below_the_other_whatever_changes(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, "".join(f"# Part {number}\n\n{LONG_REPLY}\n\n" for number in range(4)))
    bar = stage.window.page.feed.column.verticalScrollBar()

    def settled() -> None:
        stage.settle()
        until_drawn(stage, view)
        ends = [0, *(stretch.y() + stretch.height() for stretch in view.body.stretches)]
        assert [stretch.y() for stretch in view.body.stretches] == ends[:-1]
        assert view.body.height() == ends[-1]
        assert all(stretch.height() == stretch.height_at(stretch.width()) for stretch in view.body.stretches)

    settled()
    stage.do(view.body.stretches[1].sleep)
    settled()
    for share in (2, 3, 5):
        stage.do(partial(bar.setValue, bar.maximum() // share))
        settled()
    stage.do(lambda: stage.window.resize(900, 700))
    settled()
    stage.do(lambda: stage.theme.set_zoom(1.3))
    settled()
    stage.do(lambda: view.body.cut(view.body.stretches[-1].first - 1))
    settled()


def test_scrolling_back_wakes_what_comes_to_view_and_it_stays_where_it_is(
    stage: Stage, moments: Moments
) -> None:
    view = open_huge(stage, moments)
    feed = stage.window.page.feed
    bar = feed.column.verticalScrollBar()
    sleeper = view.body.stretches[len(view.body.stretches) // 2]
    assert sleeper.asleep
    inner = feed.column.widget()
    assert inner is not None
    stage.do(lambda: bar.setValue(sleeper.mapTo(inner, QPoint(0, 0)).y() - 40))
    stage.until(lambda: not sleeper.asleep and not feed.drawing)
    stage.settle()
    shown = sleeper.mapTo(feed.column.viewport(), QPoint(0, 0)).y()
    assert abs(shown - 40) <= 1
    assert sleeper.segments
    assert view.body.plain(200).startswith("Part 0\nHow the backup works")


def test_what_was_left_falls_asleep_again_but_not_what_is_marked(stage: Stage, moments: Moments) -> None:
    view = open_huge(stage, moments)
    feed = stage.window.page.feed
    bar = feed.column.verticalScrollBar()
    marked = awake(view)[0]
    prose = next(segment for segment in marked.segments if isinstance(segment, TextBlock))
    stage.do(prose.selectAll)
    for step in range(8):
        stage.do(partial(bar.setValue, bar.maximum() * step // 12))
        stage.until(
            lambda: not feed.drawing and any(not one.visibleRegion().isEmpty() for one in awake(view))
        )
    stage.until(lambda: len(awake(view)) <= MOST_AWAKE + 1)
    assert not marked.asleep
    assert prose.textCursor().hasSelection()


def test_a_sleeping_stretch_keeps_its_height(stage: Stage, chat: Chat) -> None:
    view = begin(stage, chat, LONG_REPLY)
    (stretch, *_) = view.body.stretches
    before, parts = stretch.height(), stretch.count
    asleep: list[tuple[int, int]] = []
    stretch.came_to_view.connect(lambda: asleep.append((len(stretch.segments), stretch.height())))
    stage.do(stretch.sleep)
    stage.until(lambda: asleep and not stretch.asleep)  # it is in view
    stage.until(lambda: not stage.window.page.feed.drawing)
    assert asleep == [(0, before)]
    assert (stretch.height(), stretch.count) == (before, parts)


def test_room_is_shared_by_what_is_wanted() -> None:
    assert shares([50, 60], 400) == [50, 60]
    assert shares([50, 900, 900], 450) == [50, 200, 200]
    assert shares([300, 40, 500], 240) == [100, 40, 100]
