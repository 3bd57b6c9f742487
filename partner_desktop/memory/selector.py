"""MemorySelector: brings what is worth remembering into the turn. So far: the recent messages."""

from __future__ import annotations

from partner_desktop.capabilities import CognitionCapability
from partner_desktop.context import block_settings
from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.message import Role
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_RECENT = 6


class MemorySelector(RunningModule):
    """Runs beside the planner."""

    order = 2

    def __init__(self, workspace: ContextWorkspace, cognition: CognitionCapability) -> None:
        self._workspace = workspace
        self._cognition = cognition

    async def execute(self, flow: RunningFlowContext) -> None:
        messages = await self._cognition.recent(flow.conversation_id, limit=_RECENT + len(flow.inputs))
        earlier = [m for m in messages if m.role is not Role.ACTION][: -len(flow.inputs)]
        if not earlier:
            return
        self._workspace.expire("recent_messages", self.name, scope=flow.conversation_id)
        self._workspace.register(
            ContextBlock(
                name="recent_messages",
                source=self.name,
                domain=Domain.COMMUNICATION,
                scope=flow.conversation_id,
                full="\n".join(f"[{message.role}] {message.text}" for message in earlier),
                fades=block_settings.RECENT_MESSAGES,
            )
        )
