"""CommunicationProducer: asks the mind for the reply and streams it to where the turn came from.

Contract: the reply is a row from its first piece on, checkpointed about once a second; a stop keeps
what had come and marks it. Every reply ends with one event that has `done` and the whole text. When more was
said, the row goes and one more event says that it is withdrawn. A reply that begins with the marker is no
event at all: it is kept as NOT_REPLIED. Pieces are passed on as they come, one by one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities.cognition import CognitionCapability
from partner_desktop.communication.desk import PromptDesk
from partner_desktop.communication.marker import MarkerGate
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.mind.port import Mind, ReplyRequest
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.flow import Draft, RunningFlowContext
from partner_desktop.runtime.interruption import TurnInterrupted
from partner_desktop.runtime.module import RunningModule

_CHECKPOINT_S = 1.0


@dataclass
class _Reply:
    """A reply in the making; `draft` is its row, from the first piece that is shown on."""

    draft: Draft | None = None
    gate: MarkerGate = field(default_factory=MarkerGate)
    pieces: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    saved_at_s: float = 0.0

    @property
    def text(self) -> str:
        return "".join(self.shown)


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
        reply, state = _Reply(), MessageState.BROKEN_OFF
        request = await self._request(flow)
        try:
            await flow.unless_interrupted(self._stream(flow, request, reply))
            state = MessageState.DONE
        except TurnInterrupted:
            raise  # the runtime takes back what was shown
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling() and self.name not in flow.overdue:
                state = MessageState.STOPPED
            await uninterrupted(self._end(flow, request, reply, state))
            raise
        except Exception:
            await uninterrupted(self._end(flow, request, reply, state))
            raise
        await uninterrupted(self._end(flow, request, reply, state))

    async def withdraw(self, flow: RunningFlowContext) -> None:
        while flow.drafts:
            await self._withdraw(flow, flow.drafts[0])

    async def _request(self, flow: RunningFlowContext) -> ReplyRequest:
        return await self._desk.prepare(flow)

    async def _stream(self, flow: RunningFlowContext, request: ReplyRequest, reply: _Reply) -> None:
        """Take the answer as it comes. In one task from begin to end: a mind may hold on to its task."""
        async for piece in self._mind.reply(request):
            flow.signs += 1
            reply.pieces.append(piece)
            shown = reply.gate.take(piece)
            if shown:
                await self._extend(flow, request, reply, shown)
            await asyncio.sleep(0)  # a mind that never waits must not keep others waiting

    async def _extend(
        self, flow: RunningFlowContext, request: ReplyRequest, reply: _Reply, piece: str
    ) -> None:
        reply.shown.append(piece)
        draft = reply.draft
        if draft is None:
            draft = await uninterrupted(self._begin(flow, request, reply))
        self._publish(flow, draft, content=piece)
        if self._clock.monotonic_s() - reply.saved_at_s >= _CHECKPOINT_S:
            reply.saved_at_s = self._clock.monotonic_s()
            await self._cognition.revise(draft.message.id, text=reply.text, state=MessageState.STREAMING)

    async def _begin(self, flow: RunningFlowContext, request: ReplyRequest, reply: _Reply) -> Draft:
        """A new message, or the one that was kept free above a card."""
        places = _places(request)
        message = places[0] if places else await self._append(flow, "", MessageState.STREAMING)
        reply.draft = flow.draft(message)
        reply.saved_at_s = self._clock.monotonic_s()
        return reply.draft

    async def _append(self, flow: RunningFlowContext, text: str, state: MessageState) -> Message:
        return await self._cognition.append(
            flow.conversation_id, Role.PARTNER, text, state=state, exchange_id=flow.exchange.id
        )

    async def _end(
        self, flow: RunningFlowContext, request: ReplyRequest, reply: _Reply, state: MessageState
    ) -> None:
        """Write down what was shown, or what was not for the person; free what was kept for it in vain."""
        rest = reply.gate.end()
        if rest:
            await self._extend(flow, request, reply, rest)
        draft = reply.draft
        if draft is not None:
            draft.kept = True
            await self._cognition.revise(draft.message.id, text=reply.text, state=state)
            stopped = state is MessageState.STOPPED
            self._publish(flow, draft, content="", done=True, stopped=stopped, text=reply.text)
        elif reply.gate.hidden and state is MessageState.DONE:
            await self._append(flow, "".join(reply.pieces), MessageState.NOT_REPLIED)
        for place in _places(request):
            if draft is None or place.id != draft.message.id:
                await self._withdraw(flow, flow.draft(place))

    async def _withdraw(self, flow: RunningFlowContext, draft: Draft) -> None:
        flow.drafts.remove(draft)
        await self._cognition.withdraw(draft.message.id)
        self._publish(flow, draft, content="", done=True, withdrawn=True)

    def _publish(
        self,
        flow: RunningFlowContext,
        draft: Draft,
        *,
        content: str,
        done: bool = False,
        stopped: bool = False,
        withdrawn: bool = False,
        text: str = "",
    ) -> None:
        self._channels.publish(
            ReplyEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                reply_id=draft.message.id,
                seq=draft.seq,
                content=content,
                done=done,
                stopped=stopped,
                withdrawn=withdrawn,
                text=text,
                position=draft.message.position,
            )
        )
        draft.seq += 1


def _places(request: ReplyRequest) -> list[Message]:
    """The messages that were kept free above cards, for the sentence that leads to them."""
    return [fact.place for fact in request.evidence if isinstance(fact, Proposed) and fact.place]
