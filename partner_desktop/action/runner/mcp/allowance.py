"""Allowance: how many of something may come in a while."""

from __future__ import annotations

import math
import time

_JUST_NOW_S = 0.25


class Allowance:
    """`burst` at once, and `per_s` of them for ever."""

    def __init__(self, per_s: float, burst: int) -> None:
        self._per_s, self._burst = per_s, burst
        self._left = float(burst)
        self._at = time.monotonic()
        self._refused_at = -math.inf
        self.refused = 0
        """How many were refused since somebody last set this to 0."""

    @property
    def exhausted(self) -> bool:
        """Whether one was refused just now."""
        return time.monotonic() - self._refused_at < _JUST_NOW_S

    def take(self) -> bool:
        """Whether one more may come; it counts if it may."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            self.refused += 1
            self._refused_at = now
            return False
        self._left -= 1
        return True
