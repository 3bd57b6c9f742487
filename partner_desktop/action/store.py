"""Actions as rows: every transition is on disk before anyone hears of it."""

from __future__ import annotations

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.action_json import record_from_text, record_to_text
from partner_desktop.storage.database import Connection, Database

#: A deleted conversation takes its actions out of sight; nothing of them can be answered.
_IN_SIGHT = "conversation_id NOT IN (SELECT id FROM conversations WHERE deleted_at IS NOT NULL)"


class ActionStore:
    """The actions table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: ActionRecord) -> None:
        """Insert a new action."""
        await self._database.write(
            lambda db: db.execute(
                "INSERT INTO actions (id, conversation_id, key, status, created_at, record) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    record.id,
                    record.conversation_id,
                    record.key,
                    record.status.value,
                    record.created_at.isoformat(),
                    record_to_text(record),
                ),
            )
        )

    async def replace(self, record: ActionRecord, *, only_from: ActionStatus) -> bool:
        """Write the new state of an action if it still is in `only_from`; whether it was.

        The comparison makes two answers to one card safe: the second finds it settled.
        """

        def work(db: Connection) -> bool:
            cursor = db.execute(
                "UPDATE actions SET key = ?, status = ?, record = ? WHERE id = ? AND status = ?",
                (record.key, record.status.value, record_to_text(record), record.id, only_from.value),
            )
            return cursor.rowcount == 1

        return await self._database.write(work)

    async def show_missing_cards(self) -> None:
        """Give waiting actions that a crash left without a card their place in the conversation."""
        await self._database.write(
            lambda db: db.execute(
                "INSERT INTO messages (id, conversation_id, role, text, state, action_id, created_at) "
                "SELECT 'card-' || id, conversation_id, 'action', '', 'done', id, created_at FROM actions "
                "WHERE status = ? AND NOT EXISTS (SELECT 1 FROM messages WHERE action_id = actions.id)",
                (ActionStatus.WAITING.value,),
            )
        )

    async def get(self, action_id: str) -> ActionRecord:
        """One action.

        Raises:
            UsageError: It does not exist.
        """
        row = await self._database.read(
            lambda db: db.execute(
                f"SELECT record FROM actions WHERE id = ? AND {_IN_SIGHT}",  # noqa: S608 - a constant
                (action_id,),
            ).fetchone()
        )
        if row is None:
            raise UsageError(f"There is no action {action_id}.")
        return record_from_text(row["record"])

    async def newest(self, *, limit: int) -> list[ActionRecord]:
        """The newest actions, newest first."""
        rows = await self._database.read(
            lambda db: db.execute(
                f"SELECT record FROM actions WHERE {_IN_SIGHT} ORDER BY position DESC LIMIT ?",  # noqa: S608 - a constant
                (limit,),
            ).fetchall()
        )
        return [record_from_text(row["record"]) for row in rows]

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
        values = (status.value, conversation_id, conversation_id)
        rows = await self._database.read(lambda db: db.execute(query, values).fetchall())
        return [record_from_text(row["record"]) for row in rows]
