"""Quick ask: a small window for one question, its answer below, and the way into the large one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.quick.quick_controller import QuickController
from partner_desktop.desktop.quick.quick_window import QuickWindow
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.window_request import WindowRequest

from .moments import Moments
from .stage import Stage, rounds

pytestmark = [pytest.mark.integration, pytest.mark.qt_log_ignore("does not support raise", extend=True)]


@pytest.fixture
def quick(stage: Stage, moments: Moments) -> QuickController:
    """Asked for from outside, as a second start does; the large window is not in front of it."""
    moments.mind = None  # the starter mind
    stage.open(moments)
    stage.do(lambda: stage.session.show_request(WindowRequest(quick=True)))
    return stage.session.quick


def in_front(stage: Stage, view: QuickWindow, act: Callable[[], object]) -> None:
    """Act while the small window has the keyboard; the stage gives it to the large one."""

    async def acting() -> None:
        view.activateWindow()
        await rounds()
        act()
        await rounds()

    stage.run(acting())


def ask(stage: Stage, view: QuickWindow, text: str) -> None:
    stage.do(lambda: (QTest.keyClicks(view.line, text), QTest.keyClick(view.line, Qt.Key.Key_Return)))


def ask_at_once(stage: Stage, view: QuickWindow, *texts: str) -> None:
    def act() -> None:
        for text in texts:
            view.asked.emit(text)

    stage.do(act)


def answered(stage: Stage, view: QuickWindow) -> str:
    stage.until(lambda: view.replies and all(reply.whole for reply in view.replies.values()))
    stage.until(lambda: not stage.session.store.turns.values())
    return "\n".join(reply.text for reply in view.replies.values())


@pytest.mark.promise("desktop.quickask")
def test_a_question_is_asked_and_answered_below_it(
    stage: Stage, quick: QuickController, moments: Moments
) -> None:
    view = quick.view
    assert view.isVisible()
    assert view.line.hasFocus()
    ask(stage, view, "thanks a lot")
    assert answered(stage, view)
    assert view.answer.isVisible()
    assert not view.line.text()
    said = moments.messages(quick.conversation_id)
    assert [role for role, _ in said] == ["user", "partner"]
    assert said[1][1] == "\n".join(reply.text for reply in view.replies.values())


def test_what_is_asked_next_goes_on_in_the_same_conversation(stage: Stage, quick: QuickController) -> None:
    ask(stage, quick.view, "thanks a lot")
    answered(stage, quick.view)
    first = quick.conversation_id
    ask(stage, quick.view, "thank you")
    assert len(quick.view.replies) <= 1, "the answer before is gone from view"
    answered(stage, quick.view)
    assert quick.conversation_id == first


def test_esc_puts_it_away_and_the_next_time_it_begins_anew(stage: Stage, quick: QuickController) -> None:
    view = quick.view
    ask(stage, view, "thanks a lot")
    answered(stage, view)
    stage.do(lambda: QTest.keyClicks(view.line, "half a th"))
    stage.until(lambda: not quick.runs)
    in_front(stage, view, lambda: QTest.keyClick(view.line, Qt.Key.Key_Escape))
    assert not view.isVisible()
    stage.do(quick.open)
    assert (quick.conversation_id, view.replies, view.answer.isVisible()) == ("", {}, False)
    assert view.line.text() == "half a th", "what was typed is not lost"


def test_an_answer_that_came_while_it_was_away_is_there_the_next_time(
    stage: Stage, quick: QuickController
) -> None:
    ask(stage, quick.view, "thanks a lot")
    place = quick.conversation_id
    stage.do(quick.view.close)
    stage.until(lambda: quick.view.replies and not quick.runs)
    stage.do(quick.open)
    assert quick.conversation_id == place
    assert answered(stage, quick.view)


def test_enter_on_an_empty_line_shows_the_conversation_in_the_window(
    stage: Stage, quick: QuickController
) -> None:
    ask(stage, quick.view, "thanks a lot")
    answered(stage, quick.view)
    stage.do(lambda: QTest.keyClick(quick.view.line, Qt.Key.Key_Return))
    assert not quick.view.isVisible()
    assert stage.session.places.conversation_id == quick.conversation_id


def test_what_needs_a_yes_says_so_and_is_never_decided_here(
    stage: Stage, quick: QuickController, tmp_path: Path
) -> None:
    victim = tmp_path / "old.txt"
    victim.write_text("x", encoding="utf-8")
    ask(stage, quick.view, f"move {victim} to the trash")
    stage.until(lambda: "your yes" in quick.view.status.text())
    assert victim.exists()
    stage.do(lambda: QTest.keyClick(quick.view.line, Qt.Key.Key_Return))
    stage.until(lambda: list(stage.window.page.feed.cards))
    assert victim.exists()


def test_pressed_again_it_goes(stage: Stage, quick: QuickController) -> None:
    in_front(stage, quick.view, quick.toggle)
    assert not quick.view.isVisible()
    stage.do(quick.toggle)
    assert quick.view.isVisible()


def test_before_partner_is_there_the_question_waits(stage: Stage, moments: Moments) -> None:
    moments.mind = None
    stage.open()
    stage.do(stage.window.quick_wanted.emit)
    quick = stage.session.quick
    ask(stage, quick.view, "thanks a lot")
    assert "starting" in quick.view.status.text()
    stage.attach(moments)
    assert answered(stage, quick.view)


def test_two_questions_at_once_are_asked_in_one_conversation(
    stage: Stage, quick: QuickController, moments: Moments
) -> None:
    view = quick.view
    ask_at_once(stage, view, "thanks a lot", "thank you")
    stage.until(lambda: quick.conversation_id and not quick.runs)
    said = [text for role, text in moments.messages(quick.conversation_id) if role == "user"]
    assert said == ["thanks a lot", "thank you"]


def test_what_was_answered_in_view_is_new_to_nobody(stage: Stage, quick: QuickController) -> None:
    ask(stage, quick.view, "thanks a lot")
    answered(stage, quick.view)
    known = stage.session.store.conversations
    stage.until(lambda: not quick.runs)
    stage.until(lambda: [one for one in known.those([quick.conversation_id]) if one.unread == 0])


def test_a_conversation_that_is_deleted_lets_the_next_question_begin_another(
    stage: Stage, quick: QuickController, moments: Moments
) -> None:
    ask(stage, quick.view, "thanks a lot")
    answered(stage, quick.view)
    stage.until(lambda: not quick.runs)
    first = quick.conversation_id
    stage.run(moments.partner.conversations.delete(first))
    stage.until(lambda: not quick.conversation_id)
    ask(stage, quick.view, "thank you")
    answered(stage, quick.view)
    assert quick.conversation_id not in ("", first)


@pytest.mark.logs_errors
def test_where_partner_cannot_start_what_was_asked_is_given_back_and_the_window_says_why(
    stage: Stage, moments: Moments
) -> None:
    moments.write("PRAGMA user_version = 4711")
    window = MainWindow(stage.theme)
    going = asyncio.Event()

    async def build() -> Partner:
        await going.wait()
        return await moments.build()

    life = stage.start(Lifecycle(window, build, request=WindowRequest(quick=True)).run())
    stage.do(window.start_hidden)
    stage.until(lambda: [one for one in QApplication.topLevelWidgets() if isinstance(one, QuickWindow)])
    view = next(one for one in QApplication.topLevelWidgets() if isinstance(one, QuickWindow))
    ask_at_once(stage, view, "first", "second")
    stage.do(going.set)
    stage.until(lambda: window.page.shown is window.page.fault_page)
    assert view.line.text() == "first second"
    assert window.isVisible()
    stage.do(window.quit)
    stage.until(life.done)
