"""The Memory tab: what is known, said, summed up and pinned; found, mended and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from partner_desktop.desktop.panel.memory.memory_controller import PAGE
from partner_desktop.desktop.panel.memory.memory_rows import MemoryRow
from partner_desktop.desktop.panel.memory.memory_sheets import EntitySheet, FactView, SliceSheet, TurnSheet
from partner_desktop.desktop.panel.memory.memory_tab import MemoryTab
from partner_desktop.desktop.panel.memory.memory_words import held_places
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import ChatImportEvent
from partner_desktop.domain.forgetting import ForgetPreview, ForgetSelection, HeldKind
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import ChatImport
from tests.tables import all_rows

from .moments import Moments
from .stage import Stage
from .test_names import controls
from .walk import texts

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

MANY = 100_000
PAGES = 10
#: Before anything that is done in a test.
LONG_AGO = datetime(2025, 5, 14, 12, tzinfo=UTC)


def talk(moments: Moments, title: str, *said: str, days_ago: int = 0, rolled: bool = True) -> str:
    """A conversation that is there, the person speaking first, and summed up; its id."""
    moments.mind = None
    one = moments.add_conversation(title, days_ago=days_ago)
    for number, text in enumerate(said):
        role = Role.PARTNER if number % 2 else Role.USER
        at = LONG_AGO - timedelta(days=days_ago) + timedelta(minutes=number)
        moments.add_message(one.id, role, text, at=at)
    if rolled:
        partner = moments.partner
        moments.ask(partner.memory.roll(one.id))
    return one.id


def show(stage: Stage, kind: str = "") -> MemoryTab:
    """The tab, chosen by its key."""
    window = stage.window
    edit = window.page.composer.edit
    stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier))
    assert window.panel.tab == MEMORY_TAB
    tab = window.panel.memory_tab
    if kind:
        click(stage, tab.kinds.buttons[kind])
    stage.until(lambda: not tab.reading)
    return tab


def rows(tab: MemoryTab) -> Sequence[MemoryRow]:
    return tab.list.rows.rows if tab.pages.currentWidget() is tab.list else ()


def titles(tab: MemoryTab) -> list[str]:
    return [row.title for row in rows(tab)]


def index_of(tab: MemoryTab, title: str) -> QModelIndex:
    return tab.list.rows.index(titles(tab).index(title))


def click(stage: Stage, widget: QWidget) -> None:
    stage.do(lambda: QTest.mouseClick(widget, Qt.MouseButton.LeftButton))


def click_row(stage: Stage, tab: MemoryTab, title: str) -> None:
    place = tab.list.visualRect(index_of(tab, title)).topLeft() + QPoint(40, 20)
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseClick(tab.list.viewport(), button, none, place))


def key(stage: Stage, name: Qt.Key) -> None:
    focused = stage.window.focusWidget()
    assert focused is not None
    stage.do(lambda: QTest.keyClick(focused, name))


def sheet(tab: MemoryTab, title: str) -> object:
    return tab.list.sheet_of(tab.list.rows.rows[index_of(tab, title).row()])


def slice_sheet(stage: Stage, tab: MemoryTab, title: str) -> SliceSheet:
    """What an open passage shows, once its messages are there."""
    found = sheet(tab, title)
    assert isinstance(found, SliceSheet)
    stage.until(lambda: found.opened is not None)
    return found


def entity_sheet(tab: MemoryTab, title: str) -> EntitySheet:
    found = sheet(tab, title)
    assert isinstance(found, EntitySheet)
    return found


def look_for(stage: Stage, tab: MemoryTab, words: str) -> None:
    """Typed where the keyboard is; what is found once the typing pauses."""
    stage.do(lambda: tab.search.setText(words))
    stage.until(lambda: tab.words == words and not tab.reading)


def said(widget: QWidget) -> str:
    return " | ".join(text for _, text in texts(widget))


def banner(tab: MemoryTab) -> Banner:
    (one,) = [each for each in tab.findChildren(Banner) if each.isVisible()]
    return one


def choice(where: QWidget, words: str) -> QPushButton:
    (one,) = [each for each in where.findChildren(QPushButton) if each.text() == words and each.isVisible()]
    return one


def notices(stage: Stage) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in stage.window.page.toasts.toasts]


FLAT = ("the flat in Ulm costs 940 euros", "Noted: 940 euros.", "and the pumpkins?", "In May.")


# What is known.


@pytest.mark.promise("desktop.panels")
def test_the_person_is_known_at_a_glance_with_whom_they_spoke_of(stage: Stage, moments: Moments) -> None:
    talk(
        moments,
        "First",
        "call me Max",
        "Hello Max.",
        "I'm allergic to nuts",
        "Noted.",
        "my sister is Ann",
        "Yes.",
    )
    stage.open(moments)
    tab = show(stage)
    assert titles(tab) == ["About you", "Max", "Whom and what you spoke of", "Ann"]
    assert [row.tag for row in rows(tab) if row.about.entity] == ["you", "sister"]
    person = entity_sheet(tab, "Max")  # open from the start
    assert [fact.value for fact in person.entity.facts] == ["nuts"]
    assert "Allergic to" in said(person)
    assert "Not known yet" in said(person)


def test_what_is_known_is_put_right_where_it_stands(stage: Stage, moments: Moments) -> None:
    talk(
        moments,
        "First",
        "my sister is Ann",
        "Yes.",
        "my friend is Ben",
        "Yes.",
        "I'm allergic to nuts",
        "Yes.",
    )
    stage.open(moments)
    tab = show(stage)
    click_row(stage, tab, "Ann")
    ann = entity_sheet(tab, "Ann")
    click(stage, ann.rename_button)
    stage.do(lambda: ann.form.field.setPlainText("Anna"))
    key(stage, Qt.Key.Key_Return)
    stage.until(lambda: "Anna" in titles(tab))
    assert entity_sheet(tab, "Anna").entity.aliases == ("Ann",)
    assert "Also called Ann" in said(entity_sheet(tab, "Anna"))
    nuts = fact_view(tab, "You", "nuts")
    choose(stage, nuts, "Correct…")
    person = entity_sheet(tab, "You")
    stage.do(lambda: person.form.field.setPlainText("walnuts"))
    key(stage, Qt.Key.Key_Return)
    stage.until(lambda: "walnuts" in said(entity_sheet(tab, "You")))
    assert "no longer" in said(fact_view(tab, "You", "nuts"))
    choose(stage, fact_view(tab, "You", "nuts"), "Remove")
    stage.until(lambda: [fact.value for fact in entity_sheet(tab, "You").entity.facts] == ["walnuts"])


def fact_view(tab: MemoryTab, title: str, value: str) -> FactView:
    views = entity_sheet(tab, title).findChildren(FactView)
    return next(view for view in views if view.fact.value == value and view.isVisible())


def choose(stage: Stage, view: FactView, words: str) -> None:
    """In the menu of a fact."""
    click(stage, view.more_button)
    action = next(action for action in view.menu.actions() if action.text() == words)
    stage.do(view.menu.close)
    stage.do(action.trigger)


def test_two_that_are_one_become_one_and_are_parted_again(stage: Stage, moments: Moments) -> None:
    talk(moments, "First", "my sister is Ann", "Yes.", "my friend is Annie", "Yes.")
    stage.open(moments)
    tab = show(stage)
    before = titles(tab)
    click_row(stage, tab, "Ann")
    click(stage, entity_sheet(tab, "Ann").merge_button)
    assert "Who is the same as Ann?" in said(banner(tab))
    click_row(stage, tab, "Annie")
    stage.until(lambda: len(titles(tab)) == len(before) - 1)
    assert notices(stage) == ["Annie and Ann are one now."]
    (title,) = set(before) & {"Ann", "Annie"} & set(titles(tab))
    (part,) = [each for each in said(entity_sheet(tab, title)).split(" | ") if "is somebody else" in each][:1]
    click(stage, choice(entity_sheet(tab, title), part))
    stage.until(lambda: titles(tab) == before)


def test_a_fact_leads_to_where_it_was_said(stage: Stage, moments: Moments) -> None:
    first = talk(moments, "First", "I'm allergic to nuts", "Noted.")
    stage.open(moments)
    stage.do(lambda: stage.session.open(""))
    tab = show(stage)
    choose(stage, fact_view(tab, "You", "nuts"), "Show where it was said")
    stage.until(lambda: stage.session.outbox.place.conversation_id == first)


# What was said.


@pytest.mark.promise("desktop.panels")
def test_passages_stand_under_their_days_and_open_as_they_were_said(stage: Stage, moments: Moments) -> None:
    talk(moments, "Garden", "when did we plant?", "On 12 May.", days_ago=1)
    home = talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage, "days")
    assert [row.title for row in rows(tab) if row.kind == "slice"] == ["Home", "Garden"]
    assert [row.kind for row in rows(tab)] == ["head", "slice", "head", "slice"]
    assert rows(tab)[1].lines[1].right == "4 messages"
    click_row(stage, tab, "Home")
    opened = slice_sheet(stage, tab, "Home")
    assert opened.opened is not None
    assert [turn.text for turn in opened.opened.turns] == list(FLAT)
    assert all(text in said(opened) for text in FLAT)
    stage.do(lambda: stage.session.open(""))
    click(stage, opened.show_button)
    stage.until(lambda: stage.session.outbox.place.conversation_id == home)


def test_a_passage_is_pinned_and_written_anew(stage: Stage, moments: Moments) -> None:
    talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage, "days")
    click_row(stage, tab, "Home")
    opened = slice_sheet(stage, tab, "Home")
    click(stage, opened.pin_button)
    stage.until(lambda: rows(tab)[1].tag == "pinned")
    click(stage, opened.edit_button)
    stage.do(lambda: opened.form.field.setPlainText("What the flat costs"))
    key(stage, Qt.Key.Key_Return)
    stage.until(lambda: rows(tab)[1].lines[0].text == "What the flat costs")
    assert not opened.form.isVisible()
    show(stage, "pinned")
    assert [row.lines[0].text for row in rows(tab) if row.kind == "slice"] == ["What the flat costs"]
    click_row(stage, tab, "Home")
    click(stage, slice_sheet(stage, tab, "Home").pin_button)
    stage.until(lambda: tab.pages.currentWidget() is not tab.list)
    assert "Nothing is pinned" in said(tab)


def test_a_topic_leads_to_its_passages_and_back(stage: Stage, moments: Moments) -> None:
    talk(moments, "Home", *FLAT)
    talk(
        moments,
        "Trip",
        "the train to Paris",
        "At nine, the train.",
        "which train is it?",
        "The train at nine.",
    )
    stage.open(moments)
    tab = show(stage, "topics")
    assert rows(tab)[0].title == "What you talk about"
    click_row(stage, tab, "train")
    stage.until(lambda: any(row.kind == "slice" for row in rows(tab)))
    assert [row.title for row in rows(tab) if row.kind == "slice"] == ["Trip"]
    assert tab.scope.isVisible()
    assert tab.scope_title.text() == "train"
    click(stage, tab.back_button)
    stage.until(lambda: "train" in titles(tab))
    assert not tab.scope.isVisible()


# The search.


def test_the_search_finds_as_one_types_by_whole_words_and_by_their_beginnings(
    stage: Stage, moments: Moments
) -> None:
    talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage)
    for words in ("pumpkins", "pumpk"):
        look_for(stage, tab, words)
        stage.until(lambda: [row.kind for row in rows(tab) if row.kind == "turn"])
        assert "You: and the pumpkins?" in [row.lines[0].text for row in rows(tab) if row.lines]
        assert not tab.kinds.isVisible()
    stage.do(tab.search.setFocus)
    key(stage, Qt.Key.Key_Down)
    assert tab.list.hasFocus()
    look_for(stage, tab, "xylophone")
    assert "Nothing that was said fits “xylophone”." in said(tab)
    stage.do(lambda: tab.search.setText(""))
    stage.until(tab.kinds.isVisible)


def test_letters_typed_in_the_list_go_to_the_search(stage: Stage, moments: Moments) -> None:
    talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage, "days")
    stage.do(lambda: tab.list.setFocus(Qt.FocusReason.TabFocusReason))
    key(stage, Qt.Key.Key_F)
    assert (tab.search.text(), tab.search.hasFocus()) == ("f", True)


def test_what_was_found_is_read_whole_and_shown_in_the_chat(stage: Stage, moments: Moments) -> None:
    home = talk(moments, "Home", *FLAT)
    stage.open(moments)
    stage.do(lambda: stage.session.open(""))
    tab = show(stage)
    look_for(stage, tab, "pumpkins")
    click_row(stage, tab, "Home")
    found = sheet(tab, "Home")
    assert isinstance(found, TurnSheet)
    click(stage, found.show_button)
    stage.until(lambda: stage.session.outbox.place.conversation_id == home)


# Forgetting.


@pytest.mark.parametrize("by_key", [False, True])
def test_nothing_is_forgotten_that_was_not_shown_and_agreed_to(
    stage: Stage, moments: Moments, by_key: bool
) -> None:
    talk(moments, "Garden", "when did we plant?", "On 12 May.", days_ago=1)
    home = talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage, "days")

    def ask() -> None:
        if by_key:
            stage.do(lambda: tab.list.setFocus(Qt.FocusReason.TabFocusReason))
            stage.do(lambda: tab.list.setCurrentIndex(index_of(tab, "Home")))
            key(stage, Qt.Key.Key_Delete)
        else:
            click_row(stage, tab, "Home")
            click(stage, slice_sheet(stage, tab, "Home").forget_button)
        stage.until(lambda: [each for each in tab.findChildren(Banner) if each.isVisible()])

    ask()
    asked = said(banner(tab))
    assert "4 messages in 1 conversation" in asked
    assert FLAT[0] in asked
    assert stage.window.focusWidget() is choice(banner(tab), "Cancel")
    click(stage, choice(banner(tab), "Cancel"))
    assert [text for _, text in moments.messages(home)] == list(FLAT)
    if not by_key:
        click_row(stage, tab, "Home")
    ask()
    click(stage, choice(banner(tab), "Forget"))
    stage.until(lambda: "Home" not in titles(tab))
    assert [row.title for row in rows(tab) if row.kind == "slice"] == ["Garden"]
    assert any(sentence.startswith("Forgotten: 4 messages.") for sentence in notices(stage))
    assert moments.messages(home) == []


def test_a_whole_day_is_forgotten_by_its_menu(stage: Stage, moments: Moments) -> None:
    talk(moments, "Garden", "when did we plant?", "On 12 May.", days_ago=1)
    talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage, "days")
    place = tab.list.visualRect(tab.list.rows.index(0)).center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, tab.list.viewport().mapToGlobal(place))
    stage.do(lambda: QApplication.sendEvent(tab.list.viewport(), asked))
    (action,) = tab.list.menu.actions()
    assert action.text() == "Forget this day…"
    stage.do(tab.list.menu.close)
    stage.do(action.trigger)
    stage.until(lambda: [each for each in tab.findChildren(Banner) if each.isVisible()])
    click(stage, choice(banner(tab), "Forget"))
    stage.until(lambda: len(passages(tab)) == 1)
    assert "Garden" in titles(tab)


# How it stands.


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("known", "Nothing is known yet"),
        ("days", "Nothing is summed up yet"),
        ("topics", "No topics yet"),
        ("pinned", "Nothing is pinned"),
    ],
)
def test_an_empty_memory_says_what_comes(stage: Stage, moments: Moments, kind: str, title: str) -> None:
    stage.open(moments)
    tab = show(stage, kind)
    assert title in said(tab)
    nameless = [repr(each) for each in controls(tab) if not each.accessibleName().strip()]
    assert not nameless


def test_what_cannot_be_read_is_said_and_read_again(stage: Stage, moments: Moments) -> None:
    talk(moments, "Home", *FLAT)
    stage.open(moments)
    tab = show(stage)
    moments.write("ALTER TABLE memory_slices RENAME TO gone")
    click(stage, tab.kinds.buttons["days"])
    stage.until(lambda: tab.pages.currentWidget() is tab.fault)
    assert "This could not be read" in said(tab)
    moments.write("ALTER TABLE gone RENAME TO memory_slices")
    click(stage, tab.again)
    stage.until(lambda: "Home" in titles(tab))


def test_what_is_brought_in_shows_how_far_it_is_and_is_stopped(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    tab = show(stage)
    one = ChatImport("i1", "/home/user/export.zip", "running", share=0.42)
    stage.do(lambda: moments.deliver(ChatImportEvent(progress=one)))
    assert tab.foot.busy
    assert "Bringing in chats: 42 %" in tab.foot.words
    pressed: list[str] = []
    tab.foot.stop_pressed.connect(pressed.append)
    click(stage, tab.foot.stop_button)
    assert pressed == ["i1"]
    ended = ChatImport("i1", "/home/user/export.zip", "done", share=1.0)
    stage.do(lambda: moments.deliver(ChatImportEvent(progress=ended)))
    assert not tab.foot.busy


@pytest.mark.promise("desktop.panels")
def test_what_is_summed_up_meanwhile_appears_by_itself(stage: Stage, moments: Moments) -> None:
    home = talk(moments, "Home", *FLAT, rolled=False)
    stage.open(moments)
    tab = show(stage, "days")
    assert rows(tab) == ()
    stage.run(moments.partner.memory.roll(home))
    stage.until(lambda: "Home" in titles(tab))


# Very much of it.


def add_many(moments: Moments, count: int) -> None:
    """Passages an hour apart, the newest last, `s1` and so on; they hold the same few messages."""
    moments.add_conversation("Years of talk", id="many")
    positions = [moments.add_message("many", Role.USER, f"thing {number}").position for number in range(50)]
    moments.ask(moments.partner.memory.status())  # launched: rows are written at once
    first, past = positions[0], positions[-1] + 1
    unit = "INSERT INTO memory_units (id, conversation_id, first, past, at) VALUES ('u', 'many', ?, ?, ?)"
    moments.write(unit, first, past, LONG_AGO.isoformat())
    moments.write(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
        "INSERT INTO memory_slices (id, unit_id, first, past, at, activation, diffusion, independence) "
        "SELECT 's' || i, 'u', ? + i % 49, ? + i % 49 + 1, "
        "datetime('2025-05-14', '-' || (? - i) || ' hours') || '+00:00', 0.5, 0.5, 0.5 FROM n",
        *(count, first, first, count),
    )


@pytest.mark.promise("desktop.panels")
def test_many_passages_come_page_by_page_as_one_scrolls(stage: Stage, moments: Moments) -> None:
    add_many(moments, MANY)
    stage.open(moments)
    tab = show(stage, "days")
    sizes: list[int] = []
    tab.list.rows.rowsInserted.connect(lambda _parent, start, end: sizes.append(end - start + 1))
    bar = tab.list.verticalScrollBar()
    for count in range(1, PAGES + 1):
        stage.do(lambda: bar.setValue(bar.maximum()))
        stage.until(lambda count=count: len(passages(tab)) > count * PAGE)  # type: ignore[misc] # its own default
    shown = passages(tab)
    assert shown == [f"s{MANY - at}" for at in range(len(shown))]
    assert max(sizes) <= 2 * PAGE  # with their heads; what stands above is not laid out again
    end = tab.list.visualRect(tab.list.rows.index(len(rows(tab)) - 1)).bottom()
    assert end + bar.value() + 1 == bar.maximum() + tab.list.viewport().height()


def passages(tab: MemoryTab) -> list[str]:
    """The ids of what is listed, from the top."""
    return [one.about.slice.id for one in rows(tab) if one.about.slice is not None and one.reachable]


@all_rows("kind", get_args(HeldKind))
def test_whatever_goes_with_forgotten_words_is_called_by_a_name(kind: HeldKind) -> None:
    one, many = (
        held_places(ForgetPreview("p1", ForgetSelection(), 1, 1, held_counts={kind: count}))
        for count in (1, 2)
    )
    assert "1 " in one
    assert "2 " in many
