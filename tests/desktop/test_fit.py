"""Nothing is cut and nothing lies where it should not, at every size of text and window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget

from partner_desktop.base.paths import Home
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.parts.controls import ElidedLabel
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.message import Role
from partner_desktop.domain.run_facts import PathUse, Risk

from . import days
from .moments import Moments
from .samples import BROKEN_SCRIPT
from .stage import Stage

_LONG = (
    "Rechtsschutzversicherungsgesellschaften_und_andere_sehr_lange_Namen_ohne_ein_einziges_Leerzeichen.txt"
)


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def cut(window: QWidget) -> list[str]:
    """Texts that have less room than they need; what ends in an ellipsis on purpose is none."""
    found = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or isinstance(widget, ElidedLabel):
            continue
        if isinstance(widget, QLabel) and widget.text():
            needed = (
                widget.heightForWidth(widget.width())
                if widget.hasHeightForWidth()
                else widget.sizeHint().height()
            )
            if widget.height() < needed - 1:
                found.append(f"{widget.text()}: {widget.height()} px high, needs {needed}")
        if isinstance(widget, QPushButton):
            least = widget.minimumSizeHint()
            if widget.width() < least.width() or widget.height() < least.height():
                found.append(f"{widget.text()}: {widget.width()} × {widget.height()} px")
    return found


def outside(window: MainWindow) -> list[str]:
    """Cards that stick out of their column."""
    column = window.page.feed.column
    return [
        type(entry.widget).__name__
        for entry in window.page.feed.entries
        if entry.widget.mapTo(window, entry.widget.rect().topRight()).x()
        > column.mapTo(window, column.rect().topRight()).x() - 16
    ]


@pytest.mark.integration
@pytest.mark.parametrize("size", [(1800, 900), (900, 600)])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_is_cut(
    stage: Stage,
    moments: Moments,
    language: Language,
    size: tuple[int, int],
    choice: LanguageChoice,
) -> None:
    moments.add_ability("now", "Say what time it is")
    moments.add_script("weather.py", BROKEN_SCRIPT)
    moments.add_message("c1", Role.USER, f"read {_LONG}")
    window = stage.open(moments, size=size)
    place = f"/home/user/{_LONG}/{_LONG}"
    stage.propose(moments)
    stage.propose(
        moments,
        "a2",
        title=f"Read {_LONG}",
        params={"folder": place},
        paths=(PathUse("folder", place, "write"),),
        risk=Risk.WRITE,
    )
    stage.do(window.open_appearance)
    house = StatusState(
        started=True, engine_state="building", engine_percent=42, finding="starting", broken=1
    )
    stage.do(lambda: window.sidebar.status.show_state(house))
    stage.do(lambda: language.choose(choice))
    assert _too_large(stage, 0.7, 1.0, 1.5, 2.0) == []
    assert window.appearance.isVisible()
    stage.do(window.toggle_keys)
    assert _too_large(stage, 2.0, 1.5, 1.0, 0.7) == []


def _too_large(stage: Stage, *zooms: float) -> list[tuple[float, list[str]]]:
    """At which zooms something is cut or sticks out, and what."""
    window, found = stage.window, []
    for zoom in zooms:
        stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound now
        stage.settle()
        wrong = [*cut(window), *outside(window)]
        if not window.rect().contains(window.appearance.geometry()):
            wrong.append("the sheet")
        found.append((zoom, wrong))
    return [one for one in found if one[1]]


#: Of every kind of page one that holds much.
_FULL_DAYS = (
    "waiting",
    "chain-open",
    "settings-appearance",
    "models",
    "servers",
    "memory-open",
    "first-found",
)


@pytest.mark.integration
@pytest.mark.parametrize("scene", _FULL_DAYS)
def test_no_word_is_cut_in_a_small_window_from_80_to_200_percent(
    stage: Stage, home: Home, action_dir: Path, scene: str
) -> None:
    day = days.day_of(stage, home, action_dir, scene)
    window = stage.open(day, size=(900, 600))
    stage.do(lambda: days.stage(window, day, scene))
    found = []
    for zoom in (0.8, 1.0, 1.5, 2.0):
        stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound now
        stage.settle()
        found += [(zoom, words) for words in (*cut(window), *too_narrow(window))]
    assert found == []


def too_narrow(window: QWidget) -> list[str]:
    """Buttons, chips and labels of one line that are narrower than their words; an "…" is on purpose."""
    found = []
    for widget in window.findChildren(QWidget):
        one_line = isinstance(widget, QAbstractButton) or (
            isinstance(widget, QLabel) and not widget.wordWrap() and not isinstance(widget, ElidedLabel)
        )
        if one_line and widget.isVisible():
            words = widget.text()  # type: ignore[attr-defined] # of both
            needed = widget.fontMetrics().horizontalAdvance(words.replace("&", ""))
            if needed > widget.width():
                found.append(f"{words}: {widget.width()} px wide, needs {needed}")
    return found


@pytest.mark.integration
def test_larger_text_folds_the_side_columns_as_a_narrower_window_does(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments, size=(1280, 800))
    assert (window.columns.sidebar_shown, window.columns.panel_shown) == (True, True)
    stage.do(lambda: stage.theme.set_zoom(1.5))
    assert (window.columns.sidebar_shown, window.columns.panel_shown) == (True, False)
    assert window.sidebar.width() == 348
    stage.do(lambda: stage.theme.set_zoom(2.0))
    assert (window.columns.sidebar_shown, window.columns.panel_shown) == (False, False)
    stage.do(lambda: stage.theme.set_zoom(1.0))
    assert (window.columns.sidebar_shown, window.columns.panel_shown) == (True, True)
    assert window.sidebar.width() == 232
