"""Progress: what a run tells of itself, at a pace that a person can read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

#: Seconds between two that are passed on. A server may tell thousands in that time.
PACE_S = 0.1

Told = tuple[float, float | None, str]


class Progress:
    """Passes the first on at once and then the latest, once in `pace_s`, until the run is over."""

    def __init__(
        self, publish: Callable[[float, float | None, str], None], *, pace_s: float = PACE_S
    ) -> None:
        self._publish = publish
        self._pace_s = pace_s
        self._latest: Told | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        if self._pause is not None:
            self._pause.cancel()

    def tell(self, done: float, total: float | None, message: str) -> None:
        """The run is here now. On the loop; what comes after its end is dropped."""
        self._latest = (done, total, message)
        if self._pause is None and not self._over:
            self._go_on()

    def _go_on(self) -> None:
        self._pause = None
        if self._latest is None:
            return
        latest, self._latest = self._latest, None
        self._publish(*latest)
        self._pause = asyncio.get_running_loop().call_later(self._pace_s, self._go_on)
