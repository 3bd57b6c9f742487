"""ChainRunner: runs approved chains, stage by stage, and takes up those that a crash cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import Intervention
from partner_desktop.mind.port import Mind
from partner_desktop.runtime.exchange import Exchange


class ChainRunner:
    """A part of the AgentContext."""

    def think_with(self, mind: Mind) -> None:
        """Set who finds arguments, corrects and judges; wired once by the app."""
        self._mind = mind

    async def launch(self) -> None:
        """Go on with what was under way."""

    async def shutdown(self) -> None:
        """Every chain stops where it is; the next start goes on."""

    async def start(self, record: ActionRecord, *, exchange: Exchange) -> ActionRecord:
        """Begin a chain that waits; call it inside `settling`, after its steps were approved.

        Raises:
            UsageError: Another answer settled it first.
        """
        raise NotImplementedError

    async def intervene(
        self, action_id: str, interventions: Sequence[Intervention], *, by: Literal["person", "mind"]
    ) -> Intervened:
        """Change a chain that is under way, as far as that can be done.

        Raises:
            UsageError: It is no chain, or is over.
        """
        raise NotImplementedError

    async def cancel(self, action_id: str, *, tell: bool = True) -> None:
        """End a chain and what it runs; returns when the processes are gone. Does nothing when it is over."""

    async def cancel_all(self, conversation_id: str, *, tell: bool = True) -> None:
        """End every chain of a conversation."""
