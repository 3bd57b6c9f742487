"""From the first picture to the end: what is typed early is sent, what fails is said, everything ends."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.app import Partner
from partner_desktop.desktop.application import ExitSignals
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.window import MainWindow

from .moments import Moments
from .stage import Stage

pytestmark = pytest.mark.integration


class Start:
    """A start that waits for the test before Partner is there."""

    def __init__(self, stage: Stage, moments: Moments) -> None:
        self.stage = stage
        self.moments = moments
        self.window = MainWindow(stage.theme)
        self._go = asyncio.Event()
        self.window.show()
        self._life = stage.start(Lifecycle(self.window, self._build).run())

    async def _build(self) -> Partner:
        await self._go.wait()
        return await self.moments.build()

    def go(self) -> None:
        """Partner may come."""
        self.stage.do(self._go.set)

    def type_and_send(self, text: str) -> None:
        """As the person does, whether Partner is there or not."""
        edit = self.window.page.composer.edit
        self.stage.do(lambda: QTest.keyClicks(edit, text))
        self.stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))

    def titles(self) -> list[str]:
        """The conversations in the left column."""
        return [row.title for row in self.window.sidebar.list.rows.rows if row.kind != "head"]

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        self.stage.until(self._life.done)
        return self._life.result()

    def close(self) -> int:
        """Close the window and wait for the end."""
        self.stage.do(self.window.close)
        return self.ends()


def test_what_is_typed_before_partner_is_there_is_sent_when_it_is(stage: Stage, moments: Moments) -> None:
    start = Start(stage, moments)
    start.type_and_send("first")
    start.type_and_send("second")
    feed = start.window.page.feed
    assert len(feed.entries) == 2
    start.go()
    stage.until(lambda: [title for title in start.titles() if title == "first"])
    stage.until(lambda: moments.said() == ["first", "second"])
    (conversation_id,) = [key for key, title in moments.titles().items() if title == "first"]
    assert [text for role, text in moments.messages(conversation_id) if role == "user"] == ["first", "second"]
    stage.until(lambda: not any(entry.key.startswith("pending") for entry in feed.entries))
    assert sum(isinstance(entry.widget, Bubble) for entry in feed.entries) == 2
    assert start.close() == 0


def test_half_a_thought_typed_before_partner_is_there_stays_in_the_composer(
    stage: Stage, moments: Moments
) -> None:
    start = Start(stage, moments)
    stage.do(lambda: QTest.keyClicks(start.window.page.composer.edit, "half a th"))
    start.go()
    stage.until(start.titles)
    assert start.window.page.composer.text == "half a th"
    assert start.close() == 0


def test_the_newest_conversation_is_open_after_the_start(stage: Stage, moments: Moments) -> None:
    start = Start(stage, moments)
    start.go()
    stage.until(lambda: start.window.page.feed.entries)
    assert moments.home.socket.exists()
    assert start.window.page.header.title == "Tidy up my downloads"
    assert start.close() == 0
    assert not moments.home.socket.exists(), "nobody lives in the home any more"


@pytest.mark.logs_errors
def test_a_start_that_fails_says_why_and_gives_back_what_was_typed(stage: Stage, moments: Moments) -> None:
    moments.write("PRAGMA user_version = 4711")
    start = Start(stage, moments)
    start.type_and_send("hello")
    start.go()
    page = start.window.page
    stage.until(lambda: page.shown is page.fault_page)
    assert "newer" in page.fault_page.sentence
    assert not page.composer.isEnabled()
    assert page.composer.text == "hello"
    assert start.window.isVisible()
    assert "Not running" in start.window.sidebar.status.words
    assert start.close() == 1


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
def test_a_second_start_raises_this_window(stage: Stage, moments: Moments) -> None:
    start = Start(stage, moments)
    start.go()
    stage.until(start.titles)
    start.window.showMinimized()
    stage.do(moments.partner.raise_window)
    assert not start.window.isMinimized()
    assert start.close() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_goes_the_same_way_as_closing(
    stage: Stage, moments: Moments, number: signal.Signals
) -> None:
    start = Start(stage, moments)
    start.go()
    stage.until(start.titles)
    before = signal.getsignal(number)
    with ExitSignals(start.window.close):
        stage.do(lambda: os.kill(os.getpid(), number))
        assert start.ends() == 0
    assert not moments.home.socket.exists()
    assert signal.getsignal(number) is before


def test_closing_before_partner_is_there_ends_as_well(stage: Stage, moments: Moments) -> None:
    start = Start(stage, moments)
    assert start.close() == 0
    assert not moments.home.socket.exists()


@pytest.mark.logs_errors
def test_a_start_that_breaks_in_an_unforeseen_way_is_said_too(stage: Stage, moments: Moments) -> None:
    moments.write("UPDATE conversations SET updated_at = 'at some time'")
    start = Start(stage, moments)
    start.go()
    page = start.window.page
    stage.until(lambda: page.shown is page.fault_page)
    assert "at some time" in page.fault_page.sentence
    assert page.crash_card is not None
    assert "where: the launch" in page.crash_card.report
    assert start.close() == 1


@pytest.mark.logs_errors
def test_work_that_breaks_is_said_in_a_sentence(stage: Stage, moments: Moments) -> None:
    moments.write("UPDATE messages SET created_at = 'at some time'")
    start = Start(stage, moments)
    start.go()
    stage.until(lambda: start.window.page.crash_card)
    card = start.window.page.crash_card
    assert card is not None
    assert "Something went wrong inside Partner" in card.title.text()
    assert "ValueError: Invalid isoformat string" in card.report
    assert start.close() == 0
