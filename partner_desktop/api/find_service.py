"""FindService: models that lie on this machine or are served on it, and the way from there to an answer.

What is looked at is never touched. Of others it needs somebody who asks the ports of this machine.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from partner_desktop.api.model_service import ModelService
from partner_desktop.base.errors import ModelError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.model_file import FoundEndpoint, FoundModel, FoundModels
from partner_desktop.domain.model_status import EndpointDraft
from partner_desktop.model.endpoint.address import is_on_this_machine, shown_address, tidy_address
from partner_desktop.model.model_registry import ModelRegistry
from partner_desktop.model.settings import free_name, whole_path

if TYPE_CHECKING:
    from partner_desktop.model.discovery.model_discovery import ModelDiscovery
    from partner_desktop.model.discovery.model_places import ModelPlace

EndpointFinder: TypeAlias = Callable[[], Awaitable[tuple[FoundEndpoint, ...]]]


class FindService:
    """`own_folder`: where Partner's own downloads lie. `ask_ports` asks who serves models now."""

    def __init__(
        self, models: ModelService, registry: ModelRegistry, own_folder: Path, *, ask_ports: EndpointFinder
    ) -> None:
        self._models = models
        self._registry = registry
        self._own_folder = own_folder
        self._ask_ports = ask_ports
        self._adding = asyncio.Lock()
        self._last: Mapping[str, FoundModel] = {}
        """What the last look found, by its path."""

    @operation(Caller.ATTACHED)
    async def models(self, folders: Sequence[Path] = ()) -> FoundModels:
        """Which models lie on this machine, whosever they are, and whether they fit: a look at the disk.

        `folders`: besides those where such programs keep them and those of the settings.
        """
        named = [*map(str, folders), *self._registry.settings.folders]
        over = False

        def look() -> FoundModels:
            return self._discovery.look(self._places(named), lambda: over)

        try:
            found = await asyncio.to_thread(look)
        finally:
            over = True  # whoever asked may be gone
        models = await asyncio.to_thread(self._with_names, found.models)
        self._last = {one.path: one for one in models}
        return replace(found, models=models)

    @operation(Caller.ATTACHED)
    async def endpoints(self) -> Sequence[FoundEndpoint]:
        """Which programs serve models on this machine now: one question to each of their usual ports."""
        found = await self._ask_ports()
        known = {one.base_url: one.name for one in reversed(self._registry.settings.endpoint)}
        return tuple(replace(one, known_as=known.get(one.base_url, "")) for one in found)

    @operation(Caller.ATTACHED)
    async def use(self, path: Path) -> str:
        """Let a model answer that was found, from now on; returns the name that it has here.

        Raises:
            ModelError: It is no model; the sentence says why.
            ConfigError: The settings cannot be written.
        """
        whole = str(whole_path(str(path)))
        if whole not in self._last:
            await self.models()
        found = self._last.get(whole)
        name = await self._models.add_file(
            Path(whole),
            title=_short(found.title) if found else "",
            projector=Path(found.projector) if found and found.projector else None,
        )
        return await self._models.use(name)

    @operation(Caller.ATTACHED)
    async def use_endpoint(self, base_url: str, model: str = "") -> str:
        """Let a program that serves models answer, from now on; returns the name that it has here.

        `model`: the one of its models; empty: the first. Only servers of this machine, and those of the
        settings: to send elsewhere what a person says is for the person to decide, in the window.

        Raises:
            ModelError: The address is none, or is not of this machine.
            ConfigError: The settings cannot be written.
        """
        async with self._adding:  # of two presses the second sees what the first brought
            settings = self._registry.settings
            mine = next(
                (one for one in settings.endpoint if (one.base_url, one.model) == (base_url, model)), None
            )
            if mine is not None:
                return await self._models.use(mine.name)
            address = tidy_address(base_url)
            if not is_on_this_machine(address):
                raise ModelError("finds.elsewhere", address=shown_address(address)[:80])
            taken = {one.name for one in settings.file} | {one.name for one in settings.endpoint}
            name = free_name(_short(model), taken) if model else ""
            return await self._models.use(
                await self._models.add_endpoint(EndpointDraft(name, base_url, model), "")
            )

    @cached_property
    def _discovery(self) -> ModelDiscovery:
        # A start should not wait for this.
        from partner_desktop.model.discovery.model_discovery import ModelDiscovery  # noqa: PLC0415

        return ModelDiscovery()

    def _places(self, named: Sequence[str]) -> tuple[ModelPlace, ...]:
        from partner_desktop.model.discovery.model_places import ModelPlace, PlaceFinder  # noqa: PLC0415 - as above

        user_home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where no home is known
        asked = (ModelPlace("folder", whole_path(one), asked_for=True) for one in named)
        usual = PlaceFinder(os.environ, user_home, sys.platform).places()
        return tuple(dict.fromkeys((ModelPlace("partner", self._own_folder), *usual, *asked)))

    def _with_names(self, models: Sequence[FoundModel]) -> tuple[FoundModel, ...]:
        """Each with the name that it has in the settings, by where files really lie. Blocking."""
        files = reversed(self._registry.settings.file)
        known = {_real(str(whole_path(one.path))): one.name for one in files}
        return tuple(replace(one, known_as=known.get(_real(one.path), "")) for one in models)


def _real(path: str) -> str:
    return os.path.realpath(path)


def _short(title: str) -> str:
    """`owner/name: file` is called by its last part."""
    return title.rpartition("/")[2].rpartition(": ")[2]
