"""A module that counts turns, puts the count before Partner, and tells of it."""

from __future__ import annotations

from partner_desktop.context.block import ContextBlock, Domain
from partner_desktop.context.score import Fades
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext


class TurnCounter(RunningModule):
    """Its constructor asks for what it needs by type; Partner fills it in."""

    order = 3

    def __init__(self, workspace: ContextWorkspace, channels: ChannelRegistry) -> None:
        self._workspace = workspace
        self._channels = channels
        self._count = 0

    async def execute(self, flow: RunningFlowContext) -> None:
        self._count += 1
        text = f"This is turn {self._count} since the start."
        self._workspace.register(
            ContextBlock(
                name="turn_count",
                source=self.name,
                domain=Domain.COGNITION,
                full=text,
                fades=Fades(replace=100),
            )
        )
        self._channels.publish(
            NoticeEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                title="Turn counter",
                text=text,
            )
        )
