"""RetryingRunner: what may be repeated, and may succeed later, is tried again.

Only after a TryAgainError, and only where the ability says of itself that doing it twice is doing it once.
A response, however bad, is an answer, and a cancellation is final: neither is tried again.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.runner.call import Call
from partner_desktop.action.runner.client import RunnerClient, WrappedRunner
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import TryAgainError
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import PathUse

#: Seconds before each further try.
BACK_OFF_S = (0.25, 1.0)


class RetryingRunner(WrappedRunner):
    """At most two more tries, after a short pause each; the person is told."""

    def __init__(self, wrapped: RunnerClient, *, clock: Clock) -> None:
        super().__init__(wrapped)
        self._clock = clock

    async def run(self, call: Call) -> RunnerResponse:
        pauses = BACK_OFF_S if repeatable(call.meta_action.info, call.paths) else ()
        for tries, pause_s in enumerate(pauses, start=1):
            try:
                return await super().run(call)
            except TryAgainError as error:
                call.on_progress(tries, len(pauses) + 1, f"{error} Trying again.")
            await self._clock.sleep(pause_s)
        return await super().run(call)


def repeatable(info: MetaActionInfo, paths: Sequence[PathUse]) -> bool:
    """Whether doing it twice changes no more than doing it once, as its author says.

    The claim to only read is not believed of what was given something to write to.
    """
    if info.annotations.idempotent:
        return True
    writes = any(use.access == "write" for use in paths)
    return bool(info.annotations.read_only) and not writes
