"""ModelService: which models there are, which one answers, and their keys.

What a person changes is written into `config/model.toml` and in force when the call returns. A model's file
is never touched.

Of others it needs a place for keys, and somebody who tries a server out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeAlias

from partner_desktop.base.errors import ConfigError, ModelError, UsageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.entries import AddEntry, DropEntry, Edit, PutEntry, PutValue
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_status import EndpointDraft, EndpointReport, ModelStatus
from partner_desktop.model.chosen_embedder import require_embedder
from partner_desktop.model.embedder import Embedder, EmbeddingStatus
from partner_desktop.model.endpoint.address import tidy_address
from partner_desktop.model.engine import EngineStatus, read_engine_status
from partner_desktop.model.llama_embedder import SHIPPED_MODEL
from partner_desktop.model.model_registry import STARTER, ModelRegistry
from partner_desktop.model.settings import EndpointModel, free_name, require_gguf, server_name, whole_path

_FILE = "model"
_USE = ("use",)
_EMBEDDING = ("embedding",)


class ModelService:
    """`check` tries a server out."""

    def __init__(
        self,
        config: ConfigCenter,
        registry: ModelRegistry,
        secrets: KeyStore,
        embedder: Embedder,
        dialog: CognitionCapability,
        *,
        check: EndpointChecker,
    ) -> None:
        self._config = config
        self._registry = registry
        self._secrets = secrets
        self._embedder = embedder
        self._dialog = dialog
        self._check = check
        self._adding = asyncio.Lock()
        """So that of two who bring the same one the second sees the first."""

    @operation(Caller.ATTACHED)
    def list(self) -> Sequence[ModelStatus]:
        """All models of the settings, as they are now: short looks at the disk."""
        return self._registry.statuses()

    @operation(Caller.ATTACHED)
    def mind(self, conversation_id: str = "") -> str:
        """Who answers now, in a conversation or where none was chosen: `starter`, or a model's name."""
        return self._registry.mind_of(conversation_id)

    @operation(Caller.ATTACHED)
    def chosen(self, conversation_id: str) -> str:
        """What was chosen for a conversation, whether it is there or not; empty: nothing."""
        return self._registry.chosen(conversation_id)

    @operation(Caller.ATTACHED)
    def engine(self) -> EngineStatus:
        """The model engine's state now: two short looks at the disk."""
        return read_engine_status()

    @operation(Caller.ATTACHED)
    def embedding(self) -> EmbeddingStatus:
        """Whether abilities are found by meaning, and why not: short looks at the disk."""
        return self._embedder.status()

    @operation(Caller.ATTACHED)
    async def embed_with(self, path: str) -> str:
        """Compare meanings by this GGUF file from now on; empty or `shipped`: by the shipped model. Its name.

        What was said is read anew by it, in the background.

        Raises:
            ModelError: It is no embedding model; the sentence says why.
            ConfigError: The settings cannot be written.
        """
        if path in ("", "shipped"):
            await self._config.reset(_FILE, _EMBEDDING)
            return SHIPPED_MODEL
        whole = whole_path(path)
        await asyncio.to_thread(require_embedder, whole)
        await self._config.set(_FILE, _EMBEDDING, str(whole))
        return whole.stem

    @operation(Caller.ATTACHED)
    async def add_file(self, path: Path, *, title: str = "", projector: Path | None = None) -> str:
        """Take a GGUF file in, and use it if nothing else is used; returns the name that it has here.

        `title`: what to call it, as far as that is free; else it is called as its file. `projector`: the file
        that sees for it; else the one that lies beside it, if any.

        Raises:
            ModelError: It is no such file; the sentence says why.
            ConfigError: The settings cannot be written.
        """
        whole = whole_path(str(path))
        await asyncio.to_thread(require_gguf, whole)
        eyes = projector or await asyncio.to_thread(_eyes_beside, whole)
        sees: JsonObject = {"projector": str(eyes)} if eyes is not None else {}
        async with self._adding:
            settings = self._registry.settings
            for place, known in enumerate(settings.file):
                if whole_path(known.path) == whole:
                    if sees and not known.projector:
                        entry = known.model_dump(mode="json", exclude_unset=True) | sees
                        await self._config.change(_FILE, PutEntry("file", place, {"name": known.name}, entry))
                    if not settings.use:
                        await self.use(known.name)
                    return known.name
            name = free_name(title or whole.stem, self._taken())
            await self._add("file", {"name": name, "path": str(whole), **sees})
            return name

    @operation()
    async def add_endpoint(self, draft: EndpointDraft, key: str) -> str:
        """Take a server in, with its key where it needs one; returns the name that it has here.

        Raises:
            UsageError: The name is taken.
            ModelError: The address is none.
            ConfigError: It does not fit, or key or settings cannot be written; nothing changed.
        """
        address = tidy_address(draft.base_url)
        name = draft.name.strip() or free_name(server_name(address), self._taken())
        if name in self._taken():
            raise UsageError("api.model_name_taken", name=name)
        entry: JsonObject = {"name": name, "base_url": address}
        if draft.model:
            entry["model"] = draft.model.strip()
        if draft.context_tokens:
            entry["context_tokens"] = draft.context_tokens
        if key:
            await self._secrets.set(name, key)
        else:
            with suppress(ConfigError):  # left by a server of that name that somebody struck out by hand
                await self._secrets.delete(name)
        try:
            await self._add("endpoint", entry)
        except ConfigError:
            if key:
                await self._secrets.delete(name)
            raise
        return name

    async def _add(self, key: str, entry: JsonObject) -> None:
        edits: list[Edit] = [AddEntry(key, entry)]
        if not self._registry.settings.use:
            edits.append(PutValue(_USE, entry["name"]))
        await self._config.change(_FILE, *edits)

    def _taken(self) -> set[str]:
        settings = self._registry.settings
        return {one.name for one in settings.file} | {one.name for one in settings.endpoint}

    @operation(Caller.ATTACHED)
    async def use(self, name: str, *, file: Path | None = None, conversation_id: str = "") -> str:
        """Let this model answer from now on; empty or `starter`: none. The name that it has here.

        `file`: taken in and used where no model has this name, and the name reads as a path.
        `conversation_id`: only there; an empty name brings the usual one back, which is who then answers.

        Raises:
            UsageError: There is none of that name, or no such conversation.
            ModelError: The file is no model.
            ConfigError: The settings cannot be written.
            StorageError: It cannot be kept for the conversation.
        """
        if conversation_id:
            await self._dialog.conversation(conversation_id)
            await self._registry.choose(conversation_id, name)
            return name or self._registry.mind_of(conversation_id)
        if name in ("", STARTER):
            await self._config.reset(_FILE, _USE)
            return STARTER
        known = self._taken()
        if name not in known:
            if file is None or not _looks_like_a_path(name):
                if not known:
                    raise UsageError("api.no_model_yet", name=name)
                raise UsageError("api.no_model", name=name, known=", ".join(sorted(known)))
            name = await self.add_file(file)
        await self._config.set(_FILE, _USE, name)
        return name

    @operation(Caller.ATTACHED)
    async def load(self, name: str) -> ModelStatus:
        """Open it now: the file is read, or the server asked. How it is when it is ready.

        Raises:
            UsageError: There is none of that name.
            ModelError: It cannot be opened, or was unloaded meanwhile.
        """
        await self._registry.load(name)
        return self._status(name)

    @operation(Caller.ATTACHED)
    async def unload(self, name: str) -> ModelStatus:
        """Give its memory back; a load under way is given up, and what it was saying ends. How it is then.

        Raises:
            UsageError: There is none of that name.
        """
        await self._registry.unload(name)
        return self._status(name)

    def _status(self, name: str) -> ModelStatus:
        return next(one for one in self._registry.statuses() if one.name == name)

    @operation(Caller.ATTACHED)
    async def remove(self, name: str) -> None:
        """Take it out of the settings, wherever it is named; its file stays, a server's key goes.

        Raises:
            UsageError: There is none of that name.
            ConfigError: The settings cannot be written, or the key may still be kept.
        """
        endpoint = isinstance(self._registry.slot(name).entry, EndpointModel)
        settings = self._registry.settings
        edits: list[Edit] = [PutValue(_USE, None)] if settings.use == name else []
        for role in settings.role:
            if role.model == name:
                kept = role.model_dump(mode="json", exclude_unset=True, exclude={"model"})
                edits.append(DropEntry("role", {"question": role.question}))
                edits += [AddEntry("role", kept)] if len(kept) > 1 else []
        edits.append(DropEntry("endpoint" if endpoint else "file", {"name": name}))
        await self._config.change(_FILE, *edits)
        if endpoint:
            await self._secrets.delete(name)

    # Keys and tests of servers.

    @operation(Caller.ATTACHED)
    async def set_key(self, name: str, key: str) -> str:
        """Keep a server's key, or with an empty one forget it; says where it is, as the end of a sentence.

        Raises:
            UsageError: There is no server of that name.
            ConfigError: It cannot be kept.
        """
        slot = self._registry.slot(name)
        if not isinstance(slot.entry, EndpointModel):
            raise UsageError("api.file_needs_no_key", name=name)
        if key:
            where = await self._secrets.set(name, key)
        else:
            await self._secrets.delete(name)
            where = ""
        await slot.unload()  # what it opened with the old key
        return where

    @operation(Caller.ATTACHED)
    async def key_place(self) -> str:
        """Where the next key will be kept, as the end of a sentence."""
        return await self._secrets.where()

    @operation()
    async def test_endpoint(self, draft: EndpointDraft, key: str) -> EndpointReport:
        """Try a server out. Without a key the one that is kept for the same name and address is used.

        Raises:
            ConfigError: The kept key cannot be read.
        """
        if not key and self._is_known(draft):
            key = await self._secrets.get(draft.name)
        return await self._check(draft, key)

    def _is_known(self, draft: EndpointDraft) -> bool:
        try:
            address = tidy_address(draft.base_url)
        except ModelError:
            return False
        return any(
            (one.name, one.base_url) == (draft.name, address) for one in self._registry.settings.endpoint
        )

    @operation(Caller.ATTACHED)
    async def test(self, name: str) -> EndpointReport:
        """Try a server of the settings out, with its key.

        Raises:
            UsageError: There is no server of that name.
            ConfigError: Its key cannot be read.
        """
        entry = self._registry.slot(name).entry
        if not isinstance(entry, EndpointModel):
            raise UsageError("api.file_is_tried_by_load", name=name)
        draft = EndpointDraft(entry.name, entry.base_url, entry.model, entry.context_tokens)
        return await self.test_endpoint(draft, "")


def _eyes_beside(model: Path) -> Path | None:
    # A start should not wait for this.
    from partner_desktop.model.discovery.model_scanners import eyes_beside  # noqa: PLC0415

    return eyes_beside(model)


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.lower().endswith(".gguf")


class KeyStore(Protocol):
    """The keys of servers by the names of their models; `config/secrets.py` has this face."""

    async def get(self, name: str) -> str:
        """The key of that name; empty where there is none."""
        ...

    async def set(self, name: str, value: str) -> str:
        """Keep a key; says where it is now, as the end of a sentence."""
        ...

    async def delete(self, name: str) -> None:
        """Keep it no longer."""
        ...

    async def where(self) -> str:
        """Where the next key goes, as the end of a sentence."""
        ...


#: Tries a server out with a key, which may be empty.
EndpointChecker: TypeAlias = Callable[[EndpointDraft, str], Awaitable[EndpointReport]]
