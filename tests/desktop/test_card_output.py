"""While a run prints: its end stands on the card and in the panel, and nothing around it moves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.parts.live_text import MOST_LINES, LiveText
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.message import Role

from .in_actions import entries
from .moments import Moments
from .samples import SORT_SCRIPT
from .stage import Stage

pytestmark = pytest.mark.integration


def running(stage: Stage, moments: Moments, size: tuple[int, int] = (1280, 800)) -> ActionCard:
    """A card whose run has begun."""
    stage.open(moments, size=size)
    card = stage.propose(moments)
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    return card


def live(stage: Stage, moments: Moments, card: ActionCard, text: str) -> LiveText:
    """The view of what was printed, once that stands in it."""
    stage.do(lambda: moments.print("a1", text))
    stage.until(lambda: card.extras.live is not None and text.strip() in card.extras.live.toPlainText())
    assert card.extras.live is not None
    return card.extras.live


def line(card: ActionCard, at: int) -> str:
    assert card.extras.live is not None
    return card.extras.live.toPlainText().splitlines()[at]


def place(widget: QWidget, inside: QWidget) -> int:
    return widget.mapTo(inside, QPoint(0, 0)).y()


def test_both_streams_stand_on_the_card_and_in_the_panel(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = live(stage, moments, card, "one\ntw")
    stage.do(lambda: moments.print("a1", "o\n"))
    stage.do(lambda: moments.print("a1", "careful\n", "stderr"))
    stage.until(lambda: view.toPlainText() == "one\ntwo\ncareful")
    (item,) = entries(stage, "running")
    assert item.live is not None
    assert item.live.toPlainText() == "one\ntwo\ncareful"
    colors = [
        view.document().findBlockByNumber(number).begin().fragment().charFormat().foreground().color().name()
        for number in (1, 2)
    ]
    assert colors[1] == stage.theme.color("muted").name() != colors[0]
    assert card.foot is not None
    assert card.foot.buttons["cancel"].isVisible()


def test_a_card_that_comes_to_view_in_the_middle_begins_with_what_was_printed(
    stage: Stage, moments: Moments
) -> None:
    moments.add_script("sort_files.py", SORT_SCRIPT)
    other = moments.add_conversation("Elsewhere")
    stage.open(moments)
    record = moments.ask_for("local::sort_files", {})
    stage.do(lambda: stage.session.open(other.id))
    moments.ask(moments.partner.actions.approve(record.id))
    stage.until(lambda: "sorted 3" in moments.partner.actions.output(record.id).get("stdout", ""))
    stage.do(lambda: stage.session.open("c1"))
    stage.until(lambda: stage.window.page.feed.card(record.id))
    card = stage.window.page.feed.card(record.id)
    assert card is not None
    stage.until(lambda: card.extras.live is not None and "sorted 3" in card.extras.live.toPlainText())
    stage.until(lambda: int(line(card, -1).split()[-1]) > 20)
    assert card.extras.live is not None
    shown = [int(each.split()[1]) for each in card.extras.live.toPlainText().splitlines()[1:]]
    assert line(card, 0) == "reading"
    assert shown == list(range(1, len(shown) + 1)), "nothing is missing, and nothing stands there twice"


def test_whoever_reads_it_when_the_run_ends_keeps_the_keyboard_on_the_card(
    stage: Stage, moments: Moments
) -> None:
    card = running(stage, moments)
    view = live(stage, moments, card, "begin\n")
    view.setFocus(Qt.FocusReason.TabFocusReason)
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED, stdout="begin\n"))
    assert card.foot is not None
    assert stage.window.focusWidget() is card.foot.details_button


def test_a_run_that_is_under_way_at_the_start_shows_what_it_printed_in_the_panel(
    stage: Stage, moments: Moments
) -> None:
    moments.add_script("sort_files.py", SORT_SCRIPT)
    record = moments.ask_for("local::sort_files", {})
    moments.ask(moments.partner.actions.approve(record.id))
    stage.until(lambda: moments.partner.actions.output(record.id))
    stage.open(moments)
    (item,) = entries(stage, "running")
    assert item.live is not None
    assert item.live.toPlainText().startswith("reading")


def test_its_height_never_changes_and_it_follows_only_at_its_end(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = live(stage, moments, card, "begin\n")
    height, bar = view.height(), view.verticalScrollBar()
    stage.do(lambda: moments.print("a1", "".join(f"line {number}\n" for number in range(60))))
    stage.until(lambda: line(card, -1) == "line 59")
    assert view.height() == height
    assert bar.value() == bar.maximum() > 0
    stage.do(lambda: bar.setValue(10))
    stage.do(lambda: moments.print("a1", "".join(f"more {number}\n" for number in range(MOST_LINES))))
    stage.until(lambda: line(card, -1) == f"more {MOST_LINES - 1}")
    stage.do(lambda: bar.setValue(300))
    top = view.firstVisibleBlock().text()
    stage.do(lambda: moments.print("a1", "x\n" * 120))
    stage.until(lambda: line(card, -1) == "x")
    assert view.firstVisibleBlock().text() == top, "what is read stays, though the beginning was given back"
    stage.do(lambda: bar.setValue(bar.maximum()))
    stage.do(lambda: moments.print("a1", "the end\n"))
    stage.until(lambda: line(card, -1) == "the end")
    assert bar.value() == bar.maximum()


def test_of_a_flood_only_the_end_is_held(stage: Stage, moments: Moments) -> None:
    card = running(stage, moments)
    view = live(stage, moments, card, "begin\n")
    for piece in ("y\n" * 32_768, "z" * 65_536, "\n" * 60_000, "漢" * 65_536):
        stage.do(lambda piece=piece: moments.print("a1", piece))  # type: ignore[misc] # bound early
    stage.do(lambda: moments.print("a1", "\nthe end\n"))
    stage.until(lambda: line(card, -1) == "the end")
    document = view.document()
    assert document.blockCount() <= MOST_LINES + 100
    assert document.characterCount() <= 500 * 1_001


@pytest.mark.parametrize("reading", ["end", "below", "above"])
def test_beginning_to_print_and_ending_leave_the_reader_where_they_are(
    stage: Stage, moments: Moments, reading: str
) -> None:
    for number in range(20):
        moments.add_message("c1", Role.USER, f"Message number {number}")
    card = running(stage, moments, size=(1100, 640))
    for number in range(20, 40):
        message = moments.add_message("c1", Role.USER, f"Message number {number}")
        stage.do(lambda message=message: stage.window.page.feed.add_message(message))  # type: ignore[misc] # bound early
    feed = stage.window.page.feed
    bar = feed.column.verticalScrollBar()
    stage.do(feed.follow.follow)
    if reading == "above":
        stage.do(lambda: bar.setValue(40))
    if reading == "below":
        stage.do(lambda: bar.setValue(bar.maximum() - 120))
    entries = [each.widget for each in feed.entries if each.widget is not card]
    read = next(each for each in entries if 60 < place(each, stage.window) < 560)
    before = place(read, stage.window)
    live(stage, moments, card, "one\n" * 40)
    assert place(read, stage.window) == before
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED, stdout="one\n" * 40))
    assert card.extras.live is None
    stage.settle()
    assert place(read, stage.window) == before
    if reading == "end":
        assert bar.value() == bar.maximum()
