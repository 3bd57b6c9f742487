"""The one source of time, so that tests can hold it still."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time and elapsed time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...

    def monotonic_s(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        ...

    async def sleep(self, delay_s: float) -> None:
        """Return when that much time has passed by this clock."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic_s(self) -> float:
        return time.monotonic()

    async def sleep(self, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
