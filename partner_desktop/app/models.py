"""The models: the embedding model that finds abilities by their meaning, and those that talk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.app.core_services import CoreServices
from partner_desktop.config.secrets import SecretStore
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.model_file import FoundEndpoint
from partner_desktop.domain.model_status import EndpointDraft, EndpointReport
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.model.chat import ChatModel
from partner_desktop.model.chosen_embedder import ChosenEmbedder
from partner_desktop.model.conversation_models import ConversationModels
from partner_desktop.model.downloads.download_queue import ModelDownloads
from partner_desktop.model.downloads.download_store import DownloadStore
from partner_desktop.model.downloads.model_catalog import ModelCatalog
from partner_desktop.model.embedder import Embedder
from partner_desktop.model.llama_chat import LocalChatModel
from partner_desktop.model.llama_embedder import CachedEmbedder, EmbeddingCache, LlamaEmbedder
from partner_desktop.model.model_registry import ModelRegistry
from partner_desktop.model.model_slot import Entry, Maker
from partner_desktop.model.settings import EndpointModel, FileModel, whole_path
from partner_desktop.model.usage import UsageBook

if TYPE_CHECKING:
    from partner_desktop.mind.starter.matcher import AbilityMatcher
    from partner_desktop.model.endpoint.constraint import DialectMemory


class ModelParts:
    """No model is started before something asks for it."""

    def __init__(self, core: CoreServices, embedder: Embedder | None, *, stays: bool) -> None:
        self._core = core
        self._build_meaning(embedder)
        self._build_chat()
        self.catalog = ModelCatalog()
        self.downloads = ModelDownloads(
            DownloadStore(core.database),
            core.home.models,
            publish=core.channels.publish,
            clock=core.clock,
            goes_on=stays,
            stall_s=lambda: self.registry.settings.stall_seconds,
        )

    def _build_meaning(self, embedder: Embedder | None) -> None:
        core = self._core
        self.llama = LlamaEmbedder(clock=core.clock, tracer=core.tracer)
        self.vectors = EmbeddingCache(core.home.root / "cache" / "embeddings.db")
        self.chosen = ChosenEmbedder(
            self.llama,
            core.model_settings,
            make=lambda path: LlamaEmbedder(clock=core.clock, model=path, dimensions=0, tracer=core.tracer),
            publish=core.channels.publish,
        )
        self.embedder = CachedEmbedder(embedder or self.chosen, self.vectors)
        self.meaning = MeaningIndex(self.embedder)

    def _build_chat(self) -> None:
        core = self._core
        self.secrets = SecretStore(core.home)
        self.usage = UsageBook(core.database, publish=core.channels.publish, tracer=core.tracer)
        self.conversations = ConversationModels(core.database)
        self.registry = ModelRegistry(
            core.model_settings,
            self._makers(),
            conversations=self.conversations,
            usage=self.usage,
            estimate=EstimatedTokens(),
            publish=core.channels.publish,
            clock=core.clock,
        )

    def known_files(self) -> dict[str, str]:
        """The names of the models in files, by the names of their files."""
        return {Path(one.path).name: one.name for one in self.registry.settings.file}

    def _makers(self) -> dict[str, Maker]:
        """What makes a model of each kind of entry."""
        return {"file": self._local, "endpoint": self._remote}

    def _local(self, entry: Entry, on_change: Callable[[], None]) -> ChatModel:
        assert isinstance(entry, FileModel)
        return LocalChatModel(
            entry,
            clock=self._core.clock,
            tracer=self._core.tracer,
            on_change=on_change,
            others=lambda: {one.name: whole_path(one.path) for one in self.registry.settings.file},
            sampling_of=self.catalog.sampling_of,
        )

    def _remote(self, entry: Entry, on_change: Callable[[], None]) -> ChatModel:
        # Nobody who has no server should wait for this at the start.
        from partner_desktop.model.endpoint.chat_model import EndpointChatModel  # noqa: PLC0415

        del on_change  # the slot itself sees every call of a server begin and end
        assert isinstance(entry, EndpointModel)
        clock = self._core.clock
        return EndpointChatModel(
            entry, key=partial(self.secrets.get, entry.name), clock=clock, dialects=self._dialects
        )

    @cached_property
    def _dialects(self) -> DialectMemory:
        from partner_desktop.model.endpoint.constraint import DialectMemory  # noqa: PLC0415

        return DialectMemory(self._core.home.root / "cache" / "endpoints.json", clock=self._core.clock)

    async def check_endpoint(self, draft: EndpointDraft, key: str) -> EndpointReport:
        """Try a server out before it is kept."""
        from partner_desktop.model.endpoint.check import check  # noqa: PLC0415 - as in `_remote`

        return await check(draft, key, clock=self._core.clock)

    async def running_endpoints(self) -> tuple[FoundEndpoint, ...]:
        """Who serves models on this machine now."""
        from partner_desktop.model.discovery.running_endpoints import running_endpoints  # noqa: PLC0415 - as in `_remote`

        return await running_endpoints(clock=self._core.clock)

    def matcher(self, *, by_meaning: bool) -> AbilityMatcher:
        """What a starter mind finds abilities with."""
        # With the starter mind, which the first question brings in.
        from partner_desktop.mind.starter.matcher import MeaningMatcher, WordMatcher  # noqa: PLC0415

        words = WordMatcher()
        return MeaningMatcher(words, self.meaning) if by_meaning else words
