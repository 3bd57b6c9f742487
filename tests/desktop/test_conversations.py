"""Whole conversations in the window, by mouse and keyboard: search, titles, deletion with undo, files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial as call
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QWidget

from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.progress import Flash
from partner_desktop.desktop.window import MainWindow, tab_stops
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import MessageEvent, TurnEvent
from partner_desktop.domain.message import Role

from .in_actions import entries
from .moments import Moments
from .samples import count_action
from .stage import Stage

pytestmark = [pytest.mark.promise("desktop.conversations"), pytest.mark.integration]

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(stage: Stage, moments: Moments) -> MainWindow:
    """Two conversations; the first is open."""
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "when does the train to Ulm leave?")
    moments.add_message("c2", Role.PARTNER, "At noon, from platform 周报 4.")
    return stage.open(moments)


def press(stage: Stage, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key, as the window system brings it: to whatever has the focus."""

    def pressing() -> None:
        target = QApplication.focusWidget() or stage.window
        QTest.keyClick(target, key, modifier)

    stage.do(pressing)


def write(stage: Stage, text: str) -> None:
    """Letters, to whatever has the focus."""

    def writing() -> None:
        focused = QApplication.focusWidget()
        assert isinstance(focused, QLineEdit)
        focused.insert(text)

    stage.do(writing)


def titles(window: MainWindow) -> list[str]:
    return [row.title for row in window.sidebar.list.rows.rows if row.kind != "head"]


def place_of(window: MainWindow, conversation_id: str) -> QPoint:
    index = window.sidebar.list.rows.index_of(conversation_id)
    assert index.isValid()
    return window.sidebar.list.visualRect(index).center()


def click(stage: Stage, conversation_id: str) -> None:
    viewport, place = stage.window.sidebar.list.viewport(), place_of(stage.window, conversation_id)
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseClick(viewport, button, none, place))


def stand_on(stage: Stage, conversation_id: str) -> None:
    """The keyboard is in the list, on a conversation."""
    view = stage.window.sidebar.list
    stage.do(lambda: view.setFocus(Qt.FocusReason.TabFocusReason))
    stage.do(lambda: view.setCurrentIndex(view.rows.index_of(conversation_id)))


def menu_entry(window: MainWindow, text: str) -> QAction:
    return next(action for action in window.sidebar.list.menu.actions() if action.text().startswith(text))


def toast_words(window: MainWindow) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in window.page.toasts.toasts]


# Search.


def look_for(stage: Stage, text: str) -> None:
    press(stage, Qt.Key.Key_F, CTRL)
    write(stage, text)
    stage.until(lambda: stage.window.sidebar.searching)


def test_a_key_begins_the_search_and_esc_ends_it(stage: Stage, window: MainWindow) -> None:
    window.page.composer.set_text("half a thought")
    press(stage, Qt.Key.Key_F, CTRL)
    assert window.focusWidget() is window.sidebar.search
    assert window.page.composer.text == "half a thought"
    write(stage, "train")
    stage.until(lambda: window.sidebar.searching)
    (hit,) = window.sidebar.results.rows.rows
    assert hit.about.conversation.title == "Trip to Ulm"
    press(stage, Qt.Key.Key_Escape)
    assert not window.sidebar.searching
    assert window.sidebar.search.text() == ""
    press(stage, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.page.composer.edit


def test_the_search_waits_for_a_pause_in_the_typing(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    press(stage, Qt.Key.Key_F, CTRL)
    for letter in "train":
        write(stage, letter)
    stage.until(lambda: window.sidebar.searching)
    (hit,) = window.sidebar.results.rows.rows
    assert hit.about.conversation.title == "Trip to Ulm"


def test_enter_opens_the_best_result_scrolls_to_the_message_and_shows_which(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    for number in range(30):
        moments.add_message("c2", Role.PARTNER, f"line {number}\n\nand more of it\n\nand more")
    look_for(stage, "platform")
    press(stage, Qt.Key.Key_Return)
    assert window.page.header.title == "Trip to Ulm"
    feed = window.page.feed
    stage.until(lambda: feed.findChildren(Flash))
    (entry,) = [entry for entry in feed.entries if entry.key == "m3"]
    assert entry.widget.findChildren(Flash)
    top = entry.widget.mapTo(feed.column.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < feed.column.viewport().height()
    assert window.sidebar.searching, "the results stay, to look at another"


def test_a_message_far_back_is_shown_in_its_place_and_the_end_is_a_button_away(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    for number in range(1_000):
        moments.add_message("c2", Role.USER, f"number {number}.")
    look_for(stage, "number 17.")
    press(stage, Qt.Key.Key_Return)
    feed = window.page.feed
    stage.until(lambda: feed.findChildren(Flash))
    assert feed.detached
    assert len(feed.entries) < 200
    assert feed.jump_button.isVisible()
    late = moments.add_message("c2", Role.USER, "this comes now")
    stage.do(lambda: moments.deliver(MessageEvent(conversation_id="c2", message=late)))
    assert not feed.has(late.id), "it does not join what is shown"
    stage.do(lambda: QTest.mouseClick(feed.jump_button, Qt.MouseButton.LeftButton))
    stage.until(lambda: feed.has(late.id))
    assert not feed.detached


def test_down_goes_into_the_results_and_a_click_opens_one(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    moments.add_message("c1", Role.PARTNER, "no train here")
    look_for(stage, "train")
    results = window.sidebar.results
    press(stage, Qt.Key.Key_Down)
    assert window.focusWidget() is results
    assert [hit.about.conversation.id for hit in results.rows.rows] == ["c1", "c2"]
    press(stage, Qt.Key.Key_Down)
    press(stage, Qt.Key.Key_Return)
    assert window.page.header.title == "Trip to Ulm"
    place = results.visualRect(results.rows.index(0)).center()
    none = Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, none, place))
    assert window.page.header.title == "Tidy up my downloads"


def test_nothing_found_is_said_in_one_sentence(stage: Stage, window: MainWindow) -> None:
    look_for(stage, "unheard of")
    assert window.sidebar.nothing.isVisible()
    assert window.sidebar.nothing.text() == "Nothing was said about “unheard of”."


def test_results_that_come_late_are_dropped(stage: Stage, window: MainWindow) -> None:
    def search_twice(second: str) -> None:
        stage.session.conversations.search("train")
        stage.session.conversations.search(second)

    stage.do(lambda: search_twice("nothing"))
    assert window.sidebar.nothing.isVisible()
    stage.do(lambda: search_twice(""))
    assert not window.sidebar.searching


def test_the_search_field_comes_back_in_a_folded_column(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments, size=(600, 600))
    assert not window.sidebar.isVisible()
    press(stage, Qt.Key.Key_F, CTRL)
    assert window.sidebar.search.isVisible()
    assert window.focusWidget() is window.sidebar.search


# Titles.


def by_key(stage: Stage) -> None:
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_F2)


def by_double_click(stage: Stage) -> None:
    click(stage, "c2")
    viewport, place = stage.window.sidebar.list.viewport(), place_of(stage.window, "c2")
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseDClick(viewport, button, none, place))


def by_menu(stage: Stage) -> None:
    open_menu_by_key(stage, "c2")
    stage.do(menu_entry(stage.window, "Rename").trigger)


def open_menu_by_key(stage: Stage, conversation_id: str) -> None:
    stand_on(stage, conversation_id)
    press(stage, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    assert stage.window.sidebar.list.menu.isVisible()


@pytest.mark.parametrize("begin", [by_key, by_double_click, by_menu])
def test_a_conversation_is_renamed_in_place(
    stage: Stage, window: MainWindow, moments: Moments, begin: Callable[[Stage], None]
) -> None:
    begin(stage)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert (editor.text(), editor.accessibleName()) == ("Trip to Ulm", "New title")
    write(stage, "A week in Ulm")
    press(stage, Qt.Key.Key_Return)
    assert moments.titles()["c2"] == "A week in Ulm"
    assert "A week in Ulm" in titles(window)


def test_esc_gives_a_new_title_up(stage: Stage, window: MainWindow, moments: Moments) -> None:
    by_key(stage)
    write(stage, "A week in Ulm")
    press(stage, Qt.Key.Key_Escape)
    assert moments.titles()["c2"] == "Trip to Ulm"
    assert "Trip to Ulm" in titles(window)


def test_what_is_renamed_is_the_conversation_also_when_the_rows_move_meanwhile(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    by_key(stage)
    write(stage, "A week in Ulm")
    for number, days in enumerate((0.5, 1.5, 3, 9)):
        new = moments.add_conversation(f"New {number}", days_ago=days)
        stage.do(call(stage.session.store.conversations.take, [new]))
    press(stage, Qt.Key.Key_Return)
    named = [key for key, title in moments.titles().items() if title == "A week in Ulm"]
    assert named in (["c2"], [])


def test_the_title_over_the_chat_is_rewritten_there(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    title = window.page.header.title_field
    button = Qt.MouseButton.LeftButton
    stage.do(lambda: QTest.mouseDClick(title, button))
    assert window.focusWidget() is title.field
    write(stage, "Tidied")
    press(stage, Qt.Key.Key_Return)
    assert moments.titles()["c1"] == "Tidied"
    assert window.page.header.title == "Tidied"
    stage.do(lambda: QTest.mouseDClick(title, button))
    write(stage, "Something else")
    press(stage, Qt.Key.Key_Escape)
    assert window.page.header.title == moments.titles()["c1"] == "Tidied"


def test_a_click_on_the_title_rewrites_it_and_one_beside_it_does_not(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    title = window.page.header.title_field
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    assert title.toolTip() == "Rename"
    stage.do(lambda: QTest.mouseClick(title, button, none, QPoint(title.width() - 4, title.height() // 2)))
    assert not title.field.isVisible()
    stage.do(lambda: QTest.mouseClick(title, button, none, QPoint(20, title.height() // 2)))
    assert window.focusWidget() is title.field
    press(stage, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.page.composer.edit


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_F2])
def test_the_title_is_reached_by_tab_and_rewritten_by_a_key(
    stage: Stage, window: MainWindow, moments: Moments, key: Qt.Key
) -> None:
    title = window.page.header.title_field
    assert title in tab_stops([window.page])
    stage.do(lambda: title.setFocus(Qt.FocusReason.TabFocusReason))
    press(stage, key)
    write(stage, "Tidied")
    press(stage, Qt.Key.Key_Return)
    assert moments.titles()["c1"] == "Tidied"
    assert window.focusWidget() is title


def test_a_new_chat_has_no_title_to_rewrite(stage: Stage, window: MainWindow) -> None:
    stage.do(window.sidebar.new_button.click)
    assert window.page.header.title_field not in tab_stops([window.page])
    assert window.page.header.title_field.toolTip() == ""


# Deletion.


def undo_button(window: MainWindow) -> QPushButton:
    button = window.page.toasts.toasts[-1].action_button
    assert button is not None
    return button


def by_click(stage: Stage) -> None:
    stage.do(undo_button(stage.window).click)


def by_ctrl_z(stage: Stage) -> None:
    press(stage, Qt.Key.Key_Z, CTRL)


@pytest.mark.parametrize("undo", [by_click, by_ctrl_z])
def test_delete_takes_the_open_conversation_away_and_undo_brings_it_back(
    stage: Stage, window: MainWindow, moments: Moments, undo: Callable[[Stage], None]
) -> None:
    stand_on(stage, "c1")
    press(stage, Qt.Key.Key_Delete)
    assert list(moments.titles()) == ["c2"]
    assert titles(window) == ["Trip to Ulm"]
    assert window.page.header.title == "New chat"
    assert window.page.shown is window.page.welcome
    assert toast_words(window) == ["Deleted “Tidy up my downloads”"]
    assert undo_button(window).accessibleName() == "Undo: Deleted “Tidy up my downloads”"
    undo(stage)
    assert list(moments.titles()) == ["c1", "c2"]
    assert titles(window) == ["Tidy up my downloads", "Trip to Ulm"]
    assert window.page.header.title == "Tidy up my downloads"
    assert window.page.toasts.toasts == ()


def test_ctrl_z_takes_back_the_newest_deletion_first_and_each_once(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    for one in ("c1", "c2"):
        stand_on(stage, one)
        press(stage, Qt.Key.Key_Delete)
    assert titles(window) == []
    for there in (["c2"], ["c1", "c2"], ["c1", "c2"]):
        press(stage, Qt.Key.Key_Z, CTRL)
        assert list(moments.titles()) == there


def test_ctrl_z_in_a_text_belongs_to_the_text(stage: Stage, window: MainWindow, moments: Moments) -> None:
    stand_on(stage, "c2")
    press(stage, Qt.Key.Key_Delete)
    edit = window.page.composer.edit
    stage.do(edit.setFocus)
    stage.do(lambda: QTest.keyClicks(edit, "hello"))
    press(stage, Qt.Key.Key_Z, CTRL)
    assert window.page.composer.text == ""
    assert list(moments.titles()) == ["c1"]
    press(stage, Qt.Key.Key_Z, CTRL)  # the text has nothing more to take back
    assert list(moments.titles()) == ["c1", "c2"]


def test_only_the_open_conversation_looks_open_wherever_the_keyboard_is(
    stage: Stage, window: MainWindow
) -> None:
    def color(conversation_id: str, x: int, y: int) -> str:
        viewport = window.sidebar.list.viewport()
        row = window.sidebar.list.visualRect(window.sidebar.list.rows.index_of(conversation_id))
        picture = window.grab(QRect(viewport.mapTo(window, row.topLeft()), row.size())).toImage()
        return picture.pixelColor(x, y).name()

    def ground(conversation_id: str) -> str:
        return color(conversation_id, 20, 4)

    def edge(conversation_id: str) -> str:
        return color(conversation_id, 40, 0)

    stand_on(stage, "c1")
    open_ground, ring = ground("c1"), edge("c1")
    other = ground("c2")
    assert open_ground != other
    stand_on(stage, "c2")
    assert (ground("c1"), ground("c2")) == (open_ground, other)
    assert edge("c2") == ring != edge("c1")
    press(stage, Qt.Key.Key_Return)
    assert (ground("c1"), ground("c2")) == (other, open_ground)


def test_deleting_another_conversation_leaves_the_open_one(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    open_menu_by_key(stage, "c2")
    stage.do(menu_entry(window, "Delete").trigger)
    assert window.page.header.title == "Tidy up my downloads"
    assert titles(window) == ["Tidy up my downloads"]


def test_what_was_deleted_elsewhere_leaves_this_window_too(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    stage.do(lambda: moments.propose(count_action(conversation_id="c2")))
    assert len(entries(window, "waiting")) == 1
    moments.ask(moments.partner.conversations.delete("c2"))
    stage.settle()
    assert titles(window) == ["Tidy up my downloads"]
    assert entries(window, "waiting") == []
    by_click(stage)
    assert len(entries(window, "waiting")) == 1


# The menu, and what goes out and in.


def test_the_menu_opens_by_right_click_and_by_the_small_button(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    view = window.sidebar.list
    place = place_of(window, "c2")

    def right_click() -> None:
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, place, view.viewport().mapToGlobal(place))
        QApplication.sendEvent(view.viewport(), event)

    stage.do(right_click)
    words = [action.text().partition("\t")[0] for action in view.menu.actions() if action.text()]
    assert words == [
        "Rename",
        "Pin",
        "Mark as unread",
        "Move to folder",
        "Archive",
        "Export…",
        "Delete",
        "Sort by",
        "Import conversations…",
    ]
    stage.do(view.menu.close)
    stage.do(lambda: QTest.mouseMove(view.viewport(), place))
    dots = view.parts_of("c2").dots.center()
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    stage.do(lambda: QTest.mouseClick(view.viewport(), button, none, dots))
    stage.do(menu_entry(window, "Delete").trigger)
    assert list(moments.titles()) == ["c1"]


def file_dialog(window: MainWindow) -> QFileDialog:
    (dialog,) = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    return dialog


@pytest.mark.parametrize(("ending", "begins"), [("md", "# Ulm: a/b?"), ("json", "{")])
def test_a_conversation_is_exported_to_the_file_that_was_chosen(
    stage: Stage, window: MainWindow, moments: Moments, tmp_path: Path, ending: str, begins: str
) -> None:
    moments.ask(moments.partner.conversations.rename("c2", "Ulm: a/b?"))
    stage.settle()
    open_menu_by_key(stage, "c2")
    stage.do(menu_entry(window, "Export").trigger)
    dialog = file_dialog(window)
    assert Path(dialog.selectedFiles()[0]).name == "Ulm a b.md"
    stage.do(lambda: dialog.setDirectory(str(tmp_path)))
    name = next(each for each in dialog.nameFilters() if f"*.{ending}" in each)
    stage.do(lambda: dialog.selectNameFilter(name))
    stage.do(lambda: dialog.filterSelected.emit(name))
    assert Path(dialog.selectedFiles()[0]).suffix == f".{ending}"
    stage.do(dialog.accept)
    text = (tmp_path / f"Ulm a b.{ending}").read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert "when does the train to Ulm leave?" in text
    assert toast_words(window)[0].startswith("Exported to ")


def test_an_exported_file_is_imported_and_opened(
    stage: Stage, window: MainWindow, moments: Moments, tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    moments.ask(moments.partner.conversations.rename("c2", "Taken in"))
    moments.ask(moments.partner.conversations.export_to("c2", path, kind="json"))
    moments.ask(moments.partner.conversations.delete("c2"))
    open_menu_by_key(stage, "c1")
    stage.do(menu_entry(window, "Import").trigger)
    dialog = file_dialog(window)
    stage.do(lambda: dialog.setDirectory(str(tmp_path)))
    stage.do(lambda: dialog.selectFile(str(path)))
    stage.do(dialog.accept)
    stage.until(lambda: window.page.header.title == "Taken in")
    (made,) = [key for key, title in moments.titles().items() if title == "Taken in"]
    assert ("user", "when does the train to Ulm leave?") in moments.messages(made)
    assert toast_words(window)[-1] == "Imported “Taken in”"


def banner_choice(window: MainWindow, text: str) -> QPushButton:
    (banner,) = window.page.findChildren(Banner)
    return next(each for each in banner.findChildren(QPushButton) if each.text() == text)


def test_a_dropped_export_can_be_imported_and_a_refusal_is_said(
    stage: Stage, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    path.write_text("{}")
    stage.do(lambda: window.files_dropped.emit([path]))
    stage.do(banner_choice(window, "Import its conversations").click)
    (words_of_fault,) = toast_words(window)
    assert "talk.json" in words_of_fault
    stage.do(lambda: window.files_dropped.emit([Path("/home/user/tool.py")]))
    words = [each.text() for each in window.page.findChildren(QPushButton)]
    assert "Import its conversations" not in words


# The list.


def test_work_in_another_conversation_is_marked_there(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    def words() -> str:
        index = window.sidebar.list.rows.index_of("c2")
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole))

    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c2", turn_id="t", state="started")))
    assert words() == "Trip to Ulm, at work"
    stage.do(lambda: moments.propose(count_action(conversation_id="c2")))
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c2", turn_id="t", state="ended")))
    assert words() == "Trip to Ulm, at work"
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED))
    assert words() == "Trip to Ulm"


def test_the_keyboard_stays_where_it_is_when_the_list_changes(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    older = moments.add_conversation("Older", days_ago=3)
    stage.do(lambda: stage.session.store.conversations.take([older]))
    stand_on(stage, "c2")
    newer = moments.add_conversation("Brand new", days_ago=-1)
    stage.do(lambda: stage.session.store.conversations.take([newer]))
    assert window.sidebar.list.marked == "c2"


def test_thousands_of_conversations_are_listed_and_reached(stage: Stage, moments: Moments) -> None:
    for number in range(5_000):
        made = moments.add_conversation(f"Talk {number}", days_ago=number / 10)
        moments.add_message(made.id, Role.USER, "hello")
        moved = "UPDATE conversations SET updated_at = ? WHERE id = ?"
        moments.write(moved, (stage.clock.now() - timedelta(days=number / 10)).isoformat(), made.id)
    window = stage.open(moments)
    assert len(titles(window)) == 5_001
    view = window.sidebar.list
    stage.do(lambda: view.setFocus(Qt.FocusReason.TabFocusReason))
    last = window.sidebar.list.rows.index(len(window.sidebar.list.rows.rows) - 1)
    stage.until(lambda: not view.visualRect(last).isEmpty())  # laid out in portions
    press(stage, Qt.Key.Key_End)
    assert view.currentIndex() == last
    assert view.viewport().rect().intersects(view.visualRect(last))


def test_everything_of_the_column_has_a_name(stage: Stage, window: MainWindow) -> None:
    parts: list[QWidget] = [
        window.sidebar.search,
        window.sidebar.results,
        window.sidebar.list,
        window.page.header.title_field.field,
    ]
    assert all(part.accessibleName() for part in parts)


@pytest.mark.parametrize("width", [120, 232, 900])
def test_results_are_painted_at_any_width(
    stage: Stage, window: MainWindow, moments: Moments, width: int
) -> None:
    moments.add_message("c1", Role.PARTNER, "🎉🎉 the train 🚂 " + "整理" * 40 + " unbreakable" * 20)
    look_for(stage, "train")
    results = window.sidebar.results
    stage.do(lambda: results.setFixedWidth(width))
    assert not results.grab().isNull()
    heights = [results.visualRect(results.rows.index(row)).height() for row in range(2)]
    assert min(heights) > 0


def test_a_long_list_follows_what_comes_in_quick_succession(
    stage: Stage, window: MainWindow, moments: Moments
) -> None:
    known = stage.session.store.conversations
    many = [moments.add_conversation(f"Talk {number}", days_ago=number) for number in range(600)]
    stage.do(lambda: known.take(many))
    for title in ("One from elsewhere", "Another"):
        known.take([moments.add_conversation(title)])
    known.take(removed=["c2"])
    stage.until(lambda: {"One from elsewhere", "Another"} <= {*titles(window)})
    assert "Trip to Ulm" not in titles(window)
    assert len(titles(window)) == 603
