"""FiringMaker: of an approved action, the action that a firing of its schedule is, as things are now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.plans.plan_draft import Drafts, StepDraft
from partner_desktop.action.plans.plan_maker import MadePlan, PlanMaker, draft_of_step
from partner_desktop.action.plans.step_maker import MadeStep
from partner_desktop.action.schedules.schedule_store import StoredSchedule
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.domain.schedule import LANDED, Firing
from partner_desktop.permission.request import ApprovalMode, Decision, Outcome, PermissionRequest
from partner_desktop.runtime.exchanges import Exchange


@dataclass(frozen=True)
class DueFiring:
    """A firing that is being begun."""

    stored: StoredSchedule
    firing: Firing
    template: ActionRecord
    record: ActionRecord
    """What it becomes."""
    exchange: Exchange


class FiringMaker(WorkPart):
    """Looks and makes; nothing runs, and nothing is kept but what is denied."""

    def __init__(self, work: WorkParts, maker: PlanMaker) -> None:
        super().__init__(work)
        self._maker = maker

    def record(self, template: ActionRecord, firing: Firing, exchange: Exchange) -> ActionRecord:
        """What it becomes, before its steps are made."""
        chain = template.chain
        if chain is not None:
            chain = Plan(
                (),
                goal=chain.goal,
                looks=chain.looks,
                saved_key=chain.saved_key,
                saved_hash=chain.saved_hash,
                arguments=chain.arguments,
                main_task=chain.main_task,
            )
        return replace(
            template,
            id=firing.action_id,
            conversation_id=exchange.conversation_id,
            exchange_id=exchange.id,
            status=ActionStatus.WAITING,
            created_at=self._clock.now(),
            terms=None,
            schedule_id=firing.schedule_id,
            asks_first=False,
            finished_at=None,
            chain=chain,
        )

    def why_not(self, template: ActionRecord) -> str:
        """Why what was approved is not there any more; empty: it is."""
        gone = self._maker.gone(template)
        if gone is not None:
            return gone.why
        plan = template.plan
        saved = self._catalog.get(plan.saved_key) if plan.saved_key else None
        if plan.saved_key and (saved is None or saved.content_hash != plan.saved_hash):
            return sentence_of("schedules.edited", title=template.title)
        return ""

    async def made(self, due: DueFiring) -> tuple[ActionRecord, MadePlan]:
        """As it was approved, and as it runs: with the file that landed."""
        ids = {step.id: new_id() for step in due.template.plan.steps}
        if due.template.chain is None:
            ids = dict.fromkeys(ids, due.firing.action_id)
        made = await self._make(due, self._drafts(due.template, ids, ""))
        approved = replace(made, stages=_as_said(due.template, made)).put_into(due.record)
        landed = due.firing.landed
        if landed:
            made = await self._make(due, self._drafts(due.template, ids, landed))
        return approved, made

    async def _make(self, due: DueFiring, drafts: Drafts) -> MadePlan:
        return await self._maker.make(drafts, cwd=due.template.cwd, language=due.template.language)

    def _drafts(self, template: ActionRecord, ids: dict[str, str], landed: str) -> Drafts:
        """The steps as new ones; with `landed` a file in the place of what brings it."""
        found: list[list[StepDraft]] = []
        for stage in template.plan.stages:
            found.append([])
            for step in stage.steps:
                info = self._catalog.require(step.key)
                brought = [feed.param for feed in step.feeds if feed.step == LANDED and landed]
                given: JsonObject = {
                    name: [landed] if name in info.path_lists() else landed for name in brought
                }
                feeds = tuple(
                    replace(feed, step=ids.get(feed.step, feed.step))
                    for feed in step.feeds
                    if feed.param not in given
                )
                reason = step.reason.for_steps(ids) if step.reason is not None else None
                anew = replace(
                    step,
                    id=ids[step.id],
                    feeds=feeds,
                    params={**step.params, **given},
                    reason=reason,
                    mends="",
                )
                found[-1].append(draft_of_step(anew, info))
        return found

    def is_elsewhere(self, due: DueFiring, made: MadePlan) -> bool:
        """Whether the name of the file that landed leads to another one by now."""
        landed = due.firing.landed
        for before, now in zip(due.template.plan.steps, made.steps, strict=True):
            brought = {feed.param for feed in before.feeds if feed.step == LANDED}
            if landed and any(use.path != landed for use in now.step.paths if use.param in brought):
                return True
        return False

    def edited(self, template: ActionRecord, made: MadePlan) -> str:
        """Why what it would run is not what was approved; empty: it is."""
        for before, now in zip(template.plan.steps, made.steps, strict=True):
            if before.content_hash != now.step.content_hash:
                return sentence_of("schedules.edited", title=before.title)
        return ""

    async def denied(self, requests: Sequence[PermissionRequest]) -> Decision | None:
        """The first refusal, written down; `None`: nothing forbids any of it."""
        for request in requests:
            judgement = await self._engine.preview(request, standing=ApprovalMode.ASK)
            if judgement.outcome is Outcome.DENY:
                decision = await self._engine.decide(request, standing=ApprovalMode.ASK)
                if decision.outcome is Outcome.DENY:
                    return decision
        return None


def _as_said(template: ActionRecord, made: MadePlan) -> tuple[tuple[MadeStep, ...], ...]:
    """The steps as they were approved, where a folder has come to be meanwhile that something is put into:
    the new place lies in it, under the same name, and that is what was said.
    """
    before = iter(template.plan.steps)
    return tuple(
        tuple(replace(each, step=_into(next(before), each.step)) for each in stage) for stage in made.stages
    )


def _into(before: Step, now: Step) -> Step:
    properties = now.schema.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        source = now.params.get(str(schema.get("x-partner-into", ""))) if isinstance(schema, dict) else None
        said, found = before.params.get(name), now.params.get(name)
        if isinstance(source, str) and isinstance(said, str) and found == str(Path(said, Path(source).name)):
            paths = tuple(replace(use, path=said) if use.param == name else use for use in now.paths)
            now = replace(now, params={**now.params, name: said}, paths=paths)
    return now
