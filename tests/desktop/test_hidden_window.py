"""A window out of sight: it begins there, or is closed into the tray, and the tray brings it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QCheckBox

from partner_desktop.desktop.session.tray import Tray
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_memory import WindowMemory

from .stage import Stage


class StandingTray(Tray):
    """One that is there, as on most desktops and not on the one of these tests."""

    there = True

    @classmethod
    def is_there(cls) -> bool:
        return cls.there


class Trayed(MainWindow):
    """A window on a desktop with a tray."""

    def make_tray(self) -> Tray:
        return StandingTray(self, self.windowIcon())


@pytest.fixture
def window(stage: Stage, theme: Theme, tmp_path: Path) -> Iterator[Trayed]:
    """In view."""
    one = Trayed(theme, memory=WindowMemory(tmp_path))
    stage.do(one.show)
    yield one
    stage.do(one.quit)
    one.deleteLater()


def running_box(stage: Stage, window: MainWindow) -> QCheckBox:
    stage.do(window.open_appearance)
    return window.appearance.running_box


def asks(stage: Stage, window: MainWindow) -> bool:
    """Whether closing asks what closing means."""
    stage.do(window.close)
    return window.close_sheet.isVisible()


def test_closing_asks_once_and_does_what_was_chosen(stage: Stage, window: Trayed) -> None:
    assert not running_box(stage, window).isChecked()
    stage.do(window.appearance.close)
    assert asks(stage, window)
    assert window.isVisible()
    assert not window.closed
    stage.do(window.close_sheet.keep_button.click)
    assert not window.isVisible()
    assert not window.closed
    stage.do(window.raise_to_front)
    assert not asks(stage, window)
    assert not window.isVisible()


def test_whoever_chooses_to_quit_is_not_asked_again(
    stage: Stage, window: Trayed, theme: Theme, tmp_path: Path
) -> None:
    assert asks(stage, window)
    stage.do(window.close_sheet.quit_button.click)
    assert window.closed
    another = Trayed(theme, memory=WindowMemory(tmp_path))
    stage.do(another.show)
    stage.do(another.close)
    assert another.closed
    another.deleteLater()


def test_whoever_chooses_nothing_stays_and_is_asked_again(stage: Stage, window: Trayed) -> None:
    assert asks(stage, window)
    stage.do(window.escape)
    assert not window.close_sheet.isVisible()
    assert window.isVisible()
    assert asks(stage, window)


def test_a_log_out_is_never_asked_about(stage: Stage, window: Trayed) -> None:
    stage.do(window.quit)
    assert window.closed


@pytest.mark.promise("desktop.tray")
def test_a_tray_that_goes_leaves_no_window_behind(
    stage: Stage, window: Trayed, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.keep_running(on=True)
    stage.do(window.close)
    stage.do(window.tray.look)
    assert not window.isVisible(), "it is there"
    monkeypatch.setattr(StandingTray, "there", False)
    stage.do(window.tray.look)
    assert window.isVisible()


def test_the_tray_asks_pauses_and_goes_on(stage: Stage, window: Trayed) -> None:
    quick: list[bool] = []
    paused: list[bool] = []
    window.quick_wanted.connect(lambda: quick.append(True))
    window.pause_chosen.connect(paused.append)
    asks_quickly, _, pauses, _ = window.tray.menu.actions()
    stage.do(asks_quickly.trigger)
    stage.do(pauses.trigger)
    window.show_paused(paused=True)
    assert pauses.text() == "Go on with everything planned"
    stage.do(pauses.trigger)
    assert (quick, paused) == ([True], [True, False])


def test_closed_into_the_tray_it_comes_back_and_quits_from_there(stage: Stage, window: Trayed) -> None:
    box = running_box(stage, window)
    stage.do(box.click)
    stage.do(window.close)
    assert not window.closed
    assert not window.isVisible()
    _, comes_back, _, ends = window.tray.menu.actions()
    names = [action.text() for action in window.tray.menu.actions()]
    assert names == ["Ask…", "Open Partner", "Pause everything planned", "Quit"]
    stage.do(comes_back.trigger)
    assert window.isVisible()
    stage.do(window.close)
    stage.do(ends.trigger)
    assert window.closed


def test_the_choice_is_remembered(stage: Stage, window: Trayed, theme: Theme, tmp_path: Path) -> None:
    stage.do(running_box(stage, window).click)
    stage.do(window.quit)
    another = MainWindow(theme, memory=WindowMemory(tmp_path))
    assert another.keeps_running
    another.deleteLater()


def test_it_comes_back_where_it_stood_at_the_top_of_a_screen_too(
    stage: Stage, theme: Theme, tmp_path: Path
) -> None:
    """Nothing draws a title bar here, as with no window manager."""
    stood: list[QPoint] = []
    for _ in range(3):
        window = MainWindow(theme, memory=WindowMemory(tmp_path))
        window.resize(700, 520)
        if not stood:
            window.move(0, 0)
        stage.do(window.show)
        stood.append(window.pos())
        stage.do(window.quit)
        window.deleteLater()
    assert stood == [QPoint(0, 0)] * 3


def test_without_a_tray_closing_ends_it_whatever_was_chosen(stage: Stage) -> None:
    window = stage.open()
    window.keep_running(on=True)
    assert not running_box(stage, window).isVisible()
    stage.do(window.close)
    assert window.closed


def test_it_begins_in_the_tray(stage: Stage, theme: Theme) -> None:
    window = Trayed(theme)
    stage.do(window.start_hidden)
    assert window.painted
    assert not window.isVisible()
    stage.do(window.raise_to_front)
    assert window.isVisible()
    stage.do(window.quit)
    window.deleteLater()


def test_without_a_tray_it_begins_folded_down(stage: Stage, theme: Theme) -> None:
    window = MainWindow(theme)
    stage.do(window.start_hidden)
    assert window.painted
    assert window.isMinimized()
    stage.do(window.quit)
    window.deleteLater()


def test_the_first_window_is_no_larger_than_what_the_screen_has_free(stage: Stage, theme: Theme) -> None:
    window = MainWindow(theme)
    room = window.screen().availableGeometry()
    assert room.width() < 1280, "a screen on which the first size would not fit"
    assert window.width() < room.width()
    assert window.height() + 30 < room.height(), "its title is in view, too"
    window.deleteLater()
