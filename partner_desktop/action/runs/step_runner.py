"""StepRunner: one step of a plan, from planned to ended.

Contract: the step's action and the chain's row change in one transaction; what waits for the person waits
without a timer, and goes on when its action says so. What runs here runs under a decision of the engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from partner_desktop.action.confirmation_expiry import asking_beside
from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.plans.plan_maker import MadePlan, PlanMaker
from partner_desktop.action.plans.step_maker import MadeStep, as_action, planned_params
from partner_desktop.action.questions import asked_hint
from partner_desktop.action.runs.live_plan import LivePlan, PlanRows
from partner_desktop.action.runs.step_inputs import FeedLostError, Ready, StepInputs, asked
from partner_desktop.action.runs.step_outcomes import (
    broke_before,
    error_of,
    files_of,
    first_try,
    line_of,
    same_result,
    status_of,
)
from partner_desktop.action.runs.task_world import task_world
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Asked, AsksAnew, Proposed
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Step, StepStatus
from partner_desktop.domain.plan_condition import holds
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode, Decision, Outcome, PermissionRequest


class StepRunner(WorkPart):
    """Shared by all plans."""

    def __init__(self, parts: WorkParts, inputs: StepInputs, maker: PlanMaker, rows: PlanRows) -> None:
        super().__init__(parts)
        self._inputs = inputs
        self._maker = maker
        self._rows = rows

    async def run(self, live: LivePlan, step_id: str) -> None:
        """Bring a step to its end, wherever it stands."""
        if step_id not in live.children:
            await self._begin(live, live.step(step_id))
        if step_id in live.children:
            await self._follow(live, step_id)

    async def _begin(self, live: LivePlan, step: Step) -> None:
        if not holds(step.when, task_world(live.chain, live.children)):
            await self._pass_over(live, step, sentence_of("plans.not_met"))
            return
        try:
            ready = await self._inputs.of(live, step)
        except FeedLostError as error:
            if error.step.unneeded:
                told = sentence_of("plans.feed_not_met", title=error.step.title)
                await self._pass_over(live, step, told)
            else:
                await self._rows.step(live, step.id, StepStatus.SKIPPED, error=str(error))
            return
        except UsageError as error:
            await self._rows.step(live, step.id, StepStatus.FAILED, error=str(error))
            return
        if ready.fits:
            await self._decide(live, step, ready)
        elif ready.lacks and live.exchange.told:
            await uninterrupted(self._ask(live, step, ready))
        else:
            await self._rows.step(live, step.id, StepStatus.FAILED, error=ready.unfit or ready.gap)

    async def _pass_over(self, live: LivePlan, step: Step, why: str) -> None:
        await self._rows.step(live, step.id, StepStatus.SKIPPED, error=why, unneeded=True)

    async def _decide(self, live: LivePlan, step: Step, ready: Ready) -> None:
        child = self._child(live, step, ready.made.info, ready.made.step)
        request = request_for(child, ready.made.info)
        decision = await self._decision(live, step, request, guessed=ready.guessed)
        if decision is None or decision.outcome is Outcome.ASK:
            await uninterrupted(self._propose(live, step, child, ready.made))
        elif decision.outcome is Outcome.ALLOW:
            await uninterrupted(self._start(live, step, child, ready.made.info, decision))
        else:
            await self._rows.step(live, step.id, StepStatus.FAILED, error=decision.reason)

    async def _decision(
        self, live: LivePlan, step: Step, request: PermissionRequest, *, guessed: bool
    ) -> Decision | None:
        """Under which decision it runs; `None`: the person is asked, whatever else allows it.

        The yes to the chain was to what its steps bring, and to nothing that a mind makes of it.
        """
        if self._asks_first(live, step, request):
            return None
        if step.approved and not guessed and request.risk is step.risk:
            said = {each.id: each.paths for each in live.chain.steps if each.approved}
            decision = await self._engine.planned(
                request,
                planned_params(step),
                first_try=first_try(live.chain, step),
                held=step.isolation,
                shown=[use for paths in said.values() for use in paths],
                made=files_of(live.ran()),
                wrote={key: [use for use in paths if use.access == "write"] for key, paths in said.items()},
            )
            if decision is not None:
                return decision
        return await self._engine.decide(request, standing=live.exchange.standing)

    def _asks_first(self, live: LivePlan, step: Step, request: PermissionRequest) -> bool:
        """Nobody deletes notes whose backup failed; and what may have been done is not done twice."""
        if live.exchange.standing in (ApprovalMode.NEVER, ApprovalMode.GRANTED):
            return False
        if is_left_open(live, step):
            return True
        return request.risk is not Risk.READ and broke_before(live.chain, step, live.children)

    def _child(self, live: LivePlan, step: Step, info: MetaActionInfo, made: Step) -> ActionRecord:
        why = _why(live, step)
        told = sentence_of(f"chain.{why}") if why in ("left_open", "rerouted", "broke_before") else ""
        about = f"{told} {info.spoken(live.record.language).description}".strip()
        child = as_action(live.record, made)
        return replace(child, created_at=self._clock.now(), description=about, once=info.once)

    # Each of these is one step: the action's row and the chain's, then those who hear of it.

    async def _start(
        self, live: LivePlan, step: Step, child: ActionRecord, info: MetaActionInfo, decision: Decision
    ) -> None:
        async def work(also: Also) -> ActionRecord:
            return await self._executor.start(child, info, decision, exchange=live.exchange, with_row=also)

        await self._together(live, step, StepStatus.RUNNING, work)

    async def _propose(self, live: LivePlan, step: Step, child: ActionRecord, made: MadeStep) -> None:
        shown: list[Proposed] = []

        async def work(also: Also) -> ActionRecord:
            card = await self._maker.card(child, MadePlan(((made,),)))
            card = replace(card, description=child.description)
            proposal = await asking_beside(self._store, card, self._clock.now())
            await self._store.add(proposal, also=also)
            try:
                place = await self._places.show(proposal, led=True)
            except StorageError:
                live.children[proposal.id] = proposal  # it waits without a card: its plan ends it
                raise
            shown.append(Proposed(proposal, place, why=_why(live, step)))
            return proposal

        if await self._together(live, step, StepStatus.WAITING, work):
            self._executor.tell(shown[0], shown[0].action)

    async def _ask(self, live: LivePlan, step: Step, ready: Ready) -> None:
        child, param = self._child(live, step, ready.made.info, asked(ready)), ready.lacks
        first = self._asks_first(live, step, request_for(child, ready.made.info))
        # The answer brings the argument, and no yes.
        child = replace(child, asks_first=first, asked_param=param, asked_at=self._clock.now())

        async def work(also: Also) -> ActionRecord:
            await self._store.add(child, also=also)
            self._publisher.changed(child)
            return child

        if await self._together(live, step, StepStatus.WAITING, work):
            problem = ready.made.problems.get(param, "")
            self._executor.tell(Asked(child, param, asked_hint(child), problem), child)

    async def _together(
        self,
        live: LivePlan,
        step: Step,
        status: StepStatus,
        work: Callable[[Also], Awaitable[ActionRecord]],
    ) -> bool:
        """Write the step's action and its place in the chain at once; not where it was ended meanwhile."""
        async with self._executor.settling(live.record.conversation_id), live.lock:
            if live.ending is not None or live.chain.step(step.id) != step:
                return False
            begun = self._clock.now() if status is StepStatus.RUNNING else None
            record, also = self._rows.with_step(live, replace(step, status=status, started_at=begun))
            child = await work(also)
            live.children.setdefault(child.id, child)
            self._rows.took(live, record)
            return True

    # What becomes of it.

    async def _follow(self, live: LivePlan, step_id: str) -> None:
        while not (child := live.children[step_id]).status.ended:
            await self._rows.step(live, step_id, status_of(child))
            await live.changed(step_id, child)
        self._guard(live, child)
        await self._rows.step(live, step_id, status_of(child), result=line_of(child), error=error_of(child))

    def _guard(self, live: LivePlan, child: ActionRecord) -> None:
        """The same call that comes to the same twice would do so for ever.

        A saved plan has a bound for its tries, and what stands in it twice is meant twice.
        """
        step = live.chain.step(child.id)
        if step is not None and (step.task or step.origin == "retry"):
            return
        if child.status not in (ActionStatus.SUCCEEDED, ActionStatus.FAILED) or child.started_at is None:
            return
        if any(other.id != child.id and same_result(other, child) for other in live.ran()):
            live.repeated = sentence_of("chain.repeated", title=child.title)


def is_left_open(live: LivePlan, step: Step) -> bool:
    """Whether it stands for one that Partner's end cut off: nobody knows whether that was done."""
    before = live.children.get(step.mends)
    return before is not None and before.status is ActionStatus.INTERRUPTED


def _why(live: LivePlan, step: Step) -> AsksAnew:
    """Why it asks, should it."""
    if is_left_open(live, step):
        return "left_open"
    if step.origin == "reroute" and not step.approved:
        return "rerouted"
    return "broke_before" if broke_before(live.chain, step, live.children) else "changed"
