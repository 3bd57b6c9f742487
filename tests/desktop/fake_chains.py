"""What a scripted Partner says about chains of steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from partner_desktop.domain.action import ActionRecord


class FakeChains:
    """`FakePartner` inherits it; what was asked stands in its `asked`."""

    @cached_property
    def step_records(self) -> dict[str, list[ActionRecord]]:
        """Chain's id → what its steps have become."""
        return {}

    async def steps(self, action_id: str) -> Sequence[ActionRecord]:
        return list(self.step_records.get(action_id, ()))
