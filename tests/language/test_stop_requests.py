"""Whether words want what runs to stop, and which of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.language.speech_acts.verdicts import StopRequest, stop_in


def running(title: str) -> ActionRecord:
    return ActionRecord(
        id=title,
        conversation_id="c",
        exchange_id="e",
        key=f"local::{title.lower()}",
        title=title,
        description="",
        params={},
        schema={},
        status=ActionStatus.RUNNING,
        created_at=datetime(2026, 11, 22, tzinfo=UTC),
    )


ONE = [running("Count files")]
TWO = [*ONE, running("Zip folder")]


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "Stop!",
        "cancel it",
        "please stop",
        "can you stop it?",
        "ok, stop now",
        "停",
        "停下吧",
        "别做了",
        "取消",
    ],
)
def test_a_plain_stop_is_about_what_runs_and_asks_which_of_several(text: str) -> None:
    assert stop_in(text, ONE) == StopRequest(("Count files",))
    assert stop_in(text, TWO) == StopRequest()


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("stop the first", ("Count files",)),
        ("cancel the second one", ("Zip folder",)),
        ("stop zip", ("Zip folder",)),
        ("stop all", ("Count files", "Zip folder")),
        ("停掉第二个", ("Zip folder",)),
        ("全部停止", ("Count files", "Zip folder")),
    ],
)
def test_what_is_named_is_stopped(text: str, stopped: tuple[str, ...]) -> None:
    assert stop_in(text, TWO) == StopRequest(stopped)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "不",
        "stop the music",
        "stop using commas",
        "cancel my subscription",
        "why did it stop?",
        "don't stop",
    ],
)
def test_what_is_about_something_else_stops_nothing(text: str) -> None:
    assert stop_in(text, TWO) is None


def test_where_nothing_runs_nothing_is_stopped() -> None:
    assert stop_in("stop", []) is None
