"""What somebody who does not see the window is told: replies, cards, notices and errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible

from partner_desktop.desktop.wording import announcements
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ErrorEvent, NoticeEvent

from .moments import Moments
from .stage import Stage

pytestmark = [pytest.mark.integration, pytest.mark.promise("desktop.keyboard")]


@pytest.fixture
def said(stage: Stage) -> Iterator[list[tuple[str, bool]]]:
    """What is said, and whether at once; somebody listens."""
    found: list[tuple[str, bool]] = []

    def hear(text: str, urgent: bool) -> None:
        found.append((text, urgent))

    QAccessible.setActive(True)
    announcements.said.connect(hear)
    yield found
    announcements.said.disconnect(hear)
    QAccessible.setActive(False)


def test_a_finished_reply_is_said_whole_and_once(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]]
) -> None:
    stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["There are ", "58 files."]))
    stage.until(lambda: said)
    assert said == [("There are 58 files.", False)]


def test_a_card_is_told_when_it_waits_and_when_it_ends(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]]
) -> None:
    stage.open(moments)
    stage.propose(moments)
    assert said == [("Waits for your decision: Count types. reads only", False)]
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    stage.do(lambda: moments.change("a1", ActionStatus.FAILED, error="The disk is full."))
    assert said[1:] == [("Count types: failed. The disk is full.", False)]


def test_what_was_there_before_is_not_told_again(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]]
) -> None:
    stage.open(moments)
    stage.propose(moments)
    said.clear()
    stage.do(lambda: stage.session.open(""))
    stage.do(lambda: stage.session.open("c1"))
    stage.until(lambda: stage.window.page.feed.card("a1"))
    assert said == []


@pytest.mark.parametrize(("level", "urgent"), [("info", False), ("error", True)])
def test_a_notice_is_said_and_an_error_at_once(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]], level: str, urgent: bool
) -> None:
    stage.open(moments)
    event = NoticeEvent(title="Tea", text="It has boiled.", level=level)  # type: ignore[arg-type]
    stage.do(lambda: moments.deliver(event))
    assert said == [(stage.window.page.toasts.toasts[0].accessibleName(), urgent)]
    assert "It has boiled." in said[0][0]


@pytest.mark.logs_errors
def test_what_went_wrong_in_a_turn_is_said_once(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]]
) -> None:
    stage.open(moments)
    stage.do(lambda: moments.deliver(ErrorEvent(conversation_id="c1", message="The model is gone.")))
    assert [(text, urgent) for text, urgent in said if "The model is gone." in text] == said
    assert [urgent for _, urgent in said] == [True]


def test_nothing_is_said_while_nobody_listens(
    stage: Stage, moments: Moments, said: list[tuple[str, bool]]
) -> None:
    stage.open(moments)
    QAccessible.setActive(False)
    stage.do(lambda: moments.deliver(NoticeEvent(title="Tea", text="It has boiled.")))
    assert said == []
