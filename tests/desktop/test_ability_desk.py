"""Abilities in the panel: their menus, switches, filter, forms and questions, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QContextMenuEvent, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from partner_desktop.desktop.opener import editor_command
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.draft_form import DraftForm
from partner_desktop.desktop.wording import told
from partner_desktop.domain.ability import Ability, AbilityDraft, AbilityFault
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import Route

from .fake_partner import SHOUT, FakePartner
from .in_panel import (
    choose,
    click,
    first_line,
    go_to,
    index_of,
    key,
    menu_words,
    show_abilities,
    titles,
    view,
)
from .samples import ability, broken_ability, lying
from .stage import Stage

#: Real windows, processes and folders: for the whole gate.
pytestmark = pytest.mark.integration

TMP = lying(ability("note.sh", "Append a line to the notes", route=Route.ORIGIN), "/home/user/a/tmp/note.sh")
FILE = lying(ability("find_duplicates", "Find files with the same content"), "/home/user/a/dynamic/f.py")
FOLDER = lying(
    ability("count_words", "Count words in a text"), "/home/user/a/dynamic/count_words", script="run.py"
)
BUILTIN = ability("open", "Open a file or link", route=Route.BUILTIN)
BROKEN = replace(broken_ability(), path=Path("/home/user/partner/action/dynamic/weather.py"))


@pytest.fixture
def filled(stage: Stage, partner: FakePartner) -> FakePartner:
    """A window with one ability of each kind in view."""
    partner.known_abilities = [TMP, FILE, FOLDER, BUILTIN, BROKEN]
    stage.open(partner)
    show_abilities(stage, count=9)
    return partner


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


def form(stage: Stage) -> DraftForm:
    found = stage.window.panel.abilities_tab.form
    assert isinstance(found, DraftForm)
    return found


def toasts(stage: Stage) -> list[str]:
    return [told(toast.notice.text) for toast in stage.window.page.toasts.toasts]


@pytest.mark.usefixtures("filled")
def test_abilities_stand_in_sections_by_where_they_come_from(stage: Stage) -> None:
    assert titles(stage) == [
        *("Needs attention", "weather.py"),
        *("Yours", "Count words", "Find duplicates"),
        *("Temporary", "Note"),
        *("Built in", "Open"),
    ]


EXAMPLE = "Put an example in the composer"
LYING = ("Open source", "Show folder", "Remove…")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Note", ["Run…", EXAMPLE, "Details", "Keep…", "Turn off", *LYING]),
        ("Count words", ["Run…", EXAMPLE, "Details", "Turn off", "Edit details…", *LYING]),
        ("Find duplicates", ["Run…", EXAMPLE, "Details", "Turn off", *LYING]),
        ("Open", ["Run…", EXAMPLE, "Details", "Turn off"]),
        ("weather.py", ["Open file", "Copy the reason", "Show folder", "Remove…"]),
    ],
)
def test_the_dots_show_what_can_be_done_and_nothing_else(stage: Stage, title: str, words: list[str]) -> None:
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
    go_to(stage, "Open")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, place)
    stage.do(lambda: QApplication.sendEvent(view(stage), event))
    assert "Remove…" not in menu_words(stage), "it is the menu of the current row"
    choose(stage, "Turn off")


def test_the_switch_turns_an_ability_off_and_says_so(stage: Stage, filled: FakePartner) -> None:
    click(stage, first_line(stage, "Find duplicates")[0])
    assert filled.asked == [("switch", "local::find_duplicates", False)]
    assert toasts(stage) == ["“Find duplicates” is off: it is neither found nor run."]
    assert stage.window.page.composer.text == "", "a click on the switch chooses nothing"


def test_space_turns_an_ability_off_and_on_again(stage: Stage, filled: FakePartner) -> None:
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Space)
    off = replace(FILE, off=True)
    stage.do(lambda: filled.deliver(AbilitiesEvent(changed=(off,), removed=())))
    stage.until(lambda: view(stage).rows.rows[4].tag == "off")
    spoken = view(stage).rows.data(
        index_of(stage, "Find duplicates"), int(Qt.ItemDataRole.AccessibleTextRole)
    )
    assert "off" in spoken
    key(stage, Qt.Key.Key_Space)
    assert filled.asked == [("switch", FILE.key, False), ("switch", FILE.key, True)]


def test_what_is_off_is_suggested_nowhere(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = [replace(FILE, off=True), BUILTIN]
    window = stage.open(partner)
    show_abilities(stage, count=4)
    click(stage, view(stage).visualRect(index_of(stage, "Find duplicates")).center())
    assert window.page.composer.text == ""
    assert "1 ability" in window.sidebar.status.words
    click(stage, first_line(stage, "Find duplicates")[1])
    assert menu_words(stage) == ["Details", "Turn on", "Open source", "Show folder", "Remove…"]


@pytest.mark.usefixtures("filled")
def test_letters_typed_in_the_list_filter_it_and_esc_shows_all(stage: Stage) -> None:
    tab = stage.window.panel.abilities_tab
    go_to(stage, "Open")
    stage.do(lambda: QTest.keyClick(view(stage), Qt.Key.Key_W))
    assert stage.window.focusWidget() is tab.filter
    stage.do(lambda: QTest.keyClicks(tab.filter, "ords"))
    assert titles(stage) == ["Yours", "Count words"]
    key(stage, Qt.Key.Key_Down)
    assert view(stage).currentIndex() == index_of(stage, "Count words")
    stage.do(tab.filter.setFocus)
    key(stage, Qt.Key.Key_Escape)
    assert len(titles(stage)) == 9


@pytest.mark.usefixtures("filled")
def test_a_filter_that_nothing_fits_says_so_and_leads_back(stage: Stage) -> None:
    tab = stage.window.panel.abilities_tab
    stage.do(lambda: tab.filter.setText("zebra"))
    shown = [each for each in tab.findChildren(QPushButton) if each.isVisible() and each.text() == "Show all"]
    assert len(shown) == 1
    stage.do(shown[0].click)
    assert len(titles(stage)) == 9
    assert view(stage).isVisible()


def test_run_offers_the_card_in_the_open_conversation(stage: Stage, filled: FakePartner) -> None:
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Run…")
    assert filled.asked == [("offer", "local::count_words", "c1", "Run Count words")]


def test_run_in_a_new_chat_begins_a_conversation(stage: Stage, filled: FakePartner) -> None:
    stage.do(lambda: stage.session.open(""))
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Run…")
    assert filled.asked == [("offer", "local::count_words", "c2", "Run Count words")]
    assert stage.session.outbox.place.conversation_id == "c2"


def test_keep_opens_a_form_and_sends_what_stands_in_it(stage: Stage, filled: FakePartner) -> None:
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    assert stage.window.focusWidget() is form(stage).name
    stage.do(lambda: QTest.keyClicks(form(stage).name, "louder"))
    stage.do(lambda: form(stage).aliases.setPlainText("make it loud\n\n大声\n"))
    stage.do(lambda: form(stage).params["text"].setText("the words"))
    key(stage, Qt.Key.Key_Return)
    wanted = AbilityDraft(
        "louder",
        description="Shout a text",
        aliases=("make it loud", "大声"),
        params={"text": "the words"},
    )
    assert filled.asked == [("persist", "origin::note.sh", wanted)]
    assert toasts(stage) == ["“louder” is kept. It asks again before it runs."]
    assert stage.window.panel.abilities_tab.form is None
    assert view(stage).isVisible()


def test_a_name_that_was_taken_is_told(stage: Stage, filled: FakePartner) -> None:
    filled.taken = ("shout",)
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    stage.do(form(stage).save_button.click)
    assert toasts(stage) == ["“shout” was taken, so it is kept as “shout_2”. It asks again before it runs."]


def test_what_cannot_be_kept_is_said_in_the_form_which_stays(stage: Stage, filled: FakePartner) -> None:
    filled.manage_error = "“a/b” cannot be a name."
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    stage.do(lambda: form(stage).name.setText("a/b"))
    stage.do(form(stage).save_button.click)
    assert "cannot be a name" in " ".join(label.text() for label in form(stage).findChildren(QLabel))
    assert form(stage).name.text() == "a/b"
    assert form(stage).save_button.isEnabled()


def test_what_is_wrong_with_a_name_stands_under_it_until_it_is_changed(
    stage: Stage, filled: FakePartner
) -> None:
    filled.manage_error = "“a/b” cannot be a name."
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    name = form(stage).name
    stage.do(lambda: name.setText("a/b"))
    stage.do(form(stage).save_button.click)
    said = next(label for label in form(stage).findChildren(QLabel) if "cannot be" in label.text())
    stage.settle()
    assert said.isVisible()
    assert name.geometry().bottom() < said.y() < form(stage).heading.y()
    assert name.property("problem") == "true"
    assert stage.window.focusWidget() is name
    key(stage, Qt.Key.Key_C)
    assert not said.isVisible()
    assert name.property("problem") == "false"


def test_esc_closes_the_form_and_leads_back_to_the_list(stage: Stage, filled: FakePartner) -> None:
    go_to(stage, "Note")
    click(stage, first_line(stage, "Note")[1])
    choose(stage, "Keep…")
    key(stage, Qt.Key.Key_Escape)
    assert stage.window.panel.abilities_tab.form is None
    assert stage.window.focusWidget() is view(stage)
    assert filled.asked == []


def test_details_of_an_ability_folder_are_edited_in_the_panel(stage: Stage, filled: FakePartner) -> None:
    click(stage, first_line(stage, "Count words")[1])
    choose(stage, "Edit details…")
    stage.do(lambda: form(stage).description.setPlainText("Count them all"))
    stage.do(form(stage).save_button.click)
    assert filled.asked == [("describe", FOLDER.key, replace(SHOUT, description="Count them all"))]


def test_removal_asks_first_and_enter_means_no(stage: Stage, filled: FakePartner) -> None:
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Delete)
    banner = stage.window.panel.abilities_tab.findChildren(Banner)[0]
    assert "Find duplicates" in banner.accessibleName()
    assert "f.py" in banner.text.text()
    focused = stage.window.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.text() == "Cancel"
    key(stage, Qt.Key.Key_Space)
    assert filled.asked == []
    assert stage.window.focusWidget() is view(stage)
    click(stage, first_line(stage, "Find duplicates")[1])
    choose(stage, "Remove…")
    banner = next(each for each in stage.window.panel.abilities_tab.findChildren(Banner) if each.isVisible())
    stage.do(next(each for each in banner.findChildren(QPushButton) if each.text() == "Move to trash").click)
    assert filled.asked == [("remove", FILE.key)]
    assert toasts(stage) == ["“Find duplicates” is in the trash."]
    stage.do(stage.window.page.toasts.undo_newest)
    assert filled.asked[1:] == [("restore_ability", FILE.key)]


def test_what_cannot_be_brought_back_says_why(stage: Stage, filled: FakePartner) -> None:
    filled.restore_error = "It is in the trash no more."
    go_to(stage, "Find duplicates")
    key(stage, Qt.Key.Key_Delete)
    banner = stage.window.panel.abilities_tab.findChildren(Banner)[0]
    stage.do(next(each for each in banner.findChildren(QPushButton) if each.text() == "Move to trash").click)
    stage.do(stage.window.page.toasts.undo_newest)
    assert "It is in the trash no more." in toasts(stage)


def test_the_source_opens_in_an_editor_and_never_by_its_kind(
    stage: Stage, partner: FakePartner, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, told = tmp_path / "f.desktop", tmp_path / "told"
    script.write_text("[Desktop Entry]\n")
    fault = Ability("file::bad", None, AbilityFault("no", script, line=3), path=script, script=script)
    partner.known_abilities = [lying(ability("find_duplicates", "Find"), str(script)), fault]
    tools = tmp_path / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", str(tools))
    for variable in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(variable, raising=False)
    stage.open(partner)
    show_abilities(stage, count=4)
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


@pytest.mark.usefixtures("filled")
def test_a_source_that_is_gone_is_said(stage: Stage, opened: Opened) -> None:
    click(stage, first_line(stage, "Find duplicates")[1])
    choose(stage, "Open source")
    stage.until(lambda: toasts(stage))
    assert toasts(stage) == ["/home/user/a/dynamic/f.py is not there any more."]
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
