"""ForgottenTexts: what was forgotten is known when it comes again, though no word of it is kept.

Contract: kept are keyed hashes of a text's words, alone and with the second it was said in; without the
home's key nobody can try what it was. A text that comes with its time is known by both together; one without
a time by its words, and where these are few, only beside another one that is known.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence
from datetime import datetime

from partner_desktop.storage.database import Connection, Database

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
