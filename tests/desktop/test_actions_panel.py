"""The Actions panel: its parts, looking for one, and commands in the background."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from partner_desktop.desktop.panel.actions.actions_tab import ActionsTab
from partner_desktop.desktop.panel.actions.session_page import SessionPage
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.command_session import CommandSession, SessionState
from partner_desktop.domain.events import ActionEvent, ProgressEvent, RunEvent, SessionEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.plan import StepStatus

from .chain_samples import chain_action, chain_of, with_steps
from .chain_samples import running as in_chain
from .in_actions import entries
from .moments import Moments
from .record_samples import FIND, TELL, ZIP, child, failed, plan, running, step
from .run_samples import command
from .samples import NOON, SORT_SCRIPT, count_action
from .stage import Stage

pytestmark = pytest.mark.integration

SERVES = """
import pathlib, sys, time
print("serving")
while not pathlib.Path("go").exists():
    time.sleep(0.02)
print("x" * 40_000 + "\\nmore")
print("careful", file=sys.stderr)
time.sleep(600)
"""


def tab(stage: Stage) -> ActionsTab:
    return stage.window.panel.actions_tab


def titles(stage: Stage) -> list[str]:
    """What can be seen, from the top down."""
    parts = ("waiting", "running", "done", "failed")
    return [item.record.title for part in parts for item in entries(stage, part)]


def page(stage: Stage) -> SessionPage:
    found = tab(stage).page
    assert isinstance(found, SessionPage)
    return found


def started(stage: Stage, moments: Moments, code: str, cwd: Path) -> str:
    """The id of a real command in the background."""
    argv: list[Json] = [sys.executable, "-u", "-c", code]
    record = moments.ask_for("builtin::command::start", {"argv": argv, "cwd": str(cwd)})
    moments.ask(moments.partner.actions.approve(record.id))
    stage.until(moments.partner.commands.list)
    (session,) = moments.partner.commands.list()
    stage.until(lambda: entries(stage, "background"))
    return session.id


def opened(stage: Stage, moments: Moments, cwd: Path) -> SessionPage:
    """The page of a command that has printed, and goes on once `go` is in its folder."""
    stage.open(moments)
    started(stage, moments, SERVES, cwd)
    stage.do(entries(stage, "background")[0].click)
    stage.until(lambda: page(stage).view.toPlainText() == "serving")
    return page(stage)


def test_what_failed_stands_apart_from_what_is_done(stage: Stage, moments: Moments) -> None:
    for number, status in enumerate(ActionStatus):
        action_id = f"a{number}"
        moments.add_action(count_action(action_id, status=status, title=status.value))
    stage.open(moments)
    assert {item.record.title for item in entries(stage, "failed")} == {"failed", "interrupted"}
    assert {item.record.title for item in entries(stage, "waiting")} == {"asking", "waiting"}
    assert {item.record.title for item in entries(stage, "done")} == {
        *("succeeded", "rejected", "cancelled", "expired")
    }


def test_more_than_a_handful_can_be_searched_by_title_key_and_words(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    assert tab(stage).search is None
    for number, (title, key, asked) in enumerate(
        (
            ("Zip notes", "local::zip", "pack my notes"),
            ("Resize", "local::photos", "make them smaller"),
            *(("Other", "local::other", "something else") for _ in range(5)),
        )
    ):
        moments.add_action(count_action(f"a{number}", title=title, key=key, request_text=asked))
        stage.do(lambda number=number: moments.change(f"a{number}", ActionStatus.SUCCEEDED))  # type: ignore[misc] # bound early
    search = tab(stage).search
    assert search is not None
    for wanted in ("RESIZE", "photos", "smaller them"):
        stage.do(lambda wanted=wanted: search.setText(wanted))  # type: ignore[misc] # bound early
        assert titles(stage) == ["Resize"], wanted
    moments.add_action(count_action("a9", title="Late"))
    stage.do(lambda: moments.change("a9", ActionStatus.FAILED))
    assert titles(stage) == ["Resize"], "what comes meanwhile is looked at too"
    stage.do(lambda: search.setText("nowhere"))
    assert titles(stage) == []
    search.setFocus()
    stage.do(lambda: QTest.keyClick(search, Qt.Key.Key_Escape))
    assert len(titles(stage)) == 8


def test_a_command_in_the_background_is_listed_until_it_is_gone(stage: Stage, moments: Moments) -> None:
    def show(session: CommandSession, *, gone: bool = False) -> None:
        stage.do(lambda: moments.deliver(SessionEvent(conversation_id="c1", session=session, gone=gone)))

    stage.open(moments)
    show(command("s0", description="", argv=("sleep", "a b"), state=SessionState.LOST))
    show(command())
    names = [item.words for item in entries(stage, "background")]
    assert names[0].startswith("sleep 'a b', interrupted") or names[1].startswith("sleep 'a b', interrupted")
    item = next(each for each in entries(stage, "background") if each.session.id == "s1")
    assert "running" in item.words
    assert "nothing printed" in item.words
    over = replace(
        command(), state=SessionState.FAILED, exit_code=2, stdout_bytes=2_000, ended_at=NOON, error="No."
    )
    show(over)
    assert "exit code 2" in item.words
    assert "2.0 KB" in item.words
    assert item.row.link is None
    show(over, gone=True)
    assert [each.session.id for each in entries(stage, "background")] == ["s0"]


def test_a_command_is_ended_from_the_list(stage: Stage, moments: Moments, user_home: Path) -> None:
    stage.open(moments)
    started(stage, moments, SERVES, user_home)
    (item,) = entries(stage, "background")
    stage.do(item.press_cancel)
    stage.until(lambda: moments.partner.commands.list()[0].state is SessionState.CANCELLED)


def test_its_page_follows_what_it_prints_and_reads_its_log(
    stage: Stage, moments: Moments, user_home: Path
) -> None:
    one = opened(stage, moments, user_home)
    (user_home / "go").touch()
    stage.until(lambda: one.view.toPlainText().endswith("\nmore"))
    stage.do(one.stream_buttons["stderr"].click)
    stage.until(lambda: one.view.toPlainText() == "careful")
    stage.do(one.copy_button.click)
    assert QApplication.clipboard().text() == "careful"
    stage.do(one.cancel_button.click)
    stage.until(lambda: moments.partner.commands.list()[0].state is SessionState.CANCELLED)
    stage.until(one.cancel_button.isHidden)
    stage.do(one.back_button.click)
    assert tab(stage).page is None
    assert tab(stage).list.isVisible()


def test_a_page_begins_near_the_end_of_a_long_output(stage: Stage, moments: Moments, user_home: Path) -> None:
    stage.open(moments)
    code = "for number in range(20_000): print(f'line {number:06}')"
    started(stage, moments, code, user_home)
    stage.until(lambda: moments.partner.commands.list()[0].state is not SessionState.RUNNING)
    stage.until(lambda: "240 KB" in entries(stage, "background")[0].words)
    stage.do(entries(stage, "background")[0].click)
    stage.until(lambda: page(stage).view.toPlainText().endswith("line 019999"))
    assert "174 KB are not shown" in " ".join(
        each.text() for each in page(stage).findChildren(QLabel) if each.isVisible()
    )


def test_what_cannot_be_ended_says_so_on_its_page(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    event = SessionEvent(conversation_id="c1", session=command())
    stage.do(lambda: moments.deliver(event))
    stage.do(entries(stage, "background")[0].click)
    one = page(stage)
    stage.do(one.cancel_button.click)
    assert one.cancel_button.isEnabled()
    assert any("s1" in each.text() for each in one.findChildren(QLabel)), "there is no such command"


def test_a_plan_is_one_item_that_says_how_far_it_is(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.propose(plan(waits_until=stage.clock.now() + timedelta(minutes=28))))
    (item,) = entries(stage, "waiting")
    title = "Find duplicates → Zip backup → Show a notification"
    assert item.words == f"{title}, writes 1 file, 3 steps · expires in 28 min"
    moments.keep(running())
    stage.do(lambda: moments.change("p1", ActionStatus.RUNNING))
    zipping = child("p1", ZIP, ActionStatus.RUNNING)
    stage.do(lambda: moments.deliver(RunEvent(conversation_id="c1", action=zipping)))
    assert [each.record.id for each in entries(stage, "running")] == ["p1"]
    assert item.words == f"{title}, running, step 2 of 3 · Zip backup"
    stage.do(
        lambda: moments.deliver(ProgressEvent(conversation_id="c1", action_id="s2", progress=1, total=2))
    )
    assert item.words == f"{title}, running, step 2 of 3 · Zip backup · 1 of 2"
    stage.do(lambda: moments.print("s2", "adding a.png\n"))
    live = item.live
    assert live is not None
    assert live.toPlainText() == "adding a.png"
    assert item.row.link is not None


def test_a_plan_that_waits_says_the_risk_of_its_card(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.propose(chain_action()))
    (item,) = entries(stage, "waiting")
    card = stage.window.page.feed.card("a1")
    assert card is not None
    assert card.head.risk.text() == "writes 1 folder"
    assert ", writes 1 folder, " in item.words
    parts = tab(stage).list.parts_of(item.key)
    assert parts.tag.y() > parts.title.bottom(), "the title has its line for itself"


def test_what_the_step_before_printed_stays_until_the_next_prints_or_asks(
    stage: Stage, moments: Moments
) -> None:
    record = in_chain()
    moments.add_action(record)
    stage.open(moments)
    stage.do(lambda: moments.deliver(RunEvent(conversation_id="c1", action=record)))
    (item,) = entries(stage, "running")
    stage.do(lambda: item.sheet.run.show_output("stdout", "first\n"))
    assert item.live is not None
    second, third = chain_of(record).steps[1:]
    gone_on = with_steps(
        record,
        replace(second, status=StepStatus.SUCCEEDED),
        replace(third, status=StepStatus.RUNNING),
    )
    stage.do(lambda: moments.deliver(ActionEvent(conversation_id="c1", action=gone_on)))
    assert item.live.toPlainText() == "first"
    stage.do(lambda: item.sheet.run.show_output("stdout", "second\n"))
    assert item.live.toPlainText() == "second"
    asks = with_steps(gone_on, replace(third, status=StepStatus.WAITING))
    stage.do(lambda: moments.deliver(ActionEvent(conversation_id="c1", action=asks)))
    assert item.live is None


def test_a_step_that_waits_for_the_person_stands_with_what_waits_until_it_goes_on(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    asks = child("p1", ZIP, ActionStatus.WAITING, waits_until=stage.clock.now() + timedelta(minutes=3))
    steps = (step(FIND, StepStatus.SUCCEEDED), step(ZIP, StepStatus.WAITING), TELL)
    waits = plan("p1", *steps, status=ActionStatus.RUNNING)
    moments.add_action(waits)
    stage.do(lambda: moments.propose(asks))
    stage.do(lambda: moments.deliver(ActionEvent(conversation_id="c1", action=waits)))
    (item,) = entries(stage, "waiting")
    assert item.record.id == "s2"
    assert "expires in 3 min · step of Find duplicates → Zip backup" in item.words
    assert "step 2 of 3 · waits for you" in entries(stage, "running")[0].words
    goes_on = replace(asks, status=ActionStatus.RUNNING)
    stage.do(lambda: moments.deliver(RunEvent(conversation_id="c1", action=goes_on)))
    assert entries(stage, "waiting") == []
    assert [each.record.id for each in entries(stage, "running")] == ["p1"]


def test_a_plan_is_found_by_the_names_words_and_results_of_its_steps(stage: Stage, moments: Moments) -> None:
    for number in range(7):
        moments.add_action(count_action(f"a{number}", status=ActionStatus.SUCCEEDED))
    many = failed()
    moments.add_action(replace(many, title="Find duplicates and 2 more steps"))
    printed = count_action("a9", title="Said", status=ActionStatus.SUCCEEDED, stdout="marmalade\n")
    moments.add_action(printed)
    stage.open(moments)
    search = tab(stage).search
    assert search is not None
    for wanted in ("show a NOTIFICATION", "pictures.zip", "7 files", "then tell me"):
        stage.do(lambda wanted=wanted: search.setText(wanted))  # type: ignore[misc] # bound early
        assert titles(stage) == ["Find duplicates and 2 more steps"], wanted
    stage.do(lambda: search.setText("marmalade"))
    assert titles(stage) == ["Said"]


def test_how_long_something_waits_is_said_anew_while_it_waits(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.propose(plan(waits_until=stage.clock.now() + timedelta(minutes=28))))
    (item,) = entries(stage, "waiting")
    stage.clock.move(timedelta(minutes=27, seconds=30))
    (timer,) = [
        each for each in tab(stage).findChildren(QTimer) if each.isActive() and not each.isSingleShot()
    ]
    stage.do(timer.timeout.emit)
    assert item.words.endswith("expires in 1 min")
    stage.do(lambda: moments.change("p1", ActionStatus.EXPIRED))
    stage.do(timer.timeout.emit)
    assert not timer.isActive(), "nothing waits, so nobody looks"


def test_what_a_run_printed_is_there_again_after_something_else_was_looked_for(
    stage: Stage, moments: Moments
) -> None:
    for number in range(7):
        moments.add_action(count_action(f"b{number}", status=ActionStatus.SUCCEEDED))
    moments.add_script("sort_files.py", SORT_SCRIPT)
    record = moments.ask_for("local::sort_files", {})
    moments.ask(moments.partner.actions.approve(record.id))
    stage.open(moments)
    stage.until(lambda: entries(stage, "running"))
    (item,) = entries(stage, "running")
    stage.until(lambda: item.live is not None and item.live.toPlainText().startswith("reading"))
    search = tab(stage).search
    assert search is not None
    stage.do(lambda: search.setText("nowhere"))
    assert entries(stage, "running") == []
    stage.do(search.clear)
    stage.until(lambda: item.live is not None and item.live.toPlainText().startswith("reading"))
