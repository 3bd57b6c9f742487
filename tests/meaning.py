"""The starter mind as the app builds it: by words and by meaning, with the shipped model in its worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.starter.matcher import MeaningMatcher, WordMatcher
from partner_desktop.mind.starter.meaning import MeaningIndex, Nearness
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.model.llama_embedder import CachedEmbedder, EmbeddingCache, LlamaEmbedder

if TYPE_CHECKING:
    from partner_desktop.mind.starter.meaning import Vector


class WatchedMeaning(MeaningIndex):
    """A `MeaningIndex` that counts the messages it had no answer for."""

    unanswered = 0

    async def vector_of(self, text: str) -> Vector | None:
        vector = await super().vector_of(text)
        self.unanswered += bool(text.strip()) and vector is None
        return vector

    async def nearness(self, asked: Vector, likeliest: Sequence[MetaActionInfo]) -> Mapping[str, Nearness]:
        found = await super().nearness(asked, likeliest)
        self.unanswered += bool(likeliest) and not found
        return found


@dataclass(frozen=True)
class Watched:
    """A mind, and what can be seen of its meaning."""

    mind: StarterMind
    meaning: WatchedMeaning
    embedder: LlamaEmbedder


@asynccontextmanager
async def watched_mind(place: Path, *, model: Path | None = None) -> AsyncIterator[Watched]:
    """A mind whose vectors are kept in `place` and whose worker is awake: plain words do not wait for it.

    `model` instead of the shipped one.
    """
    embedder = LlamaEmbedder(clock=SystemClock(), model=model)
    cache = EmbeddingCache(place / "vectors.db")
    meaning = WatchedMeaning(CachedEmbedder(embedder, cache))
    parts = (cache, embedder, meaning)
    for part in parts:
        await part.launch()
    try:
        with suppress(ModelError):
            await embedder.embed(["awake"])
        yield Watched(StarterMind(matcher=MeaningMatcher(WordMatcher(), meaning)), meaning, embedder)
    finally:
        for part in reversed(parts):
            await part.shutdown()


@asynccontextmanager
async def meaning_mind(place: Path, *, model: Path | None = None) -> AsyncIterator[StarterMind]:
    """The mind alone."""
    async with watched_mind(place, model=model) as watched:
        yield watched.mind
