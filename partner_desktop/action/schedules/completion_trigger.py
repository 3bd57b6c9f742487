"""CompletionTrigger: fires what waits for the end of an action.

Contract: an end is heard as it is on disk; one that nobody heard, because Partner ended then, is found at the
next start. What a trigger began fires no other, so that two of them never go on between themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from partner_desktop.action.event_publisher import EventPublisher
from partner_desktop.action.schedules.firing_runner import FiringRunner
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule, waits_for
from partner_desktop.action.store import ActionStore
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.schedule import ActionEnds, Firing

_log = log.area("schedules")

#: What began by one of these fires nothing that waits for an end.
_TRIGGERS = ("lands", "crosses", "ends")
#: So many ended runs of an ability are looked at for one that nobody heard of.
_LOOKED_BACK_AT = 20


class CompletionTrigger:
    """A part of the AgentContext, launched after the scheduler."""

    def __init__(
        self,
        schedules: ScheduleStore,
        actions: ActionStore,
        runner: FiringRunner,
        publisher: EventPublisher,
        settings: ConfigHandle[ScheduleSettings],
        *,
        clock: Clock,
    ) -> None:
        self._schedules = schedules
        self._actions = actions
        self._runner = runner
        self._settings = settings
        self._clock = clock
        self._tasks = TaskSet("ends of actions")
        self._publisher = publisher
        self._unfollow: Callable[[], None] = lambda: None

    async def launch(self) -> None:
        """Hear of ends from now on, and find those that nobody heard."""
        self._unfollow = self._publisher.follow(self._hear)
        self._tasks.start("left", self._look_back())

    async def shutdown(self) -> None:
        self._unfollow()
        await self._tasks.close()

    def _hear(self, record: ActionRecord) -> None:
        if record.status.ended and record.started_at is not None and not record.parent_id:
            self._tasks.start(record.id, self._ended(record))

    async def apply(self, new: ScheduleSettings) -> None:
        """New settings are about to hold: what came to its end while all was paused is seen to."""
        if self._settings.value.paused and not new.paused:
            self._tasks.start("paused", self._look_back(paused=False))

    async def _look_back(self, *, paused: bool | None = None) -> None:
        """Find what came to its end unheard: while Partner was closed, or everything was paused."""
        paused = self._settings.value.paused if paused is None else paused
        if paused:
            return
        for stored in await self._schedules.of_kind("ends"):
            ends = stored.schedule.terms.ends
            if ends is None:
                continue
            for record in await self._unheard(stored, ends):
                if _fits(ends, record) and not await self._is_of_a_trigger(record):
                    await self._fire(stored)
                    break

    async def _unheard(self, stored: StoredSchedule, ends: ActionEnds) -> Sequence[ActionRecord]:
        """The ended actions that it may be about, the newest first."""
        if not ends.action_id:
            seen = await self._schedules.latest(stored.id)
            since = max(stored.schedule.created_at, seen or stored.schedule.created_at)
            return await self._actions.ended_since(ends.key, since, limit=_LOOKED_BACK_AT)
        try:
            record = await self._actions.get(ends.action_id)
        except UsageError:
            return ()  # its conversation is deleted, and may come back
        return (record,) if record.status.ended else ()

    async def _ended(self, record: ActionRecord) -> None:
        try:
            if await self._is_of_a_trigger(record):
                return
            if self._settings.value.paused:
                return  # `apply` looks back
            for stored in await self._schedules.of_kind("ends"):
                ends = stored.schedule.terms.ends
                if ends is not None and _fits(ends, record):
                    await self._fire(stored)
        except StorageError as error:
            _log.warning("what waits for the end of %s could not be begun: %s", record.id, error)

    async def _is_of_a_trigger(self, record: ActionRecord) -> bool:
        if not record.schedule_id:
            return False
        try:
            cause = await self._schedules.get(record.schedule_id)
        except UsageError:
            return False
        return waits_for(cause.schedule.terms) in _TRIGGERS

    async def _fire(self, stored: StoredSchedule) -> None:
        ends, now = stored.schedule.terms.ends, self._clock.now()
        after = stored
        if ends is not None and not ends.again:
            after = replace(stored, schedule=replace(stored.schedule, state="over"))
        await self._runner.fire(stored, Firing(stored.id, now, "begun", now), after)


def _fits(ends: ActionEnds, record: ActionRecord) -> bool:
    if ends.action_id:
        is_it = record.id == ends.action_id
    else:
        is_it = bool(ends.key) and ends.key in (record.key, record.plan.saved_key)
    done = record.status is ActionStatus.SUCCEEDED
    return is_it and ends.how in ("any", "done" if done else "failed")
