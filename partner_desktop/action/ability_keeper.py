"""AbilityKeeper: what Partner's own builtins do to abilities, as a person does by hand."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.workbench import Workbench
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.draft import AbilityDraft


class AbilityKeeper:
    """The workbench, and the cards that know an ability by its key. Errors are the workbench's."""

    def __init__(self, catalog: AbilityCatalog, workbench: Workbench, approvals: Approvals) -> None:
        self._catalog = catalog
        self._workbench = workbench
        self._approvals = approvals

    def abilities(self) -> Sequence[Ability]:
        """Everything that is listed."""
        return self._catalog.all()

    async def draft_of(self, key: str) -> AbilityDraft:
        """See `Workbench.draft_of`."""
        return await self._workbench.draft_of(key)

    async def persist(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability; its new key, which what still asks for the old one asks for now."""
        new_key = await self._workbench.persist(key, draft)
        await self._approvals.rename(key, new_key)
        return new_key

    async def remove(self, key: str) -> None:
        """See `Workbench.remove`."""
        await self._workbench.remove(key)
