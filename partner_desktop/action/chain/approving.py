"""ChainApprovals: the person's yes, no and otherwise to a whole chain. The yes is one bounded grant."""

from __future__ import annotations

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Amended
from partner_desktop.domain.intervention import ChainEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runtime.exchange import Exchange


class ChainApprovals:
    """Settles chains that wait. Call these inside the executor's `settling`."""

    async def approve(self, record: ActionRecord, *, exchange: Exchange) -> ActionRecord:
        """Run a waiting chain as its card shows it.

        Raises:
            UsageError: It is not as shown any more; the card shows it anew.
        """
        raise NotImplementedError

    async def reject(self, record: ActionRecord) -> ActionRecord:
        """Turn a waiting chain down."""
        raise NotImplementedError

    async def amend(self, record: ActionRecord, step_id: str, params: JsonObject) -> Amended:
        """Show a waiting chain with other arguments of one step; it asks again."""
        raise NotImplementedError

    async def edit(self, record: ActionRecord, edit: ChainEdit) -> ActionRecord:
        """Show a waiting chain reordered, shortened, or with other arguments; it asks again.

        Raises:
            UsageError: It cannot be so; nothing changed.
        """
        raise NotImplementedError
