"""How far a run is reaches the person at a pace that can be read."""

from __future__ import annotations

import asyncio

from partner_desktop.action.runs.outcome import Progress
from tests.support import WAIT_S

Told = tuple[float, float | None, str]


class Ear:
    """What was passed on, and a bounded wait for something of it."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._news = asyncio.Event()

    def __call__(self, done: float, total: float | None, message: str) -> None:
        self.told.append((done, total, message))
        self._news.set()

    async def until(self, wanted: Told) -> None:
        async with asyncio.timeout(WAIT_S):
            while wanted not in self.told:
                self._news.clear()
                await self._news.wait()


async def test_of_a_flood_the_first_and_the_latest_are_passed_on() -> None:
    ear = Ear()
    with Progress(ear, pace_s=0.01) as progress:
        for step in range(1, 1001):
            progress.tell(step, 1000, "counting")
        await ear.until((1000, 1000, "counting"))
        assert ear.told == [(1, 1000, "counting"), (1000, 1000, "counting")]


async def test_after_the_end_of_the_run_nothing_is_passed_on() -> None:
    ear = Ear()
    with Progress(ear, pace_s=0.0) as progress:
        progress.tell(1, None, "working")
        progress.tell(2, None, "still working")
    with Progress(ear, pace_s=0.0) as other:
        pass
    progress.tell(3, None, "too late")
    other.tell(1, None, "too late")
    for _ in range(5):  # every timer that is due gets its turn
        await asyncio.sleep(0)
    assert ear.told == [(1, None, "working")]
