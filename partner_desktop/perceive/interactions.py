"""When the person was here before: read from what the database keeps with every message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from partner_desktop.storage.database import Connection, Database

_AFTER_ALL = 2**62


@dataclass(frozen=True)
class Seen:
    """The interactions before the present one; `None`: there was none."""

    here: datetime | None
    """In this conversation."""
    anywhere: datetime | None
    """In any conversation of this home, deleted ones too."""
    elsewhere_before: bool = False
    """With no `here`: the conversation has earlier words, which were not said on this home."""


class Interactions:
    """Reads; every message writes its own time (storage/sql/0006_interactions.sql)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, conversation_id: str, present: Sequence[datetime]) -> Seen:
        """What lies before the interactions at `present` (ascending); with none given, everything.

        Raises:
            StorageError: The database cannot answer.
        """
        return await self._database.read(lambda db: _before(db, conversation_id, present))


def _before(db: Connection, conversation_id: str, present: Sequence[datetime]) -> Seen:
    end = _first_position(db, conversation_id, present)
    here = db.execute(
        "SELECT at FROM interactions WHERE conversation_id = ? AND position < ? "
        "ORDER BY position DESC LIMIT 1",
        (conversation_id, end),
    ).fetchone()
    anywhere = db.execute(
        "SELECT at FROM interactions WHERE position < ? ORDER BY position DESC LIMIT 1", (end,)
    ).fetchone()
    imported = None
    if here is None and present:
        imported = db.execute(
            "SELECT 1 FROM messages WHERE conversation_id = ? AND role = 'user' AND created_at < ? LIMIT 1",
            (conversation_id, present[0].isoformat()),
        ).fetchone()
    return Seen(_time(here), _time(anywhere), elsewhere_before=imported is not None)


def _first_position(db: Connection, conversation_id: str, present: Sequence[datetime]) -> int:
    """Where the present begins: further messages may have come after it, and times may be equal."""
    if not present:
        return _AFTER_ALL
    first = present[0].isoformat()
    equal = sum(at == present[0] for at in present)
    row = db.execute(
        "SELECT position FROM interactions WHERE conversation_id = ? AND at = ? "
        "ORDER BY position DESC LIMIT 1 OFFSET ?",
        (conversation_id, first, equal - 1),
    ).fetchone()
    if row is None:  # an input that is no message: what is not older than it belongs to the present
        row = db.execute(
            "SELECT position FROM interactions WHERE at >= ? ORDER BY position LIMIT 1", (first,)
        ).fetchone()
    return int(row["position"]) if row is not None else _AFTER_ALL


def _time(row: Sequence[str] | None) -> datetime | None:
    return datetime.fromisoformat(row[0]) if row is not None else None
