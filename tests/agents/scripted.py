"""Hand-made parts that tests of agents share: a mind that writes what it is told, and a patient clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from partner_desktop.agents.agent_process import AgentProcess
from partner_desktop.agents.agent_processes import AgentProcesses
from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.declarations import UserInput
from partner_desktop.agents.process_events import ProcessEvent
from partner_desktop.agents.process_state import USUAL_OPTIONS, ProcessOptions, ProcessStatus
from partner_desktop.agents.process_table import MOST_KEPT, ProcessTable
from partner_desktop.agents.writing_mind import (
    CreateObject,
    GenerateText,
    ModelUse,
    StarterWriting,
    WritingMind,
    WrittenAnswer,
)
from partner_desktop.base.clock import SystemClock
from partner_desktop.storage.database import Database
from tests.support import WAIT_S, FakeClock

T = TypeVar("T")


@dataclass
class ScriptedWriter:
    """Answers in order, and remembers what it was asked."""

    answers: list[tuple[object, ModelUse]]
    asked: list[CreateObject[object] | GenerateText] = field(default_factory=list)

    async def create_object(self, request: CreateObject[T], /) -> WrittenAnswer[T] | None:
        value, use = self._next(CreateObject(object, request.prompt, request.persona, request.options))
        assert isinstance(value, request.kind)
        return WrittenAnswer(value, (use,))

    async def generate_text(self, request: GenerateText, /) -> WrittenAnswer[str] | None:
        value, use = self._next(request)
        assert isinstance(value, str)
        return WrittenAnswer(value, (use,))

    def _next(self, request: CreateObject[object] | GenerateText) -> tuple[object, ModelUse]:
        self.asked.append(request)
        return self.answers[len(self.asked) - 1]


class PatientClock(FakeClock):
    """Pauses between two tries are over at once, and remembered; other times pass when they are moved."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def sleep(self, delay_s: float) -> None:
        if delay_s in (10.0, 50.0, 60.0):
            self.pauses.append(delay_s)
        else:
            await super().sleep(delay_s)


class Bench:
    """Agents, ready to run, and all that is heard of them."""

    def __init__(
        self, *agents: type, mind: WritingMind | None = None, table: ProcessTable | None = None
    ) -> None:
        self.registry = AgentRegistry()
        for each in agents:
            self.registry.register(each)
        self.clock = PatientClock()
        self.processes = AgentProcesses(self.registry, mind or StarterWriting(), self.clock, table)
        self.events: list[ProcessEvent] = []
        self._news = asyncio.Event()
        self.processes.subscribe(self._hear)

    def _hear(self, event: ProcessEvent) -> None:
        self.events.append(event)
        self._news.set()

    def heard(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, holds: Callable[[], object]) -> None:
        """Until an event after which it holds."""
        async with asyncio.timeout(WAIT_S):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def process(
        self, agent: type, *inputs: object, goal: str = "", options: ProcessOptions = USUAL_OPTIONS
    ) -> AgentProcess:
        given = inputs or (UserInput("please"),)
        return await self.processes.create(agent.__name__, *given, goal=goal, options=options)

    async def run(
        self, agent: type, *inputs: object, goal: str = "", options: ProcessOptions = USUAL_OPTIONS
    ) -> AgentProcess:
        """A process that has run until it ended or could not go on."""
        process = await self.process(agent, *inputs, goal=goal, options=options)
        await on(process)
        return process


async def on(process: AgentProcess) -> ProcessStatus:
    """Run it, bounded."""
    async with asyncio.timeout(WAIT_S):
        return await process.run()


@asynccontextmanager
async def kept_bench(folder: Path, *agents: type, most_kept: int = MOST_KEPT) -> AsyncIterator[Bench]:
    """A bench over a database; a second one over the same folder is the app after a restart."""
    clock = SystemClock()
    database = Database(folder / "partner.db", backups=folder / "backups", clock=clock)
    await database.launch()
    try:
        yield Bench(*agents, table=ProcessTable(database, clock, most_kept=most_kept))
    finally:
        await database.shutdown()


def reason_of_end(process: AgentProcess) -> str:
    """Why it is where it is: the id of the message."""
    return process.state.reason.message_id if process.state.reason is not None else ""
