"""A runtime with what it needs, without an app around it: turns alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta

from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.trace import Scalar
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.events import ErrorEvent, Event, ModuleEvent, TurnEvent
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exchanges import ExchangeRegistry
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import FlowInput, RunningFlowContext, Source
from partner_desktop.runtime.settings import RuntimeSettings
from tests.support import FakeClock, Watcher


class Step(RunningModule):
    """A module made for a test."""

    def __init__(self, name: str, work: Callable[[RunningFlowContext], object]) -> None:
        self._name = name
        self._work = work

    @property
    def name(self) -> str:
        return self._name

    async def execute(self, flow: RunningFlowContext) -> None:
        result = self._work(flow)
        if asyncio.iscoroutine(result):
            await result


class First(Step):
    order = 1


class Second(Step):
    order = 2


class Notes:
    """A tracer that remembers."""

    def __init__(self) -> None:
        self.records: list[tuple[str, dict[str, Scalar]]] = []

    def record(self, kind: str, /, **fields: Scalar) -> None:
        self.records.append((kind, fields))


class Bench:
    """`quiet` measures pauses and stands still until it is moved; `clock` measures how long modules take."""

    def __init__(
        self,
        *modules: RunningModule,
        settings: RuntimeSettings | None = None,
        clock: Clock | None = None,
        still: bool = True,
    ) -> None:
        self.watcher = Watcher()
        self.channels = ChannelRegistry()
        self.channels.register(_All(self.watcher))
        self.exchanges = ExchangeRegistry(self.channels)
        self.quiet = FakeClock()
        self.notes = Notes()
        self.begun: list[list[str]] = []
        self.settled: list[list[str]] = []
        self.reopened: list[list[str]] = []
        self.runtime = AgentRuntime(
            self.channels,
            ContextWorkspace(clock=SystemClock()),
            settings=ConfigHandle("runtime", settings or RuntimeSettings()),
            clock=clock,
            quiet_clock=self.quiet if still else None,
            tracer=self.notes,
            on_begun=lambda inputs: self.begun.append(_texts(inputs)),
            on_settled=lambda inputs: self.settled.append(_texts(inputs)),
            on_reopened=lambda inputs: self.reopened.append(_texts(inputs)),
        )
        self.runtime.use(modules)

    def say(
        self,
        text: str,
        conversation: str = "c",
        *,
        skip: frozenset[str] = frozenset(),
        gateway: str = "test",
        cwd: str = "",
        standing: ApprovalMode = ApprovalMode.ASK,
    ) -> str:
        """Submit what was said, or without text a self turn; the exchange's id."""
        exchange = self.exchanges.open(conversation, cwd=cwd, standing=standing)
        source = Source(gateway, conversation)
        self.runtime.submit(FlowInput(source, self.quiet.now(), exchange, text=text, skip=skip))
        return exchange.id

    async def settle(self) -> None:
        """Let everything that can go on go on."""
        for _ in range(30):
            await asyncio.sleep(0)

    async def pass_ms(self, delay_ms: int) -> None:
        """Let time pass, and what it brings about."""
        await self.settle()
        self.quiet.move(timedelta(milliseconds=delay_ms))
        await self.settle()

    def turns(self) -> list[TurnEvent]:
        return [event for event in self.watcher.events if isinstance(event, TurnEvent)]

    def states(self) -> list[str]:
        return [event.state for event in self.turns()]

    def errors(self) -> list[ErrorEvent]:
        return [event for event in self.watcher.events if isinstance(event, ErrorEvent)]

    def modules(self) -> list[tuple[str, str]]:
        return [(e.module, e.state) for e in self.watcher.events if isinstance(e, ModuleEvent)]


def _texts(inputs: Sequence[FlowInput]) -> list[str]:
    return [item.text for item in inputs]


class _All:
    name = "all"

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def accepts(self, event: Event) -> bool:
        del event
        return True

    def deliver(self, event: Event) -> None:
        self.watcher(event)
