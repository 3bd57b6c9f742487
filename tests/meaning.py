"""The starter mind as the app builds it: by words and by meaning, with the shipped model in its worker."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from partner_desktop.base.clock import SystemClock
from partner_desktop.mind.starter.matcher import MeaningMatcher, WordMatcher
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.cached_embedder import CachedEmbedder
from partner_desktop.model.embedding_cache import EmbeddingCache
from partner_desktop.model.llama_embedder import LlamaEmbedder


@asynccontextmanager
async def meaning_mind(place: Path, *, model: Path | None = None) -> AsyncIterator[StarterMind]:
    """A mind whose vectors are kept in `place`; `model` instead of the shipped one."""
    embedder = LlamaEmbedder(clock=SystemClock(), model=model)
    cache = EmbeddingCache(place / "vectors.db")
    meaning = MeaningIndex(CachedEmbedder(embedder, cache))
    parts = (cache, embedder, meaning)
    for part in parts:
        await part.launch()
    try:
        yield StarterMind(matcher=MeaningMatcher(WordMatcher(), meaning))
    finally:
        for part in reversed(parts):
            await part.shutdown()
