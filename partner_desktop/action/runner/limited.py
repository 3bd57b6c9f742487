"""LimitedRunner: every route ends in time.

Scripts and servers keep the ability's limit themselves, and know more to say about it. This is the end for
whatever does not: it comes a little later, so that theirs comes first. The time that a person takes to
answer is nobody's fault: it stands still for a question, and begins anew with the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

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
        timer = RunTimer(info.timeout_s + self._grace_s)
        try:
            async with timer.limit:
                return await super().run(replace(call, asking=timer.asking))
        except TimeoutError:
            if not timer.limit.expired():
                raise
            return RunnerResponse(
                ok=False, error=f"{info.title} did not end within {info.timeout_s:g} s and was stopped."
            )
        finally:
            timer.over = True


class RunTimer:
    """The time of one run. `limit` is entered once."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._questions = 0
        self.limit = asyncio.timeout(seconds)
        self.over = False
        """What asked for it may come to its end after it."""

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Around a question to the person; there may be several at once."""
        self._questions += 1
        self._due(None)
        try:
            yield
        finally:
            self._questions -= 1
            if not self._questions:
                self._due(asyncio.get_running_loop().time() + self._seconds)

    def _due(self, when: float | None) -> None:
        if not self.over and not self.limit.expired():
            self.limit.reschedule(when)
