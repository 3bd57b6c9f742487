"""ChangeJournal: what changed of the messages since the index took it in, as the triggers tell it."""

from __future__ import annotations

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.storage.database import Connection, Database


@dataclass(frozen=True)
class JournalState:
    """What tells whether an index is one of this database, as it is now."""

    token: str
    newest: int
    """Number of the last change."""
    taken: int
    """Number of the last change that is not written down any more, because an index has it."""
    begun: bool
    """Whether there ever was an index."""


class ChangeJournal:
    """Owns the tables `memory_changes` and `memory_state`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self) -> JournalState:
        """How far it is."""

        def look(db: Connection) -> JournalState:
            token, begun = db.execute("SELECT token, begun FROM memory_state").fetchone()
            row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'").fetchone()
            oldest = db.execute("SELECT min(number) FROM memory_changes").fetchone()[0]
            newest = int(row[0]) if row else 0
            return JournalState(
                str(token), newest, newest if oldest is None else int(oldest) - 1, bool(begun)
            )

        return await self._database.read(look)

    async def changes(self, after: int, limit: int) -> list[tuple[int, int]]:
        """Number and position of the oldest changes behind the one of number `after`."""
        rows = await self._database.rows(
            "SELECT number, position FROM memory_changes WHERE number > ? ORDER BY number LIMIT ?",
            (after, limit),
        )
        return [(row["number"], row["position"]) for row in rows]

    async def taken(self, up_to: int) -> None:
        """They are in the index, on the disk."""

        def write(db: Connection) -> None:
            db.execute("DELETE FROM memory_changes WHERE number <= ?", (up_to,))
            db.execute("UPDATE memory_state SET begun = 1")

        await self._database.write(write)
