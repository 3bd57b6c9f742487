"""Photographs a window on one of the days of `days.py`, with a clock that stands still."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

from partner_desktop.base.paths import Home
from partner_desktop.desktop.application import build_application
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.lifecycle import GarbageCollector
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice

from . import days
from .day import NOW
from .stage import Stage

#: Rounds of the loop until everything is laid out, with what comes a frame later.
_ROUNDS = 60
_FRAME_S = 0.01
#: Nobody looks at a day for longer.
_LOOKED_AT_S = 86_400.0


class Still(QProxyStyle):
    """A system that asks for no motion."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt's own name
    ) -> int:
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, returnData)


class Photographer:
    """Owns the application; one window at a time, with a real Partner on a home of its own behind it."""

    def __init__(self) -> None:
        os.environ |= {"TZ": "UTC", "HOME": "/home/user"}
        time.tzset()
        self._app = build_application()
        self._collector = GarbageCollector()  # a Partner has threads
        self._app.setStyle(Still("Fusion"))
        self._app.setCursorFlashTime(0)
        self._theme = Theme(self._app)
        self._language = Language(self._app)

    def take(
        self,
        target: Path,
        *,
        day: str,
        look: str = "light",
        size: tuple[int, int] = (1280, 800),
        language: str = "en",
        zoom: float = 1.0,
    ) -> None:
        """Write one picture."""
        self._language.choose(LanguageChoice(language))
        with self._opened(day, look, size, zoom) as stage:
            if not stage.window.grab().save(str(target)):
                raise OSError(f"the picture could not be written to {target}")

    def show(self, *, day: str, look: str = "light", size: tuple[int, int] = (1280, 800)) -> None:
        """Leave the window to the person until it is closed."""
        with self._opened(day, look, size, zoom=1.0) as stage:
            closed = asyncio.Event()
            self._app.lastWindowClosed.connect(closed.set)
            stage.run(closed.wait(), patience_s=_LOOKED_AT_S)

    @contextmanager
    def _opened(self, scene: str, look: str, size: tuple[int, int], zoom: float) -> Iterator[Stage]:
        self._theme.restore(ThemeChoice(look), zoom)
        stage = Stage(self._app, self._theme, now=NOW)
        with TemporaryDirectory(prefix="partner-day-") as folder:
            day = days.day_of(stage, Home(Path(folder) / "home"), Path(folder) / "action", scene)
            try:
                window = stage.open(day, size=size)
                stage.do(lambda: days.stage(window, day, scene))
                stage.run(_settled())
                yield stage
            finally:
                stage.close()


async def _settled() -> None:
    for _ in range(_ROUNDS):
        await asyncio.sleep(_FRAME_S)
