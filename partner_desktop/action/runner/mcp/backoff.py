"""Backoff: when a server that ended is tried again, and when no more."""

from __future__ import annotations

import random
from collections.abc import Callable

from partner_desktop.domain.mcp_server import ServerFailure, ServerStep

#: Starts in a row that may fail before it is given up.
MOST_ATTEMPTS = 8
_LONGEST_S = 60.0
#: A server that was ready for so long has recovered: the next failure is a first one.
_RECOVERED_S = 60.0
#: Servers that ended together do not all come back at the same moment.
_JITTER = 0.25


class Backoff:
    """Counts the failures of one server. `chance`: from 0 to 1, anew with each call."""

    def __init__(self, *, chance: Callable[[], float] = random.random) -> None:
        self._chance = chance
        self.attempts = 0

    def forget(self) -> None:
        """Somebody changed something, or wants it tried anew."""
        self.attempts = 0

    def after(self, failure: ServerFailure, *, ready_s: float) -> float | None:
        """Seconds to wait before the next attempt; `None`: it is not tried again by itself.

        `ready_s`: how long it had been ready.
        """
        if ready_s >= _RECOVERED_S:
            self.attempts = 0
        self.attempts += 1
        if failure.final or failure.step is ServerStep.RESOLVE or self.attempts >= MOST_ATTEMPTS:
            return None
        delay_s = min(_LONGEST_S, 2.0 ** (self.attempts - 1))
        return delay_s * (1 + _JITTER * self._chance())
