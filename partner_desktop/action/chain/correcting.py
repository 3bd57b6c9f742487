"""Corrector: asks a mind how a chain that went wrong is to go on, and checks what it says."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Intervention
from partner_desktop.mind.chain_port import ChainVerdict
from partner_desktop.mind.port import Mind


class Corrector:
    """Names that nothing has are answered with the nearest ones once, then dropped; see `mind.chain_port`."""

    async def correct(
        self, mind: Mind, action: ActionRecord, steps: Sequence[ActionRecord], problem: str
    ) -> tuple[Intervention, ...]:
        """Interventions whose abilities exist; nothing where the mind knows no way."""
        raise NotImplementedError

    async def judge(
        self, mind: Mind, action: ActionRecord, steps: Sequence[ActionRecord], *, final: bool
    ) -> ChainVerdict:
        """Whether it is on its way (`final`: done)."""
        raise NotImplementedError
