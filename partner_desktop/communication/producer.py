"""CommunicationProducer: asks the mind for the reply and streams it to where the turn came from.

Contract: the reply is a row from its first piece on, checkpointed about once a second; a stop keeps
what had come and marks it. Every reply ends with one event that has `done` and the whole text.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from partner_desktop.base.clock import Clock
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.communication.desk import PromptDesk
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.mind.port import Mind, ReplyRequest
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_CHECKPOINT_S = 1.0


@dataclass
class _Reply:
    """A reply in the making."""

    message: Message
    pieces: list[str] = field(default_factory=list)
    seq: int = 0
    saved_at_s: float = 0.0

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class CommunicationProducer(RunningModule):
    """Runs after memory and action, so that it can speak of what they did."""

    order = 5

    def __init__(
        self,
        mind: Mind,
        desk: PromptDesk,
        channels: ChannelRegistry,
        cognition: CognitionCapability,
        *,
        clock: Clock,
    ) -> None:
        self._mind = mind
        self._desk = desk
        self._channels = channels
        self._cognition = cognition
        self._clock = clock

    async def execute(self, flow: RunningFlowContext) -> None:
        try:
            await self._answer(flow)
        finally:
            await self._desk.settle(flow)

    async def _answer(self, flow: RunningFlowContext) -> None:
        reply: _Reply | None = None
        request = await self._request(flow)
        try:
            async for piece in self._mind.reply(request):
                reply = reply or await self._begin(flow, request)
                await self._extend(flow, reply, piece)
        except asyncio.CancelledError:
            if reply is not None:
                await self._end(flow, reply, MessageState.STOPPED)
            raise
        except Exception:
            if reply is not None:
                await self._end(flow, reply, MessageState.BROKEN_OFF)
            raise
        if reply is not None:
            await self._end(flow, reply, MessageState.DONE)

    async def _request(self, flow: RunningFlowContext) -> ReplyRequest:
        return await self._desk.prepare(flow)

    async def _begin(self, flow: RunningFlowContext, request: ReplyRequest) -> _Reply:
        """A new message, or the one that was kept free above a card."""
        places = [fact.place for fact in request.evidence if isinstance(fact, Proposed) and fact.place]
        message = (
            places[0]
            if places
            else await self._cognition.append(
                flow.conversation_id,
                Role.PARTNER,
                "",
                state=MessageState.STREAMING,
                exchange_id=flow.exchange.id,
            )
        )
        return _Reply(message=message, saved_at_s=self._clock.monotonic_s())

    async def _extend(self, flow: RunningFlowContext, reply: _Reply, piece: str) -> None:
        reply.pieces.append(piece)
        self._publish(flow, reply, content=piece)
        if self._clock.monotonic_s() - reply.saved_at_s >= _CHECKPOINT_S:
            reply.saved_at_s = self._clock.monotonic_s()
            await self._cognition.revise(reply.message.id, text=reply.text, state=MessageState.STREAMING)

    async def _end(self, flow: RunningFlowContext, reply: _Reply, state: MessageState) -> None:
        # Shielded: a stop must not lose what had come.
        await asyncio.shield(self._cognition.revise(reply.message.id, text=reply.text, state=state))
        self._publish(
            flow, reply, content="", done=True, stopped=state is MessageState.STOPPED, text=reply.text
        )

    def _publish(
        self,
        flow: RunningFlowContext,
        reply: _Reply,
        *,
        content: str,
        done: bool = False,
        stopped: bool = False,
        text: str = "",
    ) -> None:
        self._channels.publish(
            ReplyEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                reply_id=reply.message.id,
                seq=reply.seq,
                content=content,
                done=done,
                stopped=stopped,
                text=text,
                position=reply.message.position,
            )
        )
        reply.seq += 1
