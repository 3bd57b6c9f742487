"""Vectors that were computed once are not computed again, and a lost cache is only lost time."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.model.embedder import EmbeddingStatus
from partner_desktop.model.llama_embedder import CachedEmbedder, EmbeddingCache, LlamaEmbedder
from tests.model.engine import embedder_of, needs_engine

if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors


class CountingEmbedder:
    """Vectors out of a hash, and a list of what was asked."""

    def __init__(self, model_id: str = "hash") -> None:
        self.model_id = model_id
        self.asked: list[str] = []
        self.stop_after: int | None = None
        self.stopped = asyncio.Event()

    def status(self) -> EmbeddingStatus:
        return EmbeddingStatus("ready")

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        del urgent
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            self.stopped.set()
            await asyncio.Event().wait()
        self.asked += texts
        rows = np.array([_row(text) for text in texts], dtype=np.float32).reshape(-1, 384)
        result: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return result


def _row(text: str) -> list[int]:
    seed = hashlib.sha256(text.encode()).digest() * 12
    return [value - 128 for value in seed]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "embeddings.db"


@pytest.fixture
async def cache(path: Path) -> AsyncIterator[EmbeddingCache]:
    one = EmbeddingCache(path, most_rows=100)
    yield one
    await one.shutdown()


async def again(path: Path, embedder: CountingEmbedder, texts: Sequence[str], **options: int) -> Vectors:
    """As after a restart: with the cache opened anew."""
    cache = EmbeddingCache(path, **options)
    try:
        return await CachedEmbedder(embedder, cache).vectors(texts)
    finally:
        await cache.shutdown()


async def test_known_texts_are_not_asked_again_also_after_a_restart(path: Path) -> None:
    embedder = CountingEmbedder()
    first = await again(path, embedder, ["a", "b", "a"])
    assert embedder.asked == ["a", "b"]
    assert np.array_equal(first[0], first[2])
    second = await again(path, embedder, ["b", "c", "a"])
    assert embedder.asked == ["a", "b", "c"]
    assert np.array_equal(second[[2, 0]], first[[0, 1]])
    await again(path, CountingEmbedder("other model"), ["a"])
    assert (await again(path, embedder, [])).shape == (0, 384)


async def test_vectors_of_another_model_are_not_taken(path: Path) -> None:
    await again(path, CountingEmbedder("one"), ["a"])
    other = CountingEmbedder("two")
    await again(path, other, ["a"])
    assert other.asked == ["a"]


async def test_what_a_person_says_is_not_kept(path: Path, cache: EmbeddingCache) -> None:
    embedder = CountingEmbedder()
    cached = CachedEmbedder(embedder, cache)
    await cached.vectors(["a descriptor"])
    await cached.embed(["my secret"], urgent=True)
    await cached.vectors(["my secret"])
    assert embedder.asked == ["a descriptor", "my secret", "my secret"]
    assert b"secret" not in path.read_bytes()


@pytest.mark.parametrize("damage", ["foreign", "overwritten", "cut", "older", "zeroed rows"])
async def test_a_damaged_cache_is_made_anew(path: Path, damage: str) -> None:
    embedder = CountingEmbedder()
    texts = [f"text {number}" for number in range(50)]
    first = await again(path, embedder, texts)
    _damage(path, damage)
    second = await again(path, embedder, texts)
    assert np.array_equal(first, second)
    assert embedder.asked == texts * 2
    await again(path, embedder, texts)
    assert embedder.asked == texts * 2, "the new one holds"


def _damage(path: Path, damage: str) -> None:
    data = bytearray(path.read_bytes())
    if damage in ("older", "zeroed rows"):
        connection = sqlite3.connect(path)
        change = (
            "UPDATE vectors SET vector = zeroblob(1536)"
            if damage == "zeroed rows"
            else "PRAGMA user_version = 99"
        )
        connection.execute(change)
        connection.commit()
        connection.close()
        return
    if damage == "foreign":
        data = bytearray(b"a shopping list, not a database\n" * 200)
    elif damage == "overwritten":
        data[4096:] = b"\xa5" * (len(data) - 4096)
    else:
        del data[len(data) // 2 :]
    path.write_bytes(data)


async def test_above_the_limit_the_oldest_go(path: Path) -> None:
    embedder = CountingEmbedder()
    await again(path, embedder, [f"old {number}" for number in range(16)], most_rows=20)
    await again(path, embedder, [f"new {number}" for number in range(16)], most_rows=20)
    embedder.asked.clear()
    await again(path, embedder, [f"new {number}" for number in range(16)], most_rows=20)
    assert embedder.asked == []
    await again(path, embedder, ["old 0", "old 15"], most_rows=20)
    assert embedder.asked == ["old 0"]


async def test_without_a_writable_folder_everything_works_uncached(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    embedder = CountingEmbedder()
    for _ in range(2):
        assert (await again(tmp_path / "cache" / "embeddings.db", embedder, ["a"])).shape == (1, 384)
    assert embedder.asked == ["a", "a"]


async def test_a_cancelled_round_keeps_what_was_computed(path: Path, cache: EmbeddingCache) -> None:
    embedder = CountingEmbedder()
    embedder.stop_after = 32
    texts = [f"text {number}" for number in range(100)]
    task = asyncio.create_task(CachedEmbedder(embedder, cache).vectors(texts))
    await embedder.stopped.wait()
    task.cancel()
    await asyncio.wait([task])
    embedder.stop_after = None
    assert (await CachedEmbedder(embedder, cache).vectors(texts)).shape == (100, 384)
    assert embedder.asked == texts, "nothing twice"


@needs_engine
@pytest.mark.integration
async def test_kept_vectors_need_no_worker(path: Path) -> None:
    async with embedder_of() as embedder:
        cache = EmbeddingCache(path)
        first = await CachedEmbedder(embedder, cache).vectors(["zip a folder", "count words"])
        await cache.shutdown()
    second_embedder = LlamaEmbedder(clock=SystemClock())
    cache = EmbeddingCache(path)
    second = await CachedEmbedder(second_embedder, cache).vectors(["count words", "zip a folder"])
    assert second_embedder.pid is None
    assert second_embedder.status().state == "idle"
    assert np.array_equal(second, first[::-1])
    await second_embedder.shutdown()
    await cache.shutdown()
