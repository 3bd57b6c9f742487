"""A window in which nothing happens paints nothing: no picture asks for the next one."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.base.paths import Home
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.domain.action import ActionStatus
from tests.action.mcp.serving import plain, write

from . import days
from .in_actions import entries
from .on_card import button
from .scene import Scene
from .stage import Stage

pytestmark = pytest.mark.integration

#: A little longer than a second, so that what comes once a second is in every one.
_SECOND_MS = 1_100
_PATIENCE_S = 60.0
LIGHT, DARK = ThemeChoice.LIGHT, ThemeChoice.DARK
WIDE, NARROW = (1280, 800), (900, 600)


class Painted(QObject):
    """Counts every paint of every widget of the application, by the widget's kind and its window."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.counts: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            window = watched.window().objectName() if isinstance(watched, QWidget) else ""
            self.counts[f"{type(watched).__name__} of {window}"] += 1
        return False

    async def during(self, interval_ms: int) -> Counter[str]:
        """What is painted until a timer of this interval fires."""
        self.counts = Counter()
        fired = asyncio.Event()
        timer = QTimer(self, interval=interval_ms, singleShot=True)
        timer.timeout.connect(fired.set)
        self._app.installEventFilter(self)
        timer.start()
        await fired.wait()
        self._app.removeEventFilter(self)
        timer.deleteLater()
        return self.counts


@pytest.fixture
def painted(qapp: QApplication) -> Iterator[Painted]:
    """The caret of the composer may blink; here it stands still."""
    flash_ms = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    one = Painted(qapp)
    yield one
    one.deleteLater()
    qapp.setCursorFlashTime(flash_ms)


async def rests(painted: Painted) -> None:
    """A second passes without a paint, once what was begun is done; what never ends has no such second."""
    try:
        async with asyncio.timeout(_PATIENCE_S / 2):
            while await painted.during(_SECOND_MS):
                pass
    except TimeoutError:
        pytest.fail(f"the window never came to rest; at last it painted {dict(painted.counts)}")


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


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_a_quiet_window_paints_nothing(
    stage: Stage, painted: Painted, tmp_path: Path, fresh_home: Path, look: ThemeChoice
) -> None:
    """All windows of a look are in view together, and rest through the same second."""
    stage.theme.choose(look)
    for number, (scene, size) in enumerate((row[0], row[2]) for row in _ROWS if row[1] is look):
        folder = tmp_path / str(number)
        shutil.copytree(fresh_home, folder / "home")
        (folder / "action" / "dynamic").mkdir(parents=True)
        (folder / "action" / "tmp").mkdir()
        day = days.day_of(stage, Home(folder / "home"), folder / "action", scene)
        partner = day.partner
        for record in day.records():
            if record.status is ActionStatus.RUNNING:  # a line of progress moves, and may
                day.keep(replace(record, status=ActionStatus.SUCCEEDED))
        window = stage.open(partner, size=size)
        window.setObjectName(scene)
        stage.do(partial(days.stage, window, day, scene))
    stage.run(rests(painted), patience_s=_PATIENCE_S)


_SCRIPTS = {
    "shout.py": ("Shout a text in capital letters", "what to shout", 'print(given["text"].upper())'),
    "lines.py": ("List many lines about something", "what about", 'print("a line of it\\n" * 40)'),
    "stumble.py": ("Stumble over a stone", "which stone", 'sys.exit("There is no such stone. " * 20)'),
}
_KEYS = ("local::shout", "local::lines", "local::stumble", "plain::pid")
_SCRIPT = """\
# /// partner
# description = "{0}"
# [params.text]
# type = "string"
# description = "{1}"
# ///
import json, sys
given = json.load(sys.stdin)
{2}
"""


@pytest.mark.parametrize(("look", "size"), [(LIGHT, WIDE), (DARK, NARROW)])
@pytest.mark.slow
def test_a_session_with_a_real_partner_comes_to_rest(
    scene: Scene, painted: Painted, look: ThemeChoice, size: tuple[int, int]
) -> None:
    for name, parts in _SCRIPTS.items():
        (scene.action_dir / "dynamic" / name).write_text(_SCRIPT.format(*parts))
    write(scene.action_dir, "asks.json", {"mcpServers": {"plain": plain()}})
    scene.stage.theme.choose(look)

    async def run(text: str, status: ActionStatus) -> None:
        card = await scene.ask(text)
        await scene.click(button(card, "once"))
        assert (await scene.ended(card)).status is status

    async def story() -> None:
        scene.window.resize(*size)
        scene.window.columns.show_panel()
        async with asyncio.timeout(_PATIENCE_S / 2):  # what speaks to servers is loaded with the first
            while not all(map(scene.ability, _KEYS)):  # noqa: ASYNC110 - a list has no event to wait for
                await asyncio.sleep(0.01)
        await run('list many lines about "birds"', ActionStatus.SUCCEEDED)
        await rests(painted)
        await run('stumble over a stone "of marble"', ActionStatus.FAILED)
        both = 'shout "hello" in capital letters and then list many lines about "birds"'
        await run(both, ActionStatus.SUCCEEDED)
        waiting = await scene.ask('shout "hello" in capital letters')
        await scene.do(waiting.toggle_details)
        for number in range(3):
            await scene.do(partial(scene.window.show_tab, number))
            await rests(painted)
        for item in (entries(scene.window, "done")[0], entries(scene.window, "failed")[0]):
            await scene.do(partial(scene.window.show_tab, 0))
            await scene.do(item.click)
            await rests(painted)

    scene.play(story)
