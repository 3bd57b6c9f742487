"""Photographs a window on one of the days of `days.py`, with a clock that stands still."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import qasync
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

from partner_desktop.desktop.application import build_application
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.session import Session
from partner_desktop.desktop.shortcuts import groups
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice
from partner_desktop.desktop.window import MainWindow

from . import days

#: Rounds of the loop until everything is laid out, with what comes a frame later.
_ROUNDS = 60
_FRAME_S = 0.01


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


class StillClock:
    """One moment of a working day, in the person's zone."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def monotonic_s(self) -> float:
        return 0.0

    async def sleep(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)


class Photographer:
    """Owns the application; one window at a time."""

    def __enter__(self) -> Self:
        os.environ |= {"TZ": "UTC", "HOME": "/home/user"}
        time.tzset()
        self._app = build_application()
        self._app.setStyle(Still("Fusion"))
        self._app.setCursorFlashTime(0)
        self._theme = Theme(self._app)
        self._language = Language(self._app)
        self._loop = qasync.QEventLoop(self._app)
        asyncio.set_event_loop(self._loop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.close()
        asyncio.set_event_loop(None)

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
        self._theme.restore(ThemeChoice(look), zoom)
        self._language.choose(LanguageChoice(language))
        self._loop.run_until_complete(self._take(target, day, size))

    async def _take(self, target: Path, day: str, size: tuple[int, int]) -> None:
        clock = StillClock(days.NOW)
        window = MainWindow(self._theme, clock=clock, language=self._language)
        window.install_keys(groups(window))
        session = Session(window, clock=clock)
        window.resize(*size)
        window.show()
        partner = days.partner_of(day)
        await session.attach(partner)
        await _settle()
        days.stage(window, partner, day)
        await _settle()
        self._photograph(window, target)
        await session.close()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _photograph(self, window: MainWindow, target: Path) -> None:
        picture = window.grab()
        if not picture.save(str(target)):
            raise OSError(f"the picture could not be written to {target}")


async def _settle() -> None:
    for _ in range(_ROUNDS):
        await asyncio.sleep(_FRAME_S)
