"""AgentRuntime: turns inputs into turns.

Contract: conversations do not wait for each other, as far as `parallel_turns` lets them, first come, first
served. In an idle conversation the first input starts at once. What is said during the turn, or within the
debounce window after it while its answer is nothing but words, interrupts it cooperatively: what it showed is
taken back, the person may finish, and it runs again with everything merged; what was begun is carried over.
How often and how long a turn waits is bounded. `stop` ends the turn in progress: the modules get a
cancellation and keep what they have. The exchanges of a turn are over when the turn is, once each.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.base.trace import NullTracer, Tracer, current_conversation, current_turn
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import TurnEvent
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversation_queue import ConversationQueue, QueuedInput, Turn
from partner_desktop.runtime.debounce import Debounce
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import FlowInput
from partner_desktop.runtime.module_runner import ModuleRunner
from partner_desktop.runtime.settings import RuntimeSettings

_log = log.area("runtime")

TurnState = Literal["started", "ended", "stopped"]
#: Called with the inputs of a turn; what it returns is awaited.
OnInputs = Callable[[Sequence[FlowInput]], Awaitable[None] | None]


class AgentRuntime:
    """Queues and runs turns. A part of the AgentContext.

    `on_begun` is called with the inputs of each run before its modules begin; `on_settled` when they are
    answered or stopped, not at shutdown; `on_reopened` with answered ones that are about to be answered anew,
    together with what came after them. `quiet_clock` measures the pauses between inputs.
    """

    def __init__(
        self,
        channels: ChannelRegistry,
        workspace: ContextWorkspace,
        *,
        settings: ConfigHandle[RuntimeSettings] | None = None,
        clock: Clock | None = None,
        quiet_clock: Clock | None = None,
        tracer: Tracer | None = None,
        exceptions: ExceptionDoor | None = None,
        on_begun: OnInputs | None = None,
        on_settled: OnInputs | None = None,
        on_reopened: OnInputs | None = None,
    ) -> None:
        self._channels = channels
        self._workspace = workspace
        self._settings = settings or ConfigHandle("runtime", RuntimeSettings())
        self._quiet_clock = quiet_clock or SystemClock()
        self._debounce = Debounce(self._settings, self._quiet_clock)
        self._tracer = tracer or NullTracer()
        self._on_begun = on_begun
        self._on_settled = on_settled
        self._on_reopened = on_reopened
        self._queues: dict[str, ConversationQueue] = {}
        self._slots = TurnSlots(lambda: self._settings.value.parallel_turns)
        self._tasks = TaskSet("runtime")
        self._ignore_changes: Callable[[], None] | None = None
        self._ready = asyncio.Event()
        clock = clock or SystemClock()
        self._modules = ModuleRunner(
            channels,
            self._settings,
            self._tasks,
            clock=clock,
            tracer=self._tracer,
            exceptions=exceptions or ExceptionDoor(channels, clock=clock),
        )

    def use(self, modules: Sequence[RunningModule]) -> None:
        """Set the modules of every turn; turns that were submitted before begin now."""
        self._modules.modules = sorted(modules, key=lambda module: module.order)
        self._ready.set()

    async def launch(self) -> None:
        """Nothing to open: queues begin with their first input."""
        self._ignore_changes = self._settings.on_change(self._changed)

    async def shutdown(self) -> None:
        self._modules.closing = True
        if self._ignore_changes is not None:
            self._ignore_changes()
            self._ignore_changes = None
        await self._tasks.close()

    def submit(self, item: FlowInput) -> None:
        """Queue an input; its exchange stays busy until the turn that answers it is over."""
        release = item.exchange.hold()
        if self._modules.closing:
            release()
            return
        key = item.source.conversation_id
        queued = QueuedInput(item, release, self._quiet_clock.monotonic_s())
        if key in self._queues:
            self._queues[key].put(queued)
            return
        queue = self._queues[key] = ConversationQueue(key)
        queue.put(queued)
        queue.next_turn()
        self._tasks.start(f"queue:{key}", self._drain(queue))

    def busy(self, conversation_id: str) -> bool:
        """Whether a turn goes on there, or waits."""
        return conversation_id in self._queues

    async def stop(self, conversation_id: str) -> None:
        """End the turn in progress there, if any."""
        queue = self._queues.get(conversation_id)
        if queue is not None and queue.turn is not None:
            turn = queue.turn
            turn.stop()
            await turn.over.wait()

    async def drop(self, conversation_id: str) -> None:
        """End the turn in progress there and forget what is queued."""
        queue = self._queues.get(conversation_id)
        if queue is not None:
            waiting = list(queue.waiting)
            queue.waiting.clear()
            for queued in waiting:
                queued.release()
            await self._call(self._on_settled, [queued.item for queued in waiting])
        await self.stop(conversation_id)

    async def _changed(self, new: RuntimeSettings) -> None:
        """All is read when it is needed; only who waits for a slot must be told, once it is in force."""
        del new
        asyncio.get_running_loop().call_soon(self._slots.look)

    # A queue.

    async def _drain(self, queue: ConversationQueue) -> None:
        try:
            await self._ready.wait()
            while queue.turn is not None:
                await self._see_through(queue, queue.turn)
                queue.next_turn()
        finally:
            del self._queues[queue.conversation_id]
            for queued in queue.waiting:
                queued.release()

    async def _see_through(self, queue: ConversationQueue, turn: Turn) -> None:
        """Run a turn, again when more is said, until everything in it is answered or it is stopped."""
        state: TurnState = "stopped"
        begun_s = self._quiet_clock.monotonic_s()
        self._announce(turn, "started")
        try:
            while not turn.stopping:
                if await self._run_once(turn):
                    state = "ended"
                    await self._call(self._on_settled, turn.inputs)
                    if not await self._debounce.more_comes(queue, turn):
                        break
                    state = "stopped"
                    await self._call(self._on_reopened, turn.answered)
                if not turn.stopping:
                    await self._start_anew(turn)
            if turn.has_more:
                state = "stopped"  # in the moment between the answer and what came after it
            await uninterrupted(self._tidy(turn))
            if state == "stopped":
                await self._call(self._on_settled, turn.inputs)
        finally:
            turn.closed = True
            self._workspace.end_turn(turn.id)
            self._trace(turn, state, self._quiet_clock.monotonic_s() - begun_s)
            self._announce(turn, state)
            turn.over.set()
            turn.release()

    async def _run_once(self, turn: Turn) -> bool:
        """One run of the modules; whether it came to its end with everything that was said."""
        turn.task = self._tasks.start(f"turn:{turn.id}", self._run(turn))
        try:
            await asyncio.wait([turn.task])
        except asyncio.CancelledError:
            turn.task.cancel()
            await asyncio.wait([turn.task])
            raise
        if turn.stopping or turn.has_more:
            return False
        turn.closed = not turn.can_reopen
        return True

    async def _run(self, turn: Turn) -> None:
        """In a task of its own, so that `stop` can end it and the queue goes on."""
        async with self._slots.slot():
            log.turn_id.set(turn.id[:8])
            current_turn.set(turn.id)
            current_conversation.set(turn.conversation_id)
            flow = turn.begin()
            await self._call(self._on_begun, flow.inputs)
            await self._modules.run(flow)

    async def _start_anew(self, turn: Turn) -> None:
        """More was said: what was shown goes, and the person may finish."""
        await uninterrupted(self._take_back(turn))
        self._announce(turn, "started")
        await self._debounce.quiet(turn)

    async def _take_back(self, turn: Turn) -> None:
        """What the last run showed goes, before it is shown anew."""
        self._workspace.end_turn(turn.id)
        flow = turn.flow
        if flow is None:
            return
        if flow.status_before is not None:
            flow.exchange.status = flow.status_before
        await self._modules.withdraw(flow)

    async def _tidy(self, turn: Turn) -> None:
        """What was begun for an answer that never came must not stay as an empty message."""
        if turn.flow is not None:
            turn.flow.drafts = [draft for draft in turn.flow.drafts if not draft.kept]
            if turn.flow.drafts:
                await self._modules.withdraw(turn.flow)

    # What is told of it.

    async def _call(self, hook: OnInputs | None, inputs: Sequence[FlowInput]) -> None:
        """A hook that fails is logged: the turn itself went well."""
        if hook is None or not inputs:
            return
        try:
            told = hook(inputs)
            if told is not None:
                await told
        except Exception:  # noqa: BLE001 - the queue's own boundary: the conversation goes on
            _log.exception("what follows a turn failed")

    def _trace(self, turn: Turn, state: TurnState, took_s: float) -> None:
        current_turn.set(turn.id)
        self._tracer.record(
            "turn",
            state=state,
            inputs=len(turn.queued),
            runs=turn.runs,
            self_turn=turn.queued[0].item.is_self,
            duration_ms=round(took_s * 1000, 3),
        )

    def _announce(self, turn: Turn, state: TurnState) -> None:
        first = turn.queued[0].item.at
        self._channels.publish(
            TurnEvent(
                conversation_id=turn.conversation_id,
                exchange_id=turn.exchange.id,
                turn_id=turn.id,
                state=state,
                restarts=max(0, turn.runs if state == "started" else turn.runs - 1),
                exchanges=tuple(queued.item.exchange.id for queued in turn.queued),
                offsets_ms=tuple(
                    max(0, round((queued.item.at - first).total_seconds() * 1000)) for queued in turn.queued
                ),
            )
        )


class TurnSlots:
    """A fair limit that may change at any time; turns that run keep their slot."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot for the length of the block."""
        await self._take()
        try:
            yield
        finally:
            self._taken -= 1
            self.look()

    async def _take(self) -> None:
        if not self._waiting and self._taken < self._limit():
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given a slot in the same moment
                self._taken -= 1
            elif turn in self._waiting:
                self._waiting.remove(turn)
            self.look()
            raise

    def look(self) -> None:
        """Let in who has room; also after the limit was changed."""
        while self._waiting and self._taken < self._limit():
            turn = self._waiting.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)
