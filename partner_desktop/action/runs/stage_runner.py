"""StageRunner: the stages of a chain one after another, each until all its steps have ended.

Contract: a stage takes in steps until it settles, and is settled in one transition. Whoever waits here waits
for news, not for a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from partner_desktop.action.corrections.plan_correction import PlanCorrection
from partner_desktop.action.runs.live_plan import (
    Ending,
    LivePlan,
    PlanClosing,
    PlanOverError,
    PlanRows,
    failed,
)
from partner_desktop.action.runs.plan_budget import PlanBudget
from partner_desktop.action.runs.retries import with_tries
from partner_desktop.action.runs.step_recovery import StepRecovery
from partner_desktop.action.runs.step_runner import StepRunner
from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.plan import Plan, Stage, Step, StepStatus
from partner_desktop.mind.question import PlanVerdict

_log = log.area("chains")


@dataclass(frozen=True)
class RunParts:
    """What a PlanRunner works with; each of them serves all plans."""

    rows: PlanRows
    steps: StepRunner
    mender: PlanCorrection
    budget: PlanBudget
    closing: PlanClosing
    recovery: StepRecovery


class StageRunner:
    """Shared by all plans."""

    def __init__(self, parts: RunParts, tasks: TaskSet) -> None:
        self._rows = parts.rows
        self._step_runner = parts.steps
        self._mender = parts.mender
        self._budget = parts.budget
        self._closing = parts.closing
        self._tasks = tasks

    async def do(self, live: LivePlan) -> Ending:
        """Run what is left of a chain; how it ends.

        Raises:
            PlanEndedError: It ends before its end.
            PlanOverError: Somebody else settled it.
            StorageError: Nothing can be written down.
        """
        again = True
        while True:
            await self._stages(live)
            verdict = await self._mender.judge(live)
            corrected = again and not verdict.ok and not live.repeated
            if corrected and await self._mender.correct(live, verdict.reason):
                again = False
                await self._rebuild(live)
                continue
            await self._rows.change(live, partial(_concluded, live, verdict))
            if live.ending is not None:
                return live.ending

    async def _stages(self, live: LivePlan) -> None:
        while live.stage is not None:
            await self._stage(live)
            await self._rebuild(live)
            if self._unsettled(live):
                continue
            await self._mender.look(live)
            await self._rebuild(live)
            await self._rows.change(live, _settled)

    async def _stage(self, live: LivePlan) -> None:
        """Run the steps of the stage that is next, also those that come in meanwhile."""
        while not live.anew:
            live.news.clear()
            self._reap(live)
            if with_tries(live.chain, live.children) != live.chain:
                await self._rows.change(live, partial(with_tries, children=live.children))
            steps = self._unsettled(live)
            if not steps:
                return
            await self._begin_steps(live, steps)
            if live.waits:
                live.let_go("waiting")
            else:
                live.hold()
            await live.news.wait()

    def _unsettled(self, live: LivePlan) -> list[Step]:
        stage = live.stage or Stage()
        return [step for step in stage.steps if not step.status.ended or step.id in live.steps]

    async def _begin_steps(self, live: LivePlan, steps: Sequence[Step]) -> None:
        """As many as may run together; one that waits for the person takes up no place."""
        busy = sum(step.id in live.steps and step.status is not StepStatus.WAITING for step in steps)
        for step in steps:
            if step.id in live.steps:
                continue
            planned = step.status is StepStatus.PLANNED
            if planned and busy >= self._budget.settings.together:
                continue
            if planned:
                if live.repeated:
                    raise failed(live.repeated)
                await self._budget.check(live)
            busy += step.status is not StepStatus.WAITING
            live.steps[step.id] = self._tasks.start(f"{live.id}:{step.id}", self._step(live, step.id))

    async def _step(self, live: LivePlan, step_id: str) -> None:
        try:
            await self._step_runner.run(live, step_id)
        except PlanOverError as error:
            _log.info("a step was let be: %s", error)
            if live.chain.step(step_id) is not None:  # so it is the chain that is over: begun again, the
                live.failure = error  # step would meet the same for ever
        except Exception as error:  # noqa: BLE001 - the chain's own task tells it
            live.failure = error
        finally:
            live.steps.pop(step_id, None)
            live.news.set()

    def _reap(self, live: LivePlan) -> None:
        if live.failure is not None:
            raise live.failure

    async def _rebuild(self, live: LivePlan) -> None:
        """It begins anew: nothing of what it was goes on."""
        if live.anew:
            await self._closing.stop_steps(live, sentence_of("plans.began_anew"))
            live.anew, live.judged = False, 0
            live.news.set()


def _concluded(live: LivePlan, verdict: PlanVerdict, chain: Plan) -> Plan:
    """The end is due, unless the person put something in meanwhile; from then on nothing can be."""
    if chain.at < len(chain.stages):
        return chain
    if live.ending is None:
        failed_why = verdict.reason or sentence_of("plans.not_done")
        succeeded = Ending(ActionStatus.SUCCEEDED)
        live.ending = succeeded if verdict.ok else Ending(ActionStatus.FAILED, failed_why)
    # Of a saved plan no mind judges: why it failed is told as its error, and once.
    is_error = bool(chain.saved_key) and live.ending.reason == verdict.reason
    return replace(chain, checked="" if is_error else verdict.reason)


def _settled(chain: Plan) -> Plan:
    """The next stage is due, unless something came into this one."""
    if chain.at >= len(chain.stages):
        return chain
    if any(not step.status.ended for step in chain.stages[chain.at].steps):
        return chain
    return replace(chain, at=chain.at + 1)
