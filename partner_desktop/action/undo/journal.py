"""The undo journal: what may be changed is noted before a run, compared after it, and can be taken back.

Contract: `begin` returns when the copies are on the disk. A run that cannot be watched goes on all the same,
for it was approved as it is, and its card says that it cannot be undone, and why. `end` follows each `begin`;
where a crash came between, `left_by` of the next start ends it. Copies of what did not change are dropped at
once, the others with their time, or when all together grow too large, oldest first; the card then says so.
One thing at a time touches the disk: nothing is taken back while something is noted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from partner_desktop.abilities.builtin.file_access import off_loop
from partner_desktop.action.event_publisher import EventPublisher
from partner_desktop.action.settings import ActionSettings
from partner_desktop.action.store import ActionStore, Also
from partner_desktop.action.undo.changes import Changes, SnapshotLimits, WatchedPlaces
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.action import ActionRecord, Undo, UndoState
from partner_desktop.domain.decoder import decoded
from partner_desktop.files.tree import TooManyError
from partner_desktop.storage.database import Connection, Database

_log = log.area("undo")

_MB = 1_000_000


class UndoJournal:
    """A part of the AgentContext."""

    def __init__(
        self,
        rows: UndoRows,
        disk: UndoDisk,
        store: ActionStore,
        publisher: EventPublisher,
        settings: Callable[[], ActionSettings],
        *,
        clock: Clock,
    ) -> None:
        self.rows = rows
        self.disk = disk
        self.alone = asyncio.Lock()
        """Held by whoever notes, compares or takes back."""
        self._store = store
        self._publisher = publisher
        self._settings = settings
        self._clock = clock
        self._tasks = TaskSet("undo")

    async def launch(self) -> None:
        """Clear away, behind the start."""
        self._tasks.start("sweep", self._sweep())

    async def shutdown(self) -> None:
        await self._tasks.close()

    @property
    def enabled(self) -> bool:
        return self._settings().undo.enabled

    async def begin(self, action_id: str, conversation_id: str, watch: WatchedPlaces) -> str:
        """Note what the run may change; why it cannot be undone, empty if it can."""
        async with self.alone:
            row = await self.rows.get(action_id)
            again = row is not None and row.state is RowState.OPEN
            if again and await asyncio.to_thread(self.disk.is_whole, action_id):
                return ""  # it goes on after a crash: what was noted first is what it was
            try:
                return await self._note_down(action_id, conversation_id, watch)
            except BaseException:
                await uninterrupted(self.rows.remove(action_id))
                # Thousands of copies take a while; what has no row, the next start clears away.
                self._tasks.start("drop", asyncio.to_thread(self.disk.remove, action_id))
                raise

    async def _note_down(self, action_id: str, conversation_id: str, watch: WatchedPlaces) -> str:
        settings = self._settings().undo
        limits = SnapshotLimits(copies_bytes=settings.cap_mb * _MB, entries=settings.max_files)
        try:
            await self.rows.open(action_id, conversation_id, now=self._clock.now())
            await off_loop(lambda stop: self.disk.snapshot(action_id, watch, limits, stop.check))
        except TooManyError:
            problem = sentence_of("undo.too_many", count=f"{settings.max_files:,}")
        except OSError as error:
            problem = sentence_of("undo.not_copied", why=system_reason(error))
        except StorageError as error:
            problem = str(error)
        else:
            return ""
        _log.warning("%s runs without a way back: %s", action_id, problem)
        await self._drop(action_id)
        return problem

    async def end(self, action_id: str, *, cut_off: bool = False) -> Undo | None:
        """Compare; `None` when nothing changed, or nothing was noted."""
        async with self.alone:
            try:
                return await self._end(action_id, cut_off=cut_off)
            except (OSError, StorageError, TooManyError) as error:
                _log.warning("what %s changed could not be noted: %s", action_id, error)
                await self._drop(action_id)
                why = sentence_of("undo.too_much") if isinstance(error, TooManyError) else f"{error}."
                return Undo(UndoState.GONE, 0, sentence_of("undo.cannot", why=why))

    async def _end(self, action_id: str, *, cut_off: bool) -> Undo | None:
        row = await self.rows.get(action_id)
        if row is None:
            return None
        if row.state is not RowState.OPEN:
            changes = await asyncio.to_thread(self.disk.changes, action_id)
            return _told(changes) if changes is not None else None
        most = self._settings().undo.max_files
        compared = await asyncio.to_thread(self.disk.compare, action_id, most=most, cut_off=cut_off)
        if compared is None or not compared[0].changes:
            await self._drop(action_id)
            return None
        changes, kept_bytes = compared
        if not changes.possible:
            await self._drop(action_id)
            return _told(changes)
        await self.rows.settle(action_id, RowState.POSSIBLE, kept_bytes=kept_bytes)
        await self._make_room()
        return _told(changes)

    async def amend(self, action_id: str, undo: Callable[[Undo], Undo]) -> None:
        """Say on the card how it stands now."""

        def change(record: ActionRecord) -> ActionRecord:
            return replace(record, undo=undo(record.undo)) if record.undo is not None else record

        await self.write(action_id, change)

    async def write(
        self, action_id: str, change: Callable[[ActionRecord], ActionRecord], also: Also = lambda db: None
    ) -> None:
        """Change what the card says, and what else is told in the same transaction; then tell of it."""
        record = await self._store.amend(action_id, change, also=also)
        if record is not None:
            self._publisher.changed(record)

    async def let_go(self, row: UndoRow, note: str) -> None:
        """The way back is closed; the card says why."""
        await self.rows.settle(row.action_id, RowState.GONE, kept_bytes=0)
        await asyncio.to_thread(self.disk.remove, row.action_id)
        await self.amend(row.action_id, lambda undo: Undo(UndoState.GONE, undo.count, note))

    async def forget(self, action_ids: Sequence[str]) -> None:
        """Erase everything of runs whose conversation is erased."""
        async with self.alone:
            for action_id in action_ids:
                await self._drop(action_id)

    async def _drop(self, action_id: str) -> None:
        await asyncio.to_thread(self.disk.remove, action_id)
        try:
            await self.rows.remove(action_id)
        except StorageError:
            _log.exception("the undo journal of %s could not be closed", action_id)

    async def _make_room(self) -> None:
        """Let go of what is too old, and of the oldest while all are too large."""
        settings = self._settings().undo
        most_bytes = max(settings.total_mb, settings.cap_mb) * _MB
        too_old = self._clock.now() - timedelta(days=settings.keep_days)
        rows = await self.rows.possible()
        all_bytes = sum(row.kept_bytes for row in rows)
        for row in rows:
            if row.created_at < too_old:
                note = sentence_of("undo.kept_days", count=settings.keep_days)
            elif all_bytes > most_bytes:
                note = sentence_of("undo.made_room")
            else:
                continue
            all_bytes -= row.kept_bytes
            await self.let_go(row, note)

    async def _sweep(self) -> None:
        folders = await asyncio.to_thread(self.disk.folders)
        async with self.alone:
            for row in await self.rows.stranded():
                await self._drop(row.action_id)
            # Listed before: whatever has a folder then has a row now, unless it is nobody's.
            for action_id in set(folders) - await self.rows.known():
                await asyncio.to_thread(self.disk.remove, action_id)
            for row in await self.rows.possible():
                if await asyncio.to_thread(self.disk.changes, row.action_id) is None:
                    await self.let_go(row, sentence_of("undo.copies_not_there"))
            await self._make_room()


def _told(changes: Changes) -> Undo:
    possible = bool(changes.possible)
    note = changes.note if possible else sentence_of("undo.cannot_now", note=changes.note).strip()
    return Undo(UndoState.POSSIBLE if possible else UndoState.GONE, changes.files, note)


_COLUMNS = "action_id, conversation_id, state, created_at, kept_bytes"


class RowState(StrEnum):
    """Where a journal stands."""

    OPEN = "open"
    """The run is under way, or Partner's end cut it off."""
    POSSIBLE = "possible"
    DONE = "done"
    GONE = "gone"


@dataclass(frozen=True)
class UndoRow:
    """One journal."""

    action_id: str
    conversation_id: str
    state: RowState
    created_at: datetime
    kept_bytes: int


class UndoRows:
    """The table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, action_id: str, conversation_id: str, *, now: datetime) -> None:
        await self._database.execute(
            f"INSERT OR REPLACE INTO undo ({_COLUMNS}) VALUES (?, ?, ?, ?, 0)",  # noqa: S608 - a constant
            (action_id, conversation_id, RowState.OPEN.value, now.isoformat()),
        )

    async def get(self, action_id: str) -> UndoRow | None:
        found = await self._select("action_id = ?", action_id)
        return found[0] if found else None

    async def possible(self, conversation_id: str = "") -> list[UndoRow]:
        """What can be taken back, oldest first; of one conversation where it is given."""
        if conversation_id:
            return await self._select("state = 'possible' AND conversation_id = ?", conversation_id)
        return await self._select("state = 'possible'")

    async def newest_in_sight(self) -> UndoRow | None:
        """The last that can be taken back and lies in no deleted conversation."""
        deleted = "conversation_id IN (SELECT id FROM conversations WHERE deleted_at IS NOT NULL)"
        found = await self._select(f"state = 'possible' AND NOT {deleted}")
        return found[-1] if found else None

    async def running(self) -> list[UndoRow]:
        """The journals of runs that are under way."""
        return await self._select("state = 'open'")

    async def stranded(self) -> list[UndoRow]:
        """Open ones whose run has ended all the same: nothing will close them."""
        ended = "NOT EXISTS (SELECT 1 FROM actions WHERE id = action_id AND status = 'running')"
        return await self._select(f"state = 'open' AND {ended}")

    async def known(self) -> set[str]:
        """The ids of all."""
        return {row.action_id for row in await self._select("1")}

    async def _select(self, condition: str, *values: str) -> list[UndoRow]:
        query = f"SELECT {_COLUMNS} FROM undo WHERE {condition} ORDER BY position"  # noqa: S608 - constants
        rows = await self._database.rows(query, values)
        return [decoded(UndoRow, dict(row)) for row in rows]

    async def settle(self, action_id: str, state: RowState, *, kept_bytes: int) -> None:
        await self._database.write(lambda db: set_state(db, action_id, state, kept_bytes=kept_bytes))

    async def remove(self, action_id: str) -> None:
        await self._database.execute("DELETE FROM undo WHERE action_id = ?", (action_id,))


def set_state(db: Connection, action_id: str, state: RowState, *, kept_bytes: int = 0) -> None:
    """For a transaction that changes the action, too."""
    db.execute(
        "UPDATE undo SET state = ?, kept_bytes = ? WHERE action_id = ?", (state.value, kept_bytes, action_id)
    )
