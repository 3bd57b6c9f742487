"""ThresholdTrigger: fires what waits for a measure to get over a limit, or under it.

Contract: it fires as the limit is passed, not while it stays so; whether it is passed is on disk, so that a
start does not fire again. What its own firings did, itself or by way of others, does not fire it. A look
costs no more than a few seconds of a thread, once a minute, or as soon as something in the folder changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from partner_desktop.action.schedules.firing_causes import FiringCauses, causes_after
from partner_desktop.action.schedules.firing_runner import FiringRunner
from partner_desktop.action.schedules.measures import (
    LookAtLoad,
    MachineLoad,
    Measured,
    folder_size,
    free_space,
    is_beyond,
)
from partner_desktop.action.schedules.poll_loop import PollLoop
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule
from partner_desktop.action.schedules.trigger_store import TriggerStore, WatchState
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.paths import display_path
from partner_desktop.domain.schedule import Firing, Threshold
from partner_desktop.files.watch import FolderWatch

_log = log.area("schedules")

#: Seconds from one look to the next; and after a change in a folder, which is seldom alone.
_EVERY_S, _SOON_S = 60.0, 2.0
#: Looks in a row at which a processor is busy before it counts.
_BUSY_LOOKS = 3


@dataclass
class _Trigger:
    """How one is looked at."""

    due_s: float = 0.0
    """When next, on the clock that never goes back."""
    looked_s: float = -_SOON_S
    busy: int = 0
    """Looks in a row at which the processor was past the limit."""


@dataclass
class _Load:
    """Of the machine; asked for once a look."""

    measure: Callable[[], MachineLoad] | None = None
    now: MachineLoad | None = field(default=None)


class ThresholdTrigger:
    """A part of the AgentContext, launched after the scheduler."""

    def __init__(
        self,
        schedules: ScheduleStore,
        triggers: TriggerStore,
        traces: FiringCauses,
        runner: FiringRunner,
        news: ScheduleNews,
        settings: Callable[[], ScheduleSettings],
        look_at_load: LookAtLoad,
        *,
        clock: Clock,
    ) -> None:
        self._schedules = schedules
        self._triggers = triggers
        self._traces = traces
        self._runner = runner
        self._settings = settings
        self._look_at_load = look_at_load
        self._clock = clock
        self._loop = PollLoop("thresholds", self._look, clock=clock, retry_s=_EVERY_S)
        self._watch = FolderWatch([], self._changed, recursive=False)
        self._known: dict[str, _Trigger] = {}
        self._load = _Load()
        news.wakes(self._loop.wake)

    async def launch(self) -> None:
        """The first look is taken behind the start."""
        self._loop.start()

    async def shutdown(self) -> None:
        await self._loop.close()
        await self._watch.shutdown()

    async def _changed(self) -> None:
        """Something in a folder is otherwise."""
        for known in self._known.values():
            known.due_s = min(known.due_s, known.looked_s + _SOON_S)
        self._loop.wake()

    async def _look(self) -> float:
        """Look at those that are due; for how many seconds none is."""
        found = await self._schedules.of_kind("crosses")
        self._known = {one.id: self._known.get(one.id) or _Trigger() for one in found}
        terms = [one.schedule.terms.crosses for one in found]
        folders = sorted({each.path for each in terms if each is not None and each.of == "folder"})
        await self._watch.follow([Path(folder) for folder in folders])
        self._load.now = None
        for stored in found:
            known, now_s = self._known[stored.id], self._clock.monotonic_s()
            if known.due_s <= now_s:
                known.due_s, known.looked_s = now_s + _EVERY_S, now_s
                try:
                    await self._see_to(stored, known)
                except UsageError as error:
                    _log.warning("%s could not be looked at: %s", stored.id, error)
        if not found:
            return _EVERY_S
        return max(0.0, min(each.due_s for each in self._known.values()) - self._clock.monotonic_s())

    async def _see_to(self, stored: StoredSchedule, known: _Trigger) -> None:
        threshold = stored.schedule.terms.crosses
        assert threshold is not None, "it waits for a measure"
        state, now = await self._triggers.state(stored.id), self._clock.now()
        try:
            measured = await self._measured(threshold)
        except (OSError, ValueError):
            await self._tell_trouble(stored, threshold, state, "gone")
            return
        if measured is None:
            return
        before = state.beyond if state is not None else None
        beyond = is_beyond(threshold, measured, before=before)
        if beyond is None:
            await self._tell_trouble(stored, threshold, state, "full")
            return
        if threshold.of == "processor" and state is not None:
            known.busy = known.busy + 1 if beyond else 0
            beyond = beyond and (bool(before) or known.busy >= _BUSY_LOOKS)
        then = WatchState(now, beyond=beyond)
        if beyond and before is False and await self._fire(stored, state, then):
            return
        await self._triggers.note(stored.id, then)

    async def _measured(self, threshold: Threshold) -> Measured | None:
        """`None`: it cannot be told, now or on this machine."""
        if threshold.of == "folder":
            return await asyncio.to_thread(folder_size, threshold.path)
        if threshold.of == "free_space":
            return await asyncio.to_thread(free_space, threshold.path)
        if self._load.now is None:
            measure, self._load.measure = self._load.measure, await asyncio.to_thread(self._look_at_load)
            # The first look at the memory needs none before it; what processors do takes a while to tell.
            self._load.now = await asyncio.to_thread(measure or self._load.measure)
            if measure is None:
                self._load.now = MachineLoad(self._load.now.memory)
        value = self._load.now.memory if threshold.of == "memory" else self._load.now.processor
        return None if value is None else Measured(value)

    async def _fire(self, stored: StoredSchedule, state: WatchState | None, then: WatchState) -> bool:
        """Whether the firing is written, and with it that the limit is passed."""
        now = then.looked_at
        if self._settings().paused:
            return False
        lately = await self._traces.lately(min(state.looked_at, now) if state is not None else now)
        causes = frozenset[str]().union(*map(causes_after, lately))
        if stored.id in causes:
            return False
        due_at = await self._schedules.free_time(stored.id, now)
        firing = Firing(stored.id, due_at, "begun", now, causes=tuple(sorted(causes)))
        also = self._triggers.noting(stored.id, then)
        return await self._runner.fire(stored, firing, stored, also=also) is not None

    async def _tell_trouble(
        self, stored: StoredSchedule, threshold: Threshold, state: WatchState | None, trouble: str
    ) -> None:
        """That it cannot be measured, once."""
        if state is not None and state.trouble == trouble:
            return
        with speaking(stored.language):
            text = sentence_of(
                f"schedules.measure_{trouble}",
                title=stored.schedule.title,
                folder=display_path(Path(threshold.path)),
            )
        before = state.beyond if state is not None else None
        now = WatchState(self._clock.now(), trouble, before)
        await self._runner.tell(stored, text, also=self._triggers.noting(stored.id, now))
