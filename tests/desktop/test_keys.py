"""The page of keys, and the sheet of theme, text size and language."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from partner_desktop.desktop import shortcuts
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.launch import build_window
from partner_desktop.desktop.settings.keys_page import KeysPage, KeysView, caps
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.domain.message import Role

from .moments import Moments
from .stage import Stage

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration


def page_of(stage: Stage) -> KeysPage:
    page = stage.window.page.shown
    assert isinstance(page, KeysPage)
    return page


def test_the_page_lists_exactly_the_installed_keys(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_F1))
    listed = [view.shortcut for view in page_of(stage).findChildren(KeysView)]
    installed = {each.key().toString() for each in window.findChildren(QShortcut)}
    said = [key.toString() for shortcut in listed if shortcut.act is not None for key in shortcut.sequences]
    assert len(said) == len(set(said))
    assert set(said) == installed
    others = [shortcut.keys for shortcut in listed if shortcut.act is None]
    assert others[:7] == [("Return",), ("Shift+Return",), ("Up",), ("/",), ("@",), ("F2",), ("Del",)]
    assert {keys for (keys,) in others[7:]} == {
        "Ctrl+D",
        "Ctrl+E",
        "Ctrl+U",
        "Ctrl+A",
        "Ctrl+Space",
        "Shift+Down",
        "Shift+F10",
        "Space",
        "Right",
        "Left",
    }


def test_the_window_of_a_start_has_them(stage: Stage) -> None:
    window = build_window(None)
    installed = {each.key().toString() for each in window.findChildren(QShortcut)}
    stage.do(window.toggle_keys)
    shown = window.page.shown
    assert isinstance(shown, KeysPage)
    said = [view.shortcut for view in shown.findChildren(KeysView) if view.shortcut.act is not None]
    window.close()
    window.deleteLater()
    assert installed
    assert {key.toString() for shortcut in said for key in shortcut.sequences} == installed


def test_every_key_is_known_to_qt_and_explained(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    for group in shortcuts.groups(window):
        for shortcut in group.shortcuts:
            assert shortcut.words()
            assert all(sequence.toString() for sequence in shortcut.sequences)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("Ctrl++", ["Ctrl", "+"]),
        ("Ctrl+-", ["Ctrl", "-"]),
        ("Shift+Return", ["Shift", "Enter"]),
        ("F1", ["F1"]),
        ("Del", ["Del"]),
        ("Ctrl+Shift+/", ["Ctrl", "Shift", "/"]),
    ],
)
def test_a_sequence_is_shown_as_the_caps_on_the_keyboard(keys: str, shown: list[str]) -> None:
    assert list(caps(QKeySequence(keys))) == shown


def test_the_caps_are_the_same_in_every_language(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: window.language.choose(LanguageChoice.CHINESE))
    stage.do(window.toggle_keys)
    keys = [label for label in page_of(stage).findChildren(QLabel) if label.property("look") == "key"]
    shown = {label.text() for label in keys}
    stage.do(lambda: window.language.choose(LanguageChoice.ENGLISH))
    assert "Enter" in shown
    assert {label.text() for label in keys} == shown
    assert all(label.text().isascii() for label in keys)


def test_page_down_scrolls_the_page_and_the_button_gives_the_keyboard_back(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments, size=(700, 400))
    stage.do(window.toggle_keys)
    focused = window.focusWidget()
    assert focused is not None
    stage.do(lambda: QTest.keyClick(focused, Qt.Key.Key_PageDown))
    assert page_of(stage).verticalScrollBar().value() > 0
    stage.do(page_of(stage).close_button.click)
    assert window.focusWidget() is window.page.composer.edit


def test_esc_goes_back_to_the_conversation(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(
        lambda: QTest.keyClick(window, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)  # Ctrl+/
    )
    page_of(stage)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    assert window.page.shown is window.page.feed


def test_what_is_said_meanwhile_goes_on_beneath_and_sending_goes_back(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.toggle_keys)
    stage.do(lambda: moments.stream("c1", "r1", ["a reply"]))
    moments.add_message("c1", Role.PARTNER, "more")
    page_of(stage)
    edit = window.page.composer.edit
    stage.do(lambda: QTest.keyClicks(edit, "go on"))
    stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))
    assert window.page.shown is window.page.feed


def test_another_conversation_leaves_the_page(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.toggle_keys)
    stage.do(window.sidebar.new_button.click)
    assert window.page.shown is window.page.welcome


def test_the_sheet_opens_from_the_foot_and_leads_to_the_keys(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.sidebar.status.appearance_button.click)
    sheet = window.appearance
    assert sheet.isVisible()
    assert window.rect().contains(sheet.geometry())
    stage.do(sheet.keys_button.click)
    assert not sheet.isVisible()
    page_of(stage)


@pytest.mark.promise("desktop.theme")
def test_the_sheet_changes_theme_and_size_at_once(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.sidebar.status.appearance_button.click)
    sheet = window.appearance
    stage.do(sheet.themes.buttons["dark"].click)
    assert stage.theme.dark
    stage.do(sheet.larger.click)
    stage.do(sheet.larger.click)
    assert sheet.size_button.text() == "120 %"
    assert window.rect().contains(sheet.geometry())
    stage.do(sheet.size_button.click)
    assert stage.theme.zoom == 1.0
    stage.do(sheet.themes.buttons["system"].click)
    assert stage.theme.choice is ThemeChoice.SYSTEM


def test_a_click_beside_the_sheet_or_esc_closes_it(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    button = window.sidebar.status.appearance_button
    stage.do(button.click)
    veil = window.childAt(window.width() - 20, window.height() // 2)
    assert veil is not None
    stage.do(lambda: QTest.mouseClick(veil, Qt.MouseButton.LeftButton))
    assert not window.appearance.isVisible()
    stage.do(button.click)
    stage.do(lambda: QTest.keyClick(window, Qt.Key.Key_Escape))
    assert not window.appearance.isVisible()


def test_tab_stays_in_the_sheet_while_it_is_open(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.sidebar.status.appearance_button.click)
    sheet = window.appearance
    seen = set()
    for _ in range(15):
        focused = window.focusWidget()
        assert focused is not None
        assert sheet.isAncestorOf(focused)
        seen.add(focused.accessibleName())
        stage.do(partial(QTest.keyClick, focused, Qt.Key.Key_Tab))
    assert {"Theme: Light", "Larger text", "Language: System", "Keyboard shortcuts…"} <= seen


def test_arrows_choose_within_a_row_of_the_sheet(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.sidebar.status.appearance_button.click)
    light = window.appearance.themes.buttons["light"]
    assert window.focusWidget() is light
    stage.do(lambda: QTest.keyClick(light, Qt.Key.Key_Right))
    assert stage.theme.dark
