"""A window out of sight: it begins there, or is closed into the tray, and the tray brings it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox

from partner_desktop.desktop.session.tray import Tray
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_memory import WindowMemory

from .stage import Stage


class StandingTray(Tray):
    """One that is there, as on most desktops and not on the one of these tests."""

    @staticmethod
    def is_there() -> bool:
        return True


class Trayed(MainWindow):
    """A window on a desktop with a tray."""

    _standing: StandingTray | None = None

    @property
    def tray(self) -> Tray:
        if self._standing is None:
            self._standing = StandingTray(self, self.windowIcon())
            self._standing.opened.connect(self.raise_to_front)
            self._standing.quit_chosen.connect(self.quit)
        return self._standing


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


def test_closing_ends_it_unless_the_person_chose_otherwise(stage: Stage, window: Trayed) -> None:
    assert not running_box(stage, window).isChecked()
    stage.do(window.close)
    assert window.closed


def test_closed_into_the_tray_it_comes_back_and_quits_from_there(stage: Stage, window: Trayed) -> None:
    box = running_box(stage, window)
    stage.do(box.click)
    stage.do(window.close)
    assert not window.closed
    assert not window.isVisible()
    comes_back, ends = window.tray.menu.actions()
    assert (comes_back.text(), ends.text()) == ("Open Partner", "Quit")
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
