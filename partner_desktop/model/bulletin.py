"""Bulletin: tells that the models changed, and never more often than somebody can look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from partner_desktop.domain.events import Event, ModelsEvent
from partner_desktop.domain.model_status import ModelStatus

#: Seconds between two events, at least.
_PAUSE_S = 0.1


class Bulletin:
    """`read` gives all models and who answers; what is as it was told last is not told again."""

    def __init__(
        self, read: Callable[[], tuple[tuple[ModelStatus, ...], str]], publish: Callable[[Event], None]
    ) -> None:
        self._read, self._publish = read, publish
        self._timer: asyncio.TimerHandle | None = None
        self._told: tuple[tuple[ModelStatus, ...], str] | None = None
        self._next_s = 0.0
        self._closed = False

    def touch(self) -> None:
        """Something may have changed."""
        if self._timer is None and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, self._next_s - loop.time()), self._tell)

    def _tell(self) -> None:
        self._timer = None
        news = self._read()
        if news == self._told:
            return
        self._told = news
        self._next_s = asyncio.get_running_loop().time() + _PAUSE_S
        models, mind = news
        self._publish(ModelsEvent(models=models, mind=mind))

    def close(self) -> None:
        """Nothing more is told."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
