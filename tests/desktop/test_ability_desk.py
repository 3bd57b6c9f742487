"""Abilities in the panel: their menus, switches, filter, forms and questions, by mouse and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.opener import editor_command
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.files.trash import find_in_trash

from .in_panel import (
    choose,
    click,
    first_line,
    go_to,
    index_of,
    key,
    menu_words,
    titles,
    view,
)
from .moments import Moments
from .samples import BROKEN_SCRIPT, ability, lying
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration

NOTE_SCRIPT = """# /// partner
# description = "Append a line to the notes"
# [params.text]
# description = "what to append"
# ///
print("done")
"""
FILE = "local::find_duplicates"


@pytest.fixture
def filled(stage: Stage, moments: Moments) -> Moments:
    """A window with one ability of each kind in view."""
    moments.add_script("note.py", NOTE_SCRIPT, folder="tmp")
    moments.add_ability("find_duplicates", "Find files with the same content")
    folder = moments.action_dir / "dynamic" / "count_words"
    folder.mkdir()
    (folder / "run.py").write_text('print("done")\n')
    desc = {"description": "Count words in a text", "entry": "run.py"}
    (folder / "desc.json").write_text(json.dumps(desc))
    moments.add_script("weather.py", BROKEN_SCRIPT)
    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: {"Note", "Count words", "weather.py"} <= set(titles(stage)))
    stage.settle()
    return moments


def known(moments: Moments, title: str) -> Ability:
    """What the real Partner has of that title now."""
    found = [one for one in moments.partner.abilities.list() if one.info and one.info.title == title]
    return found[0]


class Opened(QObject):
    """Takes the place of the desktop: what would be opened is written down."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.paths.append(url.toLocalFile())


@pytest.fixture
def opened() -> Iterator[Opened]:
    one = Opened()
    QDesktopServices.setUrlHandler("file", one, "take")  # type: ignore[arg-type] # the stub says bytes
    yield one
    QDesktopServices.unsetUrlHandler("file")


def top(part: QWidget) -> int:
    """Where it begins, in its window."""
    return part.mapTo(part.window(), QPoint(0, 0)).y()


def form(stage: Stage) -> DraftForm:
    found = stage.window.panel.abilities_tab.form
    assert isinstance(found, DraftForm)
    return found


def toasts(stage: Stage) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in stage.window.page.toasts.toasts]


@pytest.mark.usefixtures("filled")
def test_abilities_stand_in_sections_by_where_they_come_from(stage: Stage) -> None:
    assert titles(stage)[:8] == [
        *("Needs attention", "weather.py"),
        *("Yours", "Count words", "Find duplicates"),
        *("Temporary", "Note"),
        "Built in",
    ]
    assert "Tell the time" in titles(stage)[8:]


EXAMPLE = "Put an example in the composer"
LYING = ("Open source", "Show folder", "Remove…")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Note", ["Run…", EXAMPLE, "Details", "Keep…", "Turn off", *LYING]),
        ("Count words", ["Run…", EXAMPLE, "Details", "Turn off", "Edit details…", *LYING]),
        ("Find duplicates", ["Run…", EXAMPLE, "Details", "Turn off", *LYING]),
        ("Tell the time", ["Run…", EXAMPLE, "Details", "Turn off"]),
        ("weather.py", ["Open file", "Copy the reason", "Show folder", "Remove…"]),
    ],
)
def test_the_dots_show_what_can_be_done_and_nothing_else(stage: Stage, title: str, words: list[str]) -> None:
    stage.do(lambda: view(stage).scrollTo(index_of(stage, title)))
    click(stage, first_line(stage, title)[1])
    assert menu_words(stage) == words


@pytest.mark.usefixtures("filled")
def test_the_menu_comes_by_the_right_button_and_by_the_menu_key(stage: Stage) -> None:
    place = view(stage).visualRect(index_of(stage, "Note")).center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, view(stage).viewport().mapToGlobal(place)
    )
    stage.do(lambda: QApplication.sendEvent(view(stage).viewport(), event))
    assert "Keep…" in menu_words(stage)
    choose(stage, "Put an example in the composer")
    assert stage.window.page.composer.text == "note"
    go_to(stage, "Tell the time")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, place)
    stage.do(lambda: QApplication.sendEvent(view(stage), event))
    assert "Remove…" not in menu_words(stage), "it is the menu of the current row"
    choose(stage, "Turn off")


def test_the_switch_turns_an_ability_off_and_says_so(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Find duplicates")[0])
    assert known(filled, "Find duplicates").off
    assert toasts(stage) == ["“Find duplicates” is off: it is neither found nor run."]
    assert stage.window.page.composer.text == "", "a click on the switch chooses nothing"


def test_space_turns_an_ability_off_and_on_again(stage: Stage, filled: Moments) -> None:
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: view(stage).rows.rows[4].tag == "off")
    spoken = view(stage).rows.data(
        index_of(stage, "Find duplicates"), int(Qt.ItemDataRole.AccessibleTextRole)
    )
    assert "off" in spoken
    assert known(filled, "Find duplicates").off
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: not known(filled, "Find duplicates").off)


def test_what_is_off_is_suggested_nowhere(stage: Stage, filled: Moments) -> None:
    window = stage.window
    before = sum(one.usable for one in filled.partner.abilities.list())
    filled.ask(filled.partner.abilities.switch(FILE, on=False))
    stage.until(lambda: view(stage).rows.rows[4].tag == "off")
    click(stage, view(stage).visualRect(index_of(stage, "Find duplicates")).center())
    assert window.page.composer.text == ""
    stage.until(lambda: f"{before - 1} abilities" in window.sidebar.status.words)
    click(stage, first_line(stage, "Find duplicates")[1])
    assert menu_words(stage) == ["Details", "Turn on", "Open source", "Show folder", "Remove…"]


@pytest.mark.usefixtures("filled")
def test_letters_typed_in_the_list_filter_it_and_esc_shows_all(stage: Stage) -> None:
    tab = stage.window.panel.abilities_tab
    go_to(stage, "Tell the time")
    stage.do(lambda: QTest.keyClick(view(stage), Qt.Key.Key_W))
    assert stage.window.focusWidget() is tab.filter
    stage.do(lambda: QTest.keyClicks(tab.filter, "ords"))
    assert titles(stage) == ["Yours", "Count words"]
    key(stage, Qt.Key.Key_Down)
    assert view(stage).currentIndex() == index_of(stage, "Count words")
    stage.do(tab.filter.setFocus)
    key(stage, Qt.Key.Key_Escape)
    assert "Tell the time" in titles(stage)


@pytest.mark.usefixtures("filled")
def test_a_filter_that_nothing_fits_says_so_and_leads_back(stage: Stage) -> None:
    tab = stage.window.panel.abilities_tab
    stage.do(lambda: tab.filter.setText("zebra"))
    shown = [each for each in tab.findChildren(QPushButton) if each.isVisible() and each.text() == "Show all"]
    assert len(shown) == 1
    stage.do(shown[0].click)
    assert "Tell the time" in titles(stage)
    assert view(stage).isVisible()


def test_run_offers_the_card_in_the_open_conversation(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Run…")
    stage.until(filled.records)
    (record,) = filled.records()
    assert (record.key, record.conversation_id) == ("local::count_words", "c1")
    assert ("user", "Run Count words") in filled.messages("c1")


def test_run_in_a_new_chat_begins_a_conversation(stage: Stage, filled: Moments) -> None:
    stage.do(lambda: stage.session.open(""))
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Run…")
    stage.until(filled.records)
    (record,) = filled.records()
    assert record.conversation_id != "c1"
    assert ("user", "Run Count words") in filled.messages(record.conversation_id)
    assert stage.session.outbox.place.conversation_id == record.conversation_id


def test_keep_opens_a_form_and_sends_what_stands_in_it(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    assert stage.window.focusWidget() is form(stage).name
    stage.do(lambda: QTest.keyClicks(form(stage).name, "louder"))
    stage.do(lambda: form(stage).aliases.setPlainText("make it loud\n\n大声\n"))
    stage.do(lambda: form(stage).params["text"].setText("the words"))
    key(stage, Qt.Key.Key_Return)
    stage.until(lambda: known(filled, "Louder").key == "local::louder")
    kept = known(filled, "Louder").info
    assert kept is not None
    assert kept.description == "Append a line to the notes"
    assert kept.aliases == ("make it loud", "大声")
    assert kept.params["properties"] == {"text": {"description": "the words", "type": "string"}}
    assert toasts(stage) == ["“louder” is kept. It asks again before it runs."]
    assert stage.window.panel.abilities_tab.form is None
    assert view(stage).isVisible()


def test_a_name_that_was_taken_is_told(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    stage.do(lambda: form(stage).name.setText("find_duplicates"))
    stage.do(form(stage).save_button.click)
    stage.until(lambda: toasts(stage))
    (said,) = toasts(stage)
    assert said.startswith("“find_duplicates” was taken, so it is kept as “find_duplicates_2”.")


def test_what_cannot_be_kept_is_said_in_the_form_which_stays(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    stage.do(lambda: form(stage).name.setText("a/b"))
    stage.do(form(stage).save_button.click)
    assert "“a/b”" in " ".join(label.text() for label in form(stage).findChildren(QLabel))
    assert form(stage).name.text() == "a/b"
    assert form(stage).save_button.isEnabled()


def test_what_is_wrong_with_a_name_stands_under_it_until_it_is_changed(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    name = form(stage).name
    stage.do(lambda: name.setText("a/b"))
    stage.do(form(stage).save_button.click)
    said = next(label for label in form(stage).findChildren(QLabel) if "a/b" in label.text())
    stage.settle()
    assert said.isVisible()
    assert top(name) + name.height() < top(said) < top(form(stage).description)
    assert name.property("problem") == "true"
    assert stage.window.focusWidget() is name
    key(stage, Qt.Key.Key_C)
    assert not said.isVisible()
    assert name.property("problem") == "false"


def test_esc_closes_the_form_and_leads_back_to_the_list(stage: Stage, filled: Moments) -> None:
    go_to(stage, "Note")
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    key(stage, Qt.Key.Key_Escape)
    assert stage.window.panel.abilities_tab.form is None
    assert stage.window.focusWidget() is view(stage)
    assert known(filled, "Note").temporary


def test_details_of_an_ability_folder_are_edited_in_the_panel(stage: Stage, filled: Moments) -> None:
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Edit details…")
    stage.do(lambda: form(stage).description.setPlainText("Count them all"))
    stage.do(form(stage).save_button.click)

    def description() -> str:
        info = known(filled, "Count words").info
        return info.description if info is not None else ""

    stage.until(lambda: description() == "Count them all")


def test_removal_asks_first_and_enter_means_no(stage: Stage, filled: Moments) -> None:
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Delete)
    banner = stage.window.panel.abilities_tab.findChildren(Banner)[0]
    assert "Find duplicates" in banner.accessibleName()
    assert "find_duplicates.py" in banner.text.text()
    focused = stage.window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Cancel"
    key(stage, Qt.Key.Key_Space)
    script = filled.action_dir / "dynamic" / "find_duplicates.py"
    assert script.exists()
    assert stage.window.focusWidget() is view(stage)
    click(stage, first_line(stage, "Find duplicates")[1])
    choose(stage, "Remove…")
    banner = next(each for each in stage.window.panel.abilities_tab.findChildren(Banner) if each.isVisible())
    stage.do(next(each for each in banner.findChildren(QPushButton) if each.text() == "Move to trash").click)
    stage.until(lambda: not script.exists())
    stage.until(lambda: toasts(stage) == ["“Find duplicates” is in the trash."])
    stage.do(stage.window.page.toasts.undo_newest)
    stage.until(script.exists)


def test_what_cannot_be_brought_back_says_why(stage: Stage, filled: Moments) -> None:
    script = filled.action_dir / "dynamic" / "find_duplicates.py"
    was = script.stat()
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Delete)
    banner = stage.window.panel.abilities_tab.findChildren(Banner)[0]
    stage.do(next(each for each in banner.findChildren(QPushButton) if each.text() == "Move to trash").click)
    stage.until(lambda: not script.exists() and stage.window.page.toasts.toasts)
    gone = find_in_trash(script, dev=was.st_dev, ino=was.st_ino)
    assert gone is not None
    gone.unlink()
    stage.do(stage.window.page.toasts.undo_newest)
    stage.until(lambda: any("is in the trash no more" in said for said in toasts(stage)))


def test_the_source_opens_in_an_editor_and_never_by_its_kind(
    stage: Stage, moments: Moments, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, told = tmp_path / "f.desktop", tmp_path / "told"
    script.write_text("[Desktop Entry]\n")
    fault = Ability("file::bad", None, AbilityFault("no", script, line=3), path=script, script=script)
    shown = (lying(ability("find_duplicates", "Find"), str(script)), fault)
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    for variable in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(variable, raising=False)
    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    stage.do(lambda: moments.deliver(AbilitiesEvent(changed=shown, removed=())))
    stage.until(lambda: "f.desktop" in titles(stage))
    click(stage, first_line(stage, "Find duplicates")[1])
    choose(stage, "Open source")
    stage.until(lambda: toasts(stage))
    assert "Nothing here could open" in toasts(stage)[0]
    (tools / "mousepad").write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    (tools / "mousepad").chmod(0o755)
    click(stage, first_line(stage, "f.desktop")[1])
    choose(stage, "Open file")
    stage.until(lambda: told.exists() and told.read_text())
    assert told.read_text() == f"--line=3 {script}\n"
    assert opened.paths == []


def test_a_source_that_is_gone_is_said(stage: Stage, filled: Moments, opened: Opened) -> None:
    one = known(filled, "Find duplicates")
    elsewhere = replace(one, path=Path("/home/user/f.py"), script=Path("/home/user/f.py"))
    stage.do(lambda: filled.deliver(AbilitiesEvent(changed=(elsewhere,), removed=())))
    stage.until(lambda: stage.window.panel.abilities_tab.known.abilities[FILE] == elsewhere)
    click(stage, first_line(stage, "Find duplicates")[1])
    choose(stage, "Open source")
    stage.until(lambda: toasts(stage))
    assert toasts(stage) == ["/home/user/f.py is not there any more."]
    assert opened.paths == []


def test_an_editor_with_a_window_is_told_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("code", "vim"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("VISUAL", "code --wait")
    file = Path("/x/a b.py")
    assert editor_command(file, 7) == [str(tmp_path / "code"), "--wait", "--goto", "/x/a b.py:7"]
    assert editor_command(file, None) == [str(tmp_path / "code"), "--wait", "/x/a b.py"]
    for other in ("vim", "kate", "", '"unclosed'):
        monkeypatch.setenv("VISUAL", other)
        monkeypatch.delenv("EDITOR", raising=False)
        assert editor_command(file, 7) == [str(tmp_path / "code"), "--goto", "/x/a b.py:7"], other
    (tmp_path / "code").unlink()
    assert editor_command(file, 7) == []
