"""Schedules and their firings as rows: every transition is on disk before anyone hears of it.

Contract: nobody holds all rows; what is due is found by its time. A firing and what it makes of its schedule
are one transaction, and the key of a firing is its schedule with its time: none is there twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from partner_desktop.action.schedules.trigger_store import FolderSnapshot, forget_watch, put_snapshot
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import as_json, record_from_text, record_to_text
from partner_desktop.domain.schedule import Firing, Schedule, Terms
from partner_desktop.storage.database import Connection, Database, Row, rows_among

#: Firings that have not come to their end.
OPEN = ("begun", "running", "waiting")
_OPEN_MARKS = "('begun', 'running', 'waiting')"
_DUE = "state = 'armed' AND next_at IS NOT NULL"
_AS_LISTED = "CASE WHEN next_at IS NOT NULL THEN 0 WHEN state <> 'armed' THEN 1 ELSE 2 END, next_at, position"
_LAST = (
    "SELECT firings.* FROM firings JOIN "
    "(SELECT schedule_id, max(due_at) AS due_at FROM firings GROUP BY schedule_id) AS newest "
    "USING (schedule_id, due_at) WHERE schedule_id IN"
)

#: Whether the time of a firing had passed, and is to be told of; `told`: with the one before it.
Lateness = Literal["", "untold", "told"]
_UNTOLD: Lateness = "untold"
#: Of a reminder the message itself says so.
_TOLD_LATE = ("begun", "missed")

#: Written in the same transaction.
Also = Callable[[Connection], None]


@dataclass(frozen=True)
class StoredSchedule:
    """A row, with what only its firings need."""

    schedule: Schedule
    template: ActionRecord | None = None
    """The action as it was approved; `None`: it only tells."""
    language: str = ""
    there: FolderSnapshot | None = None
    """As it is armed: the names that lie in its folder, which do not fire it. Written, never read."""

    @property
    def id(self) -> str:
        """Of the schedule."""
        return self.schedule.id


def waits_for(terms: Terms) -> str:
    """The name of what terms wait for."""
    return next((name for name in _WAITS if getattr(terms, name) is not None), "")


_WAITS = ("once", "cycle", "lands", "crosses", "ends")


class ScheduleStore:
    """The tables schedules and firings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Schedules.

    def putting(self, stored: StoredSchedule) -> Also:
        """What writes a schedule, new or as it is now, in another transaction."""
        return lambda db: _put(db, stored)

    def stopping(self, stopped: StoredSchedule) -> Callable[[Connection], bool]:
        """What writes that a schedule stopped, in another transaction; whether it is there still."""

        def work(db: Connection) -> bool:
            known = db.execute("SELECT 1 FROM schedules WHERE id = ?", (stopped.id,)).fetchone()
            if known is not None:
                _put(db, stopped)
            return known is not None

        return work

    async def get(self, schedule_id: str) -> StoredSchedule:
        """One schedule.

        Raises:
            UsageError: There is none of this id.
        """
        found = await self._stored("SELECT * FROM schedules WHERE id = ?", (schedule_id,))
        if not found:
            raise UsageError("schedules.none", id=schedule_id[:80])
        return found[0]

    async def page(
        self, *, limit: int, offset: int = 0, words: Sequence[str] = (), over: bool = False
    ) -> list[StoredSchedule]:
        """Some of those that may do something still, the soonest first: behind what has a time is what does
        not go on, then what waits for something to happen. With `over` all; `words`: all are in the title.
        """
        which, values = _which(words, over=over)
        query = f"SELECT * FROM schedules WHERE {which} ORDER BY {_AS_LISTED} LIMIT ? OFFSET ?"  # noqa: S608 - marks only
        return await self._stored(query, (*values, limit, offset))

    async def count(self, *, words: Sequence[str] = (), over: bool = False) -> int:
        """How many there are of them; see `page`."""
        which, values = _which(words, over=over)
        row = await self._database.row(f"SELECT count(*) FROM schedules WHERE {which}", values)  # noqa: S608 - marks only
        return int(row[0])

    async def beginning_with(self, beginning: str, *, limit: int) -> list[StoredSchedule]:
        """Those whose id begins so, whatever their state."""
        return await self._stored(
            "SELECT * FROM schedules WHERE id >= ? AND substr(id, 1, ?) = ? ORDER BY id LIMIT ?",
            (beginning, len(beginning), beginning, limit),
        )

    async def of_conversation(self, conversation_id: str) -> list[StoredSchedule]:
        """Those that tell in a conversation and may do something still, the oldest first."""
        return await self._stored(
            "SELECT * FROM schedules WHERE conversation_id = ? AND state <> 'over' ORDER BY position",
            (conversation_id,),
        )

    async def due_before(self, until: datetime | None, *, limit: int, offset: int) -> list[StoredSchedule]:
        """A page of the armed ones that are due next before a time, the soonest first."""
        return await self._stored(
            f"SELECT * FROM schedules WHERE {_DUE} AND (next_at < ? OR ? IS NULL) "  # noqa: S608 - a constant
            "ORDER BY next_at, position LIMIT ? OFFSET ?",
            (*(2 * (None if until is None else stamp(until),)), limit, offset),
        )

    async def newest(self, *, limit: int) -> list[StoredSchedule]:
        """The last that were made of those that may do something still, in the order in which they were."""
        found = await self._stored(
            "SELECT * FROM schedules WHERE state <> 'over' ORDER BY position DESC LIMIT ?", (limit,)
        )
        return found[::-1]

    async def told_last(self) -> Firing | None:
        """The last firing that a message told of."""
        found = await self._firings("SELECT * FROM firings WHERE message_id <> '' ORDER BY at DESC LIMIT 1")
        return found[0] if found else None

    async def of_kind(self, waits: str) -> list[StoredSchedule]:
        """The armed ones that wait for something to happen, by its name."""
        return await self._stored(
            "SELECT * FROM schedules WHERE waits_for = ? AND state = 'armed' ORDER BY position", (waits,)
        )

    async def earliest(self, *, but: Sequence[str] = ()) -> datetime | None:
        """When something is due next."""
        query = f"SELECT min(next_at) FROM schedules WHERE {_DUE} {_but(but)}"  # noqa: S608 - marks only
        row = await self._database.row(query, but)
        return None if row[0] is None else datetime.fromisoformat(row[0])

    async def due(self, now: datetime, *, but: Sequence[str] = (), limit: int = 50) -> list[StoredSchedule]:
        """What is due, the earliest first."""
        query = (
            f"SELECT * FROM schedules WHERE {_DUE} AND next_at <= ? {_but(but)} "  # noqa: S608 - marks only
            "ORDER BY next_at LIMIT ?"
        )
        return await self._stored(query, (stamp(now), *but, limit))

    async def cycles(self, *, after: str = "", limit: int = 200) -> list[StoredSchedule]:
        """A page of the armed ones that come again and again, by their ids."""
        return await self._stored(
            "SELECT * FROM schedules WHERE waits_for = 'cycle' AND state = 'armed' AND id > ? "
            "ORDER BY id LIMIT ?",
            (after, limit),
        )

    async def write(self, work: Also) -> None:
        """A transaction of its own."""
        await self._database.write(work)

    async def change(
        self, before: StoredSchedule, after: StoredSchedule, *, also: Also = lambda db: None
    ) -> bool:
        """Write a schedule as it is to be, if it still is as it was; whether it was."""

        def work(db: Connection) -> bool:
            if not _is_as(db, before):
                return False
            _put(db, after)
            also(db)
            return True

        return await self._database.write(work)

    async def remove(self, schedule_id: str) -> None:
        """Take one out with its history."""
        await self._database.execute("DELETE FROM schedules WHERE id = ?", (schedule_id,))

    async def tidy(self, before: datetime) -> None:
        """Take out what has been over for long."""
        await self._database.execute(
            "DELETE FROM schedules WHERE state = 'over' AND created_at < ? AND NOT EXISTS "
            "(SELECT 1 FROM firings WHERE schedule_id = schedules.id AND at >= ?)",
            (stamp(before), stamp(before)),
        )

    # Firings.

    def beginning(
        self,
        before: StoredSchedule,
        after: StoredSchedule,
        firings: Sequence[Firing],
        *,
        late: Lateness = "",
        also: Also = lambda db: None,
    ) -> Callable[[Connection], bool]:
        """What writes firings with what becomes of their schedule, if it still is as it was; whether it was.
        Run it in a transaction.
        """

        def work(db: Connection) -> bool:
            if not _is_as(db, before):
                return False
            _put(db, after)
            for one in firings:
                _add(db, one, late if one.state in _TOLD_LATE else "")
            also(db)
            return True

        return work

    async def begin(
        self,
        before: StoredSchedule,
        after: StoredSchedule,
        firings: Sequence[Firing],
        *,
        late: Lateness = "",
        also: Also = lambda db: None,
    ) -> bool:
        """`beginning` in a transaction of its own."""
        return await self._database.write(self.beginning(before, after, firings, late=late, also=also))

    def setting(self, firing: Firing) -> Also:
        """What writes how far a firing is, in another transaction."""
        return lambda db: _set(db, firing)

    async def set(self, firing: Firing) -> None:
        """Write how far a firing is."""
        await self._database.write(self.setting(firing))

    async def fired(self, schedule_id: str, due_at: datetime) -> bool:
        """Whether this time was seen to."""
        return await self._database.row(
            "SELECT 1 FROM firings WHERE schedule_id = ? AND due_at = ?", (schedule_id, stamp(due_at))
        ) is not None  # fmt: skip

    async def latest(self, schedule_id: str) -> datetime | None:
        """The latest time that was seen to."""
        row = await self._database.row(
            "SELECT max(due_at) FROM firings WHERE schedule_id = ?", (schedule_id,)
        )
        return None if row[0] is None else datetime.fromisoformat(row[0])

    async def free_time(self, schedule_id: str, now: datetime) -> datetime:
        """Now, or right behind the latest time that was seen to: no two firings are at one time."""
        last = await self.latest(schedule_id)
        return now if last is None or last < now else last + timedelta(microseconds=1)

    async def newest_mark(self) -> datetime | None:
        """The latest moment at which anything was written here."""
        row = await self._database.row("SELECT max(at) FROM firings")
        return None if row[0] is None else datetime.fromisoformat(row[0])

    async def history(self, schedule_id: str, *, limit: int) -> list[Firing]:
        """Its firings, the newest first."""
        return await self._firings(
            "SELECT * FROM firings WHERE schedule_id = ? ORDER BY due_at DESC LIMIT ?", (schedule_id, limit)
        )

    async def open(self, schedule_id: str = "") -> list[Firing]:
        """What has not come to its end, of one schedule or of all."""
        return await self._firings(
            f"SELECT * FROM firings WHERE state IN {_OPEN_MARKS} "  # noqa: S608 - a constant
            "AND (schedule_id = ? OR ? = '') ORDER BY at",
            (schedule_id, schedule_id),
        )

    async def since(self, at: datetime) -> list[Firing]:
        """What began an action and is not over, or was not at a moment."""
        return await self._firings(
            f"SELECT * FROM firings WHERE action_id <> '' "  # noqa: S608 - a constant
            f"AND (state IN {_OPEN_MARKS} OR at >= ?) ORDER BY at",
            (stamp(at),),
        )

    async def between(self, schedule_id: str, since: datetime, until: datetime) -> list[datetime]:
        """When its firings came as far as they are, in a span of time, the earliest first: by the clock as it
        is now, which may have been put back.
        """
        rows = await self._database.rows(
            "SELECT at FROM firings WHERE schedule_id = ? AND at > ? AND at <= ? ORDER BY at",
            (schedule_id, stamp(since), stamp(until)),
        )
        return [datetime.fromisoformat(row["at"]) for row in rows]

    async def of_action(self, action_id: str) -> Firing | None:
        """The firing that an action is."""
        return next(
            iter(await self._firings("SELECT * FROM firings WHERE action_id = ?", (action_id,))), None
        )

    async def last_of(self, ids: Sequence[str]) -> dict[str, Firing]:
        """The newest firing of each of some schedules."""
        rows = await self._database.read(lambda db: rows_among(db, _LAST, ids))
        return {row["schedule_id"]: _firing_of(row) for row in rows}

    async def told_since(self, since: datetime) -> list[tuple[str, str]]:
        """What was told of firings since then: schedule and hash."""
        rows = await self._database.rows(
            "SELECT schedule_id, told FROM firings WHERE at >= ? AND told <> ''", (stamp(since),)
        )
        return [(row["schedule_id"], row["told"]) for row in rows]

    async def note_told(self, firing: Firing, told: str) -> None:
        """That something is told of it."""
        await self._database.execute(
            "UPDATE firings SET told = ? WHERE schedule_id = ? AND due_at = ?",
            (told, firing.schedule_id, stamp(firing.due_at)),
        )

    async def untold(self) -> list[Firing]:
        """What was missed or is late, and nobody was told of yet."""
        return await self.late(_UNTOLD)

    async def late(self, told: str) -> list[Firing]:
        """Those whose time had passed, by what is known of that: under what it is told."""
        return await self._firings("SELECT * FROM firings WHERE late = ? ORDER BY due_at", (told,))

    def telling(self, firings: Sequence[Firing], told: str) -> Also:
        """What writes under what it is told that the times of these had passed."""
        rows = [(told, one.schedule_id, stamp(one.due_at)) for one in firings]
        query = "UPDATE firings SET late = ? WHERE schedule_id = ? AND due_at = ?"

        def work(db: Connection) -> None:
            db.executemany(query, rows)

        return work

    async def is_told_with_the_last(self, schedule_id: str, due_at: datetime) -> bool:
        """Whether this time had passed already as the late one before it was begun: one turn tells of all."""
        row = await self._database.row(
            "SELECT at FROM firings WHERE schedule_id = ? AND due_at < ? AND late <> '' "
            "ORDER BY due_at DESC LIMIT 1",
            (schedule_id, stamp(due_at)),
        )
        return row is not None and row["at"] >= stamp(due_at)

    # Reading.

    async def _stored(self, query: str, values: Sequence[object]) -> list[StoredSchedule]:
        return [_stored_of(row) for row in await self._database.rows(query, values)]

    async def _firings(self, query: str, values: Sequence[object] = ()) -> list[Firing]:
        return [_firing_of(row) for row in await self._database.rows(query, values)]


def stamp(at: datetime) -> str:
    """A moment as text that sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _which(words: Sequence[str], *, over: bool) -> tuple[str, list[str]]:
    """The condition on those that are listed, and its values."""
    holding = " AND title LIKE ? ESCAPE '!'" * len(words)
    patterns = ["%" + re.sub("([!%_])", r"!\1", word) + "%" for word in words]
    return ("1" if over else "state <> 'over'") + holding, patterns


def _but(ids: Sequence[str]) -> str:
    return f"AND id NOT IN ({','.join('?' * len(ids))})" if ids else ""


def _put(db: Connection, stored: StoredSchedule) -> None:
    one = stored.schedule
    db.execute(
        "INSERT INTO schedules (id, conversation_id, title, state, why, waits_for, terms, called_off, asks, "
        "language, template, created_at, next_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET conversation_id = excluded.conversation_id, title = excluded.title, "
        "state = excluded.state, why = excluded.why, waits_for = excluded.waits_for, terms = excluded.terms, "
        "called_off = excluded.called_off, asks = excluded.asks, language = excluded.language, "
        "template = excluded.template, next_at = excluded.next_at",
        (
            one.id,
            one.conversation_id,
            one.title,
            one.state,
            one.why,
            waits_for(one.terms),
            json.dumps(as_json(one.terms)),
            json.dumps([stamp(at) for at in one.called_off]),
            int(one.asks),
            stored.language,
            "" if stored.template is None else record_to_text(stored.template),
            stamp(one.created_at),
            None if one.next_at is None else stamp(one.next_at),
        ),
    )
    if one.state != "armed":
        forget_watch(db, one.id)
    elif stored.there is not None:
        put_snapshot(db, one.id, stored.there)


def _is_as(db: Connection, before: StoredSchedule) -> bool:
    row = db.execute("SELECT * FROM schedules WHERE id = ?", (before.id,)).fetchone()
    if row is None:
        return False
    now, then = _stored_of(row).schedule, before.schedule
    return (now.state, now.terms, now.next_at) == (then.state, then.terms, then.next_at)


def _add(db: Connection, firing: Firing, late: Lateness) -> None:
    """What is known of this time already stays: the clock was put back since."""
    db.execute(
        "INSERT INTO firings (schedule_id, due_at, state, at, action_id, message_id, count, why, landed, "
        "causes, told, late) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?) "
        "ON CONFLICT (schedule_id, due_at) DO NOTHING",
        (firing.schedule_id, stamp(firing.due_at), *_values(firing), late),
    )


def _set(db: Connection, firing: Firing) -> None:
    db.execute(
        "UPDATE firings SET state = ?, at = ?, action_id = ?, message_id = ?, count = ?, why = ?, "
        "landed = ?, causes = ? "
        "WHERE schedule_id = ? AND due_at = ?",
        (*_values(firing), firing.schedule_id, stamp(firing.due_at)),
    )


def _values(firing: Firing) -> tuple[object, ...]:
    return (
        firing.state,
        stamp(firing.at),
        firing.action_id,
        firing.message_id,
        firing.count,
        firing.why,
        firing.landed if firing.state in OPEN else "",
        json.dumps(firing.causes),
    )


def _firing_of(row: Row) -> Firing:
    return decoded(Firing, {**dict(row), "causes": json.loads(row["causes"])})


def _stored_of(row: Row) -> StoredSchedule:
    called_off = tuple(map(datetime.fromisoformat, json.loads(row["called_off"])))
    schedule = decoded(
        Schedule,
        {**dict(row), "asks": bool(row["asks"]), "terms": json.loads(row["terms"]), "called_off": []},
    )
    template = record_from_text(row["template"]) if row["template"] else None
    return StoredSchedule(replace(schedule, called_off=called_off), template, row["language"])
