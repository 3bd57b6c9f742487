"""The part of the app's public face that is about chains."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.chain.runner import ChainRunner
from partner_desktop.action.store import ActionStore
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import ChainEdit, Intervention
from partner_desktop.permission.audit import AuditLog


class ChainFace:
    """Whoever inherits builds the parts."""

    _approvals: Approvals
    _audit: AuditLog
    _chains: ChainRunner
    _store: ActionStore

    async def steps(self, action_id: str) -> list[ActionRecord]:
        """What the steps of a chain have become, in the order in which they were begun."""
        return await self._store.steps_of(action_id)

    async def edit_chain(self, action_id: str, edit: ChainEdit) -> None:
        """Reorder, drop or change the steps of a chain that waits; its card shows them anew and asks again.

        Raises:
            UsageError: It no longer waits, or cannot be so; nothing changed.
        """
        await self._approvals.edit_chain(action_id, edit)

    async def intervene(self, action_id: str, interventions: Sequence[Intervention]) -> Intervened:
        """Change a chain that is under way.

        Raises:
            UsageError: It is no chain, or is over.
        """
        return await self._chains.intervene(action_id, interventions, by="person")

    async def decisions(self, action_id: str) -> list[AuditEntry]:
        """All that the audit log holds of an action, oldest first."""
        return await self._audit.reader.of_action(action_id)
