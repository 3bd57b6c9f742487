"""The page of permissions: how much runs by itself, what was granted, the rules of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.permissions.page import FIRST, STEP, PermissionsPage
from partner_desktop.desktop.permissions.rule_row import RevokeSheet, RuleForm, RuleSheet
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_spec import RowSpec
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.permission import (
    SAME_ARGUMENTS,
    Effect,
    Grant,
    GrantedPlace,
    Mode,
    Permissions,
    Rule,
)

from .moments import Moments
from .permission_samples import filled_permissions, grant
from .stage import Stage
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

pytestmark = pytest.mark.integration

KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


@pytest.fixture
def full(moments: Moments) -> Moments:
    """A Partner with grants and rules of every kind."""
    known = filled_permissions()
    moments.add_ability("count_words", "Count words")
    moments.add_ability("now", "Say what time it is")
    moments.write_rules(known.mode, *known.rules)
    for each in known.grants:
        moments.add_grant(each)
    return moments


def open_page(stage: Stage, moments: Moments, *, size: tuple[int, int] = (1280, 800)) -> PermissionsPage:
    """The page in view, with its rows."""
    window = stage.open(moments, size=size)
    stage.do(window.permissions_wanted.emit)
    page = stage.session.permissions.page
    known = moments.permissions
    stage.until(lambda: _grown(page, known))
    return page


def _grown(page: PermissionsPage, permissions: Permissions) -> bool:
    known = min(FIRST, len(permissions.grants)) + min(FIRST, len(permissions.rules))
    return len(grants(page)) + len(rules(page)) == known


@contextmanager
def broken_file(moments: Moments) -> Iterator[None]:
    """Somebody is in the middle of editing the file of rules, which cannot be changed meanwhile."""
    text = moments.rules_file.read_text(encoding="utf-8")
    moments.rules_file.write_text("mode = [", encoding="utf-8")
    yield
    moments.rules_file.write_text(text, encoding="utf-8")


def grants(page: PermissionsPage) -> list[RowSpec[Grant]]:
    return [row for row in page.grants.list.rows.rows if row.kind == "row"]


def rules(page: PermissionsPage) -> list[RowSpec[Rule]]:
    return [row for row in page.rules.list.rows.rows if row.kind == "row"]


def facts(row: RowSpec[Grant] | RowSpec[Rule], number: int = 0) -> str:
    """One of the lines below its title."""
    return row.lines[number].text.replace("\u00a0", " ")


def go_to(stage: Stage, rows: RowList[Any], key: str) -> None:
    """The keyboard goes to a row."""
    stage.do(rows.setFocus)
    stage.do(lambda: rows.mark(key))


def question(page: PermissionsPage, row: RowSpec[Grant]) -> QWidget:
    sheet = page.grants.list.sheet_of(row)
    assert isinstance(sheet, RevokeSheet)
    return sheet.question


def form_of(page: PermissionsPage, row: RowSpec[Rule]) -> RuleForm | None:
    sheet = page.rules.list.sheet_of(row)
    return sheet.form if isinstance(sheet, RuleSheet) else None


def choice(place: QWidget, words: str) -> QPushButton:
    return next(one for one in place.findChildren(QPushButton) if one.text() == words)


def press(stage: Stage, widget: QWidget, key: Qt.Key = Qt.Key.Key_Return) -> None:
    stage.do(lambda: QTest.keyClick(widget, key))


def type_into(stage: Stage, widget: QWidget, text: str) -> None:
    stage.do(lambda: QTest.keyClicks(widget, text))


def test_every_way_leads_to_the_page_and_back(stage: Stage, full: Moments) -> None:
    window = stage.open(full)

    def shown() -> bool:
        return isinstance(window.page.shown, PermissionsPage)

    ways: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyClick(window, Qt.Key.Key_P, KEYS),
        window.panel.actions_tab.permissions_button.click,
        window.appearance.permissions_button.click,
        stage.session.settings.page.permissions_button.click,
        stage.session.audit.page.permissions_button.click,
    )
    for way in ways:
        stage.do(way)
        assert shown()
        stage.do(stage.session.permissions.page.close_button.click)
        assert not shown()


def test_before_partner_is_there_the_page_says_so_and_fills_when_it_is(stage: Stage, full: Moments) -> None:
    window = stage.open()
    stage.do(window.permissions_wanted.emit)
    page = stage.session.permissions.page
    assert "has not started yet" in page.waiting.text()
    assert not any(row.mark.isChecked() for row in page.modes.rows.values())
    stage.attach(full)
    stage.until(lambda: grants(page))
    assert page.modes.rows[Mode.SMART].mark.isChecked()
    assert page.waiting.isHidden()


def test_the_mode_is_chosen_by_keyboard_and_only_what_partner_took_is_marked(
    stage: Stage, full: Moments
) -> None:
    page = open_page(stage, full)
    marks = {mode: row.mark for mode, row in page.modes.rows.items()}
    assert [mode for mode, mark in marks.items() if mark.isChecked()] == [Mode.SMART]
    press(stage, marks[Mode.ASK])
    stage.until(lambda: [mode for mode, mark in marks.items() if mark.isChecked()] == [Mode.ASK])
    assert full.permissions.mode is Mode.ASK
    with broken_file(full):
        press(stage, marks[Mode.AUTONOMOUS])
        stage.until(lambda: "permission.toml" in page.fault)
        assert [mode for mode, mark in marks.items() if mark.isChecked()] == [Mode.ASK]


def test_a_grant_says_what_it_covers_and_is_revoked_after_a_question(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full)
    count, resize, zones = grants(page)
    assert (count.title, facts(count)) == ("Count words", "local::count_words")
    assert facts(count, 1).startswith("always · since 13 May 2030, ")
    assert facts(count, 1).endswith(" · sandboxed · no network")
    assert (count.tag, resize.tag) == ("", "was edited since")
    assert facts(zones, 1).startswith("in “Tidy up my downloads”")
    rows = page.grants.list
    go_to(stage, rows, count.key)
    press(stage, rows)
    keep = choice(question(page, count), "Keep it")
    assert stage.window.focusWidget() is keep, "Enter changes nothing"
    press(stage, keep)
    assert len(full.permissions.grants) == 3
    assert stage.window.focusWidget() is rows
    assert rows.marked == count.key
    press(stage, rows, Qt.Key.Key_Delete)
    press(stage, choice(question(page, count), "Revoke"))
    assert {one.id for one in full.permissions.grants} == {"g2", "g3"}
    stage.until(lambda: len(grants(page)) == 2)
    assert stage.window.focusWidget() is rows, "the keyboard stays in the list"
    assert rows.marked == grants(page)[0].key


def test_a_rule_is_added_with_what_it_fits_in_view(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full)
    press(stage, page.add_button)
    form = page.form
    assert form is not None
    assert stage.window.focusWidget() is form.pattern
    press(stage, form.pattern)
    assert len(full.permissions.rules) == 3
    assert "Type the key of an action" in form.fits
    type_into(stage, form.pattern, "local::*")
    assert form.fits == "It fits local::count_words, local::now."
    press(stage, form.effects.buttons["deny"], Qt.Key.Key_Space)
    type_into(stage, form.note, "not today")
    press(stage, form.note)
    assert list(full.permissions.rules)[3:] == [Rule(Effect.DENY, "local::*", note="not today")]
    stage.until(lambda: len(rules(page)) == 4)
    assert facts(rules(page)[-1]) == "not today"
    assert page.form is None
    assert stage.window.focusWidget() is page.add_button


def test_a_rule_is_edited_in_its_place_and_stays_bound_to_its_version(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full)
    row, rows = rules(page)[2], page.rules.list
    assert (row.tag, row.title) == ("Allow", "local::count_words")
    assert facts(row) == "looked through it · only version 3fa9c2d1"
    go_to(stage, rows, row.key)
    press(stage, rows)
    form = form_of(page, row)
    assert form is not None
    stage.do(form.note.selectAll)
    type_into(stage, form.note, "read twice")
    before = full.permissions.rules
    with broken_file(full):
        press(stage, form.save_button)
        stage.until(lambda: "permission.toml" in form.fault)
    press(stage, form.save_button)
    stage.until(lambda: full.rules_file.read_text().count("read twice") == 1)
    assert full.permissions.rules == (*before[:2], replace(before[2], note="read twice"))
    stage.until(lambda: facts(rules(page)[2]).startswith("read twice"))
    assert stage.window.focusWidget() is rows
    assert rows.marked == rules(page)[2].key
    first = rules(page)[0]
    go_to(stage, rows, first.key)
    press(stage, rows)
    open_form = form_of(page, first)
    assert open_form is not None
    press(stage, open_form.pattern, Qt.Key.Key_Escape)
    assert isinstance(stage.window.page.shown, PermissionsPage), "Esc is the form's first"
    assert form_of(page, first) is None


def test_a_form_below_a_row_is_brought_into_view(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full, size=(900, 600))
    rows, row = page.rules.list, rules(page)[2]
    go_to(stage, rows, row.key)
    press(stage, rows)

    def in_view() -> bool:
        form, view = form_of(page, row), page.area.viewport()
        place = QRect(form.mapTo(page.area, QPoint()), form.size()) if form is not None else QRect()
        return form is not None and view.geometry().contains(place)

    stage.until(in_view)


def test_an_edit_goes_to_its_rule_wherever_that_has_moved_to(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full)
    row = rules(page)[1]
    stage.do(lambda: page.rules.list.asked.emit("edit", row))
    form = form_of(page, row)
    _, second, third = full.permissions.rules
    full.write_rules(Mode.SMART, second, third)
    stage.until(lambda: len(rules(page)) == 2)
    assert form is not None
    assert form_of(page, row) is form, "what is typed stays"
    stage.do(form.save_button.click)
    assert full.permissions.rules == (second, third)


def test_a_removed_rule_comes_back_by_undo(stage: Stage, full: Moments) -> None:
    page = open_page(stage, full)
    gone, *left = full.permissions.rules
    go_to(stage, page.rules.list, rules(page)[0].key)
    press(stage, page.rules.list, Qt.Key.Key_Delete)
    assert list(full.permissions.rules) == left
    stage.until(lambda: len(rules(page)) == 2)
    stage.do(lambda: QTest.keyClick(stage.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier))
    assert list(full.permissions.rules) == [*left, gone]
    stage.until(lambda: len(rules(page)) == 3)


def test_the_file_is_opened_and_its_mistakes_are_told(
    stage: Stage, full: Moments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = 'mode = "smart"\n[[rule]]\neffect = "perhaps"\naction = "shell::*"\n'
    full.rules_file.write_text(wrong, encoding="utf-8")
    page = open_page(stage, full)
    assert "line 3" in page.problems.text
    full.rules_file.unlink()
    stage.do(page.file_button.click)
    stage.until(lambda: page.fault)
    assert "There is no" in page.fault
    editor = tmp_path / "kate"
    seen = tmp_path / "seen"
    editor.write_text(f'#!/bin/sh\necho "$@" > {seen}\n')
    editor.chmod(0o755)
    full.rules_file.write_text(wrong, encoding="utf-8")
    monkeypatch.setenv("VISUAL", str(editor))
    stage.do(page.problems.button.click)
    stage.until(lambda: seen.exists() and seen.read_text())
    assert seen.read_text().split() == ["--line", "3", str(full.rules_file)]


@pytest.mark.promise("actions.grant.places")
def test_a_grant_says_its_places_and_for_whom_it_is(stage: Stage, moments: Moments) -> None:
    home = Path.home()
    places = (GrantedPlace(str(home / "Notes"), "write"), GrantedPlace("/srv/x\u202ey", "read"))
    old = "It is from before places were kept: where a file or folder is chosen, it asks again."
    given: list[tuple[dict[str, object], str]] = [
        ({}, ""),
        ({"places": places}, "writes ~/Notes\nreads /srv/x⟨U+202E⟩y"),
        ({"scope": "everywhere"}, "On all files and folders."),
        ({"places": None}, old),
        ({"program": "Tester"}, "Only for a program that calls itself “Tester”."),
        ({"held": f"held · {SAME_ARGUMENTS}"}, ""),
    ]
    for number, (more, _) in enumerate(given):
        moments.add_grant(grant(number, **more))
    page = open_page(stage, moments)
    assert ["\n".join(line.text for line in row.lines[2:]) for row in grants(page)] == [
        said for _, said in given
    ]
    assert facts(grants(page)[2], 1).startswith("always, everywhere")
    assert facts(grants(page)[5], 1).endswith("· held · only with the same arguments")


def test_five_hundred_grants_show_the_first_and_are_searched(stage: Stage, moments: Moments) -> None:
    moments.write_rules(Mode.SMART, Rule(Effect.DENY, "shell::*"))
    for number in range(500):
        moments.add_grant(grant(number))
    page = open_page(stage, moments)
    rows = page.grants.list
    assert len(grants(page)) == FIRST, "what stands below stays within reach"
    assert page.grants.head.text() == "WHAT YOU GRANTED · 500"
    assert rows.rows.rows[-1].title == "Show more (480 left)"
    type_into(stage, page.search, "count_49")
    stage.until(lambda: [facts(row) for row in grants(page)][:2] == ["local::count_49", "local::count_490"])
    assert len(grants(page)) == 11
    assert not page.rules.isVisible(), "a search leaves out what does not fit"
    press(stage, page.search, Qt.Key.Key_Escape)
    stage.until(page.rules.isVisible)
    go_to(stage, rows, rows.rows.rows[-1].key)
    press(stage, rows)
    stage.until(lambda: len(grants(page)) == FIRST + STEP)
    assert rows.rows.rows[-1].title == "Show more (430 left)"


def test_empty_lists_teach(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments)
    assert page.grants.empty.isVisible()
    assert page.rules.empty.isVisible()
    assert not page.search.isVisible()


def _fill(stage: Stage, moments: Moments, *, size: tuple[int, int] = (1280, 800)) -> PermissionsPage:
    """A page with a question, a form in a row and a form for a new one."""
    page = open_page(stage, moments, size=size)
    stage.do(lambda: page.grants.list.asked.emit("ask", grants(page)[0]))
    stage.do(lambda: page.rules.list.asked.emit("edit", rules(page)[2]))
    stage.do(page.add_button.click)
    assert page.form is not None
    type_into(stage, page.form.pattern, "x")
    stage.do(page.form.effects.buttons["allow"].click)
    return page


def test_every_control_has_a_name(stage: Stage, full: Moments) -> None:
    page = _fill(stage, full)
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless


def test_the_page_follows_the_language(stage: Stage, full: Moments, language: Language) -> None:
    page = _fill(stage, full)
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    given = (
        "Count words",
        "Resize photos",
        "Time zones",
        "local::",
        "count_words",
        "resize_photos",
        "zone::convert",
        "zone::*",
        "shell::*",
        "nothing that deletes",
        "looked through it",
        "fa9c2d1",
        "Tidy up my downloads",
        "sandboxed",
        "no network",
        "Partner",
    )
    left = [words for words in left_in_english(cast("MainWindow", page)) if _without(words, given)]
    assert left == []


def _without(words: str, given: tuple[str, ...]) -> bool:
    """Whether English is left."""
    said = words.partition(": ")[2].replace("\u00a0", " ")
    for one in given:
        said = said.replace(one, "")
    return any(part.isascii() and part.isalpha() and len(part) > 1 for part in said.split())


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut(
    stage: Stage, full: Moments, language: Language, zoom: float, choice: LanguageChoice
) -> None:
    long = "a very long name " * 12
    first = grant(1, title=long, action_key=long.replace(" ", "_"), current=False)
    full.write("DELETE FROM approvals WHERE id = 'g1'")
    full.add_grant(first)
    page = _fill(stage, full, size=(1280, 800))
    stage.do(lambda: language.choose(choice))
    stage.do(lambda: stage.theme.set_zoom(zoom))
    for size in ((1280, 800), (900, 600), (480, 600)):
        stage.window.resize(*size)
        stage.settle()
        assert cut(stage.window) == []
        most = page.area.viewport().width()
        parts = page.area.viewport().findChildren(QWidget)
        assert [repr(one) for one in parts if one.isVisible() and one.width() > most] == []
