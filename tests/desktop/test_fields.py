"""A parameter is typed or chosen in a field of its type; what does not do is said below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCalendarWidget,
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
)

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.forms.path_field import path_field_kind
from partner_desktop.domain.json_value import Json, JsonObject

from .chat import Chat
from .on_card import button, field, line, press, words
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def opened(stage: Stage, chat: Chat) -> Chat:
    chat.open()
    return chat


def ask(stage: Stage, chat: Chat, schema: JsonObject, value: Json = None) -> ActionCard:
    """A card with one parameter, `it`."""
    whole: JsonObject = {"type": "object", "properties": {"it": schema}}
    params: JsonObject = {} if value is None else {"it": value}
    return stage.propose(chat, schema=whole, params=params, paths=(), description="")


def type_in(stage: Stage, edit: QLineEdit, text: str) -> None:
    edit.setFocus()
    edit.selectAll()
    stage.do(lambda: QTest.keyClicks(edit, text) if text else QTest.keyClick(edit, Qt.Key.Key_Delete))


def sent(stage: Stage, chat: Chat, card: ActionCard) -> object:
    """What is sent for `it` when it is approved."""
    press(stage, button(card, "once"))
    assert chat.sent, words(card)
    params = chat.sent[-1][-1]
    assert isinstance(params, dict)
    return params.get("it", "nothing")


def refused(stage: Stage, chat: Chat, card: ActionCard) -> str:
    """What is read on the card when nothing was sent."""
    press(stage, button(card, "once"))
    assert chat.sent == []
    return words(card)


def test_a_date_is_typed(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "string", "format": "date"})
    type_in(stage, line(card, "It"), "soon")
    assert "Type a date, such as 2030-05-14." in refused(stage, opened, card)
    type_in(stage, line(card, "It"), "2031-02-03")
    assert sent(stage, opened, card) == "2031-02-03"


def test_a_date_that_is_taken_out_is_not_given(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "string", "format": "date"}, "2031-02-03")
    type_in(stage, line(card, "It"), "")
    assert sent(stage, opened, card) == "nothing"


def test_a_date_is_chosen_from_the_calendar_by_keys(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "string", "format": "date"}, "2031-02-03")
    press(stage, field(card, QPushButton, "Calendar: It"))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    calendar = menu.findChild(QCalendarWidget)
    assert calendar is not None
    assert calendar.selectedDate() == QDate(2031, 2, 3)
    stage.do(lambda: calendar.activated.emit(QDate(2031, 2, 4)))
    assert line(card, "It").text() == "2031-02-04"
    assert sent(stage, opened, card) == "2031-02-04"


def test_a_moment_has_the_zone_of_this_machine(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "string", "format": "date-time"})
    type_in(stage, line(card, "It"), "2031-02-03 18:00")
    value = sent(stage, opened, card)
    assert isinstance(value, str)
    assert value.startswith("2031-02-03T18:00:00")
    assert value[19] in "+-"


def test_a_moment_that_nobody_touches_stays_to_the_letter(stage: Stage, opened: Chat) -> None:
    given = "2031-02-03T18:00:07+05:00"
    card = ask(stage, opened, {"type": "string", "format": "date-time"}, given)
    assert line(card, "It").text() != given
    assert card.body is not None
    assert card.body.form is not None
    assert card.body.form.read() == {"it": given}


def test_a_time_is_typed(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "string", "format": "time"})
    type_in(stage, line(card, "It"), "1900")
    assert "Type a time, such as 18:00." in refused(stage, opened, card)
    type_in(stage, line(card, "It"), "19:30")
    assert sent(stage, opened, card) == "19:30:00"


def test_several_are_chosen_from_a_list(stage: Stage, opened: Chat) -> None:
    schema: JsonObject = {"type": "array", "items": {"enum": ["png", "pdf", "zip"]}, "minItems": 2}
    card = ask(stage, opened, schema, ["pdf"])
    assert field(card, QCheckBox, "It: pdf").isChecked()
    box = field(card, QCheckBox, "It: zip")
    press(stage, button(card, "once"))
    assert opened.sent == [], "too few"
    assert "Choose at least 2." in words(card)
    box.setFocus()
    stage.do(lambda: QTest.keyClick(box, Qt.Key.Key_Space))
    assert sent(stage, opened, card) == ["pdf", "zip"]


def test_what_no_list_knows_is_not_lost(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "array", "items": {"enum": ["png", "pdf"]}}, ["webp"])
    assert field(card, QPlainTextEdit, "It").toPlainText() == "“webp”"


def test_a_list_of_numbers_says_which_is_none(stage: Stage, opened: Chat) -> None:
    card = ask(stage, opened, {"type": "array", "items": {"type": "integer"}}, [1, 2])
    edit = field(card, QPlainTextEdit, "It")
    stage.do(lambda: edit.setPlainText("1\n2.5"))
    assert "“2.5” is not a whole number." in refused(stage, opened, card)
    stage.do(lambda: edit.setPlainText("1\n\n25"))
    assert sent(stage, opened, card) == [1, 25]


def test_paths_are_rows_that_come_and_go(stage: Stage, opened: Chat) -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "string", "format": "path", "access": "read"}}
    card = ask(stage, opened, schema, ["/srv/a", "/srv/b"])
    press(stage, field(card, QPushButton, "Add a path: It"))
    assert stage.window.focusWidget() is line(card, "It 3")
    type_in(stage, line(card, "It 3"), "/srv/c")
    press(stage, field(card, QPushButton, "Remove: It 1"))
    assert sent(stage, opened, card) == ["/srv/b", "/srv/c"]


def test_empty_rows_of_paths_count_for_nothing(stage: Stage, opened: Chat) -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "string", "format": "path"}}
    card = ask(stage, opened, schema, ["/srv/a"])
    press(stage, field(card, QPushButton, "Add a path: It"))
    assert sent(stage, opened, card) == ["/srv/a"]


def test_the_last_row_of_paths_can_go(stage: Stage, opened: Chat) -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "string", "format": "path"}}
    card = ask(stage, opened, schema, ["/srv/a"])
    press(stage, field(card, QPushButton, "Remove: It 1"))
    assert stage.window.focusWidget() is field(card, QPushButton, "Add a path: It")
    assert sent(stage, opened, card) == "nothing"


def test_a_number_shows_its_unit_and_steps_within_its_limits(stage: Stage, opened: Chat) -> None:
    schema: JsonObject = {
        "type": "integer",
        "minimum": 10,
        "maximum": 30,
        "multipleOf": 10,
        "x-unit": "seconds",
    }
    card = ask(stage, opened, schema)
    edit = line(card, "It (seconds)")
    assert edit.placeholderText() == "10 to 30"
    assert "seconds" in words(card)
    edit.setFocus()
    for _ in range(4):
        stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Up))
    assert edit.text() == "30"
    type_in(stage, edit, "25")
    assert "In steps of 10." in refused(stage, opened, card)
    type_in(stage, edit, "20")
    assert sent(stage, opened, card) == 20


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("it", {"x-partner-kind": "folder", "description": "a file"}, "folder"),
        ("it", {"x-partner-kind": "file"}, "file"),
        ("out_dir", {}, "folder"),
        ("file", {"description": "in which folder"}, "file"),
        ("it", {"description": "the folder to look through"}, "folder"),
        ("it", {"description": "the picture to resize"}, "file"),
        ("it", {"description": "要整理的文件夹"}, "folder"),
        ("it", {"description": "a file or a folder"}, ""),
        ("it", {}, ""),
    ],
)
def test_whether_a_path_is_a_file_or_a_folder_is_read_from_the_schema(
    name: str, schema: JsonObject, kind: str
) -> None:
    assert path_field_kind(name, schema) == kind


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_dialog_offers_what_the_schema_wants(
    stage: Stage, opened: Chat, tmp_path: Path, kind: str
) -> None:
    schema: JsonObject = {"type": "string", "format": "path", "x-partner-kind": kind}
    card = ask(stage, opened, schema, str(tmp_path))
    press(stage, field(card, QPushButton, "Choose: It"))
    (dialog,) = stage.window.findChildren(QFileDialog)
    wanted = QFileDialog.FileMode.Directory if kind == "folder" else QFileDialog.FileMode.ExistingFile
    assert dialog.fileMode() is wanted
    stage.do(dialog.reject)
