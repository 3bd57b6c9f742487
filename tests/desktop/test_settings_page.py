"""The page of settings: what is changed there is in the file, and what is changed in the file is there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QWidget

from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError
from partner_desktop.config.field import ConfigFile
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.desktop.forms.choice_fields import Switch
from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.settings.settings_controller import SettingsController
from partner_desktop.desktop.settings.settings_page import SettingsPage
from tests.config.rooms import StoveSettings

from .moments import Moments
from .setting_samples import FOLDER, house_files, setting
from .stage import Stage, rounds
from .test_fit import cut
from .test_names import controls
from .walk import texts

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

W = TypeVar("W", bound=QWidget)

#: A whole story with real files.
_STORY_S = 20.0


class StatusController:
    """A window over a Partner with a stove, and the hands of a person."""

    def __init__(self, stage: Stage, moments: Moments) -> None:
        self.stage = stage
        self.file = moments.home.config / "stove.toml"
        moments.equip = self._build_stove
        stage.open(moments)

    def _build_stove(self, partner: Partner) -> None:
        self.stove: ConfigHandle[StoveSettings] = partner.config.register("stove", StoveSettings())

    @property
    def page(self) -> SettingsPage:
        return self.stage.session.settings.page

    def row(self, key: str) -> SettingRow:
        return row_of(self.page, "stove", key)

    def line(self, key: str) -> QLineEdit:
        return inside(self.row(key), QLineEdit)

    async def open(self) -> None:
        self.stage.window.activateWindow()
        await rounds()
        QTest.keyClick(self.stage.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
        self.page.search.setText("stove")
        await until(lambda: self.page.row("stove", ("heat_w",)) and not self.page.building)
        await rounds()

    def put(self, text: str) -> None:
        """Save the file as an editor does."""
        self.file.write_text(text, encoding="utf-8")


def inside(widget: QWidget, kind: type[W]) -> W:
    """The one part of that kind."""
    found: list[W] = widget.findChildren(kind)
    return found[0]


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110 - a widget's state has no event to wait for
        await asyncio.sleep(0.005)


def retype(edit: QLineEdit | QPlainTextEdit, text: str) -> None:
    """Replace what stands there, letter by letter."""
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)


def enter(edit: QWidget) -> None:
    QTest.keyClick(edit, Qt.Key.Key_Return)


@pytest.fixture
def house(stage: Stage, moments: Moments) -> StatusController:
    """A window with a real settings folder behind it."""
    return StatusController(stage, moments)


def play(house: StatusController, story: Callable[[], Awaitable[None]]) -> None:
    """The story is told in one go."""

    async def told() -> None:
        await house.open()
        await story()
        await rounds()

    house.stage.run(told(), patience_s=_STORY_S)


def shown(stage: Stage, files: Sequence[ConfigFile], *, size: tuple[int, int] = (1280, 2000)) -> SettingsPage:
    """The page over these, open, with nobody behind it."""
    stage.open(size=size)
    stage.do(stage.window.settings_wanted.emit)
    page = stage.session.settings.page
    stage.do(lambda: page.show_files(files, "~/partner/config"))
    stage.until(lambda: page.sections and not page.building)
    stage.settle()
    return page


def asked(page: SettingsPage) -> list[tuple[object, ...]]:
    """What the page would have changed from now on: file, key, value."""
    found: list[tuple[object, ...]] = []
    page.wanted.connect(lambda *given: found.append(given))
    return found


def rows_of(page: SettingsPage) -> list[SettingRow]:
    """Those that are made, as they stand below each other."""
    groups = (group for section in page.sections.values() for group in section.groups)
    return [row for group in groups for row in group.rows.values()]


def row_of(page: SettingsPage, name: str, key: str) -> SettingRow:
    row = page.row(name, tuple(key.split(".")))
    assert row is not None
    return row


# The files and the page.


def test_enter_saves_what_was_typed_into_the_file_and_brings_it_into_force(house: StatusController) -> None:
    async def story() -> None:
        retype(house.line("heat_w"), "450")
        assert house.stove.value.heat_w == 300
        enter(house.line("heat_w"))
        await until(lambda: house.stove.value.heat_w == 450)
        await until(lambda: "\nheat_w = 450" in house.file.read_text())
        await until(house.row("heat_w").reset.isVisible)
        assert "# " in house.file.read_text()

    play(house, story)


def test_leaving_a_field_saves_it(house: StatusController) -> None:
    async def story() -> None:
        retype(house.line("name"), "Hertha")
        QTest.keyClick(house.line("name"), Qt.Key.Key_Tab)
        await until(lambda: house.stove.value.name == "Hertha")
        retype(house.line("chimney.height_m"), "6.5")
        house.page.close_button.click()
        await until(lambda: house.stove.value.chimney.height_m == 6.5)
        assert house.stage.window.page.shown is house.stage.window.page.feed

    play(house, story)


def test_what_is_saved_in_the_file_shows_on_the_open_page_and_typing_is_left_alone(
    house: StatusController,
) -> None:
    async def story() -> None:
        retype(house.line("name"), "half")
        house.put('heat_w = 700\nname = "Frieda"\nmode = "night"\n')
        await until(lambda: house.line("heat_w").text() == "700")
        night = next(each for each in house.row("mode").findChildren(QPushButton) if each.text() == "night")
        assert night.isChecked()
        assert house.line("name").text() == "half"
        assert house.stove.value.name == "Frieda"
        QTest.keyClick(house.line("name"), Qt.Key.Key_Escape)
        assert house.line("name").text() == "Frieda"
        assert house.page.isVisible()

    play(house, story)


def test_a_field_that_only_has_the_keyboard_follows_the_file(house: StatusController) -> None:
    async def story() -> None:
        house.line("heat_w").setFocus()
        house.put("heat_w = 700\n")
        await until(lambda: house.line("heat_w").text() == "700")

    play(house, story)


def test_a_broken_file_is_told_over_its_section_and_leads_to_its_line(
    house: StatusController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "gedit"
    editor.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/opening && mv {tmp_path}/opening {tmp_path}/opened\n'
    )
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))

    async def story() -> None:
        problems = house.page.problems["stove"]
        assert not problems.isVisible()
        house.put('heat_w = 500\nheat = "hot"\n')
        await until(problems.isVisible)
        assert problems.text.startswith("stove.toml, line 2: there is no setting heat")
        assert house.line("heat_w").text() == "300"
        problems.button.click()
        opened = tmp_path / "opened"
        await until(opened.exists)
        assert opened.read_text().split() == ["+2", str(house.file)]
        retype(house.line("heat_w"), "400")
        enter(house.line("heat_w"))
        await until(lambda: "there is no setting heat" in house.row("heat_w").fault)
        house.put("heat_w = 500\n")
        await until(lambda: not problems.isVisible())

    play(house, story)


def test_a_value_that_is_turned_down_says_why_and_stays_to_be_corrected(house: StatusController) -> None:
    async def story() -> None:
        before = house.file.read_text()
        row, edit = house.row("name"), house.line("name")
        retype(edit, "a name of more than twenty letters")
        enter(edit)
        await until(lambda: row.fault)
        assert "at most 20 characters" in row.fault
        assert edit.text() == "a name of more than twenty letters"
        assert house.stove.value.name == "Berta"
        assert house.file.read_text() == before
        retype(edit, "Frieda")
        enter(edit)
        await until(lambda: house.stove.value.name == "Frieda")
        await until(lambda: not row.fault)

    play(house, story)


def test_a_choice_that_a_part_turns_down_goes_back(house: StatusController) -> None:
    async def refuse(_new: StoveSettings) -> None:
        raise ConfigError("There is no gas here.")

    house.stove.on_change(refuse)

    async def story() -> None:
        row = house.row("fuel")
        buttons = {button.text(): button for button in row.findChildren(QPushButton)}
        buttons["gas"].click()
        await until(lambda: row.fault)
        assert row.fault == "There is no gas here."
        assert buttons["wood"].isChecked()
        sweep = inside(house.row("chimney.sweep"), Switch)
        sweep.click()
        await until(lambda: house.row("chimney.sweep").fault)
        assert sweep.isChecked()

    play(house, story)


def test_the_arrow_gives_the_default_back_and_the_keyboard_to_the_field(house: StatusController) -> None:
    async def story() -> None:
        house.put("heat_w = 700\n")
        row = house.row("heat_w")
        await until(row.reset.isVisible)
        row.reset.setFocus()
        QTest.keyClick(row.reset, Qt.Key.Key_Space)
        await until(lambda: house.stove.value.heat_w == 300)
        await until(lambda: not row.reset.isVisible())
        assert house.line("heat_w").text() == "300"
        assert house.stage.window.focusWidget() is house.line("heat_w")

    play(house, story)


def test_a_list_a_path_and_a_setting_that_may_be_unset_are_saved(
    house: StatusController, tmp_path: Path
) -> None:
    async def story() -> None:
        lines = inside(house.row("beside"), QPlainTextEdit)
        lines.setFocus()
        QTest.keyClicks(lines, "basket")
        enter(lines)
        QTest.keyClicks(lines, "poker")
        QTest.keyClick(lines, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: house.stove.value.beside == ("basket", "poker"))
        retype(house.line("ashes"), "~/ashes")
        enter(house.line("ashes"))
        await until(lambda: house.stove.value.ashes == Path.home() / "ashes")
        await until(lambda: house.line("ashes").text() == "~/ashes")
        retype(house.line("limit"), "7")
        enter(house.line("limit"))
        await until(lambda: house.stove.value.limit == 7)
        await until(house.row("limit").reset.isVisible)
        house.line("limit").clear()
        enter(house.line("limit"))
        await until(lambda: house.stove.value.limit is None)

    play(house, story)


def test_what_is_typed_while_the_last_change_is_saved_is_not_lost(house: StatusController) -> None:
    seen: list[int | None] = []

    async def note(new: StoveSettings) -> None:
        seen.append(new.limit)

    house.stove.on_change(note)

    async def story() -> None:
        edit = house.line("limit")
        retype(edit, "7")
        enter(edit)
        edit.clear()
        enter(edit)
        await until(lambda: seen == [7, None] and house.stove.value.limit is None)
        await until(lambda: not house.row("limit").reset.isVisible())
        assert edit.text() == ""

    play(house, story)


# The page itself.


def test_the_page_lies_over_the_conversation_and_leads_back(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(window.settings_wanted.emit)
    page = stage.session.settings.page
    assert page.isVisible()
    assert window.focusWidget() is page.search
    stage.do(lambda: window.page.composer.set_text("half a thought"))
    stage.do(lambda: QTest.keyClick(page.search, Qt.Key.Key_Escape))
    assert window.page.shown is window.page.feed
    assert window.page.composer.text == "half a thought"
    stage.do(window.open_appearance)
    stage.do(window.appearance.settings_button.click)
    assert page.isVisible()
    stage.do(window.toggle_keys)
    assert not page.isVisible()
    stage.do(window.settings_wanted.emit)
    stage.do(page.close_button.click)
    assert window.page.shown is window.page.feed
    assert window.focusWidget() is window.page.composer.edit
    assert window.page.composer.text == "half a thought"


def test_without_partner_there_is_a_sentence_and_then_the_settings(stage: Stage, moments: Moments) -> None:
    window = stage.open()
    stage.do(window.settings_wanted.emit)
    page = stage.session.settings.page
    assert "Partner has not started yet; its settings show here when it has." in said(page)
    stage.attach(moments)
    stage.until(lambda: page.sections and not page.building)
    assert "Partner has not started yet; its settings show here when it has." not in said(page)
    assert page.row("runtime", ("debounce_window_ms",)) is not None


def said(page: QWidget) -> set[str]:
    return {text for _, text in texts(page)}


def test_a_number_that_cannot_be_is_turned_down_before_anyone_is_asked(stage: Stage) -> None:
    page = shown(stage, house_files())
    changes = asked(page)
    row = row_of(page, "traces", "keep.size_mb")
    edit = inside(row, QLineEdit)
    for typed, words in (("0", "More than 0."), ("much", "Type a number."), ("nan", "Type a number.")):
        stage.do(partial(retype, edit, typed))
        stage.do(lambda: enter(edit))
        assert (row.fault, edit.text()) == (words, typed)
    assert changes == []
    stage.do(lambda: retype(edit, "12.5"))
    stage.do(lambda: enter(edit))
    assert changes == [("traces", ("keep", "size_mb"), 12.5)]
    stage.do(row.accept)
    assert row.fault == ""


def test_a_refused_text_is_not_sent_again_by_leaving_it(stage: Stage) -> None:
    page = shown(stage, house_files())
    changes = asked(page)
    row = row_of(page, "runtime", "greeting")
    edit = inside(row, QLineEdit)
    stage.do(lambda: retype(edit, "hello"))
    stage.do(lambda: enter(edit))
    stage.do(lambda: row.refuse("No."))
    assert row.fault == "No."
    assert changes.pop() == ("runtime", ("greeting",), "hello")
    stage.do(page.search.setFocus)
    assert changes == []
    assert edit.text() == "hello"
    stage.do(lambda: enter(edit))
    assert changes == [("runtime", ("greeting",), "hello")]
    stage.do(row.accept)
    assert row.fault == ""
    other = row_of(page, "websocket", "origins")
    lines = inside(other, QPlainTextEdit)
    stage.do(lambda: retype(lines, "everywhere"))
    stage.do(lambda: QTest.keyClick(lines, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier))
    stage.do(lambda: other.refuse("No."))
    assert other.fault == "No."
    assert changes.pop() == ("websocket", ("origins",), ["everywhere"])
    stage.do(page.search.setFocus)
    assert len(changes) == 1
    stage.do(lines.setFocus)
    stage.do(lambda: QTest.keyClicks(lines, "?"))
    stage.do(page.search.setFocus)
    assert changes[1:] == [("websocket", ("origins",), ["everywhere?"])]


def test_what_stands_under_free_names_is_shown_and_edited_in_the_file(stage: Stage) -> None:
    page = shown(stage, house_files())
    row = row_of(page, "websocket", "tokens")
    assert "empty" in said(row)
    wanted: list[object] = []
    page.file_wanted.disconnect()
    page.file_wanted.connect(lambda path, line: wanted.append((path.name, line)))
    stage.do(inside(row, QPushButton).click)
    assert wanted == [("websocket.toml", None)]
    assert page.row("websocket", ("tokens", "*", "size_kb")) is None


def test_a_search_leaves_the_settings_in_which_every_word_occurs(stage: Stage) -> None:
    page = shown(stage, house_files())

    def left() -> list[tuple[str, ...]]:
        return [row.field.key for row in rows_of(page) if row.isVisible()]

    before = left()
    stage.do(lambda: QTest.keyClicks(page.search, "OLDEST keep"))
    stage.until(lambda: left() == [("keep", "days"), ("keep", "size_mb")])
    groups = [group for section in page.sections.values() for group in section.groups]
    assert [each.group.file.name for each in groups if each.isVisible()] == ["traces"]
    stage.do(lambda: QTest.keyClicks(page.search, " nowhere"))
    stage.until(lambda: "No setting has these words." in said(page) and not left())
    stage.do(lambda: QTest.keyClick(page.search, Qt.Key.Key_Escape))
    stage.until(lambda: left() == before)
    assert page.isVisible()


def many_files(count: int) -> list[ConfigFile]:
    """`count` numbers in five files."""
    fields = [
        setting(
            f"number_{at}", f"Number {at}", f"The number in place {at}.", kind="int", default=at, minimum=0
        )
        for at in range(count)
    ]
    size = count // 5
    return [
        ConfigFile(
            name=f"file_{part}",
            path=FOLDER / f"file_{part}.toml",
            description=f"The numbers of part {part}.",
            fields=tuple(fields[part * size : (part + 1) * size]),
        )
        for part in range(5)
    ]


@pytest.mark.slow
def test_many_settings_are_made_as_far_as_they_are_looked_at_and_change_in_place(stage: Stage) -> None:
    files = many_files(200)
    page = shown(stage, files, size=(1280, 800))
    rows = rows_of(page)
    assert 10 < len(rows) < 100
    bar = page.area.verticalScrollBar()
    while len(rows) < 200:
        before = len(rows)
        stage.do(lambda: bar.setValue(bar.maximum()))
        stage.until(lambda: not page.building)
        rows = rows_of(page)
        assert len(rows) > before
    first, *others = files[3].fields[30:]
    changed = replace(files[3], fields=(*files[3].fields[:30], replace(first, value=7), *others))
    stage.do(lambda: page.show_files((*files[:3], changed, files[4]), "~/partner/config"))
    assert inside(row_of(page, "file_3", "number_150"), QLineEdit).text() == "7"
    assert rows_of(page) == rows


def test_every_control_has_a_name_and_tab_goes_from_the_top_down(stage: Stage) -> None:
    page = shown(stage, house_files())
    stage.do(page.search.setFocus)
    assert [widget for widget in controls(page) if not widget.accessibleName().strip()] == []
    names = []
    for _ in range(10):
        focused = stage.window.focusWidget()
        assert focused is not None
        names.append(focused.accessibleName())
        stage.do(partial(QTest.keyClick, focused, Qt.Key.Key_Tab))
    assert names == [
        "Search the settings",
        "Close the settings",
        "Settings: Advanced",
        "Open file: Context of a prompt",
        "Budget: back to the default, 4,096 tokens",
        "Budget (tokens)",
        "Open file: Websocket",
        "On: back to the default, off",
        "On",
        "Port",
    ]
    bar = page.area.verticalScrollBar()
    stage.do(lambda: stage.window.resize(1280, 700))
    stage.do(lambda: bar.setValue(bar.maximum()))
    assert bar.value() > 0
    stage.do(page.close_button.setFocus)
    stage.do(lambda: QTest.keyClick(page.close_button, Qt.Key.Key_Tab))
    focused = stage.window.focusWidget()
    assert focused is page.list.buttons["advanced"]


@pytest.mark.parametrize(
    ("size", "zoom"),
    [((1280, 800), 0.7), ((1280, 800), 2.0), ((900, 600), 1.0), ((900, 600), 2.0), ((480, 400), 1.0)],
)
def test_nothing_on_the_page_is_cut(stage: Stage, zoom: float, size: tuple[int, int]) -> None:
    page = shown(stage, house_files(), size=size)
    stage.do(lambda: stage.theme.set_zoom(zoom))
    stage.settle()
    assert cut(stage.window) == []
    assert page.area.horizontalScrollBar().maximum() == 0


def test_the_pages_own_words_follow_the_language(stage: Stage) -> None:
    page = shown(stage, house_files())
    row = row_of(page, "traces", "keep.size_mb")
    edit = inside(row, QLineEdit)
    stage.do(lambda: retype(edit, "much"))
    stage.do(lambda: enter(edit))
    english = said(page)
    stage.do(lambda: stage.window.language.choose(LanguageChoice.CHINESE))
    try:
        chinese = said(page)
        fault = row.fault
    finally:
        stage.do(lambda: stage.window.language.choose(LanguageChoice.ENGLISH))
    assert fault == "请输入数字。"
    models = words_of_the_models(house_files())
    unmoved = {text for text in english & chinese if re.search("[A-Za-z]{2,}", text)}
    assert {text for text in unmoved if text not in models} == set()
    own = (
        "Settings",
        "Open file",
        "Open folder",
        "Close",
        "not set",
        "Default: 300 ms · 0 to 5,000",
        "Advanced",
    )
    assert set(own) <= english
    assert not set(own) & chinese
    assert edit.text() == "much"
    assert said(page) == english


def words_of_the_models(files: Sequence[ConfigFile]) -> str:
    """What comes from the settings themselves, with what the test typed."""
    found = ["much"]
    for file in files:
        found += [file.title, file.description, str(file.path), *map(str, file.problems)]
        for field in file.fields:
            found += [field.title, f"{field.title} ({field.unit})", field.description, field.name, field.unit]
            found += [*field.choices, *(f"{field.title}: {choice}" for choice in field.choices)]
            value = "\n".join(field.value) if isinstance(field.value, list) else str(field.value)  # type: ignore[arg-type] # texts
            found += [value, value.replace("/home/user", "~")]
    return "\n".join(found)


def test_the_page_is_not_made_before_it_is_asked_for(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    controller: SettingsController = stage.session.settings
    assert stage.window.findChildren(SettingsPage) == []
    assert controller.page.sections == {}
