"""Vectors that were computed before, by the hash of their text: a file that is rebuilt when lost."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.base import log
from partner_desktop.base.errors import StorageError
from partner_desktop.storage.database import Connection
from partner_desktop.storage.rebuildable import RebuildableDatabase

_log = log.area("model")

#: A row takes about 1.6 KB.
MOST_ROWS = 50_000
_VERSION = 1
_SCHEMA = "CREATE TABLE vectors (age INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL);"
_KEYS_A_QUERY = 500


class EmbeddingCache:
    """Never in the way: what cannot be read is not there, what cannot be written is not kept."""

    def __init__(self, path: Path, *, most_rows: int = MOST_ROWS) -> None:
        self._database = RebuildableDatabase(path, schema=_SCHEMA, version=_VERSION)
        self._most_rows = most_rows

    async def find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are kept, by key."""
        try:
            return await self._database.run(lambda connection: _select(connection, keys))
        except StorageError as error:
            _log.info("the embedding cache was not read: %s", error)
            return {}

    async def keep(self, vectors: Mapping[bytes, bytes]) -> None:
        """Add vectors; above the limit the oldest go."""
        try:
            await self._database.run(lambda connection: _insert(connection, vectors, self._most_rows))
        except StorageError as error:
            _log.info("the embedding cache was not written: %s", error)

    async def launch(self) -> None:
        """Nothing: the file is opened with the first text."""

    async def shutdown(self) -> None:
        """Close the file; idempotent."""
        await self._database.shutdown()


def key_of(model_id: str, text: str) -> bytes:
    """What a text is found by: of the text itself the file holds nothing."""
    return hashlib.sha256(f"{model_id}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _select(connection: Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for start in range(0, len(keys), _KEYS_A_QUERY):
        some = keys[start : start + _KEYS_A_QUERY]
        places = ",".join("?" * len(some))
        query = f"SELECT key, vector FROM vectors WHERE key IN ({places})"  # noqa: S608 - question marks only
        rows = connection.execute(query, some)
        found.update((key, vector) for key, vector in rows if isinstance(vector, bytes))
    return found


def _insert(connection: Connection, vectors: Mapping[bytes, bytes], most_rows: int) -> None:
    connection.executemany("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)", vectors.items())
    connection.execute("DELETE FROM vectors WHERE age <= (SELECT max(age) FROM vectors) - ?", (most_rows,))
