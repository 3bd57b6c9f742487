"""Where processes are kept: one row each in the home's database, as text.

Everything raises a `StorageError` where it cannot be done.
"""

from __future__ import annotations

from collections.abc import Collection

from partner_desktop.agents.process_state import OVER, ProcessStatus
from partner_desktop.base.clock import Clock
from partner_desktop.storage.database import Connection, Database

#: So many runs that are over are kept, with all below them; older ones are forgotten.
MOST_KEPT = 1_000

_FORGET_OLD = (
    "DELETE FROM agent_processes WHERE root_id IN (SELECT id FROM agent_processes WHERE id = root_id "
    "AND status IN (?, ?, ?) ORDER BY changed_at DESC, id LIMIT -1 OFFSET ?)"
)


class ProcessTable:
    """The rows."""

    def __init__(self, database: Database, clock: Clock, *, most_kept: int = MOST_KEPT) -> None:
        self._most_kept = most_kept
        self._database = database
        self._clock = clock

    async def save(
        self, process_id: str, *, root_id: str, agent: str, status: ProcessStatus, document: str
    ) -> None:
        """Keep it in place of what was kept of it before; it is there when this returns."""
        now = self._clock.now().isoformat()

        def write(db: Connection) -> None:
            db.execute(
                "INSERT INTO agent_processes (id, root_id, agent, status, document, created_at, changed_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "status = excluded.status, document = excluded.document, changed_at = excluded.changed_at",
                (process_id, root_id, agent, status.value, document, now, now),
            )
            if process_id == root_id and status in OVER:
                db.execute(_FORGET_OLD, (*(each.value for each in OVER), self._most_kept))

        await self._database.write(write)

    async def load(self, process_id: str) -> str | None:
        """What was kept; `None`: nothing."""
        row = await self._database.row("SELECT document FROM agent_processes WHERE id = ?", (process_id,))
        return None if row is None else str(row["document"])

    async def remove(self, root_id: str) -> None:
        """Forget one, and all below it."""
        await self._database.write(
            lambda db: db.execute("DELETE FROM agent_processes WHERE root_id = ?", (root_id,))
        )

    async def roots_in(self, statuses: Collection[ProcessStatus]) -> list[str]:
        """The ids of those that are below no other, oldest first."""
        marks = ", ".join("?" * len(statuses))
        rows = await self._database.rows(
            f"SELECT id FROM agent_processes WHERE id = root_id AND status IN ({marks}) "  # noqa: S608 - marks
            "ORDER BY created_at, id",
            [each.value for each in statuses],
        )
        return [str(row["id"]) for row in rows]
