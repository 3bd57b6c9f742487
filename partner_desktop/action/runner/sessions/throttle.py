"""Throttle: how fast a command in the background may print."""

from __future__ import annotations

import time

#: Nobody reads faster. What prints more waits for its pipe, as it would for a slow terminal.
BYTES_PER_S = 20 * 1024**2

_WINDOW_S = 0.1


class Throttle:
    """Of one run's thread. Without it an endless printer would keep a disk and a processor busy for ever."""

    def __init__(self, *, bytes_per_s: int = BYTES_PER_S) -> None:
        self._allowed = int(bytes_per_s * _WINDOW_S)
        self._since = time.monotonic()
        self._passed = 0

    def pass_on(self, size_bytes: int) -> None:
        """So much was printed; returns when more may come. Blocking, for a tenth of a second at most."""
        now = time.monotonic()
        if now - self._since >= _WINDOW_S:
            self._since, self._passed = now, 0
        self._passed += size_bytes
        if self._passed >= self._allowed:
            time.sleep(max(0.0, self._since + _WINDOW_S - now))
