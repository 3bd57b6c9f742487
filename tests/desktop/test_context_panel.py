"""The Context tab: any past turn, block by block, with its tokens and the reason."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import get_args

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from partner_desktop.desktop.chat.reply.chunk_view import TextBlock
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.panel.context.rows import ContextItem, ContextRow
from partner_desktop.desktop.panel.context.tab import ContextTab
from partner_desktop.desktop.panel.context.view import CUT_AT, LONGEST_LINE, BlockSheet, folded
from partner_desktop.desktop.panel.context.words import block_words, plain_name
from partner_desktop.desktop.panel.token_foot import TokenFoot
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window import tab_stops
from partner_desktop.domain.events import TurnEvent
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.message import Message, MessageState, Role
from tests.tables import all_rows

from .in_context import RECENT, add_turn, block, demo_blocks, dropped
from .moments import Moments
from .stage import Stage
from .test_names import controls
from .walk import texts

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

MANY = 10_000
HUGE = 200_000
#: Rounds of the loop between the portions of many blocks, on the fastest machine.
_FEW = 4


def show(stage: Stage) -> ContextTab:
    """The tab, chosen by its key, with its turn in view."""
    window = stage.window
    stage.do(
        lambda: QTest.keyClick(window.page.composer.edit, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    )
    assert window.panel.tab == 2
    stage.until(lambda: not window.panel.context_tab.view.arranging)
    return window.panel.context_tab


def rows(stage: Stage) -> list[ContextRow]:
    """Once they stand: they are made in slices."""
    view = stage.window.panel.context_tab.view
    if view.arranging:
        stage.until(lambda: not view.arranging)
    return list(view.list.rows.rows)


def titles(stage: Stage) -> list[str]:
    return [row.title for row in rows(stage)]


def the_list(stage: Stage) -> RowList[ContextItem]:
    return stage.window.panel.context_tab.view.list


def index_of(stage: Stage, title: str) -> QModelIndex:
    return the_list(stage).rows.index(next(at for at, row in enumerate(rows(stage)) if row.title == title))


def in_list(tab: ContextTab) -> bool:
    return tab.list_open


def foot_of(stage: Stage) -> TokenFoot | None:
    return stage.window.panel.foot


def click(stage: Stage, widget: QWidget) -> None:
    stage.do(lambda: QTest.mouseClick(widget, Qt.MouseButton.LeftButton))


def click_row(stage: Stage, title: str) -> None:
    """On the first line of a row."""
    view = the_list(stage)
    place = view.visualRect(index_of(stage, title)).topLeft() + QPoint(40, 20)
    stage.do(
        lambda: QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )
    )


def key(stage: Stage, name: Qt.Key) -> None:
    focused = stage.window.focusWidget()
    assert focused is not None
    stage.do(lambda: QTest.keyClick(focused, name))


def sheet_of(stage: Stage, title: str) -> BlockSheet | None:
    row = rows(stage)[index_of(stage, title).row()]
    sheet = the_list(stage).sheet_of(row)
    assert sheet is None or isinstance(sheet, BlockSheet)
    return sheet


def opened(stage: Stage, title: str) -> BlockSheet:
    sheet = sheet_of(stage, title)
    assert sheet is not None
    assert sheet.isVisible()
    return sheet


def end_turn(stage: Stage, moments: Moments, text: str = "and now?", **facts: object) -> None:
    """A turn comes to its end, and its snapshot is kept."""

    def act() -> None:
        turn = add_turn(moments, text, **facts)  # type: ignore[arg-type] # a test's own facts
        moments.deliver(TurnEvent(conversation_id=turn.conversation_id, turn_id=turn.turn_id, state="ended"))

    stage.do(act)
    stage.settle()


def test_the_newest_turn_is_shown_block_by_block(stage: Stage, moments: Moments) -> None:
    add_turn(moments, "the first thing")
    add_turn(moments, "tidy up my downloads")
    stage.open(moments)
    tab = show(stage)
    assert titles(stage) == [
        *("Conversation", "Recent messages"),
        *("Surroundings", "Time and last contact", "This computer"),
        *("Memory", "Remembered", "Remembered"),
        *("Actions", "Finished action"),
        *("Thinking", "Intentions"),
        *("Left out", "Earlier conversation", "Remembered"),
    ]
    assert "tidy up my downloads" in tab.chooser.button.accessibleName()
    assert tab.view.head.mind.text() == "Starter, without a model · tokens estimated"
    assert tab.view.head.counts.text() == "7 shown · 1 shortened · 2 left out"
    recent = rows(stage)[1]
    assert (recent.tag, recent.share, recent.lines[0].right) == ("full", 1.0, f"{len(RECENT) // 4} tokens")
    assert [row.tag for row in rows(stage) if row.tag_kind == "careful"] == ["↓ compact"]
    assert [row.kind for row in rows(stage)[-2:]] == ["left_out", "left_out"]
    assert rows(stage)[-1].about.reason.startswith("No room")


def test_the_meter_says_how_full_the_prompt_was(stage: Stage, moments: Moments) -> None:
    turn = add_turn(moments)
    moments.amend_turn(turn.turn_id, used_tokens=2510, mind="Qwen3 4B", counted_by="qwen3")
    stage.open(moments)
    head = show(stage).view.head
    assert head.used.text() == "2,510 of 4,096 tokens"
    assert head.percent.text() == "61 %"
    meter = head.meter.grab().toImage()
    painted = [meter.pixelColor(round(meter.width() * share), 2) for share in (0.55, 0.67)]
    assert painted == [stage.theme.color("accent"), stage.theme.color("line")]
    assert head.meter.accessibleName() == "Tokens: 2,510 of 4,096 tokens"
    assert head.mind.text() == "Qwen3 4B · tokens counted by qwen3"


def test_a_click_opens_the_exact_text_and_another_closes_it(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    stage.open(moments)
    show(stage)
    below = the_list(stage).visualRect(index_of(stage, "Time and last contact")).top()
    click_row(stage, "Recent messages")
    sheet = opened(stage, "Recent messages")
    assert sheet.text.toPlainText() == RECENT
    said = {label for _, label in texts(sheet)}
    assert "recent_messages · memory_selector" in said
    assert "score 100 of 100 · asked for · this conversation" in said
    moved = the_list(stage).visualRect(index_of(stage, "Time and last contact")).top()
    assert moved >= below + sheet.height() - 40, "what stands below made room"
    click(stage, sheet.copy)
    assert QGuiApplication.clipboard().text() == RECENT
    click_row(stage, "Recent messages")
    assert sheet_of(stage, "Recent messages") is None
    assert the_list(stage).visualRect(index_of(stage, "Time and last contact")).top() == below


@pytest.mark.parametrize("opener", [Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Right])
def test_everything_is_reached_by_the_keyboard(stage: Stage, moments: Moments, opener: Qt.Key) -> None:
    add_turn(moments, "before")
    add_turn(moments)
    window = stage.open(moments)
    tab = show(stage)
    window.panel.fold_button.setFocus()
    stops = tab_stops([tab])
    assert stops[-1] is tab.view.list
    assert {tab.chooser.back, tab.chooser.button, tab.view.sort} <= set(stops)
    stage.do(lambda: tab.view.list.setFocus(Qt.FocusReason.TabFocusReason))
    assert rows(stage)[tab.view.list.currentIndex().row()].title == "Recent messages", "heads are passed over"
    key(stage, Qt.Key.Key_Down)
    assert rows(stage)[tab.view.list.currentIndex().row()].title == "Time and last contact"
    key(stage, opener)
    sheet = opened(stage, "Time and last contact")
    key(stage, Qt.Key.Key_Tab)
    assert window.focusWidget() is sheet.text
    key(stage, Qt.Key.Key_Tab)
    assert window.focusWidget() is sheet.copy
    stage.do(lambda: tab.view.list.setFocus(Qt.FocusReason.BacktabFocusReason))
    key(stage, Qt.Key.Key_Left)
    assert sheet_of(stage, "Time and last contact") is None
    key(stage, Qt.Key.Key_End)
    assert tab.view.list.currentIndex().row() == len(rows(stage)) - 1
    key(stage, Qt.Key.Key_Home)
    key(stage, Qt.Key.Key_Up)
    assert tab.view.list.currentIndex().row() == 1


def test_a_row_that_closes_under_the_keyboard_takes_it(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    window = stage.open(moments)
    tab = show(stage)
    click_row(stage, "Recent messages")
    stage.do(lambda: opened(stage, "Recent messages").copy.setFocus(Qt.FocusReason.TabFocusReason))
    click_row(stage, "Recent messages")
    assert window.focusWidget() is tab.view.list


def test_the_arrows_go_through_the_turns(stage: Stage, moments: Moments) -> None:
    for text in ("one", "", "three"):
        add_turn(moments, text)
    stage.open(moments)
    tab = show(stage)
    assert not tab.chooser.on.isEnabled()
    click(stage, tab.chooser.back)
    assert "Partner on its own" in tab.chooser.button.accessibleName()
    click(stage, tab.chooser.back)
    assert "one" in tab.chooser.button.accessibleName()
    assert not tab.chooser.back.isEnabled()
    stage.do(lambda: tab.chooser.on.setFocus(Qt.FocusReason.TabFocusReason))
    key(stage, Qt.Key.Key_Return)
    key(stage, Qt.Key.Key_Return)
    assert "three" in tab.chooser.button.accessibleName()
    assert tab.chooser.button.hasFocus(), "the arrow went grey under the keyboard"
    click(stage, tab.chooser.back)
    click(stage, tab.chooser.back)
    click(stage, tab.chooser.on)
    click(stage, tab.chooser.on)
    assert "three" in tab.chooser.button.accessibleName()


def test_a_past_turn_is_chosen_from_the_list_by_keys(stage: Stage, moments: Moments) -> None:
    for text in ("one", "", "three"):
        add_turn(moments, text, blocks=[block(f"block_of_{text or 'none'}")])
    window = stage.open(moments)
    tab = show(stage)
    stage.do(lambda: tab.chooser.button.setFocus(Qt.FocusReason.TabFocusReason))
    key(stage, Qt.Key.Key_Return)
    assert in_list(tab)
    assert window.focusWidget() is tab.turns
    assert [row.title for row in tab.turns.rows.rows] == ["three", "Partner on its own", "one"]
    key(stage, Qt.Key.Key_Down)
    key(stage, Qt.Key.Key_Down)
    key(stage, Qt.Key.Key_Return)
    assert not in_list(tab)
    assert titles(stage) == ["Memory", "Block of one"]
    assert window.focusWidget() is tab.chooser.button
    key(stage, Qt.Key.Key_Return)
    key(stage, Qt.Key.Key_Escape)
    assert not in_list(tab)
    assert titles(stage) == ["Memory", "Block of one"]


def to_end(view: QAbstractItemView) -> None:
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())


def has_rows(tab: ContextTab, count: int) -> bool:
    return len(tab.turns.rows.rows) == count


def test_older_turns_come_as_one_scrolls(stage: Stage, moments: Moments) -> None:
    for number in range(120):
        add_turn(moments, f"turn {number}", blocks=[block("x")])
    stage.open(moments)
    tab = show(stage)
    assert len(tab.turns.rows.rows) == 50
    click(stage, tab.chooser.button)
    for known in (100, 120):
        stage.do(partial(to_end, tab.turns))
        stage.until(partial(has_rows, tab, known))
    stage.do(lambda: tab.turns.verticalScrollBar().setValue(0))
    stage.do(partial(to_end, tab.turns))
    assert has_rows(tab, 120), "there is nothing older"
    assert tab.turns.rows.rows[-1].title == "turn 0"


def test_the_arrow_back_pages_on_by_itself(stage: Stage, moments: Moments) -> None:
    for number in range(60):
        add_turn(moments, f"turn {number}", blocks=[block("x")])
    stage.open(moments)
    tab = show(stage)
    stage.do(lambda: tab.turn_chosen.emit("t11"))
    click(stage, tab.chooser.back)
    stage.until(lambda: "turn 9" in tab.chooser.button.accessibleName())
    assert tab.chooser.back.isEnabled()


def test_a_new_turn_is_shown_without_taking_scroll_focus_or_what_is_open(
    stage: Stage, moments: Moments
) -> None:
    add_turn(moments, "one")
    window = stage.open(moments, size=(1280, 600))
    show(stage)
    click_row(stage, "Recent messages")
    sheet = opened(stage, "Recent messages")
    bar = the_list(stage).verticalScrollBar()
    stage.do(lambda: bar.setValue(90))
    stage.do(window.page.composer.edit.setFocus)
    blocks = [replace(one, tokens=one.tokens + 1) for one in demo_blocks()]
    end_turn(stage, moments, "two", blocks=blocks)
    assert "two" in window.panel.context_tab.chooser.button.accessibleName()
    assert rows(stage)[1].lines[0].right == f"{len(RECENT) // 4 + 1} tokens"
    assert opened(stage, "Recent messages") is sheet
    assert bar.value() == 90
    assert window.focusWidget() is window.page.composer.edit


def test_a_past_turn_stays_in_view_while_new_ones_end(stage: Stage, moments: Moments) -> None:
    add_turn(moments, "one", blocks=[block("first")])
    add_turn(moments, "two", blocks=[block("second")])
    stage.open(moments)
    tab = show(stage)
    click(stage, tab.chooser.back)
    end_turn(stage, moments, "three", blocks=[block("third")])
    assert titles(stage) == ["Memory", "First"]
    assert [row.title for row in tab.turns.rows.rows] == ["three", "two", "one"]
    click(stage, tab.chooser.on)
    click(stage, tab.chooser.on)
    assert titles(stage) == ["Memory", "Third"]
    end_turn(stage, moments, "four", blocks=[block("fourth")])
    assert titles(stage) == ["Memory", "Fourth"], "the newest is followed again"


def test_turns_of_other_conversations_change_nothing(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "hello")
    add_turn(moments, "mine", blocks=[block("mine")])
    stage.open(moments)
    tab = show(stage)
    end_turn(stage, moments, "theirs", conversation_id="c2", blocks=[block("theirs")])
    assert titles(stage) == ["Memory", "Mine"]
    stage.do(lambda: stage.session.open("c2"))
    stage.settle()
    assert titles(stage) == ["Memory", "Theirs"]
    stage.do(lambda: stage.session.open(""))
    assert tab.pages.currentWidget() is tab.nothing
    assert tab.chooser.isHidden()


def test_a_tab_that_is_not_in_view_is_not_filled(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    stage.open(moments)
    end_turn(stage, moments)
    tab = stage.window.panel.context_tab
    assert not tab.turns.rows.rows
    assert not tab.view.list.rows.rows
    show(stage)
    assert tab.turns.rows.rows
    assert tab.view.list.rows.rows


def test_the_foot_of_the_panel_measures_the_newest_turn_and_leads_to_it(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    assert foot_of(stage) is None
    turn = add_turn(moments)
    moments.amend_turn(turn.turn_id, used_tokens=2510)
    end_turn(stage, moments)
    foot = foot_of(stage)
    assert foot is not None
    assert foot.isVisible()
    moments.amend_turn("t2", used_tokens=2510)
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t2", state="ended")))
    assert foot.text() == "Context 2,510 of 4,096 tokens"
    click(stage, foot)
    assert window.panel.tab == 2
    assert foot.isHidden()
    assert "Recent messages" in titles(stage)
    stage.do(lambda: window.show_tab(0))
    assert foot.isVisible()
    stage.do(lambda: stage.session.open(""))
    assert foot.isHidden()


def test_the_filter_leaves_what_has_the_words(stage: Stage, moments: Moments) -> None:
    add_turn(moments, blocks=[*(block(f"note_{at}") for at in range(20)), dropped("tax_letter")])
    window = stage.open(moments)
    tab = show(stage)
    assert tab.view.filter.isVisible()
    stage.do(lambda: tab.view.list.setFocus(Qt.FocusReason.TabFocusReason))
    stage.do(lambda: QTest.keyClicks(tab.view.list, "l"))
    assert window.focusWidget() is tab.view.filter
    stage.do(lambda: QTest.keyClicks(tab.view.filter, "etter"))
    stage.until(lambda: not tab.view.arranging)
    assert titles(stage) == ["Left out", "Tax letter"]
    key(stage, Qt.Key.Key_Down)
    assert window.focusWidget() is tab.view.list
    stage.do(lambda: tab.view.filter.setText("no such thing"))
    stage.until(lambda: not tab.view.arranging)
    assert "No block has “no such thing” in it." in {text for _, text in texts(tab.view)}
    stage.do(tab.view.filter.setFocus)
    key(stage, Qt.Key.Key_Escape)
    assert len(rows(stage)) == 23


def test_few_blocks_need_no_filter(stage: Stage, moments: Moments) -> None:
    add_turn(moments, blocks=[block("one")])
    stage.open(moments)
    assert show(stage).view.filter.isHidden()


def test_blocks_are_sorted_by_place_or_by_tokens(stage: Stage, moments: Moments) -> None:
    small, large = block("small", tokens=3), block("large", tokens=900)
    add_turn(moments, blocks=[block("near", "perceive", tokens=10), small, large])
    stage.open(moments)
    tab = show(stage)
    assert titles(stage) == ["Surroundings", "Near", "Memory", "Small", "Large"]
    click(stage, tab.view.sort)
    assert titles(stage) == ["Memory", "Large", "Small", "Surroundings", "Near"]
    assert tab.view.sort.accessibleName() == "Sorted by tokens"
    click(stage, tab.view.sort)
    assert titles(stage) == ["Surroundings", "Near", "Memory", "Small", "Large"]


def test_the_exact_prompt_is_shown_in_order_and_copied_whole(stage: Stage, moments: Moments) -> None:
    turn = add_turn(moments)
    stage.open(moments)
    tab = show(stage)
    click(stage, tab.view.kinds.buttons["prompt"])
    parts = moments.snapshots[turn.turn_id].prompt
    assert [(row.tag, row.about.raw, row.about.tokens) for row in rows(stage)] == [
        (part.role, part.name, part.tokens) for part in parts
    ]
    click_row(stage, "What you said")
    assert opened(stage, "What you said").text.toPlainText() == parts[-1].text
    click(stage, tab.view.copy)
    copied = QGuiApplication.clipboard().text()
    places = [copied.index(part.text) for part in parts]
    assert places == sorted(places)
    assert tab.view.sort.isHidden()


def test_a_turn_that_is_kept_no_more_says_so(stage: Stage, moments: Moments) -> None:
    for text in ("one", "two"):
        add_turn(moments, text)
    stage.open(moments)
    tab = show(stage)
    moments.write("DELETE FROM context_snapshots WHERE turn_id = 't1'")
    click(stage, tab.chooser.back)
    assert tab.pages.currentWidget() is tab.gone
    assert "Not kept any more" in {text for _, text in texts(tab.gone)}


def test_before_the_first_turn_one_sentence_stands_there(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    tab = show(stage)
    assert tab.pages.currentWidget() is tab.nothing
    assert tab.chooser.isHidden()
    end_turn(stage, moments)
    assert tab.pages.currentWidget() is tab.view


def test_a_fault_is_said_and_can_be_tried_again(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    stage.open(moments)
    moments.write("ALTER TABLE context_snapshots RENAME TO elsewhere")
    tab = show(stage)
    assert tab.pages.currentWidget() is tab.fault
    assert any("context_snapshots" in text for _, text in texts(tab.fault))
    moments.write("ALTER TABLE elsewhere RENAME TO context_snapshots")
    click(stage, tab.again)
    assert tab.pages.currentWidget() is tab.view


def test_a_huge_text_is_cut_until_all_of_it_is_asked_for(stage: Stage, moments: Moments) -> None:
    text = "x" * HUGE
    add_turn(moments, blocks=[block("huge", text=text)])
    stage.open(moments)
    show(stage)
    click_row(stage, "Huge")
    sheet = opened(stage, "Huge")
    assert sheet.all_button.isVisible()
    assert sheet.all_button.text() == "Show all 200,000 characters"
    assert len(sheet.text.toPlainText().replace("\n", "")) == CUT_AT + 1
    click(stage, sheet.copy)
    assert QGuiApplication.clipboard().text() == text
    click(stage, sheet.all_button)
    assert sheet.text.toPlainText().replace("\n", "") == text
    assert sheet.all_button.isHidden()


def test_lines_without_an_end_are_folded_and_nothing_is_lost() -> None:
    text = "word " * 1000 + "\n" + "y" * 1300 + "\n\nend"
    lines = folded(text).split("\n")
    assert max(map(len, lines)) <= LONGEST_LINE
    assert "".join(lines) == text.replace("\n", "")
    assert folded("short\nlines") == "short\nlines"


def test_ten_thousand_blocks_are_taken_in_while_the_loop_goes_on(stage: Stage, moments: Moments) -> None:
    blocks = [
        block(f"note_{at}", ("memory", "action", "perceive")[at % 3], text=f"text {at} " * 40, tokens=at)
        for at in range(MANY)
    ]
    add_turn(moments, blocks=blocks)
    window = stage.open(moments)
    window.show_tab(2)
    tab, edit = window.panel.context_tab, window.page.composer.edit

    async def keys_while(act: Callable[[], object]) -> int:
        """How many keys are answered until the rows stand."""
        news = asyncio.Event()
        tab.view.arranged.connect(news.set)
        act()
        count = 0
        while not news.is_set():
            QTest.keyClick(edit, Qt.Key.Key_A)
            count += 1
            await asyncio.sleep(0.001)
        return count

    async def story() -> None:
        assert await keys_while(lambda: tab.turn_chosen.emit("t1")) >= _FEW
        assert len(tab.view.list.rows.rows) == MANY + 3
        tab.view.list.setFocus(Qt.FocusReason.TabFocusReason)
        for name in (Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Home, Qt.Key.Key_Return):
            QTest.keyClick(tab.view.list, name)
            await asyncio.sleep(0)
        assert len(tab.view.list.viewport().findChildren(BlockSheet)) == 2, "only what is open has a widget"
        assert await keys_while(lambda: tab.view.filter.setText("text 77")) >= _FEW
        assert 100 < len(tab.view.list.rows.rows) < MANY
        assert await keys_while(lambda: tab.view.filter.setText("")) >= _FEW
        assert await keys_while(tab.view.sort.click) >= _FEW
        assert tab.view.list.rows.rows[1].about.tokens >= MANY - 3

    stage.run(story(), patience_s=20)


def test_a_reply_leads_to_its_turn_by_the_turn_it_came_in(stage: Stage, moments: Moments) -> None:
    add_turn(moments, "one", blocks=[block("first")])
    window = stage.open(moments)

    def answered() -> None:
        moments.deliver(TurnEvent(conversation_id="c1", exchange_id="e2", turn_id="t2", state="started"))
        moments.stream("c1", "r2", ["A long answer. " * 40])
        add_turn(moments, "two", blocks=[block("second")])
        moments.deliver(TurnEvent(conversation_id="c1", exchange_id="e2", turn_id="t2", state="ended"))

    stage.do(answered)
    end_turn(stage, moments, "three", blocks=[block("third")])
    view = window.page.feed.reply("r2")
    stage.until(lambda: not window.page.feed.drawing)
    click(stage, view.why)
    assert window.panel.tab == 2
    assert titles(stage) == ["Memory", "Second"]
    assert window.focusWidget() is window.panel.context_tab.view.list


def test_a_stored_reply_leads_to_the_newest_turn_that_is_not_after_it(stage: Stage, moments: Moments) -> None:
    reply = moments.add_message("c1", Role.PARTNER, "A long answer. " * 40)
    for number in range(70):
        at = reply.created_at + timedelta(minutes=number - 3.5)
        add_turn(moments, f"turn {number}", at=at, blocks=[block(f"block_{number}")])
    window = stage.open(moments)
    stage.until(lambda: not window.page.feed.drawing)
    stage.do(lambda: QTest.keyClick(window.page.feed.reply(reply.id).why, Qt.Key.Key_Return))
    stage.settle()
    assert titles(stage) == ["Memory", "Block 3"], "an older page was read for it"
    assert "turn 3" in window.panel.context_tab.chooser.button.accessibleName()
    end_turn(stage, moments, "newer")
    assert titles(stage) == ["Memory", "Block 3"]


def test_a_reply_from_before_all_turns_says_that_nothing_is_kept(stage: Stage, moments: Moments) -> None:
    reply = moments.add_message("c1", Role.PARTNER, "Short.")
    add_turn(moments, at=reply.created_at + timedelta(hours=1))
    window = stage.open(moments)
    stage.do(window.page.feed.reply(reply.id).why_pressed.emit)
    tab = window.panel.context_tab
    assert tab.pages.currentWidget() is tab.gone


def test_a_short_reply_has_the_question_in_its_menu(stage: Stage, moments: Moments) -> None:
    reply = moments.add_message("c1", Role.PARTNER, "Short.")
    add_turn(moments, at=reply.created_at, blocks=[block("first")])
    window = stage.open(moments)
    stage.until(lambda: not window.page.feed.drawing)
    view = window.page.feed.reply(reply.id)
    assert view.why.isHidden()
    text = view.body.segments[0]
    assert isinstance(text, TextBlock)
    stage.do(partial(_ask_for_menu, text.viewport()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text() == "Why this answer?")
    place = menu.actionGeometry(action).center()
    stage.do(lambda: QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place))
    assert titles(stage) == ["Memory", "First"]


def _ask_for_menu(widget: QWidget) -> None:
    place = QPoint(5, 5)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)


def test_an_unfinished_reply_does_not_ask_why(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["Well, " * 80], done=False))
    assert window.page.feed.reply("r1").why.isHidden()
    message = Message("m9", "c1", Role.PARTNER, "x" * 500, stage.clock.now(), 9, MessageState.STOPPED)
    stage.do(lambda: window.page.feed.add_message(message))
    assert window.page.feed.reply("m9").why.isVisible()


AWKWARD = (
    block("一個非常長的名字" * 12, text="中文内容" * 200, reason="因为刚刚提到过。" * 50),
    block("اسم_طويل_جدا" * 8, text="نص عربي " * 200, reason="لأنه ذُكر للتو " * 27),
    block("Rechtsschutzversicherungsgesellschaft" * 4, source="s" * 300, reason="Because. " * 44),
    block("empty", text="", tokens=0, reason=""),
    dropped("&amp <b>not markup</b>", reason="<i>No room</i> & none to come"),
)


@pytest.mark.parametrize("size", [(900, 600), (1280, 800)])
def test_awkward_names_and_reasons_keep_their_place(
    stage: Stage, moments: Moments, size: tuple[int, int]
) -> None:
    add_turn(moments, "做什么 " * 60 + "&file", blocks=AWKWARD)
    window = stage.open(moments, size=size)
    stage.do(lambda: window.show_tab(2))
    view = the_list(stage)
    for at in range(len(rows(stage))):
        stage.do(partial(view.set_open, rows(stage)[at].key, is_open=True))
    stage.settle()
    sheets = [sheet for row in rows(stage) if isinstance(sheet := view.sheet_of(row), BlockSheet)]
    assert len(sheets) == 5
    for sheet in sheets:
        assert sheet.width() <= view.viewport().width()
        for part in sheet.findChildren(QWidget):
            if part.isVisible() and part.parentWidget() is sheet:
                assert sheet.rect().contains(part.geometry()), part
    assert window.panel.width() <= 330
    tops = [view.visualRect(view.rows.index(at)) for at in range(len(rows(stage)))]
    assert all(upper.bottom() < lower.top() for upper, lower in pairwise(tops))


def test_every_control_of_the_tab_has_a_name(stage: Stage, moments: Moments) -> None:
    add_turn(
        moments,
        blocks=[*demo_blocks(), *(block(f"n{at}") for at in range(12)), block("big", text="z" * 9000)],
    )
    window = stage.open(moments)
    tab = show(stage)
    click_row(stage, "Recent messages")
    stage.do(lambda: tab.view.list.act(index_of(stage, "Big")))
    nameless = [repr(one) for one in controls(window.panel) if not one.accessibleName().strip()]
    assert not nameless
    described = the_list(stage).rows.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert described.startswith("Recent messages, full, ")


def test_screen_readers_know_the_rows(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    stage.open(moments)
    show(stage)
    face = QAccessible.queryAccessibleInterface(the_list(stage))
    assert face.childCount() == len(rows(stage))
    assert face.child(1).text(QAccessible.Text.Name).startswith("Recent messages")


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def test_the_language_switches_what_is_open_and_keeps_it_open(
    stage: Stage, moments: Moments, language: Language
) -> None:
    add_turn(moments)
    stage.open(moments)
    tab = show(stage)
    click_row(stage, "Recent messages")
    sheet = opened(stage, "Recent messages")
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    stage.until(lambda: rows(stage)[0].title == "对话")
    assert opened(stage, rows(stage)[1].title) is sheet
    assert tab.view.kinds.buttons["prompt"].text() == "完整提示词"
    stage.until(lambda: not any("Recent messages" in text for _, text in texts(tab)))
    turn, kept = moments.turns[0], moments.snapshots["t1"]
    data = [
        "Partner",
        turn.text,
        "tidy up my downlo",
        *(part.text for part in kept.prompt),
        *(part.name for part in kept.prompt),
    ]
    data += [word for one in kept.blocks for word in (one.text, one.reason, one.name, one.source)]
    same = re.compile(
        "|".join(re.escape(" ".join(one.split())) for one in sorted(data, key=len)[::-1] if one)
    )

    def left() -> set[str]:
        told = {" ".join(text.split()) for _, text in texts(tab)}
        return {text for text in told if re.search("[A-Za-z]{2,}", same.sub("", text))}

    stage.until(lambda: not left())
    click(stage, tab.view.kinds.buttons["prompt"])
    stage.until(lambda: not left())
    stage.until(lambda: tab.view.head.counts.text() == "显示 7 条 · 缩短 1 条 · 省略 2 条")


@pytest.mark.parametrize("dark", [False, True])
def test_the_theme_repaints_the_rows(stage: Stage, moments: Moments, dark: bool) -> None:
    add_turn(moments)
    stage.open(moments)
    show(stage)
    stage.do(lambda: stage.theme.choose(ThemeChoice.DARK if dark else ThemeChoice.LIGHT))
    view = the_list(stage)
    rect = view.visualRect(index_of(stage, "Recent messages"))
    picture = view.viewport().grab(rect).toImage()
    assert picture.pixelColor(rect.width() // 2, 6) == stage.theme.color("surface")


def test_larger_text_gives_rows_more_room(stage: Stage, moments: Moments) -> None:
    add_turn(moments)
    stage.open(moments)
    show(stage)
    before = the_list(stage).visualRect(index_of(stage, "Recent messages")).height()
    stage.do(lambda: stage.theme.zoom_by(3))
    assert the_list(stage).visualRect(index_of(stage, "Recent messages")).height() > before


@all_rows("kind", [kind.__name__ for kind in get_args(Evidence)])
def test_what_a_turn_found_out_has_a_name_in_human_words(kind: str) -> None:
    assert block_words(kind.lower()) != plain_name(kind.lower())
