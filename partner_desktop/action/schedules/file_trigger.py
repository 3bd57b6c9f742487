"""FileTrigger: fires what waits for a file to come into a folder.

Contract: a file has landed when a name is there that was not, and its size and time stand still over a
second. What is known and what waits is on disk, so that what landed while Partner was closed is found at the
next start, and nothing fires twice. Files are seen to one after another, ten a minute at the most; none is
lost. What a schedule put there, itself or by way of others, does not fire it; where that cannot be told and
one follows from the other again and again, it stops and says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from datetime import timedelta
from pathlib import Path

from partner_desktop.action.schedules.firing_causes import FiringCauses
from partner_desktop.action.schedules.firing_runner import FiringRunner
from partner_desktop.action.schedules.poll_loop import PollLoop
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import Lateness, ScheduleStore, StoredSchedule
from partner_desktop.action.schedules.trigger_store import Landing, TriggerStore, WatchState
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.paths import display_path
from partner_desktop.domain.schedule import FileLands, Firing
from partner_desktop.files.new_files import MOST_NAMES, LandedFile, fitting_files, is_regular, landed_path
from partner_desktop.files.tree import TooManyError
from partner_desktop.files.watch import FolderWatch

_log = log.area("schedules")

#: For so long a file stands still before it is whole.
_STILL_S = 1.0
#: Seconds after which a look that was refused is tried again, and where nothing is on its way.
_RETRY_S, _NAP_S = 1.0, 60.0
#: Firings of one trigger in a minute.
MOST_A_MINUTE = 10
_MINUTE = timedelta(minutes=1)
#: Files that come one because of the other, as it seems, before the trigger stops.
_MOST_IN_A_ROW = 30


@dataclass
class _Folder:
    """What one trigger has under its eyes."""

    coming: dict[bytes, tuple[LandedFile, float]] = field(default_factory=dict)
    """New names as they looked first, and when on the clock that never goes back."""
    asleep: bool = False
    """Nobody looked since Partner was started: what is new came while it was closed."""
    late: set[bytes] = field(default_factory=set)
    """Came while it was closed."""
    missed: int = 0
    """So many of them are to be told of with the next firing."""
    rows: dict[bytes, int] = field(default_factory=dict)
    """Of those that come or wait: how many were before, each in the wake of the one before it."""
    row: int = 0
    """Of the last that fired."""


class FileTrigger:
    """A part of the AgentContext, launched after the scheduler."""

    def __init__(
        self,
        schedules: ScheduleStore,
        triggers: TriggerStore,
        traces: FiringCauses,
        runner: FiringRunner,
        news: ScheduleNews,
        settings: Callable[[], ScheduleSettings],
        *,
        clock: Clock,
    ) -> None:
        self._schedules = schedules
        self._triggers = triggers
        self._traces = traces
        self._runner = runner
        self._settings = settings
        self._clock = clock
        self._loop = PollLoop("landing files", self._look, clock=clock, retry_s=_RETRY_S)
        self._watch = FolderWatch([], self._changed, recursive=False)
        self._is_first = True
        self._folders: dict[str, _Folder] = {}
        news.wakes(self._loop.wake)

    async def launch(self) -> None:
        """What came meanwhile is looked for behind the start."""
        self._loop.start()

    async def shutdown(self) -> None:
        await self._loop.close()
        await self._watch.shutdown()

    async def apply(self, new: ScheduleSettings) -> None:
        """New settings are about to hold."""
        del new
        self._loop.wake()

    async def _changed(self) -> None:
        self._loop.wake()

    async def _look(self) -> float:
        """See to all of them; for how many seconds nothing is to be done."""
        found = await self._schedules.of_kind("lands")
        if self._is_first:
            self._folders = {one.id: _Folder(asleep=True) for one in found}
            self._is_first = False
        self._folders = {one.id: self._folders.get(one.id) or _Folder() for one in found}
        folders = sorted({one.schedule.terms.lands.folder for one in found if one.schedule.terms.lands})
        await self._watch.follow([Path(folder) for folder in folders])
        return min([_NAP_S, *[await self._seen_to(one) for one in found]])

    async def _seen_to(self, stored: StoredSchedule) -> float:
        """One that cannot be told of keeps no other from being seen to."""
        try:
            return await self._see_to(stored, stored.schedule.terms.lands)
        except UsageError as error:
            _log.warning("%s could not be seen to: %s", stored.id, error)
            return _NAP_S

    async def _see_to(self, stored: StoredSchedule, lands: FileLands | None) -> float:
        assert lands is not None, "it waits for a file"
        folder, state = self._folders[stored.id], await self._triggers.state(stored.id)
        try:
            found = await asyncio.to_thread(fitting_files, lands.folder, lands.pattern)
        except (OSError, ValueError, TooManyError) as error:
            trouble = "full" if isinstance(error, TooManyError) else "gone"
            await self._tell_trouble(stored, lands, state, trouble)
            folder.coming.clear()
            return _NAP_S
        now = self._clock.now()
        if state is None:
            await self._triggers.take_in(stored.id, now, known=found, waiting={})
            return _NAP_S
        known = {one.name: one for one in await self._triggers.landings(stored.id)}
        delay_s = await self._take_in(stored, lands, state, found, known)
        waiting = [one for one in await self._triggers.landings(stored.id) if one.waits]
        if waiting and not self._settings().paused:
            delay_s = min(delay_s, await self._fire(stored, lands, waiting))
        return delay_s

    # What is new.

    async def _take_in(
        self,
        stored: StoredSchedule,
        lands: FileLands,
        state: WatchState,
        found: Mapping[bytes, LandedFile],
        known: Mapping[bytes, Landing],
    ) -> float:
        """Note what came and what went; for how many seconds nothing more of it can be told."""
        folder, now = self._folders[stored.id], self._clock.now()
        fresh = {name: file for name, file in found.items() if name not in known}
        if folder.asleep:
            folder.asleep, folder.late = False, set(fresh)
        await self._count_rows(folder, fresh.keys() - folder.coming.keys())
        folder.rows = {name: row for name, row in folder.rows.items() if name in found}
        whole = self._whole(folder, fresh)
        gone = known.keys() - found.keys()
        delay_s = _STILL_S if folder.coming else _NAP_S
        waiting: dict[bytes, frozenset[str]] = {}
        if whole and not self._settings().paused:
            traces = await self._traces.within(lands.folder, min(state.looked_at, now))
            if traces.is_open:
                return _RETRY_S
            back = await self._traces.taken_back(stored.id, lands.folder, whole)
            whole_by = {name: traces.causes_of(name) for name in whole}
            causes = {name: by | {stored.id} if name in back else by for name, by in whole_by.items()}
            waiting = {name: by for name, by in causes.items() if stored.id not in by}
            waiting = await self._but_missed(stored, waiting)
        for name in whole:
            del folder.coming[name]
        if whole or gone or state.trouble:
            await self._triggers.take_in(
                stored.id, now, gone=gone, known=set(whole) - waiting.keys(), waiting=waiting
            )
        return delay_s

    def _whole(self, folder: _Folder, fresh: Mapping[bytes, LandedFile]) -> list[bytes]:
        """Those that stood still for long enough, by the time at which they were changed last."""
        now_s = self._clock.monotonic_s()
        before, folder.coming = folder.coming, {}
        whole: list[tuple[int, bytes]] = []
        for name, file in fresh.items():
            known = before.get(name)
            folder.coming[name] = known if known is not None and known[0] == file else (file, now_s)
            if now_s - folder.coming[name][1] >= _STILL_S:
                whole.append((file.changed_ns, name))
        return [name for _, name in sorted(whole)]

    async def _but_missed(
        self, stored: StoredSchedule, waiting: dict[bytes, frozenset[str]]
    ) -> dict[bytes, frozenset[str]]:
        """Without what came while Partner was closed, where that is to be left alone."""
        folder, now = self._folders[stored.id], self._clock.now()
        late = waiting.keys() & folder.late
        folder.late -= late
        if not late or stored.schedule.terms.missed != "skip":
            folder.missed += len(late)
            return waiting
        due_at = await self._schedules.free_time(stored.id, now)
        firing = Firing(stored.id, due_at, "missed", now, count=len(late))
        await self._runner.pass_over(stored, stored, firing)
        return {name: causes for name, causes in waiting.items() if name not in late}

    async def _count_rows(self, folder: _Folder, names: Collection[bytes]) -> None:
        """What comes while firings of files go on, or right behind one, may come of them."""
        if not names:
            return
        lately = {firing.schedule_id for firing in await self._traces.lately(self._clock.now())}
        before = [each.row for id_, each in self._folders.items() if id_ in lately]
        folder.rows.update(dict.fromkeys(names, max(before) + 1 if before else 0))

    async def _tell_trouble(
        self, stored: StoredSchedule, lands: FileLands, state: WatchState | None, trouble: str
    ) -> None:
        """That its folder cannot be looked at, once."""
        if state is not None and state.trouble == trouble:
            return
        with speaking(stored.language):
            text = sentence_of(
                f"schedules.folder_{trouble}",
                title=stored.schedule.title,
                folder=display_path(Path(lands.folder)),
                most=f"{MOST_NAMES:,}",
            )
        now = WatchState(state.looked_at if state is not None else self._clock.now(), trouble)
        await self._runner.tell(stored, text, also=self._triggers.noting(stored.id, now))

    # Firing.

    async def _fire(self, stored: StoredSchedule, lands: FileLands, waiting: list[Landing]) -> float:
        """See to the first that waits, if it may be now; after how many seconds it may be."""
        now, folder = self._clock.now(), self._folders[stored.id]
        if await self._schedules.open(stored.id):
            return _NAP_S  # its end wakes
        recent = await self._schedules.between(stored.id, now - _MINUTE, now)
        if len(recent) >= MOST_A_MINUTE:
            return max(_STILL_S, (recent[-MOST_A_MINUTE] + _MINUTE - now).total_seconds())
        landing = waiting[0]
        path = await asyncio.to_thread(landed_path, lands.folder, landing.name)
        if not await asyncio.to_thread(is_regular, path):
            if path:
                await self._triggers.take_in(stored.id, now, gone=[landing.name], waiting={})
            else:
                await self._triggers.take_in(stored.id, now, known=[landing.name], waiting={})
                _log.warning("a file in %s has a name that is no text, and is left alone", lands.folder)
            return 0.0
        row = folder.rows.pop(landing.name, 0)
        if row > _MOST_IN_A_ROW:
            with speaking(stored.language):
                why = sentence_of("schedules.in_a_circle", count=_MOST_IN_A_ROW)
            await self._runner.stop(stored, why)
            return _NAP_S
        firing = Firing(
            stored.id,
            await self._schedules.free_time(stored.id, now),
            "begun",
            now,
            count=max(1, folder.missed),
            landed=path,
            causes=tuple(sorted(landing.causes)),
        )
        late: Lateness = "untold" if folder.missed else ""
        folder.missed, folder.row = 0, row
        also = self._triggers.seeing_to(stored.id, landing.name)
        await self._runner.fire(stored, firing, stored, late=late, also=also)
        return 0.0
