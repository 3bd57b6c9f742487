"""Vectors that were computed before, by the hash of their text: a file that is rebuilt when lost."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.errors import StorageError
from partner_desktop.model.embedder import Embedder, EmbeddingStatus
from partner_desktop.model.engine import require_numpy
from partner_desktop.model.llama_embedder import BATCH_TEXTS, DIMENSIONS
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


def vector_key(model_id: str, text: str) -> bytes:
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


if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors

#: How far from 1 the length of a kept row may be; a damaged row is computed again.
_LENGTH_TOLERANCE = 0.001


class CachedEmbedder:
    """A `KeepingEmbedder`. Uses `embedder` and `cache`; owns neither."""

    def __init__(self, embedder: Embedder, cache: EmbeddingCache) -> None:
        self._embedder, self._cache = embedder, cache

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    def status(self) -> EmbeddingStatus:
        """See `Embedder.status`."""
        return self._embedder.status()

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        """See `Embedder.embed`."""
        return await self._embedder.embed(texts, urgent=urgent)

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """See `KeepingEmbedder.vectors`."""
        await require_numpy()
        keys = await asyncio.to_thread(lambda: [vector_key(self.model_id, text) for text in texts])
        found = await self._cache.find(list(dict.fromkeys(keys)))
        sound = await asyncio.to_thread(_sound, found)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in sound}
        await self._compute(missing, sound)
        return await asyncio.to_thread(_table, [sound[key] for key in keys])

    async def _compute(self, missing: dict[bytes, str], into: dict[bytes, bytes]) -> None:
        """A batch at a time, each kept before the next begins."""
        keys = list(missing)
        for start in range(0, len(keys), BATCH_TEXTS):
            some = keys[start : start + BATCH_TEXTS]
            rows = await self._embedder.embed([missing[key] for key in some])
            computed = {key: row.tobytes() for key, row in zip(some, rows, strict=True)}
            into.update(computed)
            await self._cache.keep(computed)


def _table(rows: list[bytes]) -> Vectors:
    import numpy as np  # noqa: PLC0415 - required before

    table: Vectors = np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), DIMENSIONS)
    return table


def _sound(found: dict[bytes, bytes]) -> dict[bytes, bytes]:
    """Without rows that a damaged file changed."""
    import numpy as np  # noqa: PLC0415 - required before

    whole = {key: row for key, row in found.items() if len(row) == 4 * DIMENSIONS}
    lengths = np.linalg.norm(_table(list(whole.values())), axis=1)
    return {
        key: row
        for (key, row), length in zip(whole.items(), lengths, strict=True)
        if abs(length - 1) < _LENGTH_TOLERANCE
    }
