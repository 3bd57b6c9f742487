"""ConversationQueue: the inputs of one conversation, and which of them one turn answers together.

Contract: order is kept. Only what was said merges, only with what was said with the same rights; a turn that
Partner started itself stays one of its own. How much a turn may take is bounded, in number, in characters and
in the time that it waits for the person to finish.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import field

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.evidence import is_found_out
from partner_desktop.runtime.exchanges import Exchange, Release
from partner_desktop.runtime.flow import LINE_BY_LINE, FlowInput, RunningFlowContext

#: What one turn may answer: more becomes the next turn.
MOST_INPUTS = 100
MOST_CHARACTERS = 200_000


@dataclass(frozen=True)
class QueuedInput:
    """An input, when it came, and the hold on its exchange."""

    item: FlowInput
    release: Release
    at_s: float


@dataclass(eq=False)
class Turn:
    """One turn, from its first input until everything in it is answered."""

    conversation_id: str
    queued: list[QueuedInput]
    id: str = field(default_factory=new_id)
    flow: RunningFlowContext | None = None
    """The run that goes on, or the last one."""
    task: asyncio.Task[None] | None = None
    runs: int = 0
    waited_s: float = 0.0
    closed: bool = False
    """It takes nothing more."""
    stopping: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def inputs(self) -> tuple[FlowInput, ...]:
        return tuple(queued.item for queued in self.queued)

    @property
    def answered(self) -> tuple[FlowInput, ...]:
        """What the run knows of."""
        return self.flow.inputs if self.flow is not None else ()

    @property
    def exchange(self) -> Exchange:
        """The latest one: answers belong to it."""
        return self.queued[-1].item.exchange

    @property
    def latest_s(self) -> float:
        return self.queued[-1].at_s

    @property
    def has_more(self) -> bool:
        """Whether more was said than the run knows of."""
        return self.flow is not None and len(self.queued) > len(self.flow.inputs)

    @property
    def can_reopen(self) -> bool:
        """Whether its answer may still be taken back: it is nothing but words, and more may be coming."""
        if self.flow is None or self.closed or not self._merges:
            return False
        # What was only found out, as that one meets for the first time, is said again in the next answer.
        return all(one.evidence is not None and is_found_out(one.evidence) for one in self.flow.handled)

    @property
    def _merges(self) -> bool:
        first = self.queued[0].item
        return not first.is_self and first.source.gateway not in LINE_BY_LINE

    def takes(self, item: FlowInput) -> bool:
        """Whether this input is answered together with the others."""
        first = self.queued[0].item
        if self.closed or self.stopping or not self._merges or item.is_self or item.rights != first.rights:
            return False
        said = sum(len(queued.item.text) for queued in self.queued)
        return len(self.queued) < MOST_INPUTS and said + len(item.text) <= MOST_CHARACTERS

    def take(self, queued: QueuedInput) -> None:
        """Answer this one too; a run that does not know of it is interrupted."""
        self.queued.append(queued)
        if self.flow is not None:
            self.flow.interruption.ask()

    def begin(self) -> RunningFlowContext:
        """The next run, with everything that came so far."""
        self.runs += 1
        if self.flow is None:
            self.flow = RunningFlowContext(self.conversation_id, self.inputs, turn_id=self.id)
        else:
            self.flow = self.flow.again(self.inputs)
        return self.flow

    def stop(self) -> None:
        """End what runs; what was said so far is dealt with."""
        self.news.set()
        if self.task is not None and not self.stopping:
            self.task.cancel()
        self.stopping = True

    def release(self) -> None:
        """Let go of every exchange, in order."""
        for queued in self.queued:
            queued.release()


@dataclass(eq=False)
class ConversationQueue:
    """What waits in one conversation, and the turn that goes on there."""

    conversation_id: str
    waiting: deque[QueuedInput] = field(default_factory=deque)
    turn: Turn | None = None

    def put(self, queued: QueuedInput) -> None:
        """Into the turn that goes on, or behind everything that waits."""
        turn = self.turn
        if turn is not None and turn.takes(queued.item) and not self._said_waits():
            turn.take(queued)
        else:
            self.waiting.append(queued)
        if turn is not None:
            turn.news.set()

    def _said_waits(self) -> bool:
        """Whether something was said before that has its turn later: nothing overtakes it."""
        return any(not queued.item.is_self for queued in self.waiting)

    def next_turn(self) -> Turn | None:
        """Begin with what waits: the first input, and what was said after it with the same rights."""
        if not self.waiting:
            self.turn = None
            return None
        self.turn = turn = Turn(self.conversation_id, [self.waiting.popleft()])
        left: deque[QueuedInput] = deque()
        open_ = not turn.queued[0].item.is_self
        for queued in self.waiting:
            if open_ and turn.takes(queued.item):
                turn.take(queued)
                continue
            open_ = open_ and queued.item.is_self
            left.append(queued)
        self.waiting = left
        return turn
