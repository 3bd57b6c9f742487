"""The loop's heartbeat: how long anything kept the loop from running.

A gap is the time by which a beat came late. Nothing on the loop may block, so gaps stay short. While nothing
happens it rests: fifty beats a second would be most of what an idle Partner costs. Whoever hears that
something begins tells it (`quicken`); work that nobody told of is seen by what the loop's thread spent on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque

from partner_desktop.base import log

_log = log.area("heartbeat")

PERIOD_S = 0.02
#: A gap above this is a defect.
LIMIT_S = 0.05
_KEPT = 20_000
#: Beats after which the thread is looked at, and how long a rest lasts at most.
_ROUND, _REST_S = 50, 2.0
#: Of its time. The beats themselves and a blinking caret take less.
_BUSY_SHARE = 0.04


class Heartbeat:
    """Beats on the running loop while its task runs; `gaps_s` holds the last lateness values."""

    def __init__(self) -> None:
        self.gaps_s: deque[float] = deque(maxlen=_KEPT)
        self._wanted = asyncio.Event()
        self._spent_s = self._looked_s = 0.0

    def quicken(self) -> None:
        """Something begins."""
        self._wanted.set()

    async def run(self) -> None:
        """Beat until cancelled."""
        self._busy()
        while True:
            for _ in range(_ROUND):
                await self._beat(PERIOD_S)
            if self._wanted.is_set() or self._busy():
                self._wanted.clear()
                continue
            while not self._wanted.is_set() and not self._busy():
                await self._beat(_REST_S)

    async def _beat(self, period_s: float) -> None:
        due = time.monotonic() + period_s
        if period_s == PERIOD_S:
            await asyncio.sleep(period_s)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), period_s)
        gap = max(0.0, time.monotonic() - due)
        self.gaps_s.append(gap)
        if gap > LIMIT_S:
            _log.info("the loop was held for %.0f ms", gap * 1000)

    def _busy(self) -> bool:
        """Whether the loop's thread had work since the last look."""
        spent_s, now_s = time.thread_time(), time.monotonic()
        share = (spent_s - self._spent_s) / max(1e-3, now_s - self._looked_s)
        self._spent_s, self._looked_s = spent_s, now_s
        return share > _BUSY_SHARE
