"""From the first picture to the end: what is typed early is sent, what fails is said, everything ends."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.app import Partner
from partner_desktop.desktop.lifecycle import Lifecycle
from partner_desktop.desktop.signals import ExitSignals
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.message import Conversation

from .fake_partner import FakePartner
from .stage import Stage

pytestmark = pytest.mark.integration


class Start:
    """A start that waits for the test before Partner is there."""

    def __init__(self, stage: Stage, partner: FakePartner) -> None:
        self.stage = stage
        self.partner = partner
        self.window = MainWindow(stage.theme)
        self._go = asyncio.Event()
        self.window.show()
        self._life = stage.start(Lifecycle(self.window, self._build).run())

    async def _build(self) -> Partner:
        await self._go.wait()
        return self.partner.face

    def go(self) -> None:
        """Partner may come."""
        self.stage.do(self._go.set)

    def type_and_send(self, text: str) -> None:
        """As the person does, whether Partner is there or not."""
        edit = self.window.page.composer.edit
        self.stage.do(lambda: QTest.keyClicks(edit, text))
        self.stage.do(lambda: QTest.keyClick(edit, Qt.Key.Key_Return))

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        self.stage.until(self._life.done)
        return self._life.result()

    def close(self) -> int:
        """Close the window and wait for the end."""
        self.stage.do(self.window.close)
        return self.ends()


def test_what_is_typed_before_partner_is_there_is_sent_when_it_is(stage: Stage) -> None:
    start = Start(stage, FakePartner())
    start.type_and_send("first")
    start.type_and_send("second")
    feed = start.window.page.feed
    assert len(feed.entries) == 2
    assert start.partner.sent == []
    start.go()
    stage.until(lambda: len(start.partner.sent) == 2)
    assert [message.text for message in start.partner.sent] == ["first", "second"]
    assert {message.conversation_id for message in start.partner.sent} == {"c1"}
    stage.until(lambda: [entry.key for entry in feed.entries] == ["m1", "m2"])
    assert start.close() == 0


def test_half_a_thought_typed_before_partner_is_there_stays_in_the_composer(stage: Stage) -> None:
    partner = FakePartner()
    partner.add_conversation("Older")
    start = Start(stage, partner)
    stage.do(lambda: QTest.keyClicks(start.window.page.composer.edit, "half a th"))
    start.go()
    stage.until(lambda: partner.launched and start.window.sidebar.model.rows)
    assert start.window.page.composer.text == "half a th"
    assert start.close() == 0


def test_the_newest_conversation_is_open_after_the_start(stage: Stage, partner: FakePartner) -> None:
    start = Start(stage, partner)
    start.go()
    stage.until(lambda: start.window.page.feed.entries)
    assert start.window.page.header.title == "Tidy up my downloads"
    assert start.close() == 0
    assert partner.closed


def test_a_start_that_fails_says_why_and_gives_back_what_was_typed(stage: Stage) -> None:
    partner = FakePartner(launch_error="The database was written by a newer Partner.")
    start = Start(stage, partner)
    start.type_and_send("hello")
    start.go()
    page = start.window.page
    stage.until(lambda: page.shown is page.fault_page)
    assert page.fault_page.sentence == "The database was written by a newer Partner."
    assert not page.composer.isEnabled()
    assert page.composer.text == "hello"
    assert start.window.isVisible()
    assert "Not running" in start.window.sidebar.status.words
    assert start.close() == 1


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
def test_a_second_start_raises_this_window(stage: Stage, partner: FakePartner) -> None:
    start = Start(stage, partner)
    start.go()
    stage.until(lambda: partner.show is not None)
    start.window.showMinimized()
    assert partner.show is not None
    stage.do(partner.show)
    assert not start.window.isMinimized()
    assert start.close() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_goes_the_same_way_as_closing(
    stage: Stage, partner: FakePartner, number: signal.Signals
) -> None:
    start = Start(stage, partner)
    start.go()
    stage.until(lambda: partner.launched)
    before = signal.getsignal(number)
    with ExitSignals(start.window.close):
        stage.do(lambda: os.kill(os.getpid(), number))
        assert start.ends() == 0
    assert partner.closed
    assert signal.getsignal(number) is before


def test_closing_before_partner_is_there_ends_as_well(stage: Stage) -> None:
    start = Start(stage, FakePartner())
    assert start.close() == 0
    assert not start.partner.launched


@pytest.mark.logs_errors
def test_a_start_that_breaks_in_an_unforeseen_way_is_said_too(stage: Stage) -> None:
    class Breaks(FakePartner):
        async def list_conversations(self) -> list[Conversation]:
            raise ValueError("a row without an id")

    start = Start(stage, Breaks())
    start.go()
    page = start.window.page
    stage.until(lambda: page.shown is page.fault_page)
    assert "a row without an id" in page.fault_page.sentence
    assert page.crash_card is not None
    assert "where: the launch" in page.crash_card.report
    assert start.close() == 1


@pytest.mark.logs_errors
def test_work_that_breaks_is_said_in_a_sentence(stage: Stage) -> None:
    class Breaks(FakePartner):
        async def stop(self, conversation_id: str) -> None:
            raise ValueError(conversation_id)

    partner = Breaks()
    partner.add_conversation("One")
    start = Start(stage, partner)
    start.go()
    stage.until(lambda: start.window.sidebar.model.rows)
    stage.do(start.window.page.composer.stop_pressed.emit)
    stage.until(lambda: start.window.page.crash_card)
    card = start.window.page.crash_card
    assert card is not None
    assert "Something went wrong inside Partner" in card.title.text()
    assert "in stop" in card.report
    assert start.close() == 0
