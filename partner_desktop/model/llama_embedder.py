"""The Embedder that ships: all-MiniLM-L6-v2 in a worker process.

Vectors that were computed before are kept by the hash of their text, in a file that is rebuilt when lost.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError, StorageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import shipped
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.model.embedder import Embedder, EmbeddingStatus
from partner_desktop.model.engine import engine_missing, read_engine_status, require_numpy
from partner_desktop.storage.database import Connection
from partner_desktop.storage.rebuildable import RebuildableDatabase

if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors
    from partner_desktop.model.worker.frames import Embed
    from partner_desktop.model.worker.model_worker import ModelWorker
    from partner_desktop.model.worker.watchdog import RestartPolicy

SHIPPED_MODEL = "all-MiniLM-L6-v2"
_WORKER_MODULE = "partner_desktop.model.worker.model_worker"
_FILE = f"{SHIPPED_MODEL}-Q8_0.gguf"
#: Where sentence-transformers cuts this model's input; it was not trained on longer ones.
CONTEXT_TOKENS = 256
DIMENSIONS = 384

#: Texts in one frame: few enough that a cancelled caller leaves little behind.
BATCH_TEXTS = 16
#: Seconds for one frame, on a slow machine with long texts.
EMBED_TIMEOUT_S = 60.0
#: No token of the vocabulary is longer than 18 characters; what comes after can only be cut off again.
_MOST_CHARACTERS = 64 * CONTEXT_TOKENS


def shipped_model() -> Path:
    """Where the model lies."""
    return shipped("resources") / "models" / _FILE


class LlamaEmbedder:
    """Owns its worker; `shutdown` ends it. Constructing starts nothing.

    `dimensions`: how long its rows have to be; 0: as long as the model makes them.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        model: Path | None = None,
        dimensions: int = DIMENSIONS,
        policy: RestartPolicy | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._tracer: Tracer = tracer or NullTracer()
        self._path, self._dimensions = model or shipped_model(), dimensions
        self._clock, self._policy = clock, policy
        self._worker: ModelWorker | None = None
        self._bulk = asyncio.Lock()
        self._closed = False

    @property
    def model_id(self) -> str:
        return self._path.stem

    @property
    def pid(self) -> int | None:
        """The worker's process while there is one, for tests and the curious."""
        return self._worker.pid if self._worker is not None else None

    def status(self) -> EmbeddingStatus:
        """See `Embedder.status`."""
        state = self._worker.state if self._worker is not None else "idle"
        if state in ("starting", "ready"):
            return EmbeddingStatus(state)
        if not self._path.is_file():
            return EmbeddingStatus("absent", sentence_of("model.no_embedder", name=self._path.name))
        engine = read_engine_status()
        if engine.state != "ready":
            return EmbeddingStatus("absent", str(engine_missing(engine)))
        if state == "failed" and self._worker is not None:
            return EmbeddingStatus("failed", self._worker.reason)
        return EmbeddingStatus("idle")

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        """See `Embedder.embed`. Long lists go in batches, one after the other."""
        worker = await self._supervised()
        parts: list[bytes] = []
        for batch in _batches(texts):
            if urgent:
                parts.append(await self._ask(worker, batch, urgent=True))
            else:
                async with self._bulk:  # so that the time limit is one of computing, not of waiting in line
                    parts.append(await self._ask(worker, batch, urgent=False))
        await require_numpy()  # only now: while the model starts, others have better use for the time
        import numpy as np  # noqa: PLC0415 - free now

        rows: Vectors = np.frombuffer(b"".join(parts), dtype="<f4").reshape(
            len(texts), -1 if texts else self._dimensions
        )
        return rows

    async def _supervised(self) -> ModelWorker:
        """The worker's supervisor, made on first use: no start-up has to wait for its imports."""
        if self._worker is None:
            await asyncio.to_thread(importlib.import_module, _WORKER_MODULE)
        if self._closed:
            raise ModelError("model.closing")
        return self._worker or self._make_worker()

    def _make_worker(self) -> ModelWorker:
        from partner_desktop.model.worker.model_worker import ModelFile, ModelWorker  # noqa: PLC0415

        file = ModelFile(self._path, "embed", CONTEXT_TOKENS)
        self._worker = ModelWorker(file, clock=self._clock, policy=self._policy, tracer=self._tracer)
        return self._worker

    async def _ask(self, worker: ModelWorker, batch: tuple[str, ...], *, urgent: bool) -> bytes:
        from partner_desktop.model.worker.frames import Embedded  # noqa: PLC0415 - as in `_supervised`

        answer = await worker.request(partial(_frame, batch, urgent), timeout_s=EMBED_TIMEOUT_S)
        if not isinstance(answer, Embedded) or self._dimensions not in (0, answer.dimensions):
            raise ModelError("model.other_shape", name=self._path.name)
        return base64.b64decode(answer.data)

    async def launch(self) -> None:
        """Nothing: the worker starts with the first text."""

    async def shutdown(self) -> None:
        """End the worker, bounded in time."""
        self._closed = True
        if self._worker is not None:
            await self._worker.shutdown()


def _frame(texts: tuple[str, ...], urgent: bool, number: int) -> Embed:
    from partner_desktop.model.worker.frames import Embed  # noqa: PLC0415 - as in `_supervised`

    return Embed(id=number, texts=texts, urgent=urgent)


def _batches(texts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(texts), BATCH_TEXTS):
        yield tuple(_clean(text) for text in texts[start : start + BATCH_TEXTS])


def _clean(text: str) -> str:
    """No longer than can matter, and without lone halves of characters, which UTF-8 cannot carry."""
    return text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


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
        model_id = self.model_id
        keys = await asyncio.to_thread(lambda: [vector_key(model_id, text) for text in texts])
        found = await self._cache.find(list(dict.fromkeys(keys)))
        sound = await asyncio.to_thread(_sound, found)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in sound}
        await self._compute(missing, sound, model_id)
        return await asyncio.to_thread(_table, [sound[key] for key in keys])

    async def _compute(self, missing: dict[bytes, str], into: dict[bytes, bytes], model_id: str) -> None:
        """A batch at a time, each kept before the next begins.

        Raises:
            ModelError: See `vectors`; also where another model was chosen meanwhile.
        """
        keys = list(missing)
        for start in range(0, len(keys), BATCH_TEXTS):
            some = keys[start : start + BATCH_TEXTS]
            rows = await self._embedder.embed([missing[key] for key in some])
            if self.model_id != model_id:
                raise ModelError("model.embedding_changed")
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
