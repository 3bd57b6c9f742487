"""Where the person, or the desktop, asks for reduced motion, nothing moves, pulses or blinks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.lifecycle import follow_motion
from partner_desktop.desktop.parts.progress import Animated, ProgressLine
from partner_desktop.desktop.theme.theme import NeedChoice, Theme
from partner_desktop.domain.events import TurnEvent
from tests.support import WAIT_S

from .moments import Moments
from .session_bus import SessionBus, session_bus
from .stage import Stage

pytestmark = pytest.mark.integration

_APPEARANCE, _GNOME = "org.freedesktop.appearance", "org.gnome.desktop.interface"


def moving(stage: Stage) -> list[Animated]:
    """What is in view and takes its steps by a clock."""
    found = [each for each in stage.window.findChildren(Animated) if each.isVisible()]
    return [each for each in found if any(timer.isActive() for timer in each.findChildren(QTimer))]


def test_everything_stands_still_at_once_and_moves_again(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: stage.theme.choose_motion(NeedChoice.OFF))
    line = ProgressLine(stage.theme)
    line.setParent(window)
    stage.do(line.show)
    stage.do(lambda: moments.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started")))
    stage.until(lambda: len(moving(stage)) >= 2)
    stage.do(lambda: stage.theme.choose_motion(NeedChoice.ON))
    assert moving(stage) == []
    before = line.grab().toImage()
    assert QApplication.cursorFlashTime() == 0
    assert not QApplication.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    stage.do(line.hide)
    stage.do(line.show)
    assert line.grab().toImage() == before  # a piece in its middle says that something goes on
    stage.do(lambda: stage.theme.choose_motion(NeedChoice.OFF))
    assert line in moving(stage)
    assert QApplication.cursorFlashTime() > 0


def test_writing_wakes_no_caret_while_nothing_moves(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    stage.do(lambda: stage.theme.choose_motion(NeedChoice.ON))
    stage.do(lambda: window.page.composer.set_text("hello"))
    assert QApplication.cursorFlashTime() == 0


@pytest.fixture
def told(theme: Theme) -> Iterator[list[bool]]:
    """What the desktop asked for, as the theme heard of it."""
    found: list[bool] = []
    theme.changed.connect(lambda: found.append(theme.still))
    yield found
    theme.ask_still(still=False)


@pytest.mark.parametrize(
    ("space", "key", "usual", "asks"),
    [
        (_APPEARANCE, "reduced-motion", ("u", 0), ("u", 1)),
        (_GNOME, "enable-animations", ("b", True), ("b", False)),
    ],
)
async def test_the_desktop_is_followed(
    theme: Theme,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    space: str,
    key: str,
    usual: tuple[str, object],
    asks: tuple[str, object],
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    heard: asyncio.Queue[bool] = asyncio.Queue()
    async with session_bus(tmp_path / "bus") as bus:
        bus.settings[space] = {key: usual}
        follows = asyncio.create_task(follow_motion(heard.put_nowait))
        assert not await asyncio.wait_for(heard.get(), WAIT_S)
        await _changes(bus, heard, (space, key), asks, still=True)
        await _changes(bus, heard, (space, key), usual, still=False)
        follows.cancel()
        await asyncio.wait([follows])


async def _changes(
    bus: SessionBus,
    heard: asyncio.Queue[bool],
    name: tuple[str, str],
    value: tuple[str, object],
    *,
    still: bool,
) -> None:
    bus.change("org.example", "other", ("u", 1))
    bus.change(*name, value)
    assert await asyncio.wait_for(heard.get(), WAIT_S) is still


async def test_without_a_portal_nothing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bool] = []
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    await asyncio.wait_for(follow_motion(heard.append), WAIT_S)
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    await asyncio.wait_for(follow_motion(heard.append), WAIT_S)
    assert heard == []


def test_what_the_desktop_asks_for_holds_unless_the_person_chose(theme: Theme, told: list[bool]) -> None:
    usual = theme.still  # the platform's own word
    steps = (
        (NeedChoice.SYSTEM, True, True),
        (NeedChoice.OFF, True, False),
        (NeedChoice.ON, False, True),
        (NeedChoice.SYSTEM, False, usual),
    )
    for choice, asked, still in steps:
        theme.ask_still(still=asked)
        theme.choose_motion(choice)
        assert theme.still is still
    assert told
