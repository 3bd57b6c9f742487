"""The record of a run in the panel: what it shows, how it follows the run, what can be asked for there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton

from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.panel.record.page import RecordPage
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.events import ActionEvent, DecisionEvent, ResultEvent, RunEvent
from partner_desktop.domain.plan import StepStatus

from .in_actions import entries, listed_action
from .moments import Moments
from .on_card import press
from .record_samples import FIND, TELL, ZIP, child, children_of_failed, entry, failed, plan, running, step
from .run_samples import left_behind
from .samples import COUNT_SCRIPT, SORT_SCRIPT, count_action
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


class Taken(QObject):
    """Takes the place of the desktop: what would be opened is written down."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


def page(stage: Stage) -> RecordPage:
    found = stage.window.panel.actions_tab.page
    assert isinstance(found, RecordPage)
    return found


def words(stage: Stage) -> str:
    """All that can be read on the page."""
    labels = [each.text() for each in page(stage).findChildren(QLabel) if each.isVisible()]
    texts = [each.toPlainText() for each in page(stage).findChildren(QPlainTextEdit) if each.isVisible()]
    return "\n".join([*labels, *texts])


def named(stage: Stage, name: str) -> QPushButton:
    """The button that a screen reader calls so."""
    return next(
        each
        for each in page(stage).findChildren(QPushButton)
        if each.accessibleName() == name and each.isVisible()
    )


def opened(
    stage: Stage,
    moments: Moments,
    record: ActionRecord,
    *,
    size: tuple[int, int] = (1280, 800),
) -> RecordPage:
    """The page of a run, by a click on its item."""
    moments.add_action(record)
    stage.open(moments, size=size)
    stage.do(listed_action(stage, record.id).click)
    stage.settle()
    return page(stage)


def test_a_run_of_several_steps_shows_each_with_what_it_was_given_and_what_came_of_it(
    stage: Stage, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    for each in children_of_failed():
        moments.add_action(each)
    again = (entry("s2", reason="chain p1") for _ in range(2))
    moments.add_audit(entry("p1"), *again, entry("p1", kind="run", outcome="started"))
    one = opened(stage, moments, failed())
    told = words(stage)
    assert "find the duplicates in my pictures, then back them up, then tell me" in told
    assert "done · 2.0 s · 3 groups, 7 files" in told
    assert "skipped · 2.0 s · The step before it failed." in told
    assert told.count("There is no room on the disk for ~/backup/pictures.zip.") >= 2
    assert "zip: write error: No space left on device" in told, "a step that failed is open from the start"
    (log,) = [each for each in one.findChildren(QPlainTextEdit) if each.isVisible()]
    assert log.height() >= log.sizeHint().height(), "a line that is wrapped is in view whole"
    assert "~/backup/pictures.zip" in told
    assert told.count("You allowed Zip backup, once · as a step of its plan") == 1
    assert "Partner: “Show a notification” is left out: the step before it failed." in told
    assert "The pictures were not backed up." in told
    assert "began" not in told, "what the log says of the run itself stands in its facts"
    assert "Groups: 3" not in told
    fold = named(stage, "Show: Find duplicates")
    fold.setFocus()
    stage.do(lambda: QTest.keyClick(fold, Qt.Key.Key_Return))
    assert "Groups: 3\nFiles: 7\nWasted: 41 MB" in words(stage)
    press(stage, named(stage, "Copy: Archive, Zip backup"))
    assert QApplication.clipboard().text() == "/home/user/backup/pictures.zip"
    assert one.run.ids == ("p1", "s1", "s2", "s3")


def test_the_record_goes_with_the_run(stage: Stage, moments: Moments) -> None:
    one = opened(stage, moments, running())
    stage.do(lambda: moments.print("s2", "adding a.png\n"))
    stage.until(lambda: one.live.text is not None and one.live.text.toPlainText() == "adding a.png")
    stage.do(lambda: moments.print("s2", "adding b.png\n"))
    stage.until(lambda: "adding a.png\nadding b.png" in words(stage))
    fold = named(stage, "Show: Zip backup")
    fold.setFocus()
    stage.do(lambda: QTest.keyClick(fold, Qt.Key.Key_Space))
    assert stage.window.focusWidget().accessibleName() == "Fold away: Zip backup"

    done = child("p1", ZIP, ActionStatus.SUCCEEDED, stdout="2 files packed\n")
    moments.add_action(child("p1", FIND, ActionStatus.SUCCEEDED))
    moments.add_action(done)
    steps = (
        step(FIND, StepStatus.SUCCEEDED, result="3 groups, 7 files"),
        step(ZIP, StepStatus.SUCCEEDED, result="2 files packed"),
        step(TELL, StepStatus.RUNNING),
    )
    further = plan("p1", *steps, status=ActionStatus.RUNNING)
    stage.do(lambda: moments.deliver(ResultEvent(conversation_id="c1", action=done)))
    stage.do(lambda: moments.deliver(ActionEvent(conversation_id="c1", action=further)))
    assert "done · 2.0 s · 2 files packed" in words(stage)
    assert "adding a.png" not in words(stage), "what a step printed stands with the step"
    assert stage.window.focusWidget().accessibleName() == "Fold away: Zip backup"

    over = replace(further, status=ActionStatus.CANCELLED)
    moments.add_audit(entry("p1"))
    stage.do(lambda: moments.deliver(ResultEvent(conversation_id="c1", action=over)))
    stage.until(lambda: "You allowed" in words(stage))
    assert not one.live.isVisible()
    assert not one.head.cancel_button.isVisible()
    assert one.head.again_button.isVisible()


def test_what_is_decided_meanwhile_stands_there_too(stage: Stage, moments: Moments) -> None:
    opened(stage, moments, running())
    moments.add_audit(entry("s3", by_whom="grant"))
    allowed = DecisionEvent(action_id="s3", outcome="allow", scope="once", by="grant")
    stage.do(lambda: moments.deliver(allowed))
    stage.until(lambda: "Your grant allowed Show a notification" in words(stage))


def ran(stage: Stage, moments: Moments, record: ActionRecord) -> RecordPage:
    """The page of a real run that the person said yes to."""
    moments.ask(moments.partner.actions.approve(record.id))
    stage.until(lambda: moments.record(record.id).status.ended)
    stage.open(moments)
    stage.do(listed_action(stage, record.id).click)
    return page(stage)


def test_a_run_can_be_asked_for_again_and_leads_to_its_conversation(stage: Stage, moments: Moments) -> None:
    moments.add_script("count_types.py", COUNT_SCRIPT)
    record = moments.ask_to_count()
    one = ran(stage, moments, record)
    stage.do(lambda: stage.session.open(""))
    press(stage, one.head.again_button)
    stage.until(lambda: len(moments.records()) == 2)
    again = moments.records()[1]
    assert (again.key, again.params) == (record.key, record.params)
    stage.until(lambda: stage.session.outbox.place.conversation_id == "c1")
    press(stage, one.head.chat_button)
    feed = stage.window.page.feed
    stage.until(lambda: (card := feed.card(record.id)) is not None and not card.visibleRegion().isEmpty())


def test_a_run_is_ended_from_its_record(stage: Stage, moments: Moments) -> None:
    moments.add_script("sort_files.py", SORT_SCRIPT)
    record = moments.ask_for("local::sort_files", {})
    moments.ask(moments.partner.actions.approve(record.id))
    stage.open(moments)
    stage.do(listed_action(stage, record.id).click)
    press(stage, named(stage, "Cancel: Sort files"))
    stage.until(lambda: moments.record(record.id).status is ActionStatus.CANCELLED)
    stage.until(lambda: not page(stage).head.cancel_button.isVisible())


def test_changes_are_taken_back_from_the_record(stage: Stage, moments: Moments, user_home: Path) -> None:
    note = user_home / "note.txt"
    record = moments.ask_for("builtin::files::write", {"file": str(note), "text": "hello"})
    ran(stage, moments, record)
    assert note.exists()
    stage.clock.move(timedelta(seconds=1))
    press(stage, named(stage, f"Undo (1 file): {record.title}"))
    stage.until(lambda: not note.exists())
    stage.until(lambda: "1 file is as it was before" in words(stage))


def test_files_that_are_gone_cannot_be_kept_and_the_record_says_so(stage: Stage, moments: Moments) -> None:
    one = opened(stage, moments, left_behind())
    assert "report.html" in words(stage)
    undone = left_behind()
    assert undone.undo is not None
    undone = replace(undone, undo=replace(undone.undo, state=UndoState.DONE))
    stage.do(lambda: moments.show(undone))
    assert "3 files are as they were before" in words(stage)
    after = one.aftermath("a1")
    assert after is not None
    stage.do(lambda: after.action_asked.emit("keep_files", "a1"))
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    stage.do(lambda: dialog.fileSelected.emit("/tmp"))  # type: ignore[attr-defined] # Qt's own dialog
    stage.do(dialog.close)
    assert "Count types left no files, or they were removed." in words(stage)


def test_the_whole_record_is_copied_as_text(stage: Stage, moments: Moments) -> None:
    for each in children_of_failed():
        moments.add_action(each)
    moments.add_audit(entry("p1"))
    one = opened(stage, moments, failed())
    press(stage, one.head.copy_button)
    copied = QApplication.clipboard().text().splitlines()
    assert copied[0] == "Find duplicates → Zip backup → Show a notification"
    assert "1. Find duplicates · done · 2.0 s · 3 groups, 7 files" in copied
    assert "     Folder: /home/user/Pictures" in copied, "paths are whole"
    assert "     | Wasted: 41 MB" in copied
    assert any("You allowed" in line for line in copied)


def test_a_very_long_output_is_there_whole_and_does_not_grow_the_page(
    stage: Stage, moments: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/user")
    long = "".join(f"line {number}\n" for number in range(10_000))
    record = count_action(
        status=ActionStatus.SUCCEEDED, stdout=long, truncated=True, stdout_path="/home/user/out.txt"
    )
    opened(stage, moments, record)
    (view,) = [each for each in page(stage).findChildren(QPlainTextEdit) if each.isVisible()]
    assert view.isReadOnly()
    assert view.document().blockCount() == 10_000
    assert view.height() < 400
    assert named(stage, "Whole output: Count types").toolTip() == "~/out.txt"
    press(stage, named(stage, "Copy: Output, Count types"))
    assert QApplication.clipboard().text() == long


def test_the_whole_output_is_shown_here_and_not_handed_to_the_desktop(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    taken = Taken()
    QDesktopServices.setUrlHandler("file", taken, "take")  # type: ignore[arg-type] # the stub says bytes
    read = user_home / "minutes.desktop"
    read.write_text("[Desktop Entry]\nExec=sh -c 'the rest of it'\n")
    record = count_action(
        status=ActionStatus.SUCCEEDED, stdout="[Desktop", truncated=True, stdout_path=str(read)
    )
    opened(stage, moments, record)
    press(stage, named(stage, "Whole output: Count types"))
    views = [each.toPlainText() for each in page(stage).findChildren(QPlainTextEdit)]
    assert any("the rest of it" in text for text in views)
    assert taken.urls == []
    QDesktopServices.unsetUrlHandler("file")


def test_enter_opens_a_record_and_escape_leads_back_to_its_item(stage: Stage, moments: Moments) -> None:
    record = count_action(status=ActionStatus.FAILED, error="No such folder.")
    moments.add_action(record)
    stage.open(moments, size=(900, 600))
    stage.do(lambda: stage.window.show_tab(0))
    listed = stage.window.panel.actions_tab.list
    stage.do(lambda: stage.window.panel.actions_tab.point_at("action/a1"))
    stage.do(lambda: QTest.keyClick(listed, Qt.Key.Key_Return))
    assert "No such folder." in words(stage)
    one = page(stage)
    assert one.width() <= stage.window.panel.width()
    assert one.accessibleName() == "Count types"
    stage.do(lambda: QTest.keyClick(one, Qt.Key.Key_Escape))
    assert stage.window.panel.actions_tab.page is None
    assert listed.hasFocus()
    assert listed.marked == "action/a1"


def test_a_run_that_waits_leads_to_its_card_and_not_to_a_record(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.propose(plan()))
    item = entries(stage, "waiting")[0]
    stage.do(item.click)
    assert stage.window.panel.actions_tab.page is None


def test_the_record_of_a_deleted_conversation_closes(stage: Stage, moments: Moments) -> None:
    opened(stage, moments, failed())
    moments.ask(moments.partner.conversations.delete("c1"))
    stage.until(lambda: stage.window.panel.actions_tab.page is None)


def test_the_record_speaks_the_persons_language_and_follows_the_theme(
    stage: Stage, moments: Moments, language: Language
) -> None:
    for each in children_of_failed():
        moments.add_action(each)
    opened(stage, moments, failed())
    again = "再次运行: Find duplicates → Zip backup → Show a notification"
    stage.do(partial(language.choose, LanguageChoice.CHINESE))
    # The panel is said in steps, after what is in view of the chat.
    stage.until(lambda: again in [each.accessibleName() for each in page(stage).findChildren(QPushButton)])
    assert "步骤" in words(stage)
    assert "失败 · 2.0 秒 · There is no room" in words(stage)
    named(stage, again)
    stage.do(partial(language.choose, LanguageChoice.ENGLISH))
    stage.theme.restore(ThemeChoice.DARK, 1.4)
    stage.settle()
    assert page(stage).width() <= stage.window.panel.width()
    stage.theme.restore(ThemeChoice.LIGHT, 1.0)


def test_a_step_that_begins_shows_in_the_open_record(stage: Stage, moments: Moments) -> None:
    opened(stage, moments, running())
    begun = child("p1", TELL, ActionStatus.RUNNING)
    stage.do(lambda: moments.deliver(RunEvent(conversation_id="c1", action=begun)))
    stage.do(lambda: moments.print("s3", "telling\n"))
    assert "telling" in words(stage)


def test_every_button_of_a_record_has_a_name_of_its_own(stage: Stage, moments: Moments) -> None:
    for each in children_of_failed():
        moments.add_action(each)
    one = opened(stage, moments, failed())
    for title in ("Find duplicates", "Show a notification"):
        stage.do(named(stage, f"Show: {title}").click)
    names = [each.accessibleName() for each in one.findChildren(QPushButton) if each.isVisible()]
    assert len(names) > 8
    assert all(names)
    assert len(set(names)) == len(names), sorted(names)
