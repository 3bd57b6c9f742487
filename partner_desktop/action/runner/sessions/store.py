"""Commands in the background as rows, so that the next start can tell what became of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from partner_desktop.domain.command_session import CommandSession, SessionState
from partner_desktop.domain.events import as_json
from partner_desktop.storage.database import Database


class SessionStore:
    """The command_sessions table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, session: CommandSession) -> None:
        """Write a session as it is now."""
        await self._database.write(
            lambda db: db.execute(
                "INSERT INTO command_sessions (id, conversation_id, started_at, record) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET record = excluded.record",
                (
                    session.id,
                    session.conversation_id,
                    session.started_at.isoformat(),
                    json.dumps(as_json(session)),
                ),
            )
        )

    async def remove(self, session_id: str) -> None:
        """It is listed no more."""
        await self._database.write(
            lambda db: db.execute("DELETE FROM command_sessions WHERE id = ?", (session_id,))
        )

    async def all(self) -> Sequence[CommandSession]:
        """All of them, oldest first."""
        rows = await self._database.read(
            lambda db: db.execute("SELECT record FROM command_sessions ORDER BY started_at, id").fetchall()
        )
        return [_from_text(row["record"]) for row in rows]


def _from_text(text: str) -> CommandSession:
    raw: dict[str, Any] = json.loads(text)  # Any: JSON of our own making, typed field by field below
    known = {item.name for item in fields(CommandSession)}
    raw = {name: value for name, value in raw.items() if name in known}
    raw["argv"] = tuple(raw["argv"])
    raw["state"] = SessionState(raw["state"])
    for name in ("started_at", "ended_at"):
        raw[name] = datetime.fromisoformat(raw[name]) if raw.get(name) else None
    return CommandSession(**raw)
