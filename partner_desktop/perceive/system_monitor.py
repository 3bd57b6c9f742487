"""SystemStatsMonitor: how this computer is doing, for the context of the turn.

Contract: no turn waits for a measurement. A turn gets the last one, however old, and one that is too old is
measured again behind it, in a thread; what comes then takes its place at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context import block_settings
from partner_desktop.context.block import GLOBAL, ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.perceive.settings import PerceiveSettings
from partner_desktop.perceive.system_sample import SystemSample
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.module import RunningModule

BLOCK = "system_state"
NOT_MEASURED = "state: not measured yet"


class SystemStatsMonitor(RunningModule):
    """Runs first. Also a part of the AgentContext: the first look is taken at the start."""

    order = 1

    def __init__(
        self,
        workspace: ContextWorkspace,
        settings: ConfigHandle[PerceiveSettings],
        *,
        measure: Callable[[], SystemSample],
        clock: Clock,
    ) -> None:
        self._workspace = workspace
        self._settings = settings
        self._measure = measure
        """Blocks; called in a thread."""
        self._clock = clock
        self._tasks = TaskSet("system stats")
        self._measuring: asyncio.Task[None] | None = None
        self._sample: SystemSample | None = None
        self._measured_at_s = 0.0

    async def launch(self) -> None:
        self._measure_soon()

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def settled(self) -> None:
        """Return when nothing is being measured."""
        if self._measuring is not None:
            await asyncio.wait([self._measuring])

    async def execute(self, flow: RunningFlowContext) -> None:
        del flow
        self._show()
        age_s = self._clock.monotonic_s() - self._measured_at_s
        if self._sample is None or age_s >= self._settings.value.system_refresh_s:
            self._measure_soon()

    def _measure_soon(self) -> None:
        if self._measuring is None or self._measuring.done():
            self._measuring = self._tasks.start("measure", self._measure_now())

    async def _measure_now(self) -> None:
        self._sample = await asyncio.to_thread(self._measure)
        self._measured_at_s = self._clock.monotonic_s()
        self._show()

    def _show(self) -> None:
        sample = self._sample
        self._workspace.register(
            ContextBlock(
                name=BLOCK,
                source=self.name,
                domain=Domain.PERCEIVE,
                scope=GLOBAL,
                full=sample.full() if sample is not None else NOT_MEASURED,
                compact=sample.compact() if sample is not None else "",
                abstract=sample.abstract() if sample is not None else "",
                fades=block_settings.SYSTEM,
                housekeeping=True,
            )
        )
