"""FamiliarService: requests so familiar that no model is asked what they mean, shown and forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.base.operation import Caller, operation
from partner_desktop.capabilities import ActionCapability
from partner_desktop.domain.familiar_request import FamiliarRequest, FamiliarSavings
from partner_desktop.memory.familiar_intents import FamiliarIntents


class FamiliarService:
    """None of them is a consent: what may run without a yes is settled as if they were not there."""

    def __init__(self, familiar: FamiliarIntents, actions: ActionCapability) -> None:
        self._familiar = familiar
        self._actions = actions

    @operation(Caller.ATTACHED)
    async def list(self) -> Sequence[FamiliarRequest]:
        """All that were confirmed at least once, the one that was of use last first."""
        return await self._familiar.all(self._actions.usable())

    @operation(Caller.ATTACHED)
    async def savings(self) -> FamiliarSavings:
        """How many are active, and the calls of models that they saved."""
        return await self._familiar.savings()

    @operation(Caller.ATTACHED)
    async def forget(self, request_id: str) -> None:
        """Let one be familiar no longer: a model is asked again.

        Raises:
            UsageError: There is none of this id.
        """
        await self._familiar.forget(request_id)

    @operation(Caller.ATTACHED)
    async def clear(self) -> None:
        """Let none be familiar, and count from nothing."""
        await self._familiar.clear()
