"""PlanCorrection: looks at a chain on its way, has a mind correct it, and changes it as was wished.

Contract: a wish that cannot be is refused with why, and changes nothing. What is new in a chain was approved
by nobody: each of its steps is decided on by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from partner_desktop.action.corrections.corrector import Corrector
from partner_desktop.action.corrections.new_steps import NewSteps
from partner_desktop.action.corrections.plan_edit import changed
from partner_desktop.action.runs.live_plan import Ending, LivePlan, PlanOverError, PlanRows, failed
from partner_desktop.action.runs.plan_budget import PlanBudget
from partner_desktop.action.runs.step_outcomes import broken, first_try, handlers_of
from partner_desktop.action.runs.task_world import task_world
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import PartnerError, StorageError
from partner_desktop.base.messages import sentence_of, sentences_joined, with_full_stop
from partner_desktop.base.tasks import Deferred
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.plan_condition import RUNNING
from partner_desktop.mind.question import PlanVerdict

if TYPE_CHECKING:  # it plans: a start does without
    from partner_desktop.action.goals.rerouter import Rerouter

#: From so many stages on a chain is looked at on its way: after this one, and every second one then.
_RECOGNISED = 3


class PlanCorrection:
    """Shared by all plans."""

    def __init__(
        self,
        corrector: Corrector,
        new_steps: NewSteps,
        rerouter: Deferred[Rerouter],
        rows: PlanRows,
        budget: PlanBudget,
        *,
        clock: Clock,
    ) -> None:
        self._corrector = corrector
        self._new_steps = new_steps
        self._rerouter = rerouter
        self._rows = rows
        self._budget = budget
        self._clock = clock

    async def look(self, live: LivePlan) -> None:
        """After a stage: have made good what failed and what leads nowhere, by a planner or by a mind.

        A saved plan is its author's: what fails in it and has nothing for that ends it, until it is resumed.

        Raises:
            PlanEndedError: It ends here.
        """
        self._give_up(live)
        if live.chain.saved_key:
            return
        may = live.chain.is_planners and live.chain.corrections < self._budget.settings.corrections
        if may and await (await self._rerouter.get()).look(live):
            return
        new = [step for step in broken(live.chain) if _went_wrong(step) and step.id not in live.discussed]
        live.discussed.update(step.id for step in new)
        problem = sentences_joined(
            sentence_of("plans.step_failed", title=step.title, error=step.error) for step in new
        )
        if not problem and self._is_due(live):
            verdict = await self._corrector.judge(live.record, live.ran(), final=False)
            problem = "" if verdict.ok else verdict.reason or sentence_of("plans.astray")
        live.judged = max(live.judged, live.chain.at + 1)
        if problem:
            await self.correct(live, problem)

    @staticmethod
    def _give_up(live: LivePlan) -> None:
        chain = live.chain
        lost = [step for step in broken(chain) if step.task and step.status is StepStatus.FAILED]
        to_come = (StepStatus.PLANNED, StepStatus.RUNNING, StepStatus.WAITING)
        lost = [step for step in lost if not any(one.status in to_come for one in handlers_of(chain, step))]
        if lost:
            raise failed(given_up(live, lost))

    def _is_due(self, live: LivePlan) -> bool:
        """The last stage is looked at by the final check."""
        number, count = live.chain.at + 1, len(live.chain.stages)
        if count < _RECOGNISED or number >= count or number <= live.judged:
            return False
        return number >= _RECOGNISED and (number - _RECOGNISED) % 2 == 0

    async def judge(self, live: LivePlan) -> PlanVerdict:
        """Whether what was asked is done; where a planner made it, whether its goal is reached."""
        if live.chain.is_planners:
            return (await self._rerouter.get()).verdict(live)
        if live.chain.saved_key:
            return _verdict(live)
        return await self._corrector.judge(live.record, live.ran(), final=True)

    async def correct(self, live: LivePlan, problem: str) -> bool:
        """Change the chain as a mind says; whether that changed anything.

        Raises:
            PlanEndedError: The mind ends it, or has read and written too much already.
        """
        if live.chain.corrections >= self._budget.settings.corrections:
            return False
        await self._budget.check_tokens(live)
        wishes = await self._corrector.correct(live.record, live.ran(), problem)
        if not wishes:
            return False
        await self._rows.change(live, lambda chain: replace(chain, corrections=chain.corrections + 1))
        done = False
        for wish in wishes:
            if wish.kind is InterventionKind.CANCEL:
                reason = " ".join(wish.reason.split()) or problem
                raise failed(sentence_of("plans.ended_by_correction", reason=reason))
            await self._budget.check_tokens(live)  # arguments of new steps are found by a mind, too
            told, why = await self.apply(live, wish, by="mind")
            done = done or bool(told)
            if why:
                self._corrector.tell(live.record, sentence_of("plans.correction_not_made", why=why))
            if live.anew:
                break
        return done

    async def apply(
        self, live: LivePlan, wish: Intervention, *, by: Literal["person", "mind"]
    ) -> tuple[str, str]:
        """Change a chain; what was done and what was refused, a sentence or nothing each."""
        try:
            steps = await self._new_steps.steps(live.record, live.chain, wish, by)
            before = live.chain.changes
            await self._rows.change(live, partial(self._changed, live, wish, steps, by))
        except (StorageError, PlanOverError):
            live.anew = live.anew and wish.kind is not InterventionKind.REBUILD  # nothing began anew
            raise
        except PartnerError as error:  # it cannot be so, or the mind that was asked for arguments failed
            return "", str(error)
        new_ones = live.chain.changes[len(before) :]
        return sentences_joined(change.text for change in new_ones) or sentence_of("plans.was_changed"), ""

    def _changed(
        self,
        live: LivePlan,
        wish: Intervention,
        steps: Sequence[Step],
        by: Literal["person", "mind"],
        chain: Plan,
    ) -> Plan:
        most = self._budget.settings.most_steps
        result = changed(chain, wish, steps, most_steps=most, by=by, now=self._clock.now())
        # Before anyone looks at the new stages: what ran of the old ones is ended first.
        live.anew = live.anew or wish.kind is InterventionKind.REBUILD
        return result


#: Of an id, so much is told: a command takes it by its beginning.
_ID_LETTERS = 8


def given_up(live: LivePlan, lost: Sequence[Step]) -> str:
    """What ends a saved plan, and how it can go on."""
    last = {first_try(live.chain, step): step for step in lost}
    told = []
    for step in last.values():
        count = len(live.chain.tries_before(step)) + 1
        message = "plans.gave_up_step" if count == 1 else "plans.gave_up_after"
        error = with_full_stop(step.error)
        told.append(sentence_of(message, title=step.title, error=error, count=count))
    return sentence_of("plans.gave_up", steps=sentences_joined(told), id=live.id[:_ID_LETTERS])


def _verdict(live: LivePlan) -> PlanVerdict:
    """Of a saved plan: nothing failed, and its main task is done where anything brings that about."""
    chain = live.chain
    lost = broken(chain)
    if lost:
        return PlanVerdict(False, given_up(live, lost))
    sets_main = [step for step in chain.steps if step.task == chain.main_task]
    if sets_main and task_world(chain, live.children).statuses.get(chain.main_task) == RUNNING:
        return PlanVerdict(False, sentence_of("plans.main_not_reached", title=sets_main[-1].title))
    return PlanVerdict(True)


def _went_wrong(step: Step) -> bool:
    """What the person said no to, or ended, is not to be had by another way."""
    return step.status is StepStatus.FAILED


def ended_by(interventions: Sequence[Intervention]) -> Ending | None:
    """How the person's wishes end a chain, where they do."""
    wish = next((each for each in interventions if each.kind is InterventionKind.CANCEL), None)
    return None if wish is None else Ending(ActionStatus.CANCELLED, wish.reason)
