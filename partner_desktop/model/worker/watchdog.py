"""Whether a worker that has something to do still lives: it is pinged, and counted out by its silence.

Contract: silence is counted in looks, not in seconds, so that an app that was held itself (a lid that was
closed, a debugger) finds no fault with a worker that was held with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import field
from typing import Protocol

from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of


@dataclass(frozen=True)
class SilenceLimits:
    """How long a worker may say nothing. A worker that works answers pings all the same."""

    look_s: float = 5.0
    looks: int = 6
    """After so many in silence it is stuck."""
    leave_looks: int = 3
    """So many may pass until it has given up what it was told to."""
    hello_s: float = 60.0
    """From the start of the process to its first word."""
    load_s: float = 60.0
    """A load that gets no further for so long is given up, though pings are answered."""


class Watched(Protocol):
    """What is looked at: `session.Life`."""

    @property
    def working(self) -> bool:
        """Whether it has something to do."""
        ...

    @property
    def only_leaving(self) -> bool:
        """Whether all that it has to do is to give up what it was told to."""
        ...

    def ping(self) -> None: ...

    def end(self, *, fault: str = "") -> None: ...


class Watchdog:
    """Looks from time to time while there is work, and not at all while there is none."""

    def __init__(self, watched: Watched, patience: SilenceLimits) -> None:
        self._watched, self._patience = watched, patience
        self._timer: asyncio.TimerHandle | None = None
        self._silent = self._leaving = 0

    def heard(self) -> None:
        """It said something."""
        self._silent = 0

    def wake(self) -> None:
        """There may be work."""
        if self._timer is None and self._watched.working:
            self._silent = self._leaving = 0
            self._later(self._look)

    def stop(self) -> None:
        """It is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _later(self, look: Callable[[], None]) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._patience.look_s, look)

    def _look(self) -> None:
        self._timer = None
        if not self._watched.working:
            return
        self._silent += 1
        self._leaving = self._leaving + 1 if self._watched.only_leaving else 0
        if self._silent > self._patience.looks:
            said_nothing_s = self._patience.looks * self._patience.look_s
            self._watched.end(fault=sentence_of("model.worker_silent", seconds=said_nothing_s))
        elif self._leaving > self._patience.leave_looks:
            self._watched.end(fault=sentence_of("model.worker_unstopped"))
        else:
            self._watched.ping()
            self._later(self._look)


@dataclass(frozen=True)
class RestartPolicy:
    """`delays_s[n]` is the pause before a start after n crashes within `window_s`; after more, no start."""

    delays_s: tuple[float, ...] = (0.0, 0.0, 0.5, 2.0)
    window_s: float = 300.0
    refused_s: float = 30.0
    """How long a model that could not be opened is not tried again: its file or the engine may change."""
    idle_s: float = 900.0
    """After this long without a request the process ends, and gives its memory back."""
    patience: SilenceLimits = field(default_factory=SilenceLimits)


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
        return sentence_of("model.gave_up", times=len(self._crashes), minutes=minutes, how=self._last)
