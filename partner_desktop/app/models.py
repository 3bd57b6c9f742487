"""What finds abilities by their meaning: the embedding model, what it made before, and the matcher on top."""

from __future__ import annotations

from partner_desktop.app.floor import Floor
from partner_desktop.mind.starter.matcher import AbilityMatcher, MeaningMatcher, WordMatcher
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.model.cached_embedder import CachedEmbedder
from partner_desktop.model.embedding_cache import EmbeddingCache
from partner_desktop.model.llama_embedder import LlamaEmbedder


class ModelParts:
    """No model is started before something asks for a vector."""

    def __init__(self, floor: Floor) -> None:
        self.llama = LlamaEmbedder(clock=floor.clock, tracer=floor.tracer)
        self.vectors = EmbeddingCache(floor.home.root / "cache" / "embeddings.db")
        self.embedder = CachedEmbedder(self.llama, self.vectors)
        self.meaning = MeaningIndex(self.embedder)

    def matcher(self, *, by_meaning: bool) -> AbilityMatcher:
        """What a starter mind finds abilities with."""
        words = WordMatcher()
        return MeaningMatcher(words, self.meaning) if by_meaning else words
