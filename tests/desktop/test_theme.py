"""How everything looks: readable in both themes, switched live."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from partner_desktop.desktop.theme.colors import (
    DARK,
    EDGE_PAIRS,
    HIGH_DARK,
    HIGH_LIGHT,
    LIGHT,
    TEXT_PAIRS,
    Colors,
)
from partner_desktop.desktop.theme.theme import NeedChoice, ThemeChoice
from tests.tables import all_rows

from .moments import Moments
from .stage import Stage


def luminance(color: str) -> float:
    """WCAG 2.2, relative luminance."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, ground: str) -> float:
    darker, lighter = sorted((luminance(ink), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


@all_rows("colors", [LIGHT, DARK])
@all_rows("ink, ground", TEXT_PAIRS)
def test_every_text_is_readable_on_its_ground(colors: Colors, ink: str, ground: str) -> None:
    assert contrast(getattr(colors, ink), getattr(colors, ground)) >= 4.5


@pytest.mark.parametrize("colors", [HIGH_LIGHT, HIGH_DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(TEXT_PAIRS, 7.0), (EDGE_PAIRS, 3.0)], ids=["text", "edges"])
def test_high_contrast_keeps_more(colors: Colors, pairs: tuple[tuple[str, str], ...], least: float) -> None:
    found = {(ink, ground): contrast(getattr(colors, ink), getattr(colors, ground)) for ink, ground in pairs}
    assert {pair: round(value, 2) for pair, value in found.items() if value < least} == {}


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_the_ring_of_the_keyboard_is_seen_in_every_theme(colors: Colors) -> None:
    rings = [(ring, ground) for ring, ground in EDGE_PAIRS if ring == "accent"]
    assert all(contrast(getattr(colors, ring), getattr(colors, ground)) >= 3 for ring, ground in rings)


@pytest.mark.integration
def test_high_contrast_comes_and_goes_at_once_in_light_and_dark(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    for choice, plain, high in (
        (ThemeChoice.LIGHT, LIGHT, HIGH_LIGHT),
        (ThemeChoice.DARK, DARK, HIGH_DARK),
    ):
        stage.do(lambda choice=choice: stage.theme.choose(choice))  # type: ignore[misc] # bound now
        for need, colors in ((NeedChoice.ON, high), (NeedChoice.OFF, plain), (NeedChoice.SYSTEM, plain)):
            stage.do(lambda need=need: stage.theme.choose_contrast(need))  # type: ignore[misc] # bound now
            assert window.grab().toImage().pixelColor(6, 6).name().upper() == colors.background


@pytest.mark.promise("desktop.theme")
@pytest.mark.integration
def test_a_choice_changes_the_window_at_once(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    assert window.palette().window().color().name().upper() == LIGHT.background
    stage.do(lambda: stage.theme.choose(ThemeChoice.DARK))
    assert window.palette().window().color().name().upper() == DARK.background
    assert window.grab().toImage().pixelColor(6, 6).name().upper() == DARK.background


@pytest.mark.promise("desktop.theme")
def test_the_system_is_followed_only_when_asked_to(stage: Stage) -> None:
    hints = QGuiApplication.styleHints()
    stage.theme.choose(ThemeChoice.SYSTEM)
    try:
        hints.setColorScheme(Qt.ColorScheme.Dark)
        stage.settle()
        assert stage.theme.dark == (hints.colorScheme() is Qt.ColorScheme.Dark)
        stage.theme.choose(ThemeChoice.LIGHT)
        assert not stage.theme.dark
    finally:
        hints.unsetColorScheme()


@pytest.mark.integration
@pytest.mark.promise("desktop.theme")
def test_zoom_grows_text_and_comes_back(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    title = window.page.header.fontMetrics().height()
    for _ in range(3):
        stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Equal, Qt.KeyboardModifier.ControlModifier))
    assert stage.theme.zoom == pytest.approx(1.3)
    assert window.page.header.fontMetrics().height() > title
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier))
    assert stage.theme.zoom == 1.0


def test_zoom_has_limits(stage: Stage) -> None:
    stage.theme.set_zoom(9)
    assert stage.theme.zoom == 2.0
    stage.theme.set_zoom(0.1)
    assert stage.theme.zoom == 0.7
