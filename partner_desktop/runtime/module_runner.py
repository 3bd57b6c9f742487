"""ModuleRunner: one run of a turn's modules, in ascending groups of their order.

Contract: those of one order run together. A module that raises, cancels itself or hangs is reported by its
name and ends only its own part. An interruption skips the groups that have not begun. A cancellation from
outside reaches every module that runs and waits for its clean-up, within a limit.
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.trace import Tracer, span
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.events import ModuleEvent, NoticeEvent
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.exceptions import ExceptionDoor
from partner_desktop.runtime.extension_points import RunningModule
from partner_desktop.runtime.flow import RunningFlowContext
from partner_desktop.runtime.interruption import TurnInterrupted
from partner_desktop.runtime.settings import RuntimeSettings

_log = log.area("runtime")

#: Seconds that a module which was ended may take to clean up before the turn goes on without it.
_CLEAN_UP_S = 5.0


@dataclass
class _Outcome:
    """How one module's part ended."""

    error: Exception | None = None
    """`None`: it went well."""


class ModuleRunner:
    """Knows the modules, and which of them take part."""

    def __init__(
        self,
        channels: ChannelRegistry,
        settings: ConfigHandle[RuntimeSettings],
        tasks: TaskSet,
        *,
        clock: Clock,
        tracer: Tracer,
        exceptions: ExceptionDoor,
    ) -> None:
        self._channels = channels
        self._exceptions = exceptions
        self._settings = settings
        self._tasks = tasks
        self._clock = clock
        self._tracer = tracer
        self._told: tuple[str, ...] = ()
        self.modules: Sequence[RunningModule] = ()
        self.closing = False
        """At shutdown everything is cancelled at once: that is no module's failure."""

    async def run(self, flow: RunningFlowContext) -> None:
        """One run; returns early when it is interrupted."""
        left_out = flow.skip | self._masked()
        active = [module for module in self.modules if module.name not in left_out]
        for _, group in groupby(active, key=lambda module: module.order):
            if flow.interrupted:
                return
            async with asyncio.TaskGroup() as together:
                for module in group:
                    together.create_task(self._guarded(module, flow))

    async def withdraw(self, flow: RunningFlowContext) -> None:
        """Every module takes back what it has shown; one that raises or hangs keeps no rerun from coming."""
        for module in self.modules:
            # No task of the set's: what is shown is taken back also when everything else is cancelled.
            work = asyncio.create_task(module.withdraw(flow), name=f"withdraw:{module.name}")
            if not await self._in_time(work, flow):
                _log.error("%s does not take back what it had shown", module.name)
                await _let_go(work)
            elif not work.cancelled() and work.exception() is not None:
                _log.error("%s could not take back what it had shown", module.name, exc_info=work.exception())

    # One module.

    async def _guarded(self, module: RunningModule, flow: RunningFlowContext) -> None:
        if self.closing:
            await (
                asyncio.get_running_loop().create_future()
            )  # nothing new begins: the turn is being cancelled
        self._tell(flow, module, "running")
        outcome = await self._contained(module, flow)
        if outcome.error is not None:
            self._report(flow, module, outcome.error)
        self._tell(flow, module, "error" if outcome.error is not None else "done")

    async def _contained(self, module: RunningModule, flow: RunningFlowContext) -> _Outcome:
        outcome = _Outcome()
        work = self._tasks.start(f"module:{module.name}", self._work(module, flow, outcome))
        try:
            in_time = await self._in_time(work, flow)
        except asyncio.CancelledError:
            await _let_go(work)
            raise
        if not in_time:
            flow.overdue.add(module.name)
            await _let_go(work)
            limit_s = self._settings.value.module_timeout_s
            return _Outcome(PartnerError("runtime.gave_no_sign", name=module.name, seconds=limit_s))
        if work.cancelled() and not self.closing:
            return _Outcome(PartnerError("runtime.module_broke_off", name=module.name))
        return outcome

    async def _in_time(self, work: asyncio.Task[None], flow: RunningFlowContext) -> bool:
        """Wait for the work; false when the limit passed without a sign of life."""
        while not work.done():
            signs = flow.signs
            limit = asyncio.create_task(
                self._clock.sleep(self._settings.value.module_timeout_s), name="module limit"
            )
            try:
                await asyncio.wait({work, limit}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                limit.cancel()
            if not work.done() and flow.signs == signs:
                return False
        return True

    async def _work(self, module: RunningModule, flow: RunningFlowContext, outcome: _Outcome) -> None:
        try:
            with span(self._tracer, "module", module=module.name, order=module.order):
                await module.execute(flow)
        except TurnInterrupted:
            pass
        except Exception as error:  # noqa: BLE001 - the turn's own boundary: one module never takes it down
            outcome.error = error

    # What is told of it.

    def _report(self, flow: RunningFlowContext, module: RunningModule, error: Exception) -> None:
        if flow.status_before is None:
            flow.status_before = flow.exchange.status
        flow.exchange.status = "failed"
        self._exceptions.report(
            error,
            where=module.name,
            conversation_id=flow.conversation_id,
            exchange_id=flow.exchange.id,
            private=[item.text for item in flow.inputs],
        )

    def _tell(
        self, flow: RunningFlowContext, module: RunningModule, state: Literal["running", "done", "error"]
    ) -> None:
        self._channels.publish(
            ModuleEvent(
                conversation_id=flow.conversation_id,
                exchange_id=flow.exchange.id,
                turn_id=flow.turn_id,
                module=module.name,
                state=state,
            )
        )

    # Masked modules.

    def _masked(self) -> frozenset[str]:
        masked = self._settings.value.masked_modules
        if masked != self._told:
            self._told = masked
            self._tell_unknown([name for name in masked if name not in self._names()])
        return frozenset(masked)

    def _names(self) -> list[str]:
        return [module.name for module in self.modules]

    def _tell_unknown(self, unknown: Sequence[str]) -> None:
        """One notice, when the setting is new: it would be noise in every turn."""
        if not unknown:
            return
        said = []
        for name in unknown:
            near = difflib.get_close_matches(name, self._names(), n=1, cutoff=0.0)
            said.append(
                sentence_of("runtime.nearest_module", name=name, near=near[0]) if near else f"`{name}`"
            )
        text = sentence_of("runtime.masks_no_module", named=", ".join(said))
        self._channels.publish(
            NoticeEvent(title=sentence_of("runtime.names_no_module"), text=text, level="warning")
        )


async def _let_go(work: asyncio.Task[None]) -> None:
    """Cancel, and wait for the clean-up; one that refuses to end is left to the task set, which names it."""
    work.cancel()
    _, stuck = await asyncio.wait({work}, timeout=_CLEAN_UP_S)
    if stuck:
        _log.error("%s does not end", work.get_name())
