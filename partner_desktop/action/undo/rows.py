"""The rows of the undo journal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from partner_desktop.storage.database import Connection, Database

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
        await self._database.write(
            lambda db: db.execute(
                f"INSERT OR REPLACE INTO undo ({_COLUMNS}) VALUES (?, ?, ?, ?, 0)",  # noqa: S608 - a constant
                (action_id, conversation_id, RowState.OPEN.value, now.isoformat()),
            )
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
        rows = await self._database.read(lambda db: db.execute(query, values).fetchall())
        return [
            UndoRow(
                row["action_id"],
                row["conversation_id"],
                RowState(row["state"]),
                datetime.fromisoformat(row["created_at"]),
                row["kept_bytes"],
            )
            for row in rows
        ]

    async def settle(self, action_id: str, state: RowState, *, kept_bytes: int) -> None:
        await self._database.write(lambda db: set_state(db, action_id, state, kept_bytes=kept_bytes))

    async def remove(self, action_id: str) -> None:
        await self._database.write(
            lambda db: db.execute("DELETE FROM undo WHERE action_id = ?", (action_id,))
        )


def set_state(db: Connection, action_id: str, state: RowState, *, kept_bytes: int = 0) -> None:
    """For a transaction that changes the action, too."""
    db.execute(
        "UPDATE undo SET state = ?, kept_bytes = ? WHERE action_id = ?", (state.value, kept_bytes, action_id)
    )
