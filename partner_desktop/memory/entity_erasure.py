"""EntityErasure: what is known of people and things goes with the messages that it is known from."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.memory.entity_store import roots_named, value_key
from partner_desktop.storage.database import Connection, Database, Row

_ROWS = 500
_FACTS = (
    "SELECT f.number, f.id, f.attribute, f.value, f.source, f.message_id, f.conversation_id, e.root "
    "FROM entity_facts AS f JOIN entities AS e ON e.id = f.entity_id "
)


class EntityErasure:
    """A `Forgettable`, and the `EntityEvidence`: also what the person entered without a message."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def told_in(self, entity_id: str) -> tuple[Sequence[str], Sequence[str]]:
        """See `EntityEvidence.told_in`."""
        rows = await self._database.rows(f"{_FACTS}WHERE e.root = ?", (entity_id,))
        if not rows:
            raise UsageError("memory.nothing_known", entity_id=entity_id)
        names = dict.fromkeys(row["value"] for row in rows if row["attribute"] == "name")
        return list(names), list(dict.fromkeys(row["message_id"] for row in rows if row["message_id"]))

    async def called(self, name: str) -> Sequence[str]:
        """See `EntityEvidence.called`."""
        return await self._database.read(lambda db: roots_named(db, [value_key(name)]))

    async def named_only_in(self, message_ids: Collection[str]) -> Sequence[str]:
        """See `EntityEvidence.named_only_in`."""
        ids = list(message_ids)

        def look(db: Connection) -> list[str]:
            roots = dict.fromkeys(
                str(row["root"]) for row in _some(db, f"{_FACTS}WHERE f.message_id IN", ids)
            )
            facts = [db.execute(f"{_FACTS}WHERE e.root = ?", (root,)).fetchall() for root in roots]
            gone = [rows for rows in facts if all(row["message_id"] in message_ids for row in rows)]
            return [row["value"] for rows in gone for row in rows if row["attribute"] == "name"]

        return list(dict.fromkeys(await self._database.read(look)))

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`."""
        found: list[HeldWords] = []
        after = 0
        while rows := await database.rows(
            f"{_FACTS}WHERE f.number > ? ORDER BY f.number LIMIT ?", (after, _ROWS)
        ):
            after = rows[-1]["number"]
            found += [
                HeldWords("entity", row["id"], f"{row['attribute']}: {row['value']}", row["conversation_id"])
                for row in await asyncio.to_thread(_those_of, rows, gone)
            ]
        return found

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        ids = [(one.id,) for one in await self.held(database, gone)]
        await database.write(lambda db: _erase(db, ids))


def _some(db: Connection, query: str, values: Sequence[str]) -> list[Row]:
    found: list[Row] = []
    for start in range(0, len(values), _ROWS):
        some = values[start : start + _ROWS]
        found += db.execute(f"{query} ({','.join('?' * len(some))})", some)
    return found


def _those_of(rows: Sequence[Row], gone: Forgotten) -> list[Row]:
    """Blocking."""
    return [row for row in rows if _is_of(row, gone)]


def _is_of(row: Row, gone: Forgotten) -> bool:
    if row["message_id"] in gone.message_ids or not gone.ids.isdisjoint((row["id"], row["root"])):
        return True
    # What rules read, a message says that stays: it only happens to say the same.
    return (row["message_id"] is None or row["source"] == "model") and gone.holds(row["value"])


def _erase(db: Connection, ids: Sequence[tuple[str]]) -> None:
    db.executemany("DELETE FROM entity_facts WHERE id = ?", ids)
