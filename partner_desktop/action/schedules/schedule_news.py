"""ScheduleNews: schedules as they are shown, and that they changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.action.schedules.firing_times import next_times
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import Event, SchedulesEvent
from partner_desktop.domain.evidence import Missed
from partner_desktop.domain.schedule import Firing, Schedule


class ScheduleNews:
    """Tells whoever shows schedules, and whoever waits for their time."""

    def __init__(self, store: ScheduleStore, publish: Callable[[Event], None], *, clock: Clock) -> None:
        self._store = store
        self._publish = publish
        self._clock = clock
        self._wakes: list[Callable[[], None]] = []

    def wakes(self, wake: Callable[[], None]) -> None:
        """Wake these, too, when a schedule changed; wired once by the app."""
        self._wakes.append(wake)

    async def shown(self, found: Sequence[StoredSchedule]) -> tuple[Schedule, ...]:
        """With their next times and the last firing."""
        last = await self._store.last_of([one.id for one in found])
        now = self._clock.now()
        return await asyncio.to_thread(
            lambda: tuple(_shown(one.schedule, last.get(one.id), now) for one in found)
        )

    async def one(self, schedule_id: str) -> Schedule:
        """One schedule.

        Raises:
            UsageError: There is none.
        """
        (found,) = await self.shown([await self._store.get(schedule_id)])
        return found

    async def missed(self, told: str) -> Sequence[Missed]:
        """What is told of times that had passed, under one id; nothing where their schedules are gone."""
        firings = await self._store.late(told)
        found = [replace(await self.one(firing.schedule_id), last=firing) for firing in firings]
        return [Missed(tuple(found), told)] if found else []

    async def changed(self, *ids: str) -> tuple[Schedule, ...]:
        """Say that these changed; as they are now."""
        for wake in self._wakes:
            wake()
        found: list[StoredSchedule] = []
        gone: list[str] = []
        for each in ids:
            try:
                found.append(await self._store.get(each))
            except UsageError:
                gone.append(each)
        changed = await self.shown(found)
        self._publish(SchedulesEvent(changed=changed, removed=tuple(gone)))
        return changed


def _shown(schedule: Schedule, last: Firing | None, now: datetime) -> Schedule:
    return replace(schedule, last=last, next_times=next_times(schedule, now))
