"""ActionPlanner: what the person's words mean for actions, and what happened because of them.

Its outcome is a block of the turn in the ACTION domain, with the typed evidence that the reply rests on. How
words are understood is `Planning`, which the first turn brings in: a start does not pay for its imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from partner_desktop.action.turns.planning_parts import PlanningParts, language_spoken_in
from partner_desktop.base.messages import spoken_language
from partner_desktop.base.tasks import Deferred
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.evidence_text import words_of
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext

if TYPE_CHECKING:
    from partner_desktop.action.turns.turn_planning import Planning


class ActionPlanner(RunningModule):
    """Runs beside memory; skipped in turns that report a result."""

    order = 2

    def __init__(self, parts: PlanningParts, workspace: ContextWorkspace) -> None:
        def planning() -> Planning:
            # Nobody who only opens the window should wait for this.
            from partner_desktop.action.turns.turn_planning import Planning  # noqa: PLC0415

            return Planning(parts)

        self._planning = Deferred(planning)
        self._cognition = parts.cognition
        self._workspace = workspace

    async def execute(self, flow: RunningFlowContext) -> None:
        planning = await self._planning.get()
        spoken_language.set(await language_spoken_in(self._cognition, flow.conversation_id))
        try:
            await planning.plan(flow)
        finally:
            for number, evidence in enumerate(flow.evidence, 1):
                source = self.name if number == 1 else f"{self.name}:{number}"
                self._workspace.register(evidence_block(evidence, flow, source=source))


def evidence_block(evidence: Evidence, flow: RunningFlowContext, *, source: str) -> ContextBlock:
    """What happened, as a block that lives as long as its turn."""
    words = words_of(evidence)
    return ContextBlock(
        name=type(evidence).__name__.lower(),
        source=source,
        domain=Domain.ACTION,
        scope=flow.conversation_id,
        full=words.full,
        compact=words.compact,
        abstract=words.abstract,
        fades=block_settings.TURN_EVIDENCE,
        evidence=evidence,
        turn_id=flow.turn_id,
    )
