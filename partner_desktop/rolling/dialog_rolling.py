"""DialogRolling: counts the dialog after every turn. Rolling itself comes with the memory of slices."""

from __future__ import annotations

from partner_desktop.base import log
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_log = log.area("rolling")


class DialogRolling(RunningModule):
    """Runs last."""

    order = 7

    def __init__(self, cognition: CognitionCapability) -> None:
        self._cognition = cognition
        self.counts: dict[str, int] = {}
        """Messages by conversation, as of its last turn."""

    async def execute(self, flow: RunningFlowContext) -> None:
        count = await self._cognition.count(flow.conversation_id)
        self.counts[flow.conversation_id] = count
        _log.debug("conversation %s holds %d messages", flow.conversation_id, count)
