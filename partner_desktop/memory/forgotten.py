"""ForgottenTexts: what was forgotten is known when it comes again, though no word of it is kept.

Contract: kept are keyed hashes of a text's words, alone and with the second it was said in; without the
home's key nobody can try what it was. A text that comes with its time is known by both together; one without
a time by its words, and where these are few, only beside another one that is known.

`EntityErasure` takes what is known of people and things away with the messages that it is known from;
`Remembering` says whether anything of a conversation is found from elsewhere.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from partner_desktop.base.errors import UsageError
from partner_desktop.capabilities import Forgettable
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message import Conversation
from partner_desktop.memory.entity_store import roots_named, value_key
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.runtime.conversations.dialog_erasure import SaidMessages
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.storage.database import Connection, Database, Row, rows_among

#: Words from which on a text tells by itself where it comes from.
_TELLING = 6

#: A text, and when it was said, where that is known.
Said = tuple[str, datetime | None]


class ForgottenTexts:
    """Owns the table `forgotten_texts`. `key` is this home's own."""

    def __init__(self, database: Database, key: Callable[[], bytes]) -> None:
        self._database = database
        self._key = key

    async def rows(self, turns: Sequence[tuple[str, datetime]]) -> list[tuple[bytes, int]]:
        """What is to be kept of texts that are forgotten: `keep` writes it."""
        key = await asyncio.to_thread(self._key)
        return await asyncio.to_thread(lambda: [row for text, at in turns for row in _rows(key, text, at)])

    @staticmethod
    def keep(db: Connection, rows: Sequence[tuple[bytes, int]]) -> None:
        """Within the transaction that begins to forget."""
        db.executemany("INSERT OR REPLACE INTO forgotten_texts (digest, telling) VALUES (?, ?)", rows)

    async def any(self) -> bool:
        """Whether anything was ever forgotten."""
        return await self._database.row("SELECT 1 FROM forgotten_texts LIMIT 1") is not None

    async def known(self, turns: Sequence[Said]) -> list[bool]:
        """Of texts in a row: which were forgotten."""
        if not turns or not await self.any():
            return [False] * len(turns)
        key = await asyncio.to_thread(self._key)
        digests = await asyncio.to_thread(lambda: [_digest(key, text, at) for text, at in turns])

        def look(db: Connection) -> list[int]:
            query = "SELECT telling FROM forgotten_texts WHERE digest = ?"
            rows = [db.execute(query, (digest,)).fetchone() for digest in digests]
            return [_UNKNOWN if row is None else int(row[0]) for row in rows]

        found = await self._database.read(look)
        sure = [telling == 1 for telling in found]
        for number in [*range(len(found)), *reversed(range(len(found)))]:
            beside = sure[max(0, number - 1) : number + 2]
            sure[number] = sure[number] or (found[number] != _UNKNOWN and any(beside))
        return sure


_UNKNOWN = -1


def _rows(key: bytes, text: str, at: datetime) -> list[tuple[bytes, int]]:
    from partner_desktop.language.quotations import plain_words  # noqa: PLC0415 - with the first that goes

    telling = int(len(plain_words(text)) >= _TELLING)
    return [(_digest(key, text, at), 1), (_digest(key, text, None), telling)]


def _digest(key: bytes, text: str, at: datetime | None) -> bytes:
    from partner_desktop.language.quotations import plain_words  # noqa: PLC0415 - as above

    second = "" if at is None else str(int(at.timestamp()))
    return hmac.digest(key, f"{second}\0{' '.join(plain_words(text))}".encode("utf-8", "replace"), "sha256")


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
                str(row["root"]) for row in rows_among(db, f"{_FACTS}WHERE f.message_id IN", ids)
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


class Remembering:
    """“Do not remember”: the messages stay in their conversation, and what was made of them goes."""

    def __init__(
        self, database: Database, dialog: Dialog, indexing: TurnIndexing, keepers: Sequence[Forgettable]
    ) -> None:
        self._database = database
        self._dialog = dialog
        self._indexing = indexing
        self._keepers = keepers

    async def set(self, conversation_id: str, *, remembered: bool) -> Conversation:
        """Switch it; what was said until now is taken out, or in again.

        Raises:
            UsageError: There is no such conversation.
        """
        conversation = await self._dialog.remember(conversation_id, remembered=remembered)
        if not remembered:
            turns = await SaidMessages(self._database).of_conversation(conversation_id)
            gone = Forgotten(
                frozenset(turn.message_id for turn in turns),
                frozenset(turn.position for turn in turns),
                frozenset([conversation_id]),
                frozenset(),
                frozenset(),
                _says_nothing,
                _says_nothing,
            )
            for keeper in self._keepers:
                await keeper.erase(self._database, gone)
            await self._indexing.erased()
        return conversation


def _says_nothing(_text: str) -> bool:
    """What was made of these messages goes by their ids; their words may stand elsewhere."""
    return False
