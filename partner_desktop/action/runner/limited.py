"""LimitedRunner: every route ends in time.

Scripts and servers keep the ability's limit themselves, and know more to say about it. This is the end for
whatever does not: it comes a little later, so that theirs comes first.
"""

from __future__ import annotations

import asyncio

from partner_desktop.action.runner.call import Call
from partner_desktop.action.runner.client import RunnerClient, WrappedRunner
from partner_desktop.domain.meta_action import RunnerResponse

#: Seconds beyond the ability's own limit: what ending a process tree and closing a call may take.
GRACE_S = 10.0


class LimitedRunner(WrappedRunner):
    """Cancels a run that is `grace_s` over its ability's limit; clean-up in the route is waited for."""

    def __init__(self, wrapped: RunnerClient, *, grace_s: float = GRACE_S) -> None:
        super().__init__(wrapped)
        self._grace_s = grace_s

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        try:
            async with asyncio.timeout(info.timeout_s + self._grace_s) as limit:
                return await super().run(call)
        except TimeoutError:
            if not limit.expired():
                raise
            return RunnerResponse(
                ok=False, error=f"{info.title} did not end within {info.timeout_s:g} s and was stopped."
            )
