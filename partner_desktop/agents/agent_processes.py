"""AgentProcesses: makes runs of agents, keeps them, and brings them back after a restart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from partner_desktop.agents.agent_process import AgentProcess
from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.agent_specs import AgentDefinition
from partner_desktop.agents.blackboard import Blackboard
from partner_desktop.agents.process_codec import ProcessCodec
from partner_desktop.agents.process_events import ProcessCreated, ProcessEvent
from partner_desktop.agents.process_state import (
    USUAL_OPTIONS,
    ProcessOptions,
    ProcessState,
    ProcessStatus,
)
from partner_desktop.agents.process_table import ProcessTable
from partner_desktop.agents.step_context import ChildOrder
from partner_desktop.agents.usage_ledger import UsageRow
from partner_desktop.agents.writing_mind import WritingMind
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AgentError

_log = log.area("agents")

#: Processes below each other; more is an agent that runs itself without end.
_DEEPEST = 8

Listener = Callable[[ProcessEvent], None]


class AgentProcesses:
    """All of one Partner. Without a `table` they end with it."""

    def __init__(
        self, registry: AgentRegistry, mind: WritingMind, clock: Clock, table: ProcessTable | None = None
    ) -> None:
        self.mind = mind
        self.clock = clock
        self._registry = registry
        self._table = table
        self._codec = ProcessCodec(lambda: registry.types)
        self._live: WeakValueDictionary[str, AgentProcess] = WeakValueDictionary()
        """Those that somebody holds: there are no two of one id."""
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Hear what happens, as it happens; returns the undo."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    async def create(
        self,
        agent: str,
        *inputs: object,
        goal: str = "",
        options: ProcessOptions = USUAL_OPTIONS,
        spent: Sequence[UsageRow] = (),
    ) -> AgentProcess:
        """A process that has not begun.

        Args:
            inputs: What it begins with, as objects of classes that agents speak of.
            goal: The one that it is to reach; empty: whichever is worth most.
            spent: What was used to choose it.

        Raises:
            AgentError: There is no such agent or goal, or an input cannot be kept.
            StorageError: It could not be written down.
        """
        state = ProcessState(agent, goal, "", options, rows=list(spent))
        return await self._begun(state, Blackboard(), inputs, None)

    async def bring_back(self, process_id: str) -> AgentProcess:
        """A process by its id, with all below it, as it stood; one that was cut off is still `RUNNING`.

        Raises:
            AgentError: There is none, or it cannot be read, or its agent is not there.
            StorageError: It could not be read.
        """
        return await self._read(process_id, None)

    async def unfinished(self) -> list[str]:
        """The ids of those that were cut off or wait, oldest first.

        Raises:
            StorageError: They could not be read.
        """
        if self._table is None:
            return [each.id for each in self._live.values() if each.above is None]
        return await self._table.roots_in(
            (ProcessStatus.RUNNING, ProcessStatus.WAITING, ProcessStatus.PAUSED)
        )

    # What processes need; see `ProcessServices`.

    def publish(self, event: ProcessEvent) -> None:
        for listener in list(self._listeners):
            try:
                listener(event)
            except Exception:  # noqa: BLE001 - whoever listens stops nothing
                _log.exception("a listener of agents failed")

    def check_kept(self, value: object) -> None:
        self._codec.check(value)

    async def save(self, process: AgentProcess) -> None:
        state = process.state
        if self._table is not None:
            await self._table.save(
                state.id,
                root_id=process.root_id,
                agent=state.agent,
                status=state.status,
                document=self._codec.encoded(state, process.board),
            )

    async def child(self, order: ChildOrder, above: AgentProcess) -> AgentProcess:
        depth, one = 1, above.above
        while one is not None:
            depth, one = depth + 1, one.above
        if depth >= _DEEPEST:
            raise AgentError("agents.too_deep", agent=order.agent, most=_DEEPEST)
        state = ProcessState(order.agent, order.goal, above.id, above.state.options)
        return await self._begun(state, above.board.spawn(), order.inputs, above)

    async def below(self, process_id: str, above: AgentProcess) -> AgentProcess:
        return above.children.get(process_id) or await self._read(process_id, above)

    async def _begun(
        self, state: ProcessState, board: Blackboard, inputs: Sequence[object], above: AgentProcess | None
    ) -> AgentProcess:
        definition = self._registry.get(state.agent)
        if state.goal and definition.goal(state.goal) is None:
            raise AgentError("agents.unknown_goal", agent=state.agent, goal=state.goal)
        for value in inputs:
            self._codec.check(value)
            name = type(value).__name__
            board.bind(name[:1].lower() + name[1:], value, protected=True, as_it=True)
        process = self._made(state, definition, board, above)
        state.events += 1
        await self.save(process)
        self.publish(
            ProcessCreated(
                process_id=process.id,
                number=state.events,
                agent=state.agent,
                name=process.name,
                parent_id=state.parent_id,
            )
        )
        return process

    async def _read(self, process_id: str, above: AgentProcess | None) -> AgentProcess:
        known = self._live.get(process_id)
        if known is not None:
            return known
        document = await self._table.load(process_id) if self._table is not None else None
        if document is None:
            raise AgentError("agents.unknown_process", id=process_id)
        state, board = self._codec.decoded(document)
        if state.parent_id and above is None:  # it is read with the one above, if that still runs it
            above = await self._read(state.parent_id, None)
            if state.id in above.children:
                return above.children[state.id]
        process = self._made(state, self._registry.get(state.agent), board, above)
        for run in state.open_steps:
            for child in run.children:
                await self._read(child, process)
        return process

    def _made(
        self, state: ProcessState, definition: AgentDefinition, board: Blackboard, above: AgentProcess | None
    ) -> AgentProcess:
        process = self._live[state.id] = AgentProcess(state, definition, board, self, above)
        if above is not None:
            above.children[process.id] = process
        return process
