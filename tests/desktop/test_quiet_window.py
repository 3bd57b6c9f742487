"""A window in which nothing happens paints nothing: no picture asks for the next one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.domain.action import ActionStatus

from . import days
from .stage import Stage

pytestmark = pytest.mark.slow

_SECOND_MS = 1_000
#: A picture that asks for the next one does so at once; what comes later than this is counted.
_SETTLED_MS = 300
_PATIENCE_S = 60.0
LIGHT, DARK = ThemeChoice.LIGHT, ThemeChoice.DARK
WIDE, NARROW = (1280, 800), (900, 600)


class Painted(QObject):
    """Counts every paint of every widget of the application, by the widget's kind."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.counts: Counter[str] = Counter()
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.counts[type(watched).__name__] += 1
        return False

    async def during(self, interval_ms: int) -> Counter[str]:
        """What is painted until a timer of this interval fires."""
        self.counts.clear()
        fired = asyncio.Event()
        timer = QTimer(self, interval=interval_ms, singleShot=True)
        timer.timeout.connect(fired.set)
        timer.start()
        await fired.wait()
        timer.deleteLater()
        return self.counts


@pytest.fixture
def painted(qapp: QApplication) -> Iterator[Painted]:
    """The caret of the composer may blink; here it stands still."""
    flash_ms = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    one = Painted(qapp)
    yield one
    qapp.removeEventFilter(one)
    one.deleteLater()
    qapp.setCursorFlashTime(flash_ms)


async def rests(painted: Painted) -> None:
    """Once all that was begun is painted, a second passes in which nothing is."""
    try:
        async with asyncio.timeout(_PATIENCE_S / 2):
            while await painted.during(_SETTLED_MS):
                pass
    except TimeoutError:
        pytest.fail(f"the window never came to rest; at last it painted {dict(painted.counts)}")
    assert not await painted.during(_SECOND_MS)


#: What the days of `days.py` show, each in one look and size, those with much to lay out in both.
_ROWS = [
    *((day, look, size) for day in ("markdown", "states") for look, size in ((LIGHT, WIDE), (DARK, NARROW))),
    ("run-after", LIGHT, WIDE),  # files and undo
    ("run-born-open", DARK, NARROW),
    ("run-tried", LIGHT, NARROW),
    ("open", DARK, WIDE),  # nothing holds it
    ("form", DARK, NARROW),
    ("details", LIGHT, WIDE),
    ("asked", DARK, NARROW),  # a form of a server, pictures and files
    ("chain-edit-form", LIGHT, NARROW),
    ("chain-done-open", DARK, WIDE),
    ("chain-failed-open", LIGHT, WIDE),
    ("thought", DARK, WIDE),
    ("servers-page", LIGHT, WIDE),
    ("servers-ability", DARK, NARROW),
    ("context-open", DARK, WIDE),
    ("context-prompt", LIGHT, NARROW),
    ("calls", DARK, NARROW),
    ("settings", DARK, NARROW),
    ("models-server", LIGHT, WIDE),
    ("models-remove", DARK, NARROW),
]


@pytest.mark.parametrize(("day", "look", "size"), _ROWS)
def test_a_quiet_window_paints_nothing(
    stage: Stage, painted: Painted, day: str, look: ThemeChoice, size: tuple[int, int]
) -> None:
    stage.theme.choose(look)
    partner = days.partner_of(day)
    for action_id, record in partner.known_actions.items():
        if record.status is ActionStatus.RUNNING:  # a line of progress moves, and may
            partner.known_actions[action_id] = replace(record, status=ActionStatus.SUCCEEDED)
    window = stage.open(partner, size=size)
    stage.do(lambda: days.stage(window, partner, day))
    stage.run(rests(painted), patience_s=_PATIENCE_S)
