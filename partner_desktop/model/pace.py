"""How fast an answer comes."""

from __future__ import annotations

from partner_desktop.base.clock import Clock


class Pace:
    """Tokens by time, from the first on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun_s = clock.monotonic_s()
        self._first_s: float | None = None
        self._last_s = self._begun_s
        self._first_tokens = 0
        self._told = 0
        self.tokens = 0
        """All that came."""

    def take(self, tokens: int) -> None:
        """So many more came just now."""
        self._last_s = self._clock.monotonic_s()
        if self._first_s is None:
            self._first_s, self._first_tokens = self._last_s, tokens
        self.tokens += tokens

    def fresh(self) -> int:
        """How many came since this was asked the last time."""
        told, self._told = self._told, self.tokens
        return self.tokens - told

    @property
    def first_ms(self) -> float:
        """Until the first token; 0 where none came."""
        return 0.0 if self._first_s is None else 1000 * (self._first_s - self._begun_s)

    @property
    def total_ms(self) -> float:
        """Until now."""
        return 1000 * (self._clock.monotonic_s() - self._begun_s)

    @property
    def tokens_per_s(self) -> float:
        """After the first; 0 where nothing was measured."""
        span_s = 0.0 if self._first_s is None else self._last_s - self._first_s
        return (self.tokens - self._first_tokens) / span_s if span_s > 0 else 0.0
