"""From the process's thread to the loop: what has gathered comes over in one go.

A reply after a silence comes over at once; in a stream the loop is left alone for some milliseconds between
two batches, which nobody sees and which keeps thousands of tokens a second from costing a core.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable

from partner_desktop.model.worker.frames import Reply

#: Seconds between two batches, at least.
_PAUSE_S = 0.005


class Inbox:
    """`take` gets every reply on the loop, in order."""

    def __init__(self, loop: asyncio.AbstractEventLoop, take: Callable[[Reply], None]) -> None:
        self._loop = loop
        self._take = take
        self._lock = threading.Lock()
        self._waiting: list[Reply] = []
        self._timer: asyncio.TimerHandle | None = None
        self._expected = False
        """Whether somebody is on the way already, so that the loop need not be woken."""

    def put(self, reply: Reply) -> None:
        """From any thread."""
        with self._lock:
            self._waiting.append(reply)
            expected, self._expected = self._expected, True
        if not expected:
            with contextlib.suppress(RuntimeError):  # the loop was closed under the worker
                self._loop.call_soon_threadsafe(self.drain)

    def drain(self) -> None:
        """On the loop. Where there was something, it is looked again soon; waking a loop costs more."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            replies, self._waiting = self._waiting, []
            self._expected = bool(replies)
        self._timer = self._loop.call_later(_PAUSE_S, self.drain) if replies else None
        for reply in replies:
            self._take(reply)
