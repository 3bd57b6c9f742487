"""AbilityKeeper: what Partner's own builtins do to abilities, as a person does by hand."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.workbench import Workbench
from partner_desktop.domain.ability import Ability, AbilityDraft
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.engine import PermissionEngine


class AbilityKeeper:
    """The workbench, the cards that know an ability by its key, and the grants. Errors: the workbench's."""

    def __init__(
        self, catalog: AbilityCatalog, workbench: Workbench, approvals: Approvals, engine: PermissionEngine
    ) -> None:
        self._catalog = catalog
        self._workbench = workbench
        self._approvals = approvals
        self._engine = engine

    def abilities(self) -> Sequence[Ability]:
        """Everything that is listed."""
        return self._catalog.all()

    def title_of(self, key: str) -> str:
        """What an ability is called; its key where it is not there."""
        info = self._catalog.get(key)
        return info.title if info is not None else key

    async def make(self, given: JsonObject) -> str:
        """See `Workbench.make`."""
        return await self._workbench.make(given)

    async def draft_of(self, key: str) -> AbilityDraft:
        """See `Workbench.draft_of`."""
        return await self._workbench.draft_of(key)

    async def persist(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability; its new key, which what still asks for the old one asks for now."""
        new_key = await self._workbench.persist(key, draft)
        await self._approvals.rename(key, new_key)
        return new_key

    async def remove(self, key: str) -> None:
        """See `Workbench.remove`. What was granted to it goes with it: it asks, should it come back."""
        await self._workbench.remove(key)
        await self._engine.forget(key)

    @property
    def removed(self) -> Sequence[str]:
        """See `Workbench.removed`."""
        return self._workbench.removed

    async def restore(self, key: str) -> str:
        """See `Workbench.restore`."""
        return await self._workbench.restore(key)
