"""PlanBudget: how far one chain may go, in steps, in minutes of work and in what a model reads and writes.

Contract: waiting for the person is no work. After a restart the work so far is what its steps took.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from partner_desktop.action.runs.live_plan import LivePlan, failed
from partner_desktop.action.settings import PlanSettings
from partner_desktop.base.clock import Clock
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.plan import Step, StepStatus

#: Tokens that models read and wrote for a chain, whose questions bear its id as that of their turn.
Spent = Callable[[str], Awaitable[int]]


class PlanBudget:
    """Of all chains."""

    def __init__(self, settings: Callable[[], PlanSettings], spent: Spent, *, clock: Clock) -> None:
        self._settings = settings
        self._spent = spent
        self._clock = clock
        self._tasks = TaskSet("chain budget")

    @property
    def settings(self) -> PlanSettings:
        """As they are now."""
        return self._settings()

    async def close(self) -> None:
        """Nothing is measured any more."""
        await self._tasks.close()

    def watch(self, live: LivePlan, on_over: Callable[[str], None]) -> None:
        """Measure the work of a chain from now on; `on_over` is told once when it is too much."""
        begun_at = live.record.started_at  # what was done before it was resumed had a budget of its own
        worked_s = sum(_took_s(step) for step in live.chain.steps if _is_since(step, begun_at))
        begun_s, watching = 0.0, None

        def turned(working: bool) -> None:
            nonlocal worked_s, begun_s, watching
            if working:
                begun_s = self._clock.monotonic_s()
                left_s = max(0.0, self.settings.most_minutes * 60 - worked_s)
                watching = self._tasks.start(live.id, self._watch(left_s, on_over))
            elif watching is not None:
                worked_s += self._clock.monotonic_s() - begun_s
                watching.cancel()

        live.on_work = turned

    async def _watch(self, left_s: float, on_over: Callable[[str], None]) -> None:
        await self._clock.sleep(left_s)
        on_over(sentence_of("plans.worked_most", minutes=self.settings.most_minutes))

    async def check(self, live: LivePlan) -> None:
        """Whether more may be begun.

        Raises:
            PlanEndedError: A budget is used up; it says which.
        """
        own = (step for step in live.chain.steps if step.origin != "retry")  # tries have a bound of their own
        begun = sum(step.status is not StepStatus.PLANNED for step in own)
        most = self.settings.most_steps
        if begun >= most:
            raise failed(sentence_of("plans.took_most", count=begun, most=most))
        await self.check_tokens(live)

    async def check_tokens(self, live: LivePlan) -> None:
        """Whether a mind may be asked more.

        Raises:
            PlanEndedError: It read and wrote too much already.
        """
        spent, limit = await self._spent(live.id), self.settings.most_tokens
        if spent >= limit:
            raise failed(sentence_of("plans.read_most", count=spent, most=limit))


def _is_since(step: Step, begun_at: datetime | None) -> bool:
    return begun_at is None or step.started_at is None or step.started_at >= begun_at


def _took_s(step: Step) -> float:
    if step.started_at is None or step.finished_at is None:
        return 0.0
    # A clock that was put back in between gives no time back.
    return max(0.0, (step.finished_at - step.started_at).total_seconds())
