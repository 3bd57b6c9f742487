"""Conversations in order: pinned, in folders, archived, sorted, new ones marked, several at once, found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from partner_desktop.desktop.rows.row_spec import RowSpec
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_memory import WindowMemory
from partner_desktop.domain.message import Role

from .moments import Moments
from .stage import Stage
from .test_conversations import (
    CTRL,
    menu_entry,
    place_of,
    press,
    stand_on,
    titles,
    toast_words,
    undo_button,
    write,
)

pytestmark = [pytest.mark.promise("desktop.conversations"), pytest.mark.integration]

SHIFT = Qt.KeyboardModifier.ShiftModifier
Act = Callable[[Stage], None]


@pytest.fixture
def window(stage: Stage, moments: Moments) -> MainWindow:
    """Four conversations, from today back; the first is open."""
    for number, title in enumerate(("Trip to Ulm", "周报整理", "Backup"), 2):
        moments.add_conversation(title, days_ago=number)
        moments.add_message(f"c{number}", Role.USER, f"tell me about {title}")
    return stage.open(moments)


def heads(window: MainWindow) -> list[str]:
    return [row.title for row in window.sidebar.list.rows.rows if row.kind == "head"]


def keys(window: MainWindow) -> list[str]:
    return [row.key for row in window.sidebar.list.rows.rows if row.kind == "row"]


def column(moments: Moments, name: str) -> dict[str, object]:
    """Of each conversation what stands in the database."""
    return dict(moments.read(f"SELECT id, {name} FROM conversations ORDER BY id"))


def click(stage: Stage, conversation_id: str, held: Qt.KeyboardModifier) -> None:
    viewport, place = stage.window.sidebar.list.viewport(), place_of(stage.window, conversation_id)
    stage.do(lambda: QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, held, place))


def by_shift_click(stage: Stage) -> None:
    click(stage, "c2", CTRL)
    click(stage, "c4", SHIFT)


def by_ctrl_click(stage: Stage) -> None:
    for one in ("c2", "c1", "c4", "c3", "c1"):  # the second click on one takes it out again
        click(stage, one, CTRL)


def by_shift_and_arrows(stage: Stage) -> None:
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_Down, SHIFT)
    press(stage, Qt.Key.Key_Down, SHIFT)


def by_ctrl_space(stage: Stage) -> None:
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_Space, CTRL)
    for _ in range(2):
        press(stage, Qt.Key.Key_Down, CTRL)
        press(stage, Qt.Key.Key_Space, CTRL)


@pytest.mark.parametrize("pick", [by_shift_click, by_ctrl_click, by_shift_and_arrows, by_ctrl_space])
def test_several_are_deleted_with_one_notice_and_come_back_with_one_undo(
    stage: Stage, window: MainWindow, moments: Moments, pick: Act
) -> None:
    pick(stage)
    view = window.sidebar.list
    assert [row.key for row in view.picked] == ["c2", "c3", "c4"]
    assert window.sidebar.pick_bar.words.text() == "3 selected"
    told = QAccessible.queryAccessibleInterface(view)
    selected = [at for at in range(told.childCount()) if told.child(at).state().selected]
    assert [view.rows.rows[at].key for at in selected] == ["c2", "c3", "c4"]
    assert window.page.header.title == "Tidy up my downloads", "nothing was opened"
    press(stage, Qt.Key.Key_Delete)
    assert list(moments.titles()) == ["c1"]
    assert toast_words(window) == ["Deleted 3 conversations"]
    assert not window.sidebar.pick_bar.isVisible()
    stage.do(undo_button(window).click)
    assert list(moments.titles()) == ["c1", "c2", "c3", "c4"]
    assert keys(window) == ["c1", "c2", "c3", "c4"]


def test_all_are_picked_by_a_key_and_let_go_by_esc_a_click_or_an_arrow(
    stage: Stage, window: MainWindow
) -> None:
    view = window.sidebar.list
    ways: tuple[Callable[[], None], ...] = (
        lambda: press(stage, Qt.Key.Key_Escape),
        lambda: press(stage, Qt.Key.Key_Down),
        lambda: click(stage, "c3", Qt.KeyboardModifier.NoModifier),
    )
    for let_go in ways:
        stand_on(stage, "c1")
        press(stage, Qt.Key.Key_A, CTRL)
        assert [row.key for row in view.picked] == keys(window)
        let_go()
        assert view.picked == []
    assert window.page.header.title == "周报整理", "a click without a key still opens"


def test_a_menu_beside_what_is_picked_is_about_its_own_row(stage: Stage, window: MainWindow) -> None:
    by_shift_click(stage)
    view = window.sidebar.list
    stage.do(lambda: view.open_menu(view.row_at(view.rows.index_of("c3")), place_of(window, "c3")))
    assert not any(action.text().startswith("Rename") for action in view.menu.actions()), "of three"
    stage.do(view.menu.close)
    stage.do(lambda: view.open_menu(view.row_at(view.rows.index_of("c1")), place_of(window, "c1")))
    assert menu_entry(window, "Rename").isEnabled()
    assert view.picked == []


def test_a_key_pins_and_unpins(stage: Stage, window: MainWindow, moments: Moments) -> None:
    stand_on(stage, "c4")
    press(stage, Qt.Key.Key_D, CTRL)
    assert column(moments, "pinned")["c4"] == 1
    assert (heads(window)[0], keys(window)[0]) == ("Pinned", "c4")
    assert window.sidebar.list.marked == "c4", "the keyboard stays on it"
    press(stage, Qt.Key.Key_D, CTRL)
    assert column(moments, "pinned")["c4"] == 0
    assert "Pinned" not in heads(window)


def test_what_is_archived_is_out_of_the_list_in_the_archive_and_back(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    by_shift_click(stage)
    press(stage, Qt.Key.Key_E, CTRL)
    assert keys(window) == ["c1"]
    assert toast_words(window) == ["Archived 3 conversations"]
    archive = window.sidebar.list.rows.rows[-1]
    assert (archive.title, archive.moment) == ("Archived", "3")
    stand_on(stage, "archive")
    press(stage, Qt.Key.Key_Return)
    assert keys(window) == ["c2", "c3", "c4"]
    stand_on(stage, "c3")
    press(stage, Qt.Key.Key_E, CTRL)
    assert keys(window) == ["c2", "c4"]
    stand_on(stage, "back")
    press(stage, Qt.Key.Key_Return)
    assert keys(window) == ["c1", "c3"]
    stage.do(window.page.toasts.undo_newest)
    stage.do(window.page.toasts.undo_newest)
    assert column(moments, "archived") == {"c1": 0, "c2": 0, "c3": 0, "c4": 0}
    assert not window.sidebar.view.archive


def move(stage: Stage, conversation_id: str, words: str) -> None:
    view = stage.window.sidebar.list
    stand_on(stage, conversation_id)
    press(stage, Qt.Key.Key_F10, SHIFT)
    folders = menu_entry(stage.window, "Move to folder").menu()
    entry = next(each for each in folders.actions() if each.text() == words)  # type: ignore[attr-defined] # a QMenu
    stage.do(entry.trigger)
    stage.do(view.menu.close)


def test_a_new_folder_is_named_where_it_stands(stage: Stage, window: MainWindow, moments: Moments) -> None:
    move(stage, "c2", "New folder")
    assert column(moments, "folder")["c2"] == "New folder"
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    write(stage, "Travel & more")
    press(stage, Qt.Key.Key_Return)
    assert column(moments, "folder")["c2"] == "Travel & more"
    move(stage, "c3", "Travel && more")
    assert [row.title for row in window.sidebar.list.rows.rows if row.inner] == ["Trip to Ulm", "周报整理"]
    folder = "folder/Travel & more"
    stand_on(stage, folder)
    press(stage, Qt.Key.Key_Left)
    assert keys(window) == ["c1", "c4"]
    assert "folder of 2" in window.sidebar.list.rows.rows[1].words
    press(stage, Qt.Key.Key_Right)
    assert "c2" in keys(window)
    stand_on(stage, folder)
    press(stage, Qt.Key.Key_Delete)
    assert set(column(moments, "folder").values()) == {""}
    assert toast_words(window)[-1] == "Removed the folder “Travel & more”"
    stage.do(undo_button(window).click)
    assert column(moments, "folder")["c3"] == "Travel & more"


@pytest.mark.parametrize("folder", ["Work", "New folder"])
def test_what_is_pinned_is_seen_in_the_folder_it_is_moved_to_and_undo_pins_it_again(
    stage: Stage, window: MainWindow, moments: Moments, folder: str
) -> None:
    stage.run(moments.partner.conversations.organize(["c4"], folder="Work"))
    stage.run(moments.partner.conversations.organize(["c2"], pinned=True))
    stage.settle()
    move(stage, "c2", folder)
    if folder == "New folder":
        press(stage, Qt.Key.Key_Escape)
    assert "Pinned" not in heads(window)
    assert "Trip to Ulm" in [row.title for row in window.sidebar.list.rows.rows if row.inner]
    assert toast_words(window) == [f"Moved “Trip to Ulm” to “{folder}”"]
    stage.do(undo_button(window).click)
    assert (column(moments, "pinned")["c2"], column(moments, "folder")["c2"]) == (1, "")
    assert heads(window)[0] == "Pinned"


def test_a_folder_that_is_removed_and_put_back_leaves_what_is_pinned(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    stage.run(moments.partner.conversations.organize(["c2", "c3"], folder="Work"))
    stage.run(moments.partner.conversations.organize(["c2"], pinned=True))
    stage.settle()
    stand_on(stage, "folder/Work")
    press(stage, Qt.Key.Key_Delete)
    stage.do(undo_button(window).click)
    assert (column(moments, "pinned")["c2"], column(moments, "folder")["c2"]) == (1, "Work")


def test_the_archive_offers_folders_that_are_there_and_no_new_one(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    stage.run(moments.partner.conversations.organize(["c2", "c3"], archived=True))
    stage.run(moments.partner.conversations.organize(["c4"], folder="Work"))
    stage.do(lambda: window.sidebar.show_archive(on=True))
    row = window.sidebar.list.row_at(window.sidebar.list.rows.index_of("c2"))
    assert row is not None
    offered = {verb.words for verb in window.sidebar.list.verbs_of(row) if verb.under}
    assert offered == {"Work"}


def test_the_order_is_chosen_and_kept_with_what_is_folded(
    stage: Stage, window: MainWindow, moments: Moments, tmp_path: Path
) -> None:
    stage.do(lambda: window.sidebar.sort("name"))
    assert titles(window) == ["Backup", "Tidy up my downloads", "Trip to Ulm", "周报整理"]
    memory = WindowMemory(tmp_path)
    window.sidebar.view.folded.add("Work")
    memory.keep(window, window.theme, window.language, list_view=window.sidebar.view)
    again = stage.open(memory=WindowMemory(tmp_path))
    assert (again.sidebar.view.order, again.sidebar.view.folded) == ("name", {"Work"})


def test_a_reply_in_another_conversation_is_new_until_it_is_looked_at(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "tell me about Ulm")
    window = stage.open(moments)
    stage.do(lambda: stage.start(moments.partner.messages.send("hello", conversation_id="c2")))

    def row() -> RowSpec[str]:
        found = window.sidebar.list.row_at(window.sidebar.list.rows.index_of("c2"))
        assert found is not None
        return found

    stage.until(lambda: row().words == "Trip to Ulm, 1 new reply")
    assert (row().tag, row().strong) == ("1", True)
    assert window.sidebar.list.accessibleDescription() == "New replies in 1 conversation"
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_Return)
    stage.until(lambda: not row().tag)
    assert column(moments, "unread")["c2"] == 0
    assert window.sidebar.list.accessibleDescription() == ""
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_U, CTRL)
    assert row().tag == "1", "a person may want to come back to it"


def test_a_reply_in_a_window_that_nobody_looks_at_is_new(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    window = stage.open(moments)
    stage.do(window.hide)
    stage.until(lambda: not stage.session.conversations.looked_at)
    stage.run(moments.partner.messages.send("hello", conversation_id="c1"))
    stage.until(lambda: column(moments, "unread")["c1"] == 1)


def test_a_search_is_narrowed_by_choices_that_say_themselves(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    moments.add_message("c2", Role.PARTNER, "I know nothing about it")
    sidebar = window.sidebar
    press(stage, Qt.Key.Key_F, CTRL)
    assert not sidebar.filters.isVisible()
    write(stage, "about")
    stage.until(lambda: sidebar.searching)
    assert sidebar.filters.isVisible()

    def found() -> list[str]:
        return [row.about.conversation.id for row in sidebar.results.rows.rows]

    assert set(found()) == {"c2", "c3", "c4"}
    speaker = sidebar.filters.speaker
    stage.do(next(each for each in speaker.menu.actions() if each.text() == "From Partner").trigger)
    assert found() == ["c2"]
    assert (speaker.button.text(), speaker.button.accessibleName()) == (
        "From Partner ▾",
        "From: From Partner",
    )
    stage.do(lambda: sidebar.filters.place.choose("here"))
    assert sidebar.nothing.isVisible(), "not in the open one"
    stage.do(lambda: stage.session.open("c2"))
    stage.do(lambda: stage.session.conversations.search("about"))
    assert found() == ["c2"]
    stage.do(lambda: sidebar.filters.files.choose(True))
    assert sidebar.nothing.isVisible()
    press(stage, Qt.Key.Key_Escape)
    stage.do(sidebar.search.setFocus)
    press(stage, Qt.Key.Key_Escape)
    press(stage, Qt.Key.Key_Escape)
    assert not sidebar.searching
    assert not sidebar.filters.is_set


def test_in_a_new_chat_a_search_in_this_chat_finds_nothing(stage: Stage, window: MainWindow) -> None:
    stage.do(lambda: stage.session.open(""))
    stage.do(lambda: window.sidebar.filters.place.choose("here"))
    stage.do(lambda: stage.session.conversations.search("about"))
    assert window.sidebar.nothing.isVisible()


def test_what_was_found_stays_in_place_and_is_looked_for_once_while_conversations_change(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    for number in range(5, 30):
        moments.add_conversation(f"Walk {number}", days_ago=number)
        moments.add_message(f"c{number}", Role.USER, f"tell me about walk {number}")
    results = window.sidebar.results
    stage.do(lambda: stage.session.conversations.search("about"))
    shown: list[int] = []
    results.rows.dataChanged.connect(lambda *_: shown.append(1))
    results.rows.modelReset.connect(lambda: shown.append(1))
    bar = results.verticalScrollBar()
    stage.do(lambda: results.mark(results.rows.rows[3].key))
    stage.do(lambda: bar.setValue(bar.maximum() // 2))
    marked, scrolled = results.marked, bar.value()
    assert marked
    assert scrolled
    stage.run(moments.partner.conversations.organize(["c1", "c2", "c3", "c4"], unread=True))
    stage.until(lambda: shown)
    stage.settle()
    assert len(shown) == 1
    assert (results.marked, bar.value()) == (marked, scrolled)


def test_what_comes_for_many_at_once_is_listed_once(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    made: list[int] = []
    window.sidebar.list.rows.dataChanged.connect(lambda *_: made.append(1))
    partner = moments.partner
    stage.run(partner.conversations.organize(["c1", "c2", "c3", "c4"], unread=True))
    stage.settle()
    assert [row.tag for row in window.sidebar.list.rows.rows if row.kind == "row"] == ["1"] * 4
    assert len(made) <= 2


def test_the_palette_organizes_the_open_conversation(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    commands = {one.name: one for one in stage.session.palette.commands()}
    stage.do(commands["pin-conversation"].act)
    assert column(moments, "pinned")["c1"] == 1
    stage.do(commands["archive-conversation"].act)
    assert column(moments, "archived")["c1"] == 1
    stage.do(commands["archive-list"].act)
    assert keys(window) == ["c1"]
