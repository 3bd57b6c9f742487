"""Notices over the chat: what is no longer so does not stay beside what is."""

from __future__ import annotations

import pytest

from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import ErrorEvent, NoticeEvent, TurnEvent
from tests.desktop.moments import Moments
from tests.desktop.stage import Stage

pytestmark = pytest.mark.integration


def _shown(stage: Stage) -> list[str]:
    return [resolve_text(toast.notice.text) for toast in stage.window.page.toasts.toasts]


def test_a_notice_takes_the_place_of_the_older_one_about_the_same(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    for name in ("runtime", "trace"):
        wrong = NoticeEvent(title="Wrong", text=f"{name} is wrong.", level="error", about=f"settings {name}")
        stage.do(lambda wrong=wrong: moments.deliver(wrong))  # type: ignore[misc]  # one a round
    assert _shown(stage) == ["runtime is wrong.", "trace is wrong."]
    right = NoticeEvent(title="Settings", text="runtime is right again.", about="settings runtime")
    stage.do(lambda: moments.deliver(right))
    assert _shown(stage) == ["trace is wrong.", "runtime is right again."]


def test_what_the_start_had_to_say_is_shown_once(stage: Stage, moments: Moments) -> None:
    moments.home.restore_note.write_text("One file was left out.", encoding="utf-8")
    stage.open(moments)
    assert _shown(stage) == ["One file was left out."]


def test_notices_about_nothing_in_particular_stand_side_by_side(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    for text in ("The water has boiled.", "The tea is ready."):
        stage.do(lambda text=text: moments.deliver(NoticeEvent(title="Tea", text=text)))  # type: ignore[misc]  # one a round
    assert _shown(stage) == ["The water has boiled.", "The tea is ready."]


@pytest.mark.logs_errors
def test_what_went_wrong_in_a_conversation_goes_when_the_conversation_goes_on(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    for place in ("c1", "c2"):
        wrong = ErrorEvent(conversation_id=place, message=f"The model ended in {place}.")
        stage.do(lambda wrong=wrong: moments.deliver(wrong))  # type: ignore[misc]  # one a round
    assert _shown(stage) == ["The model ended in c1.", "The model ended in c2."]
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t9", state="started")))
    assert _shown(stage) == ["The model ended in c2."]
