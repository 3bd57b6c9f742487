"""How much one client may ask for, and how long a wrong token waits for its answer."""

from __future__ import annotations

from collections import OrderedDict

_FIRST_DELAY_S = 0.1
_MOST_DELAY_S = 3.0
_MOST_PEERS = 1_000


class FrameBucket:
    """So many frames at once, so many a second in the long run."""

    def __init__(self, *, per_second: float, burst: int, now_s: float) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._left = float(burst)
        self._at_s = now_s

    def take(self, now_s: float) -> bool:
        """Whether one more frame is within the limit."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_second)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class WrongTokens:
    """A peer that guesses waits longer each time; those who know the token never wait."""

    def __init__(self) -> None:
        self._counts: OrderedDict[str, int] = OrderedDict()

    def wait_s(self, peer: str) -> float:
        """Count one more wrong token; the seconds before it is answered."""
        count = self._counts.pop(peer, 0)
        self._counts[peer] = count + 1
        if len(self._counts) > _MOST_PEERS:
            self._counts.popitem(last=False)
        return min(_MOST_DELAY_S, _FIRST_DELAY_S * 2.0 ** min(count, 10))

    def forget(self, peer: str) -> None:
        """It knew the token."""
        self._counts.pop(peer, None)
