"""One door for errors: ours in their sentence, all others with a report that holds no word of the person."""

from __future__ import annotations

import asyncio
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet, take_errors
from partner_desktop.base.trace import current_turn
from partner_desktop.context.block import Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import ErrorEvent, Event
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exceptions import UNEXPECTED, ExceptionDoor
from partner_desktop.runtime.reports import MOST_KEPT, ExceptionReport, ReportStore, make_report
from partner_desktop.runtime.unhandled_errors import UnhandledErrors

pytestmark = pytest.mark.logs_errors


class Ears:
    """A channel that keeps everything."""

    name = "ears"

    def __init__(self) -> None:
        self.heard: list[ErrorEvent] = []

    def accepts(self, event: Event) -> bool:
        return isinstance(event, ErrorEvent)

    def deliver(self, event: Event) -> None:
        assert isinstance(event, ErrorEvent)
        self.heard.append(event)


class Hall:
    """A door with everything around it."""

    def __init__(self, home: Home) -> None:
        home.prepare()
        self.ears, self.store = Ears(), ReportStore(home.reports)
        self.workspace = ContextWorkspace(clock=SystemClock())
        channels = ChannelRegistry()
        channels.register(self.ears)
        self.door = ExceptionDoor(channels, clock=SystemClock(), store=self.store, workspace=self.workspace)


@pytest.fixture
def hall(home: Home) -> Hall:
    return Hall(home)


def failed(act: Callable[[], object]) -> Exception:
    """The error that `act` raises, with its traceback."""
    try:
        act()
    except Exception as error:  # noqa: BLE001 - any will do
        return error
    raise AssertionError("it did not fail")


def stumbles() -> None:
    raise ValueError("cannot read 'my diary of May'")


def test_an_error_of_ours_is_told_in_its_own_sentence(hall: Hall) -> None:
    hall.door.report(StorageError("The disk is full."), where="Dialog", conversation_id="c1")
    (event,) = hall.ears.heard
    assert (event.message, event.report, event.conversation_id) == ("The disk is full.", "", "c1")


async def test_an_unexpected_error_brings_a_whole_report(hall: Hall, home: Home) -> None:
    token = current_turn.set("turn-4711")
    try:
        hall.door.report(failed(stumbles), where="MemorySelector", conversation_id="c1", exchange_id="e1")
    finally:
        current_turn.reset(token)
    (event,) = hall.ears.heard
    assert (event.message, event.exchange_id) == (str(UNEXPECTED), "e1")
    for part in ("MemorySelector", "turn-4711", "ValueError", "in stumbles", "version: ", "platform: "):
        assert part in event.report
    await hall.store.close()
    (kept,) = home.reports.iterdir()
    assert kept.read_text(encoding="utf-8").strip() == event.report
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_the_report_holds_no_word_of_the_person_and_no_secret(user_home: Path) -> None:
    typed = "please call Aunt Erna about the will"

    def act() -> None:
        key = "sk-" + "a1b2c3d4" * 4
        place = f"{user_home}/letters"
        raise RuntimeError(f"cannot plan {typed} in {place} with token=abc or {key} or 'her number'")

    report = make_report(failed(act), where="x", private=[typed]).text
    assert "cannot plan … in ~/letters" in report
    for word in (typed, "Erna", "abc", "a1b2c3d4", "her number", str(user_home)):
        assert word not in "\n".join(
            line for line in report.splitlines() if not line.startswith(("    ", "  File"))
        )


def test_what_led_to_an_error_is_in_its_report() -> None:
    def act() -> None:
        try:
            stumbles()
        except ValueError as error:
            raise ExceptionGroup("two at once", [KeyError("x"), OSError(28, "No space left")]) from error

    report = make_report(failed(act), where="x").text
    assert report.index("ValueError") < report.index("ExceptionGroup") < report.index("No space left")
    assert "This led directly to:" in report


def test_a_reporter_that_fails_keeps_no_other_from_the_report(hall: Hall) -> None:
    told: list[ExceptionReport] = []

    def fails(_report: ExceptionReport) -> None:
        raise OSError("no line")

    hall.door.add_reporter(fails)
    undo = hall.door.add_reporter(told.append)
    hall.door.report(failed(stumbles), where="here")
    undo()
    hall.door.report(failed(stumbles), where="here")
    assert [report.where for report in told] == ["here"]
    assert len(hall.ears.heard) == 2


def test_partner_knows_of_it_in_that_conversation(hall: Hall) -> None:
    hall.door.report(failed(stumbles), where="Planner", conversation_id="c1")
    (block,) = hall.workspace.resolve([Domain.COGNITION], scope="c1")
    assert "ValueError" in block.text
    assert hall.workspace.resolve([Domain.COGNITION], scope="c2").blocks == []


async def test_the_shelf_keeps_the_last_twenty_and_one_of_a_kind(home: Home) -> None:
    home.prepare()
    store = ReportStore(home.reports)
    for number in range(MOST_KEPT + 5):
        store.keep(f"number {number}", kind=f"kind {number}")
        store.keep("the same again", kind=f"kind {number}")
    await store.close()
    kept = sorted(path.read_text(encoding="utf-8").strip() for path in home.reports.iterdir())
    assert kept == sorted(f"number {number}" for number in range(5, MOST_KEPT + 5))


async def test_a_task_whose_owner_does_not_care_is_reported_too(hall: Hall) -> None:
    undo = take_errors(hall.door.report_of_task)

    async def work() -> None:
        stumbles()

    tasks = TaskSet("attic")
    await asyncio.wait([tasks.start("sorting", work())])
    await asyncio.sleep(0)
    undo()
    (event,) = hall.ears.heard
    assert event.where == "attic:sorting"
    assert "stumbles" in event.report


def test_the_net_catches_the_top_a_thread_and_a_clean_up() -> None:
    told: list[tuple[str, str]] = []
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    with UnhandledErrors(lambda error, where: told.append((str(error), where))):
        sys.excepthook(ValueError, ValueError("top"), None)
        thread = threading.Thread(target=stumbles, name="loft")
        thread.start()
        thread.join()

        class Leaves:
            def __del__(self) -> None:
                raise OSError("door jammed")

        Leaves()
    assert [where for _, where in told][:2] == ["Partner", "the thread loft"]
    assert told[2][0] == "door jammed"
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before
