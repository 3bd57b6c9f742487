"""The loop's heartbeat: how long anything kept the loop from running.

A gap is the time by which a beat came late. Nothing on the loop may block, so gaps stay short.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

from partner_desktop.base import log

_log = log.area("heartbeat")

PERIOD_S = 0.02
#: A gap above this is a defect.
LIMIT_S = 0.05
_KEPT = 20_000


class Heartbeat:
    """Beats on the running loop while its task runs; `gaps_s` holds the last lateness values."""

    def __init__(self) -> None:
        self.gaps_s: deque[float] = deque(maxlen=_KEPT)

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            due = time.monotonic() + PERIOD_S
            await asyncio.sleep(PERIOD_S)
            gap = max(0.0, time.monotonic() - due)
            self.gaps_s.append(gap)
            if gap > LIMIT_S:
                _log.info("the loop was held for %.0f ms", gap * 1000)
