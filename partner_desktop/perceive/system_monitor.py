"""SystemStatsMonitor: how this computer is doing, for the context of the turn.

Contract: no turn waits for a measurement. A turn gets the last one, however old, and one that is too old is
measured again behind it, in threads; what comes then takes its place at once. The first look is taken once a
start is over, or by the first turn: a command that only asks for a list pays for none.

Perception's settings are `config/perceive.toml`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from pydantic import ConfigDict, Field

from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.handle import ConfigHandle, SettingsModel
from partner_desktop.context import block_settings
from partner_desktop.context.block import GLOBAL, ContextBlock, Domain
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.perceive.system_sample import SystemSample
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext

#: Begins to watch the processors, and gives what tells all figures a while later. Both block, for a thread.
Look: TypeAlias = Callable[[], Callable[[], SystemSample]]

#: Seconds over which the processors are watched, and until the first look where no turn comes.
_WATCHED_S, _START_S = 0.1, 1.0

BLOCK = "system_state"
NOT_MEASURED = "state: not measured yet"


class SystemStatsMonitor(RunningModule):
    """Runs first. Also a part of the AgentContext, which begins the first look."""

    order = 1

    def __init__(
        self,
        workspace: ContextWorkspace,
        settings: ConfigHandle[PerceiveSettings],
        *,
        look: Look,
        clock: Clock,
    ) -> None:
        self._workspace = workspace
        self._settings = settings
        self._look = look
        self._clock = clock
        self._tasks = TaskSet("system stats")
        self._measuring: asyncio.Task[None] | None = None
        self._sample: SystemSample | None = None
        self._measured_at_s = 0.0
        self._wanted = asyncio.Event()

    async def launch(self) -> None:
        self._measure_soon()

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def settled(self) -> None:
        """Return when nothing is being measured."""
        self._wanted.set()
        if self._measuring is not None:
            await asyncio.wait([self._measuring])

    async def execute(self, flow: RunningFlowContext) -> None:
        del flow
        self._wanted.set()
        self._show()
        age_s = self._clock.monotonic_s() - self._measured_at_s
        if self._sample is None or age_s >= self._settings.value.system_refresh_s:
            self._measure_soon()

    def _measure_soon(self) -> None:
        if self._measuring is None or self._measuring.done():
            self._measuring = self._tasks.start("measure", self._measure_now())

    async def _measure_now(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_START_S):
                await self._wanted.wait()
        measure = await asyncio.to_thread(self._look)
        await asyncio.sleep(_WATCHED_S)
        self._sample = await asyncio.to_thread(measure)
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


class PerceiveSettings(SettingsModel):
    """How the surroundings are looked at."""

    model_config = ConfigDict(json_schema_extra={"section": "advanced", "place": 20})

    system_refresh_s: float = Field(
        default=30.0,
        ge=1.0,
        le=3_600.0,
        description="How old the measured state of this computer may be before it is measured again.",
        json_schema_extra={"unit": "seconds"},
    )
