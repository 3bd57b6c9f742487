"""Actions as rows: every transition is on disk before anyone hears of it."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import datetime
from typing import Any

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus, Isolation, PathUse, Risk
from partner_desktop.domain.events import as_json
from partner_desktop.storage.database import Connection, Database


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
                    _dump(record),
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
                (record.key, record.status.value, _dump(record), record.id, only_from.value),
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
            lambda db: db.execute("SELECT record FROM actions WHERE id = ?", (action_id,)).fetchone()
        )
        if row is None:
            raise UsageError(f"There is no action {action_id}.")
        return _load(row["record"])

    async def newest(self, *, limit: int) -> list[ActionRecord]:
        """The newest actions, newest first."""
        rows = await self._database.read(
            lambda db: db.execute(
                "SELECT record FROM actions ORDER BY position DESC LIMIT ?", (limit,)
            ).fetchall()
        )
        return [_load(row["record"]) for row in rows]

    async def in_status(self, status: ActionStatus, *, conversation_id: str = "") -> list[ActionRecord]:
        """All actions in a status, oldest first; of one conversation where it is given."""
        rows = await self._database.read(
            lambda db: db.execute(
                "SELECT record FROM actions WHERE status = ? AND (conversation_id = ? OR ? = '') "
                "ORDER BY position",
                (status.value, conversation_id, conversation_id),
            ).fetchall()
        )
        return [_load(row["record"]) for row in rows]


def _dump(record: ActionRecord) -> str:
    # ASCII: a lone surrogate (half an emoji, an undecodable path) must not keep a result off the disk.
    return json.dumps(as_json(record))


def _load(text: str) -> ActionRecord:
    raw: dict[str, Any] = json.loads(text)  # Any: JSON of our own making, typed field by field below
    known = {item.name for item in fields(ActionRecord)}
    raw = {name: value for name, value in raw.items() if name in known}
    raw["status"] = ActionStatus(raw["status"])
    raw["risk"] = Risk(raw["risk"])
    raw["paths"] = tuple(PathUse(**use) for use in raw["paths"])
    raw["isolation"] = Isolation(**raw["isolation"]) if raw["isolation"] else None
    for name in ("created_at", "started_at", "finished_at"):
        raw[name] = datetime.fromisoformat(raw[name]) if raw[name] else None
    return ActionRecord(**raw)
