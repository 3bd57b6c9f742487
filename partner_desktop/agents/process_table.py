"""Where processes are kept: one row each in the home's database, as text.

Everything raises a `StorageError` where it cannot be done.
"""

from __future__ import annotations

from collections.abc import Collection

from partner_desktop.agents.process_state import ProcessStatus
from partner_desktop.base.clock import Clock
from partner_desktop.storage.database import Database


class ProcessTable:
    """The rows."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def save(
        self, process_id: str, *, parent_id: str, agent: str, status: ProcessStatus, document: str
    ) -> None:
        """Keep it in place of what was kept of it before; it is there when this returns."""
        now = self._clock.now().isoformat()
        await self._database.execute(
            "INSERT INTO agent_processes (id, parent_id, agent, status, document, created_at, changed_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
            "status = excluded.status, document = excluded.document, changed_at = excluded.changed_at",
            (process_id, parent_id, agent, status.value, document, now, now),
        )

    async def load(self, process_id: str) -> str | None:
        """What was kept; `None`: nothing."""
        row = await self._database.row("SELECT document FROM agent_processes WHERE id = ?", (process_id,))
        return None if row is None else str(row["document"])

    async def roots_in(self, statuses: Collection[ProcessStatus]) -> list[str]:
        """The ids of those that are below no other, oldest first."""
        marks = ", ".join("?" * len(statuses))
        rows = await self._database.rows(
            f"SELECT id FROM agent_processes WHERE parent_id = '' AND status IN ({marks}) "  # noqa: S608 - marks
            "ORDER BY created_at, id",
            [each.value for each in statuses],
        )
        return [str(row["id"]) for row in rows]
