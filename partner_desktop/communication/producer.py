"""CommunicationProducer: asks the mind for the reply and streams it to where the turn came from.

Contract: the reply is a row from its first piece on, checkpointed about once a second; a stop keeps what
had come and marks it. Every reply ends with one event that has `done` and the whole text. When more was
said, the row goes and one more event says that it is withdrawn. A reply that begins with the marker
NO_REPLY, a mind's sign that its answer is not for the person, is no event at all, unless it was thought
about before: it is kept as NOT_REPLIED. Only the first characters are withheld for it. Pieces are passed
on as they come, one by one; thoughts go beside the text, never into it. A prompt that proves too long for
the model is made again, shorter; what fits at no length is answered with a sentence that says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import field

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ContextOverflowError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.communication.prompt_builder import PromptBuilder
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.evidence import Proposed, actions_of
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.mind.question import Cut, Mind, ReplyRequest, Thought
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import ReplyDraft, RunningFlowContext
from partner_desktop.runtime.interruption import TurnInterrupted

#: The whole first line of a reply that is not shown.
NO_REPLY = "NO_REPLY"


class MarkerGate:
    """Lets a reply through as soon as it cannot begin with the marker any more."""

    def __init__(self) -> None:
        self._held = ""
        self.hidden: bool | None = None
        """Whether the reply is not for the person; `None` while that is open."""

    def take(self, piece: str) -> str:
        """What of the reply may be shown now."""
        if self.hidden is not None:
            return "" if self.hidden else piece
        self._held += piece
        line, ends, _ = self._held.lstrip().partition("\n")
        if ends:
            self.hidden = line.rstrip() == NO_REPLY
        elif not NO_REPLY.startswith(line[: len(NO_REPLY)]) or line[len(NO_REPLY) :].strip():
            self.hidden = False
        return self._let_go() if self.hidden is False else ""

    def end(self) -> str:
        """The reply is whole: what was still withheld, if it is for the person."""
        if self.hidden is None:
            self.hidden = self._held.strip() == NO_REPLY
        return "" if self.hidden else self._let_go()

    def _let_go(self) -> str:
        held, self._held = self._held, ""
        return held


@dataclass
class Reply:
    """`draft` is its row, from the first piece on that is shown."""

    draft: ReplyDraft | None = None
    gate: MarkerGate = field(default_factory=MarkerGate)
    pieces: list[str] = field(default_factory=list)
    """All that was said, be it for the person or not."""
    shown: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    saved_at_s: float = 0.0
    cut: bool = False
    """It would have gone on."""

    @property
    def text(self) -> str:
        self.shown = ["".join(self.shown)]  # so that a checkpoint joins what is new, not every piece again
        return self.shown[0]

    @property
    def reasoning(self) -> str:
        """What was thought: beside the text, never in it."""
        self.thoughts = ["".join(self.thoughts)]
        return self.thoughts[0]

    @property
    def begun(self) -> bool:
        """Whether the mind has given anything yet."""
        return bool(self.pieces) or any(self.thoughts)


_CHECKPOINT_S = 1.0
#: Prompts that are tried for one reply after the first, each shorter than the one before.
_SHORTER_PROMPTS = 3


class CommunicationProducer(RunningModule):
    """Runs after memory and action, so that it can speak of what they did."""

    order = 5

    def __init__(
        self,
        mind: Mind,
        builder: PromptBuilder,
        channels: ChannelRegistry,
        cognition: CognitionCapability,
        *,
        clock: Clock,
    ) -> None:
        self._mind = mind
        self._builder = builder
        self._channels = channels
        self._cognition = cognition
        self._clock = clock

    async def execute(self, flow: RunningFlowContext) -> None:
        try:
            await self._answer(flow)
        finally:
            await self._builder.settle(flow)

    async def _answer(self, flow: RunningFlowContext) -> None:
        reply, state = Reply(), MessageState.BROKEN_OFF
        request = await self._request(flow)
        try:
            await flow.unless_interrupted(self._in_room(flow, request, reply))
            state = MessageState.CUT if reply.cut else MessageState.DONE
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
        return await self._builder.prepare(flow)

    async def _in_room(self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply) -> None:
        """Take the answer; ask again with less where the model cannot hold it all."""
        for left in reversed(range(_SHORTER_PROMPTS + 1)):
            try:
                await self._stream(flow, request, reply)
            except ContextOverflowError as error:
                if reply.begun:
                    raise
                if left:
                    request = await self._builder.prepare_shorter(flow, error)
                else:
                    await self._give_up(flow, request, reply, error)
            else:
                break

    async def _give_up(
        self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply, error: ContextOverflowError
    ) -> None:
        """It fits at no length: say so, and what can be done."""
        if flow.status_before is None:
            flow.status_before = flow.exchange.status
        flow.exchange.status = "failed"
        await self._extend(flow, request, reply, said=self._builder.too_long(error))

    async def _stream(self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply) -> None:
        """Take the answer as it comes. In one task from begin to end: a mind may hold on to its task."""
        answer = self._mind.reply(request)
        try:
            async for piece in answer:
                flow.signs += 1
                await self._take(flow, request, reply, piece)
                await asyncio.sleep(0)  # a mind that never waits must not keep others waiting
        finally:
            if isinstance(answer, AsyncGenerator):
                await answer.aclose()  # a stop that comes between two pieces must reach the model at once

    async def _take(self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply, piece: str) -> None:
        if isinstance(piece, Thought):
            await self._extend(flow, request, reply, thought=piece)
            return
        if isinstance(piece, Cut):
            reply.cut = True
            return
        reply.pieces.append(piece)
        shown = reply.gate.take(piece)
        if shown:
            await self._extend(flow, request, reply, said=shown)

    async def _extend(
        self,
        flow: RunningFlowContext,
        request: ReplyRequest,
        reply: Reply,
        *,
        said: str = "",
        thought: str = "",
    ) -> None:
        if said:
            reply.shown.append(said)
        if thought:
            reply.thoughts.append(thought)
        draft = reply.draft
        if draft is None:
            draft = await uninterrupted(self._begin(flow, request, reply))
        self._publish(flow, draft, content=said, reasoning=str(thought))
        if self._clock.monotonic_s() - reply.saved_at_s >= _CHECKPOINT_S:
            reply.saved_at_s = self._clock.monotonic_s()
            await self._save(draft, reply, MessageState.STREAMING)

    async def _begin(self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply) -> ReplyDraft:
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

    async def _save(
        self, draft: ReplyDraft, reply: Reply, state: MessageState, answered: ReplyRequest | None = None
    ) -> None:
        """Keep what there is of it; once it is at its end, with what it was `answered` from."""
        facts = answered.evidence if answered is not None else ()
        about = dict.fromkeys(action.id for fact in facts for action in actions_of(fact))
        await self._cognition.revise(
            draft.message.id, text=reply.text, state=state, reasoning=reply.reasoning, about=tuple(about)
        )

    async def _end(
        self, flow: RunningFlowContext, request: ReplyRequest, reply: Reply, state: MessageState
    ) -> None:
        """Write down what was shown, or what was not for the person; free what was kept for it in vain."""
        rest = reply.gate.end()
        if rest:
            await self._extend(flow, request, reply, said=rest)
        draft = reply.draft
        if reply.gate.hidden and state in (MessageState.DONE, MessageState.CUT):
            if draft is not None:  # only what it thought was shown
                await self._withdraw(flow, draft)
            await self._append(flow, "".join(reply.pieces), MessageState.NOT_REPLIED)
        elif draft is not None:
            draft.kept = True
            await self._save(draft, reply, state, request)
            self._publish(flow, draft, done=True, state=state, text=reply.text, reasoning=reply.reasoning)
        for place in _places(request):
            if draft is None or place.id != draft.message.id:
                await self._withdraw(flow, flow.draft(place))

    async def _withdraw(self, flow: RunningFlowContext, draft: ReplyDraft) -> None:
        flow.drafts.remove(draft)
        await self._cognition.withdraw(draft.message.id)
        self._publish(flow, draft, done=True, withdrawn=True)

    def _publish(
        self,
        flow: RunningFlowContext,
        draft: ReplyDraft,
        *,
        content: str = "",
        done: bool = False,
        state: MessageState = MessageState.DONE,
        withdrawn: bool = False,
        text: str = "",
        reasoning: str = "",
    ) -> None:
        self._channels.publish(
            ReplyEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                reply_id=draft.message.id,
                seq=draft.seq,
                content=content,
                done=done,
                stopped=state is MessageState.STOPPED,
                withdrawn=withdrawn,
                state=state,
                text=text,
                position=draft.message.position,
                reasoning=reasoning,
            )
        )
        draft.seq += 1


def _places(request: ReplyRequest) -> list[Message]:
    """The messages that were kept free above cards, for the sentence that leads to them."""
    return [fact.place for fact in request.evidence if isinstance(fact, Proposed) and fact.place]
