"""Spelling: which words are looked up, which dictionaries count, what is marked, and the menu of a mark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from partner_desktop.desktop.chat.composer import Composer
from partner_desktop.desktop.settings.window_settings import set_window_setting, window_file
from partner_desktop.desktop.spelling.checked_words import checked_words
from partner_desktop.desktop.spelling.dictionaries import system_dictionaries
from partner_desktop.desktop.window_memory import WindowMemory

from .moments import Moments
from .stage import Stage

ENGLISH = ("the", "house", "is", "red", "and", "mistake", "mistakes", "a", "I", "see", "it's", "here", "Anna")
RUSSIAN = ("дом", "красный")


def put_dictionary(folder: Path, name: str, words: tuple[str, ...]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.aff").write_text("SET UTF-8\nTRY aeiotns\n", encoding="utf-8")
    (folder / f"{name}.dic").write_text(f"{len(words)}\n" + "\n".join(words) + "\n", encoding="utf-8")


#: A line, and what is looked up of it.
LINES: tuple[tuple[str, list[str]], ...] = (
    ("I recieve it’s mail", ["recieve", "it’s", "mail"]),
    ("see ~/nots/plan.txt and C:\\wrng\\x or a/b", ["see", "and", "or"]),
    ("run `teh code` then teh", ["run", "then", "teh"]),
    ("https://exmple.org/wrng www.exmple.org x@exmple.org @wrng", []),
    ("SQL, iPhone, my_var, x2y, 12th, --forse, #tagg, $VARR, a=bb", []),
    ("main.py v1.2.3 node-modules.js", []),
    ("周报 weekly 报告 и отчёт", ["weekly", "отчёт"]),
)


@pytest.mark.parametrize(("line", "words"), LINES)
def test_words_of_prose_are_looked_up_and_nothing_else(line: str, words: list[str]) -> None:
    found = list(checked_words(line))
    assert [word for _, word in found] == words
    assert all(line[at : at + len(word)] == word for at, word in found)


#: What a system is set to, and the dictionaries of it that count.
SYSTEMS: tuple[tuple[dict[str, str], list[str]], ...] = (
    ({"LANG": "en_GB.UTF-8"}, ["en_GB"]),
    ({"LANG": "en_AU.UTF-8"}, ["en_GB"]),
    ({"LANG": "de_AT.UTF-8"}, ["de_DE"]),
    ({"LANG": "de_AT.UTF-8", "LANGUAGE": "de_AT:en_GB:en"}, ["de_DE", "en_GB"]),
    ({"LANG": "en_US.UTF-8", "LC_ALL": "de_DE"}, ["de_DE"]),
    ({"LANG": "fr_FR.UTF-8"}, []),
    ({"LANG": "zh_CN.UTF-8"}, []),
    ({"LANG": "C.UTF-8"}, []),
    ({}, []),
)


@pytest.mark.parametrize(("environ", "names"), SYSTEMS)
def test_the_dictionaries_are_those_of_the_systems_languages(
    tmp_path: Path, environ: dict[str, str], names: list[str]
) -> None:
    for name in ("en_GB", "en_US", "de_DE", "de_CH"):
        put_dictionary(tmp_path / "hunspell", name, ENGLISH)
    (tmp_path / "hunspell" / "fr_FR.dic").write_text("1\nmaison\n")  # without its other half
    found = system_dictionaries({**environ, "XDG_DATA_DIRS": str(tmp_path), "XDG_DATA_HOME": "/nowhere"})
    assert [one.language for one in found] == names


@pytest.fixture
def composer(stage: Stage, moments: Moments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Composer:
    put_dictionary(tmp_path / "words", "en_US", ENGLISH)
    monkeypatch.setenv("DICPATH", str(tmp_path / "words"))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.setenv("LANGUAGE", "")
    composer = stage.open(moments).page.composer
    stage.until(lambda: stage.window.dictionary_languages)
    return composer


def marked(stage: Stage, words: list[str]) -> None:
    """Wait until these bear a mark, and no others."""
    stage.until(lambda: stage.session.spelling.marks.marked == words)


def write(stage: Stage, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(stage.window.page.composer.edit, text))


def menu_at(stage: Stage, position: int) -> QMenu:
    """The menu that a key opens at a place in the text."""
    edit = stage.window.page.composer.edit

    def press() -> None:
        cursor = edit.textCursor()
        cursor.setPosition(position)
        edit.setTextCursor(cursor)
        reason = QContextMenuEvent.Reason.Keyboard
        place = edit.cursorRect().center()
        QApplication.sendEvent(edit, QContextMenuEvent(reason, place, edit.mapToGlobal(place)))

    stage.do(press)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def action(menu: QMenu, fits: Callable[[str], bool]) -> QAction:
    return next(each for each in menu.actions() if fits(each.text()))


@pytest.mark.integration
def test_wrong_words_are_marked_but_for_the_one_that_is_being_written(
    stage: Stage, composer: Composer
) -> None:
    write(stage, "the hose is red and teh")
    marked(stage, ["hose"])
    write(stage, " ")
    marked(stage, ["hose", "teh"])
    stage.do(lambda: composer.set_text("the house is red "))
    marked(stage, [])


@pytest.mark.integration
def test_code_another_script_and_another_language_are_left_alone(stage: Stage, composer: Composer) -> None:
    text = "```\nteh hose\n```\nдом красны 周报\ndas Haus ist sehr schön hier\nthe hose is red here "
    stage.do(lambda: composer.set_text(text))
    marked(stage, ["hose"])


@pytest.mark.integration
def test_the_menu_of_a_marked_word_offers_what_may_be_meant(stage: Stage, composer: Composer) -> None:
    write(stage, "a mistaek is here ")
    marked(stage, ["mistaek"])
    menu = menu_at(stage, 4)
    stage.until(lambda: [each for each in menu.actions() if each.text() == "mistake"])
    stage.do(action(menu, lambda text: text == "mistake").trigger)
    assert composer.text == "a mistake is here "
    marked(stage, [])
    menu.close()
    stage.do(composer.edit.undo)
    assert composer.text == "a mistaek is here "


@pytest.mark.integration
def test_a_word_that_is_added_is_right_from_then_on_and_after_a_restart(
    stage: Stage, moments: Moments, composer: Composer
) -> None:
    write(stage, "Annika is here ")
    marked(stage, ["Annika"])
    menu = menu_at(stage, 2)
    stage.do(action(menu, lambda text: "to the dictionary" in text).trigger)
    marked(stage, [])
    menu.close()
    file = moments.home.root / "dictionary.txt"
    stage.until(lambda: file.exists() and file.read_text(encoding="utf-8") == "Annika\n")
    again = stage.open(moments).page.composer
    stage.until(lambda: stage.window.dictionary_languages)
    stage.do(lambda: again.set_text("the hose and Annika "))
    marked(stage, ["hose"])


@pytest.mark.integration
def test_an_unmarked_words_menu_is_as_ever(stage: Stage, composer: Composer) -> None:
    write(stage, "the hose ")
    marked(stage, ["hose"])
    menu = menu_at(stage, 1)
    assert not any("dictionary" in each.text() for each in menu.actions())
    menu.close()


@pytest.mark.integration
def test_it_can_be_switched_off_stays_so_and_says_which_dictionaries_are_there(
    stage: Stage, composer: Composer, tmp_path: Path
) -> None:
    write(stage, "the hose ")
    marked(stage, ["hose"])
    (field,) = [one for one in window_file(stage.window).fields if one.key == ("spelling",)]
    assert field.value is True
    assert field.told.description.endswith("Dictionaries that are here: American English.")
    stage.do(lambda: set_window_setting(stage.window, "spelling", value=False))
    marked(stage, [])
    write(stage, "teh ")
    memory = WindowMemory(tmp_path)
    memory.keep(stage.window, stage.theme, stage.window.language, checks_spelling=False)
    assert not WindowMemory(tmp_path).checks_spelling()
    marked(stage, [])
    stage.do(lambda: set_window_setting(stage.window, "spelling", value=None))
    marked(stage, ["hose", "teh"])


@pytest.mark.integration
def test_without_a_dictionary_nothing_is_marked_and_the_setting_says_so(
    stage: Stage, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    monkeypatch.setenv("LANGUAGE", "")
    composer = stage.open(moments).page.composer
    write(stage, "the hose ")
    assert composer.edit.extraSelections() == []
    (field,) = [one for one in window_file(stage.window).fields if one.key == ("spelling",)]
    assert "This system has no dictionary for its language" in field.told.description


@pytest.mark.integration
def test_a_broken_dictionary_marks_nothing(
    stage: Stage, moments: Moments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_dictionary(tmp_path / "words", "en_US", ENGLISH)
    (tmp_path / "words" / "en_US.aff").write_bytes(b"SET NONSENSE\xff\nSFX A Y\n")
    monkeypatch.setenv("DICPATH", str(tmp_path / "words"))
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    composer = stage.open(moments).page.composer
    stage.until(lambda: stage.window.dictionary_languages)
    write(stage, "the hose ")
    checker = stage.session.spelling._checker
    assert checker is not None
    stage.until(lambda: checker.is_wrong("hose") is False)
    assert composer.edit.extraSelections() == []


@pytest.mark.integration
def test_an_input_method_and_a_selection_keep_the_marks_where_they_are(
    stage: Stage, composer: Composer
) -> None:
    write(stage, "the hose is red ")
    marked(stage, ["hose"])
    stage.do(lambda: composer.edit.moveCursor(QTextCursor.MoveOperation.Start))
    stage.do(lambda: QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier))
    marked(stage, ["hose"])


@pytest.mark.integration
def test_of_a_long_text_what_is_in_view_is_marked(stage: Stage, composer: Composer) -> None:
    stage.do(lambda: composer.set_text("hose\n" + "the house is red\n" * 40 + "huose "))
    marked(stage, ["huose"])
    stage.do(lambda: composer.edit.verticalScrollBar().setValue(0))
    marked(stage, ["hose"])
