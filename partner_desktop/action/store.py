"""Actions as rows: every transition is on disk before anyone hears of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import record_from_text, record_to_text
from partner_desktop.runtime.conversations.dialog_erasure import remove_shown
from partner_desktop.runtime.turn_queue import add_told
from partner_desktop.storage.database import Connection, Database

#: A deleted conversation takes its actions out of sight; nothing of them can be answered.
_IN_SIGHT = "conversation_id NOT IN (SELECT id FROM conversations WHERE deleted_at IS NOT NULL)"

#: Written in the same transaction, where there is one.
Also = Callable[[Connection], None]


#: How what ran is over.
_RAN = (ActionStatus.SUCCEEDED, ActionStatus.FAILED, ActionStatus.CANCELLED, ActionStatus.INTERRUPTED)


class ActionStore:
    """The actions table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: ActionRecord, *, also: Also = lambda db: None) -> None:
        """Insert a new action, and write with it what `also` writes."""

        def work(db: Connection) -> None:
            db.execute(
                "INSERT INTO actions (id, conversation_id, key, status, created_at, record, parent) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    record.id,
                    record.conversation_id,
                    record.key,
                    record.status.value,
                    record.created_at.isoformat(),
                    record_to_text(record),
                    record.parent_id,
                ),
            )
            also(db)

        await self._database.write(work)

    async def replace(
        self,
        record: ActionRecord,
        *,
        only_from: ActionStatus,
        to_tell: bool = False,
        also: Also = lambda db: None,
    ) -> bool:
        """Write the new state of an action if it still is in `only_from`; whether it was.

        The comparison makes two answers to one card safe: the second finds it settled. With `to_tell` a
        place in the turn queue is written with it, so that the person hears of it whatever happens; and
        with it goes what `also` writes.
        """

        def work(db: Connection) -> bool:
            cursor = db.execute(
                "UPDATE actions SET key = ?, status = ?, record = ? WHERE id = ? AND status = ?",
                (record.key, record.status.value, record_to_text(record), record.id, only_from.value),
            )
            if cursor.rowcount != 1:
                return False
            also(db)
            if to_tell:
                add_told(
                    db,
                    record.id,
                    conversation_id=record.conversation_id,
                    exchange_id=record.exchange_id,
                    now=record.finished_at or record.created_at,
                )
            return True

        return await self._database.write(work)

    def replacing(self, record: ActionRecord, *, only_from: ActionStatus) -> Also:
        """`replace` as a part of another transaction, which fails where another answer was first."""

        def work(db: Connection) -> None:
            cursor = db.execute(
                "UPDATE actions SET status = ?, record = ? WHERE id = ? AND status = ?",
                (record.status.value, record_to_text(record), record.id, only_from.value),
            )
            if cursor.rowcount != 1:
                raise UsageError("card.settled", title=record.title)

        return work

    async def amend(
        self, action_id: str, change: Callable[[ActionRecord], ActionRecord], *, also: Also = lambda db: None
    ) -> ActionRecord | None:
        """Change what is noted of an action, whatever its status; as it is now, `None` where it is gone."""

        def work(db: Connection) -> ActionRecord | None:
            row = db.execute("SELECT record FROM actions WHERE id = ?", (action_id,)).fetchone()
            also(db)
            if row is None:
                return None
            record = change(record_from_text(row["record"]))
            db.execute("UPDATE actions SET record = ? WHERE id = ?", (record_to_text(record), action_id))
            return record

        return await self._database.write(work)

    async def show_missing_cards(self) -> None:
        """Give waiting actions that a crash left without a card their place in the conversation."""
        await self._database.execute(
            "INSERT INTO messages (id, conversation_id, role, text, state, action_id, created_at) "
            "SELECT 'card-' || id, conversation_id, 'action', '', 'done', id, created_at FROM actions "
            "WHERE status = ? AND NOT EXISTS (SELECT 1 FROM messages WHERE action_id = actions.id)",
            (ActionStatus.WAITING.value,),
        )

    async def remove(self, action_id: str) -> None:
        """Take out an action that nobody has seen."""
        await self._database.execute("DELETE FROM actions WHERE id = ?", (action_id,))

    async def clear(self, conversation_id: str, action_id: str) -> None:
        """Take out an action that was shown, and where."""

        def work(db: Connection) -> None:
            remove_shown(db, conversation_id, action_id)
            db.execute("DELETE FROM actions WHERE id = ?", (action_id,))

        await self._database.write(work)

    async def of_exchange(self, conversation_id: str, exchange_id: str) -> list[ActionRecord]:
        """The actions that an exchange set off, oldest first."""
        return await self._records(
            "SELECT record FROM actions WHERE conversation_id = ? "
            "AND json_extract(record, '$.exchange_id') = ? ORDER BY position",
            (conversation_id, exchange_id),
        )

    async def decided_since(self, conversation_id: str, audit_position: int) -> list[ActionRecord]:
        """The actions of a conversation that somebody decided on after a place in the audit log."""
        return await self._records(
            "SELECT record FROM actions WHERE conversation_id = ? AND id IN "
            "(SELECT action_id FROM audit WHERE position > ? AND kind = 'decision') ORDER BY position",
            (conversation_id, audit_position),
        )

    async def get(self, action_id: str) -> ActionRecord:
        """One action.

        Raises:
            UsageError: It does not exist.
        """
        query = f"SELECT record FROM actions WHERE id = ? AND {_IN_SIGHT}"  # noqa: S608 - a constant
        found = await self._records(query, (action_id,))
        if not found:
            raise UsageError("acts.none", id=action_id)
        return found[0]

    async def steps_of(self, action_id: str) -> list[ActionRecord]:
        """What the steps of a chain have become, in the order in which they were begun."""
        return await self._records(
            "SELECT record FROM actions WHERE parent = ? ORDER BY position", (action_id,)
        )

    async def said_since(self, conversation_id: str, at: datetime) -> bool:
        """Whether Partner came to the end of a sentence in a conversation since then."""
        row = await self._database.row(
            "SELECT 1 FROM messages WHERE conversation_id = ? AND role = 'partner' AND state = 'done' "
            "AND created_at >= ?",
            (conversation_id, at.isoformat()),
        )
        return row is not None

    async def newest(self, *, limit: int) -> list[ActionRecord]:
        """The newest actions, newest first; a step of a chain only while it waits for the person."""
        return await self._records(
            "SELECT record FROM actions WHERE (parent = '' OR status IN ('asking', 'waiting')) "  # noqa: S608 - a constant
            f"AND {_IN_SIGHT} ORDER BY position DESC LIMIT ?",
            (limit,),
        )

    async def latest(self, conversation_id: str, *, limit: int) -> list[ActionRecord]:
        """The newest actions of a conversation, newest first, whatever became of them; no steps of chains."""
        return await self._records(
            f"SELECT record FROM actions WHERE conversation_id = ? AND parent = '' AND {_IN_SIGHT} "  # noqa: S608 - a constant
            "ORDER BY position DESC LIMIT ?",
            (conversation_id, limit),
        )

    async def last_run(self, conversation_id: str, *, but: Sequence[str] = ()) -> ActionRecord | None:
        """What ran last in a conversation and is over; a step of a chain is a part of it."""
        ended = [status.value for status in _RAN]
        marks, keys = ",".join("?" * len(ended)), ",".join("?" * len(but))
        query = (
            "SELECT record FROM actions WHERE conversation_id = ? AND parent = '' "  # noqa: S608 - only marks
            f"AND status IN ({marks}) AND json_extract(record, '$.key') NOT IN ({keys}) AND {_IN_SIGHT} "
            "ORDER BY position DESC LIMIT 1"
        )
        return next(iter(await self._records(query, (conversation_id, *ended, *but))), None)

    async def newest_runs(self, conversation_id: str, *, limit: int) -> list[ActionRecord]:
        """What ran in a conversation and is over, newest first; the steps of a chain instead of it."""
        marks = ",".join("?" * len(_RAN))
        query = (
            "SELECT record FROM actions WHERE conversation_id = ? "  # noqa: S608 - only marks
            f"AND status IN ({marks}) AND json_extract(record, '$.chain') IS NULL AND {_IN_SIGHT} "
            "ORDER BY position DESC LIMIT ?"
        )
        return await self._records(query, (conversation_id, *(status.value for status in _RAN), limit))

    async def ended_since(self, key: str, at: datetime, *, limit: int) -> list[ActionRecord]:
        """The runs of an ability, or of a saved plan, that came to their end after a moment, newest first."""
        marks = ",".join("?" * len(_RAN))
        query = (
            "SELECT record FROM actions WHERE parent = '' "  # noqa: S608 - only marks
            f"AND status IN ({marks}) AND ? IN (key, json_extract(record, '$.chain.saved_key')) "
            f"AND json_extract(record, '$.finished_at') > ? AND {_IN_SIGHT} ORDER BY position DESC LIMIT ?"
        )
        ran = (status.value for status in _RAN)
        return await self._records(query, (*ran, key, at.isoformat(), limit))

    async def in_status(
        self, status: ActionStatus, *, conversation_id: str = "", deleted_too: bool = False
    ) -> list[ActionRecord]:
        """All actions in a status, oldest first; of one conversation where it is given.

        With `deleted_too` also those of deleted conversations, which can still be brought back.
        """
        in_sight = "1" if deleted_too else _IN_SIGHT
        query = (
            "SELECT record FROM actions WHERE status = ? AND (conversation_id = ? OR ? = '') "  # noqa: S608 - one of two constants
            f"AND {in_sight} ORDER BY position"
        )
        return await self._records(query, (status.value, conversation_id, conversation_id))

    async def _records(self, query: str, values: Sequence[str | int]) -> list[ActionRecord]:
        rows = await self._database.rows(query, values)
        return [record_from_text(row["record"]) for row in rows]
