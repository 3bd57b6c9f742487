"""PerceiveMonitor: the present and the previous interaction time, for the context of the turn."""

from __future__ import annotations

from partner_desktop.base.clock import Clock
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.message import Role
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_LOOK_BACK = 20


class PerceiveMonitor(RunningModule):
    """Runs first. The previous time comes from the stored dialog, so it survives a restart."""

    order = 1

    def __init__(self, workspace: ContextWorkspace, cognition: CognitionCapability, *, clock: Clock) -> None:
        self._workspace = workspace
        self._cognition = cognition
        self._clock = clock

    async def execute(self, flow: RunningFlowContext) -> None:
        if flow.is_self:
            return
        messages = await self._cognition.recent(flow.conversation_id, limit=_LOOK_BACK)
        said = [message for message in messages if message.role is Role.USER]
        earlier = said[: -len(flow.inputs)]
        previous = earlier[-1].created_at.isoformat(timespec="seconds") if earlier else "never"
        now = self._clock.now().isoformat(timespec="seconds")
        self._workspace.expire("environment_perceive_info", self.name, scope=flow.conversation_id)
        self._workspace.register(
            ContextBlock(
                name="environment_perceive_info",
                source=self.name,
                domain=Domain.PERCEIVE,
                scope=flow.conversation_id,
                full=f"last_interact_time: {previous}\ncurrent_time: {now}",
                fades=block_settings.PERCEIVE,
                supply=True,
            )
        )
