"""PlanService: plans that are computed towards goals, looked at or proposed; and checks of what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.plans.plan_saver import PlanSaver
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.api.operations import WorkingFolder
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.base.tasks import Deferred
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import StepInput, StepPurpose
from partner_desktop.domain.plan_save import PlanSaveDraft
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import ExchangeRegistry

if TYPE_CHECKING:
    from partner_desktop.action.goals.goal_plans import GoalPlans
    from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
    from partner_desktop.action.verification.plan_checks import PlanChecks

#: Goals that one plan is to reach, each a name or words.
GoalNames = Annotated[
    Sequence[Annotated[str, Field(min_length=1, max_length=500)]], Field(min_length=1, max_length=20)
]


@dataclass(frozen=True)
class ComputedStep:
    """A step as it would be proposed."""

    id: str
    key: str
    title: str
    params: JsonObject
    feeds: tuple[StepInput, ...]
    missing: tuple[str, ...]
    """Parameters that would be asked for."""
    reason: StepPurpose | None


@dataclass(frozen=True)
class ComputedSteps:
    """A plan as it would be proposed now."""

    goal: JsonObject
    """Condition → how it is to be."""
    cost: float
    stages: tuple[tuple[ComputedStep, ...], ...]
    """The steps of a stage run together."""


class PlanService:
    """Its planner is made when somebody asks for a plan."""

    def __init__(
        self,
        plans: Deferred[GoalPlans],
        desk: ManualActions,
        plan_runner: PlanRunner,
        saver: PlanSaver,
        checks: Deferred[PlanChecks],
        dialog: Dialog,
        exchanges: ExchangeRegistry,
    ) -> None:
        self._plans = plans
        self._plan_runner = plan_runner
        self._saver = saver
        self._checks = checks
        self._desk = desk
        self._dialog = dialog
        self._exchanges = exchanges

    @operation(Caller.ATTACHED)
    async def compute(self, goal: GoalNames, *, have: JsonObject | None = None) -> ComputedSteps:
        """The cheapest way to a goal; nothing is begun.

        `goal`: names of types, conditions or abilities (`!` before one: not so), or words. `have`: what is
        there already: type or parameter → its value, condition → true.

        Raises:
            UsageError: Nothing is called so, or there is no way; with why.
        """
        plan = await self._draft(goal, have or {})
        stages = tuple(tuple(map(_computed, stage)) for stage in plan.stages)
        costs = [each.reason.cost for stage in plan.stages for each in stage if each.reason is not None]
        return ComputedSteps(plan.goal, sum(costs), stages)

    @operation(Caller.ATTACHED)
    async def run(
        self,
        goal: GoalNames,
        *,
        cwd: WorkingFolder,
        standing: ApprovalMode,
        have: JsonObject | None = None,
        exchange_id: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
    ) -> None:
        """Propose the cheapest way to a goal, in a conversation of its own; see `compute`.

        Raises:
            UsageError: Nothing is called so, or there is no way; with why.
        """
        plan = await self._draft(goal, have or {})
        conversation = await self._dialog.create(plan.text)
        exchange = self._exchanges.open(conversation.id, standing=standing, cwd=cwd, exchange_id=exchange_id)
        await self._dialog.append(
            conversation.id, Role.USER, plan.text, source="terminal", exchange_id=exchange.id
        )
        await self._desk.begin_plan(plan, exchange)

    @operation(Caller.ATTACHED)
    async def resume(
        self,
        action_id: str,
        *,
        standing: ApprovalMode = ApprovalMode.ASK,
        exchange_id: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
    ) -> None:
        """Go on with a plan that was given up: only what failed is tried again, as often as at first.

        The yes to its card goes on to hold; `standing` answers what that does not cover.

        Raises:
            UsageError: It is no plan of several steps that failed, or none of them is left to be tried.
        """
        await self._plan_runner.resume(action_id, standing=standing, exchange_id=exchange_id)

    @operation(Caller.ATTACHED)
    async def saveable(self, action_id: str) -> PlanSaveDraft:
        """What an action that ran would be kept as: one ability, with the arguments that could be asked for.

        Raises:
            UsageError: Nothing of it succeeded, or an ability of it is gone or only there for a while.
        """
        return await self._saver.draft(action_id)

    @operation(Caller.ATTACHED)
    async def save(self, action_id: str, draft: PlanSaveDraft) -> str:
        """Keep an action that ran as one ability, a `plan.json`; its key. `draft`: as `saveable` gave it, or
        changed.

        Raises:
            UsageError: As `saveable`; or its name does not do, or the disk refused.
        """
        return await self._saver.save(action_id, draft)

    @operation(Caller.ATTACHED)
    async def verify(self, action_id: str) -> ActionRecord:
        """Check (again) whether what an action did is so; a card offers to mend what is not.

        It takes as long as the settings say at the most, and needs no more permission than any look.

        Raises:
            UsageError: It does not exist, did not succeed, or is not over.
        """
        return await (await self._checks.get()).verify(action_id)

    @operation(Caller.ATTACHED)
    async def repair(self, action_id: str) -> ActionRecord:
        """The card that offers to do again what failed its check; one that waits already is that one.

        Raises:
            UsageError: Nothing failed its check, or an ability is gone.
        """
        return await (await self._checks.get()).repair(action_id)

    async def _draft(self, goal: Sequence[str], have: JsonObject) -> PlanDraft:
        plans = await self._plans.get()
        text = sentence_of("goal.asked", goals=sentence_of("step.comma").join(goal))
        return await plans.towards(goal, have, text)


def _computed(draft: StepDraft) -> ComputedStep:
    given = {*draft.params, *(feed.param for feed in draft.feeds)}
    missing = tuple(name for name in draft.info.required() if name not in given)
    title = draft.info.told.title
    return ComputedStep(draft.id, draft.info.key, title, draft.params, draft.feeds, missing, draft.reason)
