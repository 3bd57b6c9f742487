"""Every setting is where a person looks for it, and is called by a person's words in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.base.messages import speaking
from partner_desktop.config.field import SECTIONS, ConfigField, ConfigFile, section_words
from partner_desktop.desktop.settings.setting_groups import ON_THE_MODELS_PAGE, listed, setting_groups
from partner_desktop.desktop.settings.settings_page import SettingsPage
from partner_desktop.desktop.settings.window_settings import window_file
from partner_desktop.desktop.theme.theme import ThemeChoice

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration

#: What a person looks for, and where; the first setting of each section stands first in its line.
LOOKED_FOR = {
    "general": ("open_at_login", "debounce_window_ms"),
    "appearance": ("theme", "contrast", "reduced_motion", "text_size", "language"),
    "models": ("language", "temperature", "max_tokens", "folders"),
    "permissions": ("mode", "rule"),
    "abilities": ("files_keep_days", "sandbox.provider", "undo.enabled", "chain.most_steps"),
    "memory": ("recall", "remarks.enabled", "signals.words", "messages", "budget_tokens"),
    "schedules": ("paused", "quiet_from", "missed"),
    "servers": ("roots", "websocket.enabled", "gateway"),
    "advanced": ("parallel_turns", "system_refresh_s", "enabled", "allowed"),
}


def all_files(stage: Stage, moments: Moments) -> list[ConfigFile]:
    window = stage.open(moments)
    return [window_file(window), *moments.partner.config.files()]


def shown_settings(files: list[ConfigFile]) -> Iterator[ConfigField]:
    for file in files:
        yield from listed(file.fields)


@pytest.mark.promise("desktop.settings")
def test_settings_are_ordered_by_what_a_person_looks_for(stage: Stage, moments: Moments) -> None:
    files = all_files(stage, moments)
    order: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for group in setting_groups(files):
        order[group.section] += [line.field.name for line in group.lines]
    assert list(order) == list(LOOKED_FOR)
    for section, names in LOOKED_FOR.items():
        places = [order[section].index(name) for name in names]
        assert places == sorted(places), section
        assert places[0] == 0, section
    elsewhere = sum(map(len, ON_THE_MODELS_PAGE.values()))
    tables = [one for one in shown_settings(files) if one.kind == "table" and one.default not in ([], None)]
    assert sum(map(len, order.values())) >= len(list(shown_settings(files))) - elsewhere - len(tables)


@pytest.mark.promise("desktop.settings")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_has_a_title_and_a_description_in_a_persons_words(
    stage: Stage, moments: Moments, language: str
) -> None:
    files = all_files(stage, moments)
    with speaking(language):
        assert all(all(section_words(section)) for section in SECTIONS)
        for field in shown_settings(files):
            told, where = field.told, f"{field.file}: {field.name}"
            assert told.title, where
            assert told.description, where
            assert "_" not in told.title, where
            assert "Settings" not in told.title, where
            if language == "zh":
                assert any("\u4e00" <= letter <= "\u9fff" for letter in told.description), where
                assert told.title != field.title or field.name in ("websocket", "top_p"), where
        titles = [(group.section, group.title) for group in setting_groups(files) if not group.apart]
        assert len(titles) == len(set(titles)), "two cards are called alike"


def open_page(stage: Stage, moments: Moments) -> SettingsPage:
    window = stage.open(moments)
    stage.do(window.settings_wanted.emit)
    page = stage.session.settings.page
    stage.until(lambda: page.sections and not page.building)
    return page


@pytest.mark.promise("desktop.settings")
def test_a_section_is_in_view_at_a_time_and_a_search_goes_over_all(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    buttons = list(page.list.buttons.values())
    assert [button.text() for button in buttons] == [section_words(section)[0] for section in SECTIONS]

    def seen() -> list[str]:
        return [section for section, view in page.sections.items() if view.isVisible()]

    assert seen() == ["general"]
    stage.do(page.list.buttons["general"].setFocus)
    stage.do(lambda: QTest.keyClick(page.list.buttons["general"], Qt.Key.Key_Down))
    stage.do(lambda: QTest.keyClick(page.list.buttons["appearance"], Qt.Key.Key_Space))
    stage.until(lambda: seen() == ["appearance"] and not page.building)
    assert page.list.buttons["appearance"].isChecked()
    stage.do(lambda: QTest.keyClicks(page.search, "quiet"))
    stage.until(lambda: set(seen()) == {"memory", "schedules"} and not page.building)
    assert not any(button.isChecked() for button in buttons)
    stage.do(page.list.buttons["models"].click)
    stage.until(lambda: seen() == ["models"] and page.search.text() == "" and not page.building)


def test_what_the_window_holds_is_set_among_the_settings(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    stage.do(lambda: page.show_section("appearance"))
    stage.until(lambda: page.row("window", ("text_size",)) and not page.building)
    theme, size = page.row("window", ("theme",)), page.row("window", ("text_size",))
    assert theme is not None
    assert size is not None
    try:
        stage.do(lambda: theme.wanted.emit("dark"))
        assert stage.theme.choice is ThemeChoice.DARK
        stage.do(lambda: size.wanted.emit(120))
        assert stage.theme.zoom == 1.2
        stage.do(lambda: stage.theme.zoom_by(1))
        stage.until(lambda: size.field.value == 130)
        stage.do(lambda: size.wanted.emit(None))
        assert stage.theme.zoom == 1.0
    finally:
        stage.do(lambda: stage.theme.restore(ThemeChoice.LIGHT, 1.0))
