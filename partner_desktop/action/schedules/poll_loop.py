"""PollLoop: looks whether something is to be done, naps until there may be, and looks again.

Contract: whatever a look raises is told in the log or reported, and the next one comes. It naps by the clock
that never goes back, and is woken by whoever knows more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.tasks import TaskSet, report_error

_log = log.area("schedules")


class PollLoop:
    """`look` tells for how many seconds nothing is to be done; after one that failed it is `retry_s`."""

    def __init__(
        self, name: str, look: Callable[[], Awaitable[float]], *, clock: Clock, retry_s: float
    ) -> None:
        self._name = name
        self._look = look
        self._clock = clock
        self._retry_s = retry_s
        self._tasks = TaskSet(name)
        self._woken = asyncio.Event()

    def start(self) -> None:
        """The first look is taken behind the start."""
        self._tasks.start("watch", self._watch())

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()

    def wake(self) -> None:
        """Look now."""
        self._woken.set()

    async def _watch(self) -> None:
        while True:
            self._woken.clear()
            delay_s = self._retry_s
            try:
                delay_s = await self._look()
            except StorageError as error:
                _log.warning("%s could not be looked at: %s", self._name, error)
            except Exception as error:  # noqa: BLE001 - the watch goes on whatever happens
                report_error(error, f"{self._name}:look")
            nap = self._tasks.start("nap", self._nap(self._clock.monotonic_s() + delay_s))
            await self._woken.wait()
            nap.cancel()

    async def _nap(self, until_s: float) -> None:
        left_s = until_s - self._clock.monotonic_s()
        if left_s > 0:
            await self._clock.sleep(left_s)
        self._woken.set()
