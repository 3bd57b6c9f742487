"""FiringCauses: which files are in a folder because of what schedules did, so that no trigger runs in a loop.

Contract: what the undo journal knows of a run is told apart path by path, so that what a person puts into
the same folder meanwhile is not taken for the run's. Of a run that nothing was noted of, all that comes into
the places that it may write to is taken for its own, while it runs and a little longer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from partner_desktop.action.schedules.schedule_store import ScheduleStore
from partner_desktop.action.store import ActionStore
from partner_desktop.action.undo.changes import Changes
from partner_desktop.action.undo.journal import UndoJournal
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.schedule import Firing

#: What comes so long after a run may be of it still.
WAKE = timedelta(seconds=2)
#: Of the last firings so many may have been taken back lately.
_MOST_TAKEN_BACK = 50


@dataclass(frozen=True)
class FolderTraces:
    """What firings did in a folder."""

    is_open: bool
    """One that may write there goes on: what it does is not known yet."""
    names: dict[bytes, frozenset[str]]
    """Name → the schedules because of which it is there."""
    all_of: frozenset[str]
    """The schedules because of which anything may be there that came."""

    def causes_of(self, name: bytes) -> frozenset[str]:
        """The schedules because of which a file is there; none: somebody else put it there."""
        return self.names.get(name, frozenset()) | self.all_of


class FiringCauses:
    """Looks at what the last firings left on the disk."""

    def __init__(self, schedules: ScheduleStore, actions: ActionStore, journal: UndoJournal) -> None:
        self._schedules = schedules
        self._actions = actions
        self._journal = journal
        self._known_back: set[str] = set()
        """Runs that were taken back, once it was told which files came back by that."""

    async def lately(self, since: datetime) -> list[Firing]:
        """Those that began something, and go on or ended no more than `WAKE` before a moment."""
        return await self._schedules.since(since - WAKE)

    async def within(self, folder: str, since: datetime) -> FolderTraces:
        """What they did in a folder since a moment."""
        folder = await asyncio.to_thread(os.path.realpath, folder)
        is_open = False
        names: dict[bytes, frozenset[str]] = {}
        all_of: set[str] = set()
        for firing in await self.lately(since):
            causes = causes_after(firing)
            for run in await self._runs(firing):
                places = _places(run)
                if not run.status.ended:
                    is_open = is_open or _is_fed(run) or _reaches(places, folder)
                    continue
                for name in await self._names(run, folder):
                    names[name] = names.get(name, frozenset()) | causes
                if self._is_unknown(run) and _reaches(places, folder):
                    all_of |= causes
        return FolderTraces(is_open, names, frozenset(all_of))

    async def taken_back(self, schedule_id: str, folder: str, names: Collection[bytes]) -> set[bytes]:
        """Those of these files that are in a folder again because a person took back what a schedule did:
        it does not do it again.
        """
        folder = await asyncio.to_thread(os.path.realpath, folder)
        found: set[bytes] = set()
        for firing in await self._schedules.history(schedule_id, limit=_MOST_TAKEN_BACK):
            for run in await self._runs(firing):
                if run.id in self._known_back or run.undo is None or run.undo.state is not UndoState.DONE:
                    continue
                self._known_back.add(run.id)
                places = map(os.path.split, _places(run))
                found |= {os.fsencode(name) for place, name in places if place == folder}
        return found & set(names)

    async def _runs(self, firing: Firing) -> Sequence[ActionRecord]:
        """What ran in it: itself, or its steps; the whole, while that goes on."""
        try:
            record = await self._actions.get(firing.action_id)
        except UsageError:
            return ()
        if record.chain is None:
            return [record] if record.started_at is not None else ()
        steps = await self._actions.steps_of(record.id)
        return [*steps, record] if record.status is ActionStatus.RUNNING else steps

    async def _names(self, run: ActionRecord, folder: str) -> set[bytes]:
        if run.undo is None:
            return set()
        changes = await asyncio.to_thread(self._journal.disk.changes, run.id)
        return set() if changes is None else set(_names_in(changes, folder))

    def _is_unknown(self, run: ActionRecord) -> bool:
        """Whether nothing tells which paths it changed."""
        if run.undo is not None:
            return run.undo.state is UndoState.GONE
        is_server = run.isolation is not None and bool(run.isolation.server)
        return is_server or not self._journal.enabled


def causes_after(firing: Firing) -> frozenset[str]:
    """The schedules because of which something is that a firing did."""
    return frozenset({firing.schedule_id, *firing.causes})


def _places(run: ActionRecord) -> list[str]:
    uses = run.paths if run.chain is None else [use for step in run.chain.steps for use in step.paths]
    return [use.path for use in uses if use.access == "write"]


def _is_fed(run: ActionRecord) -> bool:
    """Whether some place is not known before it runs."""
    return run.chain is not None and any(step.feeds for step in run.chain.steps)


def _reaches(places: Iterable[str], folder: str) -> bool:
    own = Path(folder)
    return any(own.is_relative_to(place) or Path(place).is_relative_to(own) for place in places)


def _names_in(changes: Changes, folder: str) -> Iterable[bytes]:
    for change in changes.changes:
        for path in (change.now_at, change.path if change.after is not None else ""):
            place, name = os.path.split(path)
            if name and place == folder:
                yield os.fsencode(name)
    for path in changes.inside:
        place, name = os.path.split(path)
        if place == folder:
            yield os.fsencode(name)
