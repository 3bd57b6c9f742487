"""Notifications of the desktop with buttons, over a D-Bus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from partner_desktop.desktop.desktop_bus import NoDesktopServiceError
from partner_desktop.desktop.session.desktop_notification import OPENED, ask_outside
from tests.support import WAIT_S

from .session_bus import SessionBus, session_bus

pytestmark = pytest.mark.integration
CHOICES = {"done": "Done", "soon": "Snooze 10 min"}


@pytest.fixture
def socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the session's bus is."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    return tmp_path / "bus"


async def asked(bus: SessionBus, text: str = "Call <Ann> & Bob") -> asyncio.Task[str]:
    """One that is shown."""
    task = asyncio.create_task(ask_outside("Reminder", text, CHOICES, opens="Open Partner"))
    async with asyncio.timeout(WAIT_S):
        while not bus.shown and not task.done():  # noqa: ASYNC110 - what came over the socket has no event
            await asyncio.sleep(0.005)
    return task


@pytest.mark.parametrize(
    ("act", "answer"),
    [
        (lambda bus: bus.press(1, "done"), "done"),
        (lambda bus: bus.press(1, "soon"), "soon"),
        (lambda bus: bus.press(1, "default"), OPENED),
        (lambda bus: (bus.give_token(1), bus.press(1, "done")), "done"),
        (lambda bus: bus.dismiss(1), ""),
        (lambda bus: (bus.press(7, "done"), bus.dismiss(1)), ""),
    ],
    ids=["done", "put off", "opened", "with a token", "closed", "another program's"],
)
async def test_what_is_pressed_is_the_answer(
    socket: Path, act: Callable[[SessionBus], object], answer: str
) -> None:
    async with session_bus(socket) as bus:
        task = await asked(bus)
        act(bus)
        assert await asyncio.wait_for(task, WAIT_S) == answer
        (shown,) = bus.shown
        assert shown[0:5] == ("Partner", 0, "partner-desktop", "Reminder", "Call &lt;Ann&gt; &amp; Bob")
        assert shown[5] == ["default", "Open Partner", "done", "Done", "soon", "Snooze 10 min"]


@pytest.mark.parametrize(
    ("can", "text", "body"),
    [
        (["body-markup"], "<b>5</b> > 3 & more", "&lt;b&gt;5&lt;/b&gt; &gt; 3 &amp; more"),
        (["body"], "<b>5</b> > 3 & more", "<b>5</b> > 3 & more"),
        (["body"], "one\ntwo", "one\ntwo"),
        (["body"], "x" * 100_000, "x" * 499 + "…"),
        (["body-markup"], "<" * 600, "&lt;" * 499 + "…"),
        (["body"], "a\x00b\udcff", "a⟨U+0000⟩b⟨U+DCFF⟩"),
    ],
    ids=["tags", "plain", "lines", "long", "long tags", "no text"],
)
async def test_the_text_is_plain_whatever_reads_it_and_of_a_long_one_the_beginning(
    socket: Path, can: list[str], text: str, body: str
) -> None:
    async with session_bus(socket) as bus:
        bus.can = can
        task = await asked(bus, text)
        assert bus.shown[0][4] == body
        bus.dismiss(1)
        assert await asyncio.wait_for(task, WAIT_S) == ""


async def test_one_that_is_not_waited_for_any_more_goes(socket: Path) -> None:
    async with session_bus(socket) as bus:
        task = await asked(bus)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(WAIT_S):
            while not bus.closed:  # noqa: ASYNC110 - what came over the socket has no event
                await asyncio.sleep(0.005)
        assert bus.closed == [1]


async def test_without_a_service_or_a_bus_there_are_none(
    socket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with session_bus(socket) as bus:
        bus.has_notifications = False
        with pytest.raises(NoDesktopServiceError):
            await ask_outside("Reminder", "Call Ann", CHOICES, opens="Open Partner")
    with pytest.raises(NoDesktopServiceError):  # nobody listens there any more
        await ask_outside("Reminder", "Call Ann", CHOICES, opens="Open Partner")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    with pytest.raises(NoDesktopServiceError):
        await ask_outside("Reminder", "Call Ann", CHOICES, opens="Open Partner")
