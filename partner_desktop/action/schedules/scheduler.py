"""Scheduler: waits for the next time of all schedules, and sees to what is due.

Contract: no more than the earliest time is known here; the rows are asked for what is due. It sleeps by the
clock that never goes back, a quarter of a minute at the most, so that a machine that slept, or a wall clock
that was set, is noticed at once. What cannot be seen to is told, and looked at again later: the others go
on meanwhile, and no error ends the watch. What passed by more than a minute was missed; one policy says what
becomes of it, and it is told once. Exactly one process does this: the one that holds the home's lock, and it
only if it stays: what a short command began, its end would cut off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from partner_desktop.action.schedules.firing_runner import LATE, FiringRunner
from partner_desktop.action.schedules.firing_times import PassedTimes, next_time, passed_times
from partner_desktop.action.schedules.poll_loop import PollLoop
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import Lateness, ScheduleStore, StoredSchedule
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.tasks import report_error
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.evidence import MISSED_SUBJECTS
from partner_desktop.domain.schedule import Firing, FiringState, MissedPolicy, ScheduleState
from partner_desktop.runtime.turn_queue import add_told
from partner_desktop.storage.database import Connection

_log = log.area("schedules")

#: Seconds after which it looks at the clocks again, whatever is due.
_NAP_S = 15.0
#: Seconds by which the clocks may differ over a nap.
_DRIFT_S = 2.0
#: For how long one that cannot be seen to is left, in seconds; and where only the disk refused.
_ASIDE_S, _REFUSED_S = 600.0, 10.0
#: So many are refused in a row because of the disk, and not because of what they are.
_MOST_REFUSED = 3
#: For how long what is over is kept.
_KEPT = timedelta(days=90)
#: A turn about what was missed plans nothing.
_SKIP = frozenset({"ActionPlanner"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Scheduler:
    """A part of the AgentContext, launched when what a crash left is taken up."""

    def __init__(
        self,
        store: ScheduleStore,
        runner: FiringRunner,
        news: ScheduleNews,
        cognition: CognitionCapability,
        settings: Callable[[], ScheduleSettings],
        *,
        clock: Clock,
    ) -> None:
        self._store = store
        self._runner = runner
        self._news = news
        self._cognition = cognition
        self._settings = settings
        self._clock = clock
        self._loop = PollLoop("schedules", self.look, clock=clock, retry_s=_NAP_S)
        self._has_begun = False
        self._held: set[str] = set()
        """Those whose missed times wait for the run before."""
        self._aside: dict[str, float] = {}
        """Those that could not be seen to, until when on the clock that never goes back."""
        self._was_paused = False
        self._apart = timedelta()
        """What the wall clock shows, less what the other one does."""
        news.wakes(self.wake)

    async def launch(self) -> None:
        """Take up what was begun; the times are waited for behind the start."""
        await self._runner.take_up()
        self._apart = self._difference()
        self._loop.start()

    async def shutdown(self) -> None:
        await self._loop.close()

    def wake(self) -> None:
        """A time changed, or a run is over."""
        self._held.clear()
        self._loop.wake()

    async def apply(self, new: ScheduleSettings) -> None:
        """New settings are about to hold."""
        del new
        self._loop.wake()

    async def _begin(self) -> None:
        """A clock that was put back while Partner was closed is known by what was done last."""
        mark, now = await self._store.newest_mark(), self._clock.now()
        if mark is not None and mark > now + timedelta(seconds=_DRIFT_S):
            await self._arm_anew()
        await self._store.tidy(now - _KEPT)

    async def look(self) -> float:
        """See to what is due; for how many seconds nothing is."""
        if not self._has_begun:
            self._has_begun = True
            await self._begin()
        apart = self._difference()
        drift_s = (apart - self._apart).total_seconds()
        self._apart = apart
        if drift_s < -_DRIFT_S:
            await self._arm_anew()
        if self._runner.is_behind:
            await self._runner.take_up()
        if self._settings().paused:
            self._was_paused = True
            return _NAP_S
        await self._see_to_all()
        self._was_paused = False
        await self._tell_missed()
        earliest = await self._store.earliest(but=self._left_out())
        if earliest is None:
            return _NAP_S
        return min(_NAP_S, max(0.0, (earliest - self._clock.now()).total_seconds()))

    def _difference(self) -> timedelta:
        return self._clock.now() - _EPOCH - timedelta(seconds=self._clock.monotonic_s())

    async def _see_to_all(self) -> None:
        refused = 0
        while found := await self._store.due(self._clock.now(), but=self._left_out()):
            for stored in found:
                now_s = self._clock.monotonic_s()
                try:
                    await self._see_to(stored)
                    refused = 0
                except StorageError as error:
                    refused += 1
                    if refused >= _MOST_REFUSED:
                        raise
                    _log.warning("%s is seen to later: %s", stored.id, error)
                    self._aside[stored.id] = now_s + _REFUSED_S
                except Exception as error:  # noqa: BLE001 - one never holds up the others
                    report_error(error, f"schedules:{stored.id}")
                    self._aside[stored.id] = now_s + _ASIDE_S

    def _left_out(self) -> list[str]:
        """Those that are not looked at now."""
        now_s = self._clock.monotonic_s()
        self._aside = {each: until_s for each, until_s in self._aside.items() if until_s > now_s}
        return [*self._held, *self._aside]

    async def _see_to(self, stored: StoredSchedule) -> None:
        now = self._clock.now()
        seen = await self._store.latest(stored.id)
        try:
            times = await asyncio.to_thread(passed_times, stored.schedule, now, seen=_before(seen, now))
        except UsageError as error:
            with speaking(stored.language):
                await self._runner.stop(stored, str(error))
            return
        assert stored.schedule.next_at is not None, "it is due"
        late = now - stored.schedule.next_at > LATE
        if late and self._was_paused:
            with speaking(stored.language):
                why = sentence_of("schedules.was_paused")
            await self._pass_over(stored, times, "skipped", why=why)
        elif late:
            missed = stored.schedule.terms.missed
            policy = self._settings().missed if missed == "usual" else missed
            await self._catch_up(stored, times, policy)
        else:
            firing = self._firing(stored, times.due[-1], count=times.count)
            await self._runner.fire(stored, firing, _after(stored, times.next_at))

    async def _catch_up(self, stored: StoredSchedule, times: PassedTimes, policy: MissedPolicy) -> None:
        """What was missed is done once, one after another, or not at all."""
        if policy == "skip":
            await self._pass_over(stored, times, "missed")
        elif policy == "once":
            firing = self._firing(stored, times.due[-1], count=times.count)
            await self._runner.fire(stored, firing, _after(stored, times.next_at), late="untold")
        elif await self._store.open(stored.id):
            self._held.add(stored.id)
        else:
            told = await self._store.is_told_with_the_last(stored.id, times.due[0])
            passed: tuple[Firing, ...] = ()
            if times.before is not None:
                left = times.count - len(times.due)
                passed = (self._firing(stored, times.before, "missed", count=left),)
            then = times.due[1] if len(times.due) > 1 else times.next_at
            firing = self._firing(stored, times.due[0])
            late: Lateness = "told" if told else "untold"
            await self._runner.fire(stored, firing, _after(stored, then), passed=passed, late=late)

    async def _pass_over(
        self, stored: StoredSchedule, times: PassedTimes, state: FiringState, *, why: str = ""
    ) -> None:
        firing = self._firing(stored, times.due[-1], state, count=times.count, why=why)
        late: Lateness = "untold" if state == "missed" else ""
        await self._runner.pass_over(stored, _after(stored, times.next_at), firing, late=late)

    def _firing(
        self, stored: StoredSchedule, due_at: datetime, state: FiringState = "begun", *, count: int = 1,
        why: str = "",
    ) -> Firing:  # fmt: skip
        return Firing(stored.id, due_at, state, self._clock.now(), count=count, why=why)

    async def _tell_missed(self) -> None:
        """What was missed, once, in the conversations that it belongs to: that it is owed is on disk with
        that it is about to be told, so that a crash in between loses no word of it.
        """
        places: dict[str, list[Firing]] = {}
        for firing in await self._store.untold():
            schedule = await self._news.one(firing.schedule_id)
            places.setdefault(schedule.conversation_id, []).append(firing)
        for conversation_id, firings in places.items():
            told, exchange_id = MISSED_SUBJECTS + new_id(), new_id()
            await self._store.write(partial(self._owe, firings, told, conversation_id, exchange_id))
            evidence = await self._news.missed(told)
            self._cognition.initiate_turn(
                evidence, conversation_id=conversation_id, exchange_id=exchange_id, skip=_SKIP
            )

    def _owe(
        self, firings: Sequence[Firing], told: str, conversation_id: str, exchange_id: str, db: Connection
    ) -> None:
        self._store.telling(firings, told)(db)
        now = self._clock.now()
        add_told(db, told, conversation_id=conversation_id, exchange_id=exchange_id, now=now)

    async def _arm_anew(self) -> None:
        """The wall clock was put back: what comes again and again is due from now on. No time is done twice:
        its firing is there."""
        _log.info("the clock was put back; schedules are armed anew")
        after, now = "", self._clock.now()
        while page := await self._store.cycles(after=after):
            after, moved = page[-1].id, list[str]()
            for stored in page:
                then = stored.schedule.next_at
                if then is None or then <= now:
                    continue  # it is seen to now
                try:
                    at = await asyncio.to_thread(next_time, stored.schedule, now)
                except UsageError:
                    continue  # told when it is due
                if at is not None and at < then:
                    await self._store.change(stored, _after(stored, at))
                    moved.append(stored.id)
            if moved:
                await self._news.changed(*moved)


def _before(seen: datetime | None, now: datetime) -> datetime | None:
    """What was seen to before a clock was put back lies ahead, and tells nothing."""
    return seen if seen is not None and seen <= now else None


def _after(stored: StoredSchedule, next_at: datetime | None) -> StoredSchedule:
    """The schedule once a time of it was seen to."""
    state: ScheduleState = "armed" if next_at is not None else "over"
    return replace(stored, schedule=replace(stored.schedule, next_at=next_at, state=state))
