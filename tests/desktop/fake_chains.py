"""What a scripted Partner says about chains of steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import ChainEdit, Intervention


class FakeChains:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    asked: list[tuple[object, ...]]
    chain_error: str = ""

    @cached_property
    def step_records(self) -> dict[str, list[ActionRecord]]:
        """Chain's id → what its steps have become."""
        return {}

    @cached_property
    def decided(self) -> dict[str, list[AuditEntry]]:
        return {}

    async def action(self, action_id: str) -> ActionRecord:
        raise NotImplementedError

    async def steps(self, action_id: str) -> Sequence[ActionRecord]:
        return list(self.step_records.get(action_id, ()))

    async def edit_chain(self, action_id: str, edit: ChainEdit) -> None:
        self.asked.append(("edit_chain", action_id, edit))
        if self.chain_error:
            raise UsageError(self.chain_error)

    async def intervene(self, action_id: str, interventions: Sequence[Intervention]) -> Intervened:
        self.asked.append(("intervene", action_id, tuple(interventions)))
        if self.chain_error:
            raise UsageError(self.chain_error)
        return Intervened(await self.action(action_id), done=("It was changed.",))

    async def decisions(self, action_id: str) -> Sequence[AuditEntry]:
        return list(self.decided.get(action_id, ()))
