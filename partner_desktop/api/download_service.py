"""DownloadService: models that can be fetched, and those on their way.

Of others it needs the downloads, a look at a repository, and how a model would fit here.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError, UsageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.events import as_json
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_download import CatalogModel, Download, HubListing
from partner_desktop.domain.model_file import ModelPurpose
from partner_desktop.model.downloads.download_queue import ModelDownloads
from partner_desktop.model.downloads.download_store import KeptPart, new_download, trouble_sentence
from partner_desktop.model.downloads.fetch_messages import HubTroubleError, Looked, LookJob
from partner_desktop.model.downloads.fetch_process import ask_hub
from partner_desktop.model.downloads.hub_files import file_title, model_files, purpose_of, split_parts
from partner_desktop.model.downloads.hub_reference import HubReference, read_reference, require_file_name
from partner_desktop.model.downloads.model_catalog import CatalogEntry, ModelCatalog, suggested_id
from partner_desktop.model.memory_fit import fit_of, free_bytes, memory_speed

#: What a look at a repository may take as a whole.
_LOOK_S = 60.0

#: The names of the models in the settings by the names of their files.
KnownModels: TypeAlias = Callable[[], dict[str, str]]


class DownloadService:
    """`known` tells which files are models of the settings already."""

    def __init__(
        self, downloads: ModelDownloads, catalog: ModelCatalog, *, known: KnownModels, clock: Clock
    ) -> None:
        self._downloads, self._catalog = downloads, catalog
        self._known, self._clock = known, clock

    @operation(Caller.ATTACHED)
    async def catalog(self) -> Sequence[CatalogModel]:
        """The shipped list, as it fits this machine: smaller ones first.

        Raises:
            ModelError: It cannot be read.
        """
        entries = await asyncio.to_thread(lambda: self._catalog.entries)
        free, bytes_per_s = await asyncio.to_thread(lambda: (free_bytes(), memory_speed()))
        known = self._known()
        models = [
            _listed_entry(entry, known.get(entry.file, ""), free=free, bytes_per_s=bytes_per_s)
            for entry in entries
        ]
        return _with_suggestion(models)

    @operation(Caller.ATTACHED)
    async def look(self, reference: str) -> HubListing:
        """The model files of a repository: its name, or any link to it or to a file of it.

        Raises:
            UsageError: It leads to no repository of the hub.
            ModelError: The hub cannot be asked, or has no such repository.
        """
        entry = self._catalog.find(reference.strip())
        wanted = HubReference(entry.repository, file=entry.file) if entry else read_reference(reference)
        return await self._listing(wanted)

    async def _listing(self, wanted: HubReference) -> HubListing:
        job = LookJob(repository=wanted.repository, revision=wanted.revision)
        try:
            async with asyncio.timeout(_LOOK_S):
                looked = await ask_hub(job, lambda _word: None)
        except TimeoutError as error:
            raise ModelError("downloads.look_late", repository=wanted.repository, seconds=_LOOK_S) from error
        except HubTroubleError as error:
            text = trouble_sentence(error.trouble.kind, dict(error.trouble.values))
            raise ModelError("common.told", text=text) from error
        assert isinstance(looked, Looked)
        free = await asyncio.to_thread(free_bytes)
        files = tuple(
            replace(one, fit=fit_of(None, one.size_bytes, free))
            for one in model_files(wanted.repository, looked.files)
        )
        fits = [one.file for one in files if _is_meant(one.file, wanted, one.quantisation)]
        return HubListing(
            wanted.repository,
            looked.revision,
            files,
            licence=looked.licence,
            file=fits[0] if len(fits) == 1 else "",
        )

    @operation(Caller.ATTACHED)
    async def start(self, reference: str, *, file: str = "") -> Download:
        """Fetch a model: one of the list by its id, a file of a repository, or a link to one.

        `file` is needed where the reference names none and the repository holds more than one. What was begun
        already goes on.

        Raises:
            UsageError: It leads nowhere, or more than one file could be meant; they are named.
            ModelError: The hub cannot be asked.
            StorageError: It cannot be noted down.
        """
        entry = self._catalog.find(reference.strip())
        if entry is not None and file in ("", entry.file):
            part = KeptPart(entry.file, entry.size_bytes, entry.sha256)
            purpose: ModelPurpose = "embedding" if entry.use == "embedding" else "chat"
            return await self._begin(
                entry.repository, (part, *_rest(entry.file)), title=entry.title, purpose=purpose
            )
        wanted = read_reference(entry.repository if entry else reference)
        chosen, revision = file or wanted.file, wanted.revision
        if not chosen:
            listing = await self._listing(wanted)
            chosen, revision = _only_file(listing), listing.revision
        first = split_parts(require_file_name(chosen))[0]
        return await self._begin(
            wanted.repository,
            (KeptPart(first), *_rest(first)),
            title=file_title(first),
            purpose=purpose_of(first, wanted.repository),
            revision=revision,
        )

    async def _begin(
        self,
        repository: str,
        parts: tuple[KeptPart, ...],
        *,
        title: str,
        purpose: ModelPurpose,
        revision: str = "",
    ) -> Download:
        return await self._downloads.start(
            new_download(
                repository, parts, title=title, purpose=purpose, revision=revision, clock=self._clock
            )
        )

    @operation(Caller.ATTACHED)
    def list(self) -> Sequence[Download]:
        """All that are not cancelled, the newest first."""
        return self._downloads.all()

    @operation(Caller.ATTACHED)
    async def follow(self, download_id: str) -> AsyncGenerator[JsonObject, None]:
        """One, again and again as it changes, until it is here, fails or waits to be resumed.

        Raises:
            UsageError: There is none of this id.
        """
        async for download in self._downloads.follow(download_id):
            yield cast("JsonObject", as_json(download))

    @operation(Caller.ATTACHED)
    async def pause(self, download_id: str) -> Download:
        """Let it wait with what it has; how it is then.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._downloads.pause(download_id)

    @operation(Caller.ATTACHED)
    async def resume(self, download_id: str) -> Download:
        """Let it go on where it was, or try it again; how it is then.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._downloads.resume(download_id)

    @operation(Caller.ATTACHED)
    async def cancel(self, download_id: str) -> None:
        """Give it up, and take away what came. A model that is here already stays, and is listed no more.

        Raises:
            UsageError: There is none of this id.
        """
        await self._downloads.cancel(download_id)

    @operation(Caller.ATTACHED)
    def find(self, beginning: str) -> Download:
        """The one whose id begins so, or that brings the model of this name.

        Raises:
            UsageError: There is none, or more than one.
        """
        listed = self._downloads.all()
        found = [one for one in listed if one.id.startswith(beginning)] if beginning else []
        found = found or [one for one in listed if beginning in (one.title, one.file, one.repository)]
        if len(found) != 1:
            raise UsageError("downloads.none_such", id=beginning[:40])
        return found[0]


def _rest(first: str) -> tuple[KeptPart, ...]:
    return tuple(KeptPart(file) for file in split_parts(first)[1:])


def _is_meant(file: str, wanted: HubReference, quantisation: str) -> bool:
    if wanted.file:
        return file == split_parts(wanted.file)[0]
    return bool(wanted.quantisation) and quantisation == wanted.quantisation.upper()


def _only_file(listing: HubListing) -> str:
    if listing.file:
        return listing.file
    files = [one.file for one in listing.files if one.purpose != "projector"]
    if not files:
        raise UsageError("downloads.no_models_there", repository=listing.repository)
    if len(files) > 1:
        raise UsageError("downloads.which_file", repository=listing.repository, files=", ".join(files[:20]))
    return files[0]


def _listed_entry(
    entry: CatalogEntry, known_as: str, *, free: int | None, bytes_per_s: float
) -> CatalogModel:
    return CatalogModel(
        id=entry.id,
        title=entry.title,
        use=entry.use,
        repository=entry.repository,
        file=entry.file,
        size_bytes=entry.size_bytes,
        sha256=entry.sha256,
        memory_gb=entry.memory_gb,
        licence=entry.licence,
        why=entry.reason,
        fit=fit_of(entry.shape, 0, free, bytes_per_s=bytes_per_s),
        known_as=known_as,
    )


def _with_suggestion(models: Sequence[CatalogModel]) -> Sequence[CatalogModel]:
    total_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    best = suggested_id(models, total_bytes=total_bytes)
    ordered = sorted(models, key=lambda one: (one.memory_gb, one.use != "chat", one.title))
    return tuple(replace(one, suggested=one.id == best) for one in ordered)
