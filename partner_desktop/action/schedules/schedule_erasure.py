"""ScheduleErasure: what is planned because of words that are forgotten goes with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from partner_desktop.domain.events import record_from_text
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.storage.database import Connection, Database, Row

#: Rows that are read in one go.
_ROWS = 200


class ScheduleErasure:
    """A `Forgettable`. What it began is an action of its own, and goes as such."""

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`."""
        found: list[HeldWords] = []
        after = 0
        while rows := await _page(database, after):
            after = rows[-1]["position"]
            found += await asyncio.to_thread(_holding, rows, gone)
        return found

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        ids = [one.id for one in await self.held(database, gone)]
        for start in range(0, len(ids), _ROWS):
            some = ids[start : start + _ROWS]
            await database.write(lambda db, some=some: _erase(db, some))  # type: ignore[misc]


async def _page(database: Database, after: int) -> list[Row]:
    return await database.rows(
        "SELECT * FROM schedules WHERE position > ? ORDER BY position LIMIT ?", (after, _ROWS)
    )


def _holding(rows: Sequence[Row], gone: Forgotten) -> list[HeldWords]:
    """Blocking. Those that are about it."""
    return [
        HeldWords("schedule", row["id"], row["title"], row["conversation_id"])
        for row in rows
        if _is_about(row, gone)
    ]


def _is_about(row: Row, gone: Forgotten) -> bool:
    if row["id"] in gone.ids or gone.holds(f"{row['title']}\n{json.loads(row['terms'])['message']}"):
        return True
    if not row["template"]:
        return False
    template = record_from_text(row["template"])
    return template.exchange_id in gone.exchange_ids or gone.holds(
        "\n".join([template.request_text, *map(json.dumps, (step.params for step in template.plan.steps))])
    )


def _erase(db: Connection, ids: Sequence[str]) -> None:
    db.executemany("DELETE FROM schedules WHERE id = ?", [(each,) for each in ids])
