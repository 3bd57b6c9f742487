"""PerceiveMonitor: the present and the previous interaction time, for the context of the turn."""

from __future__ import annotations

from datetime import datetime, tzinfo

from partner_desktop.base.clock import Clock
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.perceive.interactions import Interactions, Seen
from partner_desktop.perceive.moments import gap, in_words, iso
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

BLOCK = "environment_perceive_info"
NEVER, UNKNOWN = "never", "unknown"


class PerceiveMonitor(RunningModule):
    """Runs first. The previous times are in the database, so they survive a restart and a deletion."""

    order = 1

    def __init__(
        self,
        workspace: ContextWorkspace,
        interactions: Interactions,
        *,
        clock: Clock,
        zone: tzinfo | None = None,
    ) -> None:
        self._workspace = workspace
        self._interactions = interactions
        self._clock = clock
        self._zone = zone
        """The machine's own when not given."""

    async def execute(self, flow: RunningFlowContext) -> None:
        present = [item.at for item in flow.inputs if not item.is_self]
        seen = await self._interactions.before(flow.conversation_id, present)
        self._workspace.register(self._block(seen, flow.conversation_id))

    def _block(self, seen: Seen, conversation_id: str) -> ContextBlock:
        now = self._clock.now()
        here = self._previous("last_interact_time", seen.here, now, imported=seen.elsewhere_before)
        anywhere = self._previous("last_interact_time_in_any_conversation", seen.anywhere, now)
        present = f"current_time: {in_words(now, zone=self._zone)}"
        exact = f"current_time_iso: {iso(now, zone=self._zone)}"
        return ContextBlock(
            name=BLOCK,
            source=self.name,
            domain=Domain.PERCEIVE,
            scope=conversation_id,
            full="\n".join([present, exact, *here, *anywhere]),
            compact="\n".join([present, here[0]]),
            abstract=exact,
            fades=block_settings.PERCEIVE,
            supply=True,
        )

    def _previous(
        self, label: str, at: datetime | None, now: datetime, *, imported: bool = False
    ) -> list[str]:
        """The lines about an earlier moment; nothing is ever said to have been in the future."""
        if at is None:
            return [f"{label}: {UNKNOWN if imported else NEVER}"]
        ago = gap(at, now)
        if ago is None:
            return [f"{label}: {UNKNOWN} (the clock was set back since)"]
        known = min(at, now)
        said = f"{label}: {in_words(known, zone=self._zone)}, {ago}"
        return [said, f"{label}_iso: {iso(known, zone=self._zone)}"]
