"""ActionErasure: what was done because of words that are forgotten, and what those runs left behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence

from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import record_from_text
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.json_value import Json
from partner_desktop.runtime.conversations.dialog_erasure import remove_shown, texts_of_exchange
from partner_desktop.storage.database import Connection, Database, Row

#: Records that are read in one go.
_ROWS = 200

#: Removes what the runs of these actions left outside the table: undo copies, outputs, commands.
ForgetRuns = Callable[[Sequence[str]], Awaitable[None]]


class ActionErasure:
    """A `Forgettable`. What still runs or waits is left until it is over: erasing stops nothing."""

    def __init__(self, home: Database, forget_runs: ForgetRuns) -> None:
        self._home = home
        self._forget_runs = forget_runs

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`."""
        found: list[HeldWords] = []
        after = 0
        while rows := await _page(database, after):
            after = rows[-1]["position"]
            for one, exchange_id in await asyncio.to_thread(_holding, rows, gone):
                if exchange_id in gone.exchange_ids or not await self._asked_anew(
                    database, one, exchange_id, gone
                ):
                    found.append(one)
        return found

    async def _asked_anew(
        self, database: Database, one: HeldWords, exchange_id: str, gone: Forgotten
    ) -> bool:
        """Whether a message that stays says the same and set it off: then it goes with that one."""
        texts = await texts_of_exchange(database, one.conversation_id, exchange_id, but=gone.message_ids)
        return bool(texts) and await asyncio.to_thread(lambda: any(map(gone.holds, texts)))

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        ids = [one.id for one in await self.held(database, gone) if not one.stays]
        for start in range(0, len(ids), _ROWS):
            some = ids[start : start + _ROWS]
            if database is self._home:  # copies and outputs are this home's, whatever a backup holds
                await self._forget_runs(some)
            await database.write(lambda db, some=some: _erase(db, some))  # type: ignore[misc]


async def _page(database: Database, after: int) -> list[Row]:
    return await database.rows(
        "SELECT * FROM actions WHERE position > ? ORDER BY position LIMIT ?", (after, _ROWS)
    )


def _holding(rows: Sequence[Row], gone: Forgotten) -> list[tuple[HeldWords, str]]:
    """Blocking. Those that are about it, with their exchanges."""
    found = []
    for row in rows:
        record = record_from_text(row["record"])
        if _is_about(row, record, gone):
            stays = "" if ActionStatus(row["status"]).ended else sentence_of("acts.not_over")
            held = HeldWords("action", row["id"], record.title, row["conversation_id"], stays=stays)
            found.append((held, record.exchange_id))
    return found


def _is_about(row: Row, record: ActionRecord, gone: Forgotten) -> bool:
    if row["id"] in gone.ids or record.exchange_id in gone.exchange_ids or gone.holds(record.request_text):
        return True
    return gone.holds("\n".join(_texts(json.loads(row["record"]))))


def _texts(value: Json) -> Iterator[str]:
    """Every text in a record, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _erase(db: Connection, ids: Sequence[str]) -> None:
    """With the steps of a chain, and the places in conversations where they were shown."""
    marks = ",".join("?" * len(ids))
    query = f"SELECT id, conversation_id FROM actions WHERE id IN ({marks}) "  # noqa: S608 - marks only
    steps = f"UNION SELECT id, conversation_id FROM actions WHERE parent <> '' AND parent IN ({marks})"  # noqa: S608
    for row in db.execute(query + steps, (*ids, *ids)).fetchall():
        remove_shown(db, row["conversation_id"], row["id"])
        db.execute("DELETE FROM undo WHERE action_id = ?", (row["id"],))
        db.execute("DELETE FROM actions WHERE id = ?", (row["id"],))
