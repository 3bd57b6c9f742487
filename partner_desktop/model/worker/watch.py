"""Whether a worker that has something to do still lives: it is pinged, and counted out by its silence.

Contract: silence is counted in looks, not in seconds, so that an app that was held itself (a lid that was
closed, a debugger) finds no fault with a worker that was held with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Patience:
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
    """What is looked at: `life.Life`."""

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


class Watch:
    """Looks from time to time while there is work, and not at all while there is none."""

    def __init__(self, watched: Watched, patience: Patience) -> None:
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
            self._watched.end(fault=f"was stuck (it said nothing for {said_nothing_s:g} s)")
        elif self._leaving > self._patience.leave_looks:
            self._watched.end(fault="was stuck (it did not stop when it was told to)")
        else:
            self._watched.ping()
            self._later(self._look)
