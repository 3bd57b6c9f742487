"""An Embedder whose vectors of known texts are computed once, then kept on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner_desktop.model.embedder import Embedder, EmbeddingStatus
from partner_desktop.model.embedding_cache import EmbeddingCache, key_of
from partner_desktop.model.llama_embedder import BATCH_TEXTS, DIMENSIONS
from partner_desktop.model.numbers import require_numpy

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
        keys = await asyncio.to_thread(lambda: [key_of(self.model_id, text) for text in texts])
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
