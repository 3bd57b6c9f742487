"""How often a crashed worker is started again, and when to leave it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from partner_desktop.base.clock import Clock
from partner_desktop.model.worker.watch import Patience


@dataclass(frozen=True)
class RestartPolicy:
    """`delays_s[n]` is the pause before a start after n crashes within `window_s`; after more, no start."""

    delays_s: tuple[float, ...] = (0.0, 0.0, 0.5, 2.0)
    window_s: float = 300.0
    refused_s: float = 30.0
    """How long a model that could not be opened is not tried again: its file or the engine may change."""
    idle_s: float = 900.0
    """After this long without a request the process ends, and gives its memory back."""
    patience: Patience = field(default_factory=Patience)


class Restarts:
    """The crashes of late."""

    def __init__(self, policy: RestartPolicy, clock: Clock) -> None:
        self._policy, self._clock = policy, clock
        self._crashes: deque[float] = deque(maxlen=len(policy.delays_s))
        self._last = ""

    def crashed(self, how: str) -> None:
        """Note a crash; `how` is a clause."""
        self._crashes.append(self._clock.monotonic_s())
        self._last = how

    def delay_s(self) -> float | None:
        """The pause before the next start; `None` while there is to be none."""
        start = self._clock.monotonic_s() - self._policy.window_s
        recent = sum(1 for crash in self._crashes if crash > start)
        return self._policy.delays_s[recent] if recent < len(self._policy.delays_s) else None

    def forget(self) -> None:
        """Begin anew: somebody asks for another try."""
        self._crashes.clear()

    @property
    def given_up(self) -> str:
        """Why it is not started now, in one sentence; empty while it may be."""
        if self.delay_s() is not None:
            return ""
        minutes = max(1, round(self._policy.window_s / 60))
        return (
            f"The model worker crashed {len(self._crashes)} times within {minutes} minutes; the last time it "
            f"{self._last}. It is left alone for some minutes."
        )
