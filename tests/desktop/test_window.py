"""The window as a whole: columns, keys, closing, files."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.sidebar.conversation_list import day_words as month_words
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.desktop.window_memory import FILE_NAME, WindowMemory
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.message import Role

from .moments import Moments, StuckMind
from .samples import BROKEN_SCRIPT, COUNT_SCRIPT, SORT_SCRIPT, count_action
from .stage import Stage

UPDATED = "UPDATE conversations SET updated_at = ? WHERE id = ?"

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("width", "sidebar", "panel"),
    [(1280, True, True), (1000, True, True), (999, True, False), (700, False, False)],
)
def test_the_side_columns_fold_away_the_right_one_first(
    stage: Stage, moments: Moments, width: int, sidebar: bool, panel: bool
) -> None:
    window = stage.open(moments, size=(width, 700))
    assert (window.sidebar.isVisible(), window.panel.isVisible()) == (sidebar, panel)
    assert window.page.width() >= 430


def test_a_folded_column_comes_back_by_key_and_folds_again_with_the_width(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments, size=(900, 700))
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_F9))
    assert window.panel.isVisible()
    stage.do(lambda: window.resize(1200, 700))
    stage.do(lambda: window.resize(900, 700))
    assert not window.panel.isVisible()
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier))
    assert not window.sidebar.isVisible()


def test_in_a_narrow_window_a_column_lies_over_the_chat_and_esc_takes_it_away(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments, size=(500, 600))
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_F9))
    assert window.panel.isVisible()
    assert window.page.width() == 500
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    assert not window.panel.isVisible()


def test_a_click_beside_the_column_over_the_chat_or_on_its_button_takes_it_away(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments, size=(900, 600))
    stage.theme.restore(ThemeChoice.LIGHT, 1.5)
    stage.settle()

    def fold_out() -> None:
        stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_F9))
        assert window.panel.isVisible()
        assert window.columns.covered

    fold_out()
    beside = window.childAt(window.panel.mapTo(window, QPoint(-30, 300)))
    assert beside is not None
    stage.do(lambda: QTest.mouseClick(beside, Qt.MouseButton.LeftButton))
    assert not window.panel.isVisible()
    fold_out()
    stage.do(lambda: QTest.mouseClick(window.panel.fold_button, Qt.MouseButton.LeftButton))
    assert not window.panel.isVisible()
    fold_out()
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    assert not window.panel.isVisible()
    assert window.focusWidget() is window.page.composer.edit


def test_beside_the_chat_the_panel_needs_no_button_of_its_own(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    assert window.panel.isVisible()
    assert not window.panel.fold_button.isVisible()


def test_the_text_column_is_never_wider_than_the_eye_likes(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments, size=(2200, 900))
    stage.until(lambda: window.page.feed.entries)
    stage.settle()
    assert window.page.composer.width() == 760
    assert window.page.feed.entries[0].widget.width() == 760


def test_keys_change_tabs_and_open_a_new_chat(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier))
    assert window.panel.tab == 1
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier))
    assert window.panel.tab == 0
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier))
    assert window.page.header.title == "New chat"
    assert window.page.shown is window.page.welcome
    assert window.focusWidget() is window.page.composer.edit


def test_esc_stops_what_runs(stage: Stage, moments: Moments) -> None:
    moments.mind = StuckMind()
    window = stage.open(moments)
    moments.say("a poem")
    stop = window.page.composer.stop_button
    stage.until(stop.isVisible)
    stage.until(lambda: [one for one in window.page.feed.findChildren(ReplyView) if "Well" in one.text])
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    stage.until(lambda: not stop.isVisible())
    ((state,),) = moments.read("SELECT state FROM messages WHERE role = 'partner'")
    assert state == "stopped"


def test_tab_goes_through_the_window_as_the_eye_does(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.propose(moments)
    window.sidebar.new_button.setFocus()
    names = []
    for _ in range(40):
        focused = window.focusWidget()
        assert focused is not None
        names.append(focused.accessibleName())
        stage.do(partial(QTest.keyClick, focused, Qt.Key.Key_Tab))
        if window.focusWidget() is window.sidebar.new_button:
            break
    wanted = ["New chat", "Conversations", "Folder", "Approve once: Count types", "Message", "Show Actions"]
    assert [name for name in names if name in wanted] == [
        "New chat",
        "Conversations",
        "Conversations",
        *wanted[2:],
    ]


def test_closing_says_so_once(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    heard: list[str] = []
    window.closing.connect(lambda: heard.append("closing"))
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier))
    stage.do(window.close)
    assert heard == ["closing"]


def taken(moments: Moments) -> list[str]:
    """The scripts in the live folders."""
    return [one.relative_to(moments.action_dir).as_posix() for one in moments.action_dir.glob("*/*.py")]


def drop(stage: Stage, *files: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(file) for file in files])
    event = QDropEvent(
        QPointF(QPoint(400, 300)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QDragEnterEvent(
        QPoint(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    stage.do(lambda: QApplication.sendEvent(stage.window, enter))
    assert stage.window.drop_sign.isVisible()
    stage.do(lambda: QApplication.sendEvent(stage.window, event))
    assert not stage.window.drop_sign.isVisible()


@pytest.mark.parametrize(
    ("choice", "there"),
    [
        ("Keep it as an ability", ["dynamic/resize.py"]),
        ("Try it for now", ["tmp/resize.py"]),
        ("Cancel", []),
    ],
)
def test_a_dropped_file_is_asked_about_and_then_taken(
    stage: Stage, moments: Moments, user_home: Path, choice: str, there: list[str]
) -> None:
    (user_home / "resize.py").write_text(COUNT_SCRIPT, encoding="utf-8")
    window = stage.open(moments)
    drop(stage, str(user_home / "resize.py"))
    banner = window.page.findChildren(Banner)[0]
    assert "resize.py" in banner.accessibleName()
    assert taken(moments) == []
    stage.do(next(each for each in banner.findChildren(QPushButton) if each.text() == choice).click)
    assert taken(moments) == there
    assert len(window.page.toasts.toasts) == len(there)


def test_the_conversations_stand_under_their_days(stage: Stage, moments: Moments) -> None:
    for days, title in ((1, "Trip"), (4, "周报整理"), (40, "Old")):
        made = moments.add_conversation(title)
        moments.add_message(made.id, Role.USER, "hello")
        moments.write(UPDATED, (stage.clock.now() - timedelta(days=days)).isoformat(), made.id)
    moments.write(UPDATED, stage.clock.now().isoformat(), "c1")
    window = stage.open(moments)
    assert [row.title for row in window.sidebar.list.rows.rows] == [
        "Today",
        "Tidy up my downloads",
        "Yesterday",
        "Trip",
        "Previous 7 days",
        "周报整理",
        month_words(stage.clock.now().date() - timedelta(days=40), stage.clock.now().date()),
        "Old",
    ]


def test_a_click_opens_a_conversation_and_its_draft_is_kept(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "hello")
    window = stage.open(moments)
    stage.do(lambda: window.page.composer.set_text("half a thought"))
    index = window.sidebar.list.rows.index_of("c2")
    place = window.sidebar.list.visualRect(index).center()
    stage.do(
        lambda: QTest.mouseClick(
            window.sidebar.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )
    )
    assert window.page.header.title == "Trip to Ulm"
    assert window.page.composer.text == ""
    stage.do(lambda: stage.session.open("c1"))
    assert window.page.composer.text == "half a thought"


def test_the_foot_says_how_the_house_stands(
    stage: Stage, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(moments.home.root))
    moments.add_script("weather.py", BROKEN_SCRIPT)
    window = stage.open(moments)
    stage.until(lambda: "attention" in window.sidebar.status.words)
    usable = sum(one.usable for one in moments.partner.abilities.list())
    assert window.sidebar.status.words.splitlines() == [
        "Starter mind · by meaning",
        f"{usable} abilities · sandbox off",
        "1 ability needs attention",
    ]


def test_the_foot_says_how_the_model_engine_is_built(stage: Stage) -> None:
    window = stage.open()
    house = StatusState(started=True, engine_state="building", engine_percent=42)
    stage.do(lambda: window.sidebar.status.show_state(house))
    assert "Building the model engine, 42 %" in window.sidebar.status.words.splitlines()


@pytest.mark.parametrize(
    ("state", "first", "hint"),
    [
        ("ready", "by meaning", "what your words mean"),
        ("idle", "by meaning", "what your words mean"),
        ("starting", "by meaning", "what your words mean"),
        ("absent", "by words", "by their words"),
        ("failed", "by words", "does not work"),
    ],
)
def test_the_foot_says_how_abilities_are_found(stage: Stage, state: str, first: str, hint: str) -> None:
    window = stage.open()
    house = StatusState(started=True, finding=state, finding_detail="llama.cpp is not installed.")
    stage.do(lambda: window.sidebar.status.show_state(house))
    assert window.sidebar.status.words.startswith(f"Starter mind · {first}")
    assert hint in window.sidebar.status.hint
    assert window.sidebar.status.hint.endswith("\nllama.cpp is not installed.")


def test_what_needs_attention_leads_to_the_abilities(stage: Stage, moments: Moments) -> None:
    moments.add_script("weather.py", BROKEN_SCRIPT)
    window = stage.open(moments, size=(900, 600))
    stage.until(lambda: "attention" in window.sidebar.status.words)
    stage.do(window.sidebar.status.faults_button.click)
    assert window.panel.isVisible()
    assert window.panel.tab == 1


def test_files_that_are_taken_away_again_leave_no_sign(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    window.drop_sign.show_over(window.page)
    stage.do(lambda: QApplication.sendEvent(window, QDragLeaveEvent()))
    assert not window.drop_sign.isVisible()


def test_actions_move_between_the_sections_of_the_panel(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    tab = window.panel.actions_tab
    stage.do(lambda: moments.propose(count_action()))
    assert [item.record.id for item in tab.waiting.items] == ["a1"]
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    assert not tab.waiting.items
    cancel = tab.running.items[0].cancel_button
    assert cancel is not None
    stage.do(lambda: moments.change("a1", ActionStatus.CANCELLED))
    assert [item.record.status for item in tab.done.items] == [ActionStatus.CANCELLED]


def test_a_run_is_ended_from_the_panel(stage: Stage, moments: Moments) -> None:
    moments.add_script("sort_files.py", SORT_SCRIPT)
    record = moments.ask_for("local::sort_files", {})
    moments.ask(moments.partner.actions.approve(record.id))
    window = stage.open(moments)
    cancel = window.panel.actions_tab.running.items[0].cancel_button
    assert cancel is not None
    stage.do(cancel.click)
    stage.until(lambda: moments.record(record.id).status is ActionStatus.CANCELLED)


def test_the_window_comes_back_as_it_was(stage: Stage, moments: Moments, tmp_path: Path) -> None:
    window = stage.open(moments, memory=WindowMemory(tmp_path), size=(1100, 720))
    stage.theme.restore(ThemeChoice.DARK, 1.2)
    stage.do(window.close)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600
    stage.theme.restore(ThemeChoice.LIGHT, 1.0)
    memory = WindowMemory(tmp_path)
    memory.restore_theme(stage.theme)
    assert (stage.theme.choice, stage.theme.zoom) == (ThemeChoice.DARK, 1.2)
    again = stage.open(memory=memory, size=(1100, 720))
    assert again.width() == 1100


def test_a_broken_window_file_is_as_good_as_none(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("[General]\ntheme=plaid\nzoom=huge\n", encoding="utf-8")
    WindowMemory(tmp_path).restore_theme(stage.theme)
    assert (stage.theme.choice, stage.theme.zoom) == (ThemeChoice.SYSTEM, 1.0)
