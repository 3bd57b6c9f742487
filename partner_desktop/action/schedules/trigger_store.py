"""What the triggers saw last, as rows: which files are known, which wait, and which thresholds are passed.

Contract: all of it goes with its schedule, and as soon as that is not armed. A file leaves those that wait in
the transaction that writes its firing: none fires twice, and none is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.storage.database import Connection, Database, Row


@dataclass(frozen=True)
class WatchState:
    """How a trigger looked last."""

    looked_at: datetime
    trouble: str = ""
    """What keeps it from being looked at, as it was told; empty: nothing does."""
    beyond: bool | None = None
    """Of a threshold: whether it is passed; `None`: that is not known."""


@dataclass(frozen=True)
class Landing:
    """A name in a folder."""

    name: bytes
    waits: bool
    """For its firing; else it was there before, or it is seen to."""
    causes: frozenset[str] = frozenset()
    """The schedules because of which it is there."""


@dataclass(frozen=True)
class FolderSnapshot:
    """What lies in a folder as a schedule is armed."""

    at: datetime
    names: frozenset[bytes]


class TriggerStore:
    """The tables watches and landings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self, schedule_id: str) -> WatchState | None:
        """How it looked last; `None`: it never did since it was armed."""
        row = await self._database.row("SELECT * FROM watches WHERE schedule_id = ?", (schedule_id,))
        return None if row is None else _state_of(row)

    def noting(self, schedule_id: str, state: WatchState) -> Callable[[Connection], None]:
        """What writes how it looks now, in another transaction."""
        return lambda db: _put_state(db, schedule_id, state)

    async def note(self, schedule_id: str, state: WatchState) -> None:
        """Write how it looks now, if its schedule is there."""
        await self._database.write(self.noting(schedule_id, state))

    async def landings(self, schedule_id: str) -> list[Landing]:
        """All names that are known, those that wait last and in their order."""
        rows = await self._database.rows(
            "SELECT * FROM landings WHERE schedule_id = ? ORDER BY place", (schedule_id,)
        )
        return [Landing(row["name"], row["place"] > 0, frozenset(json.loads(row["causes"]))) for row in rows]

    async def take_in(
        self,
        schedule_id: str,
        now: datetime,
        *,
        gone: Collection[bytes] = (),
        known: Collection[bytes] = (),
        waiting: Mapping[bytes, Collection[str]],
    ) -> None:
        """Write what a look found: names that are gone, new ones that do not fire, and those that do, each
        with the schedules because of which it is there.
        """

        def work(db: Connection) -> None:
            _put_state(db, schedule_id, WatchState(now))
            db.executemany(
                "DELETE FROM landings WHERE schedule_id = ? AND name = ?",
                [(schedule_id, name) for name in gone],
            )
            _put_known(db, schedule_id, known)
            (last,) = db.execute(
                "SELECT coalesce(max(place), 0) FROM landings WHERE schedule_id = ?", (schedule_id,)
            ).fetchone()
            db.executemany(
                "INSERT OR REPLACE INTO landings (schedule_id, name, place, causes) VALUES (?, ?, ?, ?)",
                [
                    (schedule_id, name, place, json.dumps(sorted(causes)))
                    for place, (name, causes) in enumerate(waiting.items(), last + 1)
                ],
            )

        await self._database.write(work)

    def seeing_to(self, schedule_id: str, name: bytes) -> Callable[[Connection], None]:
        """What takes a name from those that wait, in the transaction of its firing."""
        return lambda db: _put_known(db, schedule_id, [name])


def put_snapshot(db: Connection, schedule_id: str, snapshot: FolderSnapshot) -> None:
    """A schedule is armed, and these files were there."""
    forget_watch(db, schedule_id)
    _put_state(db, schedule_id, WatchState(snapshot.at))
    _put_known(db, schedule_id, snapshot.names)


def forget_watch(db: Connection, schedule_id: str) -> None:
    """A schedule is not armed any more, or waits for something else."""
    db.execute("DELETE FROM watches WHERE schedule_id = ?", (schedule_id,))
    db.execute("DELETE FROM landings WHERE schedule_id = ?", (schedule_id,))


def _put_known(db: Connection, schedule_id: str, names: Collection[bytes]) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO landings (schedule_id, name, place, causes) VALUES (?, ?, 0, '[]')",
        [(schedule_id, name) for name in names],
    )


def _put_state(db: Connection, schedule_id: str, state: WatchState) -> None:
    db.execute(
        "INSERT OR REPLACE INTO watches (schedule_id, looked_at, trouble, beyond) "
        "SELECT id, ?, ?, ? FROM schedules WHERE id = ?",
        (state.looked_at.isoformat(), state.trouble, state.beyond, schedule_id),
    )


def _state_of(row: Row) -> WatchState:
    beyond = row["beyond"]
    return WatchState(
        datetime.fromisoformat(row["looked_at"]), row["trouble"], None if beyond is None else bool(beyond)
    )
