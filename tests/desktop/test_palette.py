"""The palette: Ctrl+K finds every command, operation, ability, conversation, setting and memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from partner_desktop.base.operation import Caller
from partner_desktop.base.paths import Home
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.launch import build_window
from partner_desktop.desktop.palette.palette import MOST_FOUND, Palette
from partner_desktop.desktop.palette.palette_entry import PaletteEntry, fit_text
from partner_desktop.desktop.palette.recent_choices import MOST_KEPT, RecentChoices
from partner_desktop.desktop.palette.window_commands import OF_KINDS, operation_names
from partner_desktop.desktop.settings.settings_page import SettingsPage
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice

from .moments import Moments
from .scene import Scene
from .stage import Stage

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("set", "Settings", "Reset the window"),
        ("set", "Show the settings", "Reset the window"),
        ("audit", "Show the audit log", "Show the Auditorium"),
        ("setings", "Show all settings", ""),
        ("consevration", "Export this conversation…", ""),
        ("log aud", "Show the audit log", ""),
        ("对话", "导出这段对话", ""),
    ],
)
def test_what_has_the_words_comes_before_what_is_like_them(typed: str, better: str, worse: str) -> None:
    words = typed.casefold().split()
    best = fit_text(words, better)
    other = fit_text(words, worse)
    assert best is not None
    assert best.marks
    assert other is None or best.score > other.score


@pytest.mark.parametrize(
    ("typed", "name"),
    [("xyz", "Show the audit log"), ("audit models", "Show the audit log"), ("对话", "设置")],
)
def test_every_word_has_to_be_found(typed: str, name: str) -> None:
    assert fit_text(typed.split(), name) is None


def test_the_marks_are_where_the_words_stand() -> None:
    fit = fit_text(["audit", "sho"], "Show the audit log")
    assert fit is not None
    assert [("Show the audit log")[start:end] for start, end in fit.marks] == ["Sho", "audit"]


def test_the_newest_choice_stands_first_and_old_ones_go() -> None:
    recent = RecentChoices(f"k{number}" for number in range(MOST_KEPT + 5))
    recent.note("k3")
    recent.note("new")
    assert recent.keys[:3] == ("new", "k3", "k0")
    assert len(recent.keys) == MOST_KEPT
    assert recent.bonus("new") > recent.bonus("k3") > recent.bonus("gone") == 0


def entries_of(titles: Iterable[str], chosen: list[str]) -> list[PaletteEntry]:
    return [PaletteEntry(f"k:{title}", "command", title, partial(chosen.append, title)) for title in titles]


def shown(palette: Palette) -> list[str]:
    return [entry.title for entry in palette.entries]


def open_palette(stage: Stage) -> Palette:
    stage.do(lambda: QTest.keyClick(stage.window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier))
    palette = stage.session.palette.palette
    stage.until(lambda: palette.isVisible() and not palette.looking)
    return palette


def type_in(stage: Stage, palette: Palette, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(palette.line, text))
    stage.until(lambda: not palette.looking)


@pytest.mark.promise("desktop.palette")
def test_no_operation_of_partner_is_out_of_its_reach(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    reached = {name for one in stage.session.palette.commands() for name in one.operation_names}
    reached |= {name for operations in OF_KINDS.values() for name in operation_names(operations)}
    there = {one.name for one in moments.partner.operations if one.caller <= Caller.LOCAL}
    assert there - reached == set()
    assert reached - there == set()


@pytest.mark.promise("desktop.palette")
def test_it_finds_commands_abilities_settings_conversations_and_memories(scene: Scene) -> None:
    async def story() -> None:
        partner = scene.partner
        talk = await partner.conversations.create("Trip to Ulm")
        await partner.messages.send("my dentist is Dr. Krause in the Hafengasse", conversation_id=talk.id)
        await scene.until(lambda: not scene.window.page.composer.running)
        for typed, kind, title in (
            ("dark", "command", "Theme: dark"),
            ("trip ulm", "conversation", "Trip to Ulm"),
            ("text size", "command", "Theme, text size and language"),
            ("debounce", "setting", ""),
            ("keys for a quick", "setting", ""),
            ("clipboard", "ability", ""),
            ("krause", "memory", "Krause"),
        ):
            await find(scene, typed, kind, title)

    scene.play(story)


async def find(scene: Scene, typed: str, kind: str, title: str) -> None:
    """Open the palette, type, see that it is there, and leave."""
    keys = Qt.KeyboardModifier.ControlModifier
    await scene.do(lambda: QTest.keyClick(scene.window, Qt.Key.Key_K, keys))
    palette = scene.stage.session.palette.palette
    await scene.do(lambda: QTest.keyClicks(palette.line, typed))
    await scene.until(lambda: any(entry.kind == kind and title in entry.title for entry in palette.entries))
    await scene.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Escape))
    assert not palette.isVisible()


def test_enter_takes_what_is_marked_and_the_arrows_mark_another(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    palette = open_palette(stage)
    type_in(stage, palette, "theme:")
    assert shown(palette)[:3] == ["Theme: dark", "Theme: light", "Theme: as the system"]
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Down))
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Up))
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Return))
    assert window.theme.choice is ThemeChoice.DARK
    assert not palette.isVisible()
    assert window.page.composer.edit.hasFocus()
    again = open_palette(stage)
    assert shown(again)[0] == "Theme: dark"


def test_esc_and_a_click_elsewhere_leave_it_and_tab_stays_in_it(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    palette = open_palette(stage)
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Tab))
    assert palette.line.hasFocus()
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Escape))
    assert not palette.isVisible()
    open_palette(stage)
    under = window.childAt(window.rect().bottomLeft())
    assert under is not None
    stage.do(lambda: QTest.mouseClick(under, Qt.MouseButton.LeftButton))
    assert not palette.isVisible()
    assert window.page.composer.edit.hasFocus()


def test_a_setting_is_shown_where_it_can_be_changed(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    palette = open_palette(stage)
    partner = moments.partner
    field = next(field for file in partner.config.files() for field in file.fields if field.kind == "bool")
    type_in(stage, palette, field.told.title)
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Return))
    page = window.page.shown
    assert isinstance(page, SettingsPage)
    stage.until(lambda: page.row(field.file, field.key) is not None)


def test_a_conversation_comes_to_view_from_under_a_page(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.settings_wanted.emit)
    assert window.page.aside_shown
    palette = open_palette(stage)
    type_in(stage, palette, "tidy up my downloads")
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Return))
    assert not window.page.aside_shown


def test_conversation_commands_are_there_only_in_one(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    palette = open_palette(stage)
    type_in(stage, palette, "this conversation")
    assert "Rename this conversation" in shown(palette)
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Escape))
    stage.do(lambda: stage.session.open(""))
    again = open_palette(stage)
    type_in(stage, again, "rename this conversation")
    assert "Rename this conversation" not in shown(again)


def test_ten_thousand_things_are_looked_through_in_slices(stage: Stage, theme: Theme) -> None:
    window = stage.open()
    chosen: list[str] = []
    palette = Palette(theme, RecentChoices(), window)
    stage.do(lambda: palette.open(entries_of((f"Conversation number {n}" for n in range(10_000)), chosen)))
    stage.do(lambda: QTest.keyClicks(palette.line, "number 9999"))
    stage.until(lambda: not palette.looking)
    assert shown(palette) == ["Conversation number 9999"]
    stage.do(palette.line.clear)
    stage.do(lambda: QTest.keyClicks(palette.line, "number"))
    stage.until(lambda: not palette.looking)
    assert len(shown(palette)) == MOST_FOUND
    palette.deleteLater()


def test_a_late_answer_to_an_earlier_text_is_dropped(stage: Stage, theme: Theme) -> None:
    window = stage.open()
    palette = Palette(theme, RecentChoices(), window)
    stage.do(lambda: palette.open([]))
    stage.do(lambda: QTest.keyClicks(palette.line, "ulm"))
    found = entries_of(["said in Ulm"], [])
    stage.do(lambda: palette.show_looked_up("said", "ul", found))
    stage.until(lambda: not palette.looking)
    assert shown(palette) == []
    stage.do(lambda: palette.show_looked_up("said", "ulm", found))
    stage.until(lambda: not palette.looking)
    assert shown(palette) == ["said in Ulm"]
    palette.deleteLater()


def test_what_comes_late_moves_no_mark(stage: Stage, theme: Theme) -> None:
    window = stage.open()
    palette = Palette(theme, RecentChoices(), window)
    stage.do(lambda: palette.open(entries_of(["Delete this", "Export this"], [])))
    stage.do(lambda: QTest.keyClicks(palette.line, "this"))
    stage.until(lambda: not palette.looking)
    stage.do(lambda: QTest.keyClick(palette.line, Qt.Key.Key_Down))
    assert palette.list.marked == "k:Export this"
    stage.do(lambda: palette.add(entries_of(["A third of this"], [])))
    stage.do(lambda: palette.show_looked_up("said", "this", entries_of(["said of this"], [])))
    stage.until(lambda: not palette.looking)
    assert palette.list.marked == "k:Export this"
    stage.do(lambda: QTest.keyClicks(palette.line, " t"))
    stage.until(lambda: not palette.looking)
    assert palette.list.marked == palette.entries[0].key
    palette.deleteLater()


def test_rows_have_names_for_screen_readers_and_nothing_found_is_said(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    palette = open_palette(stage)
    type_in(stage, palette, "theme: dark")
    index = palette.list.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Theme: dark, Command"
    assert QAccessible.queryAccessibleInterface(palette.line).text(QAccessible.Text.Name)
    type_in(stage, palette, " qqqqqq")
    assert shown(palette) == []
    assert "Nothing here is called so." in [label.text() for label in palette.findChildren(QLabel)]


def test_it_speaks_the_windows_language_and_knows_english_names_too(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: window.language.choose(LanguageChoice.CHINESE))
    try:
        palette = open_palette(stage)
        type_in(stage, palette, "theme dark")
        assert shown(palette)[0] == "主题：深色"
    finally:
        stage.do(lambda: window.language.choose(LanguageChoice.ENGLISH))


@pytest.mark.usefixtures("stage")
def test_choices_are_kept_from_one_start_to_the_next(home: Home) -> None:
    window = build_window(home.root)
    window.recent_choices.note("command:theme-dark")
    window.close()
    again = build_window(home.root)
    assert again.recent_choices.keys == ("command:theme-dark",)
    again.close()
