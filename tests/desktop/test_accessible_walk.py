"""Everything in the window is reached by keyboard, seen where that is, and named for screen readers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible

from partner_desktop.base.paths import Home
from partner_desktop.config.field import SECTIONS
from partner_desktop.desktop.window import MainWindow

from . import days
from .accessible_tree import problems_of_names, problems_of_rows, stops, unreachable, unseen
from .stage import Stage

pytestmark = [pytest.mark.integration, pytest.mark.promise("desktop.keyboard")]

#: What is looked at, by what it has that no other has.
DAYS = (
    *("form", "states", "open", "asked", "visit", "run-live", "run-commands", "run-page", "run-tried"),
    *("chain-open", "chain-edit", "chain-edit-form", "chain-running-open", "chain-done-open", "chain-failed"),
    *("servers", "servers-page", "servers-add", "servers-ability", "context-open", "context-turns", "calls"),
    *("memory-known", "memory-open", "memory-search", "memory-forget", "memory-import"),
    *("schedule", "schedule-page", "schedule-edit", "schedule-edit-cron", "schedule-cards", "reminder"),
    *("models", "models-server", "models-remove", "models-key", "offers-get", "offers-checked"),
    *("first-found", "first-servers", "no-models", "thought", "markdown"),
    *(f"settings-{section}" for section in SECTIONS),
)
#: What lies over a usual day, or beside it.
PLACES: dict[str, Callable[[Stage, MainWindow], object]] = {
    "permissions": lambda _, window: window.permissions_wanted.emit(),
    "audit": lambda _, window: window.audit_wanted.emit(),
    "palette": lambda _, window: window.palette_wanted.emit(),
    "day sheet": lambda _, window: window.day_wanted.emit(),
    "appearance": lambda _, window: window.open_appearance(),
    "keys": lambda _, window: window.toggle_keys(),
    "new chat": lambda stage, _: stage.session.open(""),
}
#: Kinds of controls of which one was looked at with the keyboard on it; this process looks at each once.
_looked_at: set[object] = set()


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    """Somebody reads the screen."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def amiss(stage: Stage, window: MainWindow) -> dict[str, list[str]]:
    """What is wrong with what is in view, by what it is."""
    stage.settle()
    found = {"names": problems_of_names(window)}
    met = stops(stage, window)
    found["keyboard"] = unreachable(window, met, window.regions)
    found["focus"] = unseen(stage, window, met, _looked_at)
    found["rows"] = problems_of_rows(stage, window)
    return {kind: problems for kind, problems in found.items() if problems}


@pytest.mark.parametrize("scene", DAYS)
def test_a_day_is_had_without_a_mouse_and_without_a_picture(
    stage: Stage, home: Home, action_dir: Path, scene: str
) -> None:
    day = days.day_of(stage, home, action_dir, scene)
    window = stage.open(day, size=(1280, 1000))
    stage.do(lambda: days.stage(window, day, scene))
    stage.run(_shown())
    assert amiss(stage, window) == {}


@pytest.mark.parametrize("place", PLACES)
def test_a_page_and_a_sheet_too(stage: Stage, home: Home, action_dir: Path, place: str) -> None:
    day = days.day_of(stage, home, action_dir, "waiting")
    window = stage.open(day, size=(1280, 1000))
    stage.do(lambda: days.stage(window, day, "waiting"))
    stage.do(lambda: PLACES[place](stage, window))
    stage.run(_shown())
    assert amiss(stage, window) == {}


async def _shown() -> None:
    """A day acts a moment after it began."""
    for _ in range(30):
        await asyncio.sleep(0.01)
