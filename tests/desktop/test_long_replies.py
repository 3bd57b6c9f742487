"""Replies as they grow: what has settled is not drawn again, and a long one never holds the loop."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from partner_desktop.desktop.chat.reply.chunk_view import TextBlock
from partner_desktop.desktop.chat.reply.code_block import FOLDED_LINES, FOLDED_OVER, CodeBlock
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.chat.reply.table_block import ROWS_AT_ONCE, TableBlock
from partner_desktop.desktop.markup.parts import Code
from partner_desktop.desktop.slices import Slices
from partner_desktop.domain.message import Role

from .days import LONG_REPLY
from .moments import Moments
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration


def begin(stage: Stage, moments: Moments, text: str) -> ReplyView:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", [text], done=False))
    view = stage.window.page.feed.reply("r1")
    stage.until(lambda: view.body.segments and not stage.window.page.feed.drawing)
    return view


def go_on(stage: Stage, moments: Moments, view: ReplyView, text: str) -> None:
    """One more piece, until it is drawn."""
    before = view.body.drawn
    stage.do(partial(moments.stream, "c1", "r1", [text], done=False))
    stage.until(lambda: view.body.drawn > before and not stage.window.page.feed.drawing)


@pytest.mark.promise("desktop.stream")
def test_a_piece_draws_what_is_new_and_every_settled_part_stays_the_same_widget(
    stage: Stage, moments: Moments
) -> None:
    view = begin(stage, moments, LONG_REPLY)
    go_on(stage, moments, view, "\n\nAnd then:\n\n")
    settled = view.body.segments
    assert {type(segment) for segment in settled} == {TextBlock, CodeBlock, TableBlock}
    reader = view.reader
    for number in range(6):
        drawn, parsed = view.body.drawn, view.reader.parsed
        go_on(stage, moments, view, f"Paragraph {number} with **words**.\n\n")
        assert view.reader is reader  # another one would have begun anew, and count anew
        assert view.body.drawn - drawn == 1
        assert view.reader.parsed - parsed < 120
    assert view.body.segments[: len(settled)] == settled


@pytest.mark.promise("desktop.stream")
def test_code_that_grows_is_one_block_and_has_the_colours_of_its_language(
    stage: Stage, moments: Moments
) -> None:
    view = begin(stage, moments, "Look:\n\n```python\ndef f():\n")
    (block,) = view.findChildren(CodeBlock)
    for line in ("    x = 1\n", "    return x\n", "```\n", "\nDone."):
        go_on(stage, moments, view, line)
    assert view.findChildren(CodeBlock) == [block]
    first = block.view.document().firstBlock()
    stage.until(lambda: first.layout().formats())
    keyword = first.layout().formats()[0]
    assert keyword.format.foreground().color() == stage.theme.color("code_keyword")
    assert block.plain() == "def f():\n    x = 1\n    return x"


def test_a_table_that_grows_is_one_table(stage: Stage, moments: Moments) -> None:
    view = begin(stage, moments, "Look:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (table,) = view.findChildren(TableBlock)
    go_on(stage, moments, view, "| 3 | 4 |\n")
    go_on(stage, moments, view, "\nDone.")
    assert view.findChildren(TableBlock) == [table]
    assert table.plain() == "a\tb\n1\t2\n3\t4"


def test_every_row_of_a_table_that_grew_stands_on_the_same_line(stage: Stage, moments: Moments) -> None:
    view = begin(stage, moments, "| a | b |\n|---|---|\n| 1 | 2 |\n")
    for number in range(3):
        go_on(stage, moments, view, f"| row {number} | x |\n")
    (table,) = view.findChildren(TableBlock)
    document = table.text.document()
    place = document.documentLayout().blockBoundingRect
    lefts = []
    block = document.begin()
    while block.isValid():
        if block.text() in {"a", "1", "row 0", "row 1", "row 2"}:
            lefts.append(place(block).left())
        block = block.next()
    assert len(lefts) == 5
    assert len(set(lefts)) == 1


def test_a_late_definition_sets_its_line_in_place(stage: Stage, moments: Moments) -> None:
    view = begin(stage, moments, "See [here][1].\n\nOn.\n\n")
    (prose,) = view.findChildren(TextBlock)
    go_on(stage, moments, view, "[1]: https://example.org/\n\nDone.\n")
    assert view.findChildren(TextBlock) == [prose]
    assert prose.toPlainText() == "See here.\nOn.\nDone."
    assert prose.lines[0].runs[1].style.link == "https://example.org/"


def test_a_long_reply_from_history_comes_in_slices(stage: Stage, moments: Moments) -> None:
    text = f"{LONG_REPLY}\n\n" * 12
    moments.add_message("c1", Role.PARTNER, text)
    window = stage.open()
    stage.run(stage.session.attach(moments.partner))
    feed = window.page.feed
    stage.until(lambda: feed.has("m2"))
    view = feed.reply("m2")
    assert view.text == text
    sizes: list[int] = []

    def whole() -> bool:
        sizes.append(len(view.reader.parts))
        return not feed.drawing and sum(isinstance(part, Code) for part in view.reader.parts) == 36

    stage.until(whole)
    # The loop looked in again and again while the reply grew.
    assert len(set(sizes)) > 5


def test_leaving_a_conversation_while_its_reply_is_drawn_ends_the_drawing(
    stage: Stage, moments: Moments
) -> None:
    moments.add_conversation("Another", days_ago=1)
    moments.add_message("c1", Role.PARTNER, f"{LONG_REPLY}\n\n" * 12)
    window = stage.open()
    stage.run(stage.session.attach(moments.partner))
    feed = window.page.feed
    stage.until(lambda: feed.drawing)
    stage.do(lambda: stage.session.open("c2"))
    stage.until(lambda: not feed.drawing)
    assert not feed.entries
    stage.until(lambda: not window.findChildren(CodeBlock))


def test_long_code_is_folded_and_unfolds(stage: Stage, moments: Moments) -> None:
    code = "\n".join(f"x = {number}" for number in range(FOLDED_OVER + 50))
    view = begin(stage, moments, f"```py\n{code}\n```\n\nDone.")
    (block,) = view.findChildren(CodeBlock)
    stage.until(lambda: not stage.window.page.feed.drawing)
    line = block.view.fontMetrics().lineSpacing()
    stage.until(lambda: block.view.height() < (FOLDED_LINES + 4) * line)
    fold = next(each for each in block.findChildren(QPushButton) if "Show" in each.text())
    assert fold.accessibleName() == "Show all 450 lines"
    stage.do(fold.click)
    stage.until(lambda: block.view.height() >= 450 * line)
    assert fold.accessibleName() == "Show less"
    assert block.plain() == code


def test_a_long_table_shows_more_rows_on_demand(stage: Stage, moments: Moments) -> None:
    rows = "".join(f"| {number} | x |\n" for number in range(ROWS_AT_ONCE + 10))
    view = begin(stage, moments, f"| a | b |\n|---|---|\n{rows}\nDone.")
    (table,) = view.findChildren(TableBlock)
    stage.until(lambda: table.text.shown_rows == ROWS_AT_ONCE)
    more = table.findChildren(QPushButton)[0]
    assert more.accessibleName() == "Show more rows (10 left)"
    stage.do(more.click)
    stage.until(lambda: table.text.shown_rows == ROWS_AT_ONCE + 10)
    stage.until(lambda: not more.isVisible())  # the rest comes a slice later


def test_a_wide_table_scrolls_inside_of_itself(stage: Stage, moments: Moments) -> None:
    head = "|".join(f"a column with number {number}" for number in range(14))
    view = begin(stage, moments, f"|{head}|\n|{'---|' * 14}\n|{'value|' * 14}\n\nDone.")
    (table,) = view.findChildren(TableBlock)
    stage.until(lambda: table.text.horizontalScrollBar().maximum() > 0)
    assert table.width() <= view.width()


def test_short_work_is_done_at_once_and_long_work_ends_with_its_owner(stage: Stage) -> None:
    slices = Slices()
    steps: list[str] = []

    def work(name: str, count: int) -> Iterator[None]:
        for _ in range(count):
            steps.append(name)
            yield

    short, long = QObject(), QObject()
    slices.start(short, work("short", 3))
    assert steps == ["short"] * 3
    assert not slices.busy
    slices.start(long, work("long", 10**9))
    stage.until(lambda: slices.busy)
    long.deleteLater()
    stage.until(lambda: not slices.busy)


def test_a_heading_has_its_air_above_also_where_another_text_or_stretch_begins_with_it(
    stage: Stage, moments: Moments
) -> None:
    section = "## A head\n\n- an item\n\n```\ncode\n```\n\n> a quote\n\n"
    view = begin(stage, moments, "```\ncode\n```\n\n" + section * 12)
    texts = [one for one in view.body.segments if isinstance(one, TextBlock)]
    stage.until(lambda: not view.waiting)
    alone = [one for one in texts if one.lines[0].kind == "heading"][1:]
    assert alone, "a stretch that is full ends between a quote and a head"
    within = next(one for one in texts if len(one.lines) > 1 and one.lines[1].kind == "heading")
    air = within.document().findBlockByNumber(1).blockFormat().topMargin()
    assert {one.document().firstBlock().blockFormat().topMargin() for one in alone} == {air}
    assert texts[0].document().firstBlock().blockFormat().topMargin() == 0


def test_of_work_that_is_queued_together_nothing_runs_at_once(stage: Stage) -> None:
    slices = Slices()
    steps: list[str] = []

    def work(name: str) -> Iterator[None]:
        steps.append(name)
        yield

    owners = [QObject() for _ in range(3)]
    for number, owner in enumerate(owners):
        slices.queue(owner, work(f"work {number}"))
    assert steps == []
    assert slices.busy
    stage.until(lambda: not slices.busy)
    assert sorted(steps) == ["work 0", "work 1", "work 2"]
