"""AgentRuntime: turns inputs into turns.

Contract: inputs of one conversation run one after another, in order of arrival; conversations do not
wait for each other. A turn runs the modules in ascending groups of their order, those of one group
together; a module that raises is reported and the turn goes on. `stop` ends the turn in progress: the
modules get a cancellation and keep what they have.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from itertools import groupby
from typing import Any, Literal

from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import ErrorEvent, TurnEvent
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exchange import Release
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext
from partner_desktop.runtime.module import RunningModule

_log = log.area("runtime")

TurnState = Literal["started", "ended", "stopped"]
#: Called with the inputs of a turn when it begins and when it is over; waited for.
OnInputs = Callable[[Sequence[FlowInput]], Awaitable[None]]


class AgentRuntime:
    """Queues and runs turns. A part of the AgentContext."""

    def __init__(
        self,
        channels: ChannelRegistry,
        workspace: ContextWorkspace,
        *,
        on_begun: OnInputs | None = None,
        on_settled: OnInputs | None = None,
    ) -> None:
        self._on_begun = on_begun
        self._on_settled = on_settled
        self._channels = channels
        self._workspace = workspace
        self._modules: Sequence[RunningModule] = ()
        self._queues: dict[str, deque[tuple[FlowInput, Release]]] = {}
        self._turns: dict[str, asyncio.Task[None]] = {}
        self._tasks = TaskSet("runtime")

    def use(self, modules: Sequence[RunningModule]) -> None:
        """Set the modules of every turn."""
        self._modules = sorted(modules, key=lambda module: module.order)

    async def launch(self) -> None:
        """Nothing to open: queues begin with their first input."""

    async def shutdown(self) -> None:
        await self._tasks.close()

    def submit(self, item: FlowInput) -> None:
        """Queue an input; its exchange stays busy until the turn is over."""
        key = item.source.conversation_id
        release = item.exchange.hold()
        if key in self._queues:
            self._queues[key].append((item, release))
            return
        self._queues[key] = deque([(item, release)])
        self._tasks.start(f"queue:{key}", self._drain(key))

    async def stop(self, conversation_id: str) -> None:
        """End the turn in progress there, if any."""
        turn = self._turns.get(conversation_id)
        if turn is not None and turn.cancel():
            await asyncio.wait([turn])

    async def drop(self, conversation_id: str) -> None:
        """End the turn in progress there and forget what is queued."""
        queue = self._queues.get(conversation_id)
        while queue:
            _, release = queue.popleft()
            release()
        await self.stop(conversation_id)

    async def _drain(self, key: str) -> None:
        queue = self._queues[key]
        try:
            while queue:
                item, release = queue.popleft()
                try:
                    await self._turn(RunningFlowContext(conversation_id=key, inputs=(item,)))
                finally:
                    release()
        finally:
            del self._queues[key]
            for _, release in queue:
                release()

    async def _turn(self, flow: RunningFlowContext) -> None:
        """Run one turn in a task of its own, so that `stop` can end it and the queue goes on."""
        if self._on_begun is not None:
            await self._on_begun(flow.inputs)
        task = asyncio.get_running_loop().create_task(self._run_modules(flow), name=f"turn:{flow.turn_id}")
        self._turns[flow.conversation_id] = task
        self._announce(flow, "started")
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            raise
        finally:
            del self._turns[flow.conversation_id]
            self._workspace.end_turn(flow.turn_id)
            self._announce(flow, "stopped" if task.cancelled() else "ended")
        if self._on_settled is not None:  # not when Partner closes: the turn runs again at the next start
            await self._on_settled(flow.inputs)

    async def _run_modules(self, flow: RunningFlowContext) -> None:
        log.turn_id.set(flow.turn_id[:8])
        active = [module for module in self._modules if module.name not in flow.skip]
        for _, group in groupby(active, key=lambda module: module.order):
            await _all(*(self._guarded(module, flow) for module in group))

    async def _guarded(self, module: RunningModule, flow: RunningFlowContext) -> None:
        try:
            await module.execute(flow)
        except PartnerError as error:
            self._report(flow, module, str(error))
        except Exception:  # noqa: BLE001 - the turn's own boundary: one module never takes the turn down
            _log.exception("%s failed", module.name)
            self._report(flow, module, "Something went wrong inside Partner; the log has the details.")

    def _report(self, flow: RunningFlowContext, module: RunningModule, message: str) -> None:
        flow.exchange.status = "failed"
        self._channels.publish(
            ErrorEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                message=message,
                where=module.name,
            )
        )

    def _announce(self, flow: RunningFlowContext, state: TurnState) -> None:
        self._channels.publish(
            TurnEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                turn_id=flow.turn_id,
                state=state,
            )
        )


async def _all(*work: Coroutine[Any, Any, None]) -> None:
    """Run together; a cancellation reaches all of them and waits for their clean-up."""
    async with asyncio.TaskGroup() as group:
        for item in work:
            group.create_task(item)
