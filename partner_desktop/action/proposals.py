"""Proposals: from drafts of steps to a question, a card, or a start.

Contract: every step is a row before it is an event. The steps of a plan are asked about together: what one of
them lacks is asked for before the card, and one that is forbidden turns all of it down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from partner_desktop.action.confirmation_expiry import asking_beside, waiting_from
from partner_desktop.action.feeds.input_sources import fed_anew
from partner_desktop.action.feeds.output_access import StepOutputAccess
from partner_desktop.action.plans.card_version import with_yes
from partner_desktop.action.plans.plan_draft import Drafts, PlanDraft, StepDraft, named, shape_problem
from partner_desktop.action.plans.plan_maker import (
    Gap,
    Gone,
    MadePlan,
    PlanMaker,
    denial,
    gap_sentence,
    joined_titles,
    whole_request,
)
from partner_desktop.action.plans.saved_plan_maker import SavedPlanMaker, is_saved
from partner_desktop.action.plans.step_maker import new_record
from partner_desktop.action.questions import asked_hint, step_face
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.schedule_maker import ScheduleMaker
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import AskHumanError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import spoken_language
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Asked, Evidence, Proposed, Started
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import CHAIN_KEY, Plan, Step
from partner_desktop.domain.schedule import LANDED
from partner_desktop.permission.request import ApprovalMode, Decision, Outcome, PermissionRequest
from partner_desktop.runtime.exchanges import Exchange


class Proposals(WorkPart):
    """Shared by the planner and the desk."""

    def __init__(
        self,
        parts: WorkParts,
        maker: PlanMaker,
        runner: PlanRunner,
        output_access: StepOutputAccess,
        saved_plans: SavedPlanMaker,
        schedule_maker: ScheduleMaker,
        *,
        most_steps: Callable[[], int],
    ) -> None:
        super().__init__(parts)
        self._maker = maker
        self._plan_runner = runner
        self._output_access = output_access
        self._saved_plans = saved_plans
        self._schedule_maker = schedule_maker
        self._most_steps = most_steps

    @uninterruptible
    async def begin(self, plan: PlanDraft, *, exchange: Exchange) -> Evidence:
        """Ask for what is missing, show one card for all, or start at once where nothing needs a question.

        Raises:
            UsageError: One of the abilities cannot be called any more, or no argument that a person could be
                asked for makes one step that stands alone do.
        """
        plan = replace(plan, stages=[stage for stage in plan.stages if stage])
        if plan.terms is not None:
            unfit = await self._schedule_maker.unfit(plan.terms, plan.text)
            if unfit is not None:
                return unfit
            # What a file brings to its only step stands in the plan alone.
            plan = replace(plan, stands_alone=plan.stands_alone and not _is_brought(plan))
        async with self._executor.settling(exchange.conversation_id):
            # As they are at this moment: the words were understood some time ago.
            stages = self._maker.as_now(plan.stages)
            record = self._new(plan, stages, exchange=exchange)
            await self._store.add(record)
            problem = shape_problem(stages, most_steps=self._most_steps(), terms=plan.terms)
            try:
                filled = stages if problem else await self._filled(record, stages)
            except UsageError as error:
                problem = str(error)
            if problem:
                return await self._turn_down(record, problem)
            return await self._advance(record, filled, exchange=exchange, as_form=plan.as_form)

    @uninterruptible
    async def answer(
        self, question: ActionRecord, params: JsonObject, missing: tuple[str, ...] = (), *, exchange: Exchange
    ) -> Evidence:
        """An open question was answered with all the arguments of its step; go on with it.

        Raises:
            UsageError: The question was settled in the meantime, or as `begin`.
        """
        async with self._executor.settling(question.conversation_id):
            now = await self._store.get(question.id)
            if now.status is not ActionStatus.ASKING:
                raise UsageError("card.settled_meanwhile", title=now.title)
            # Its steps may have other keys by now; what stands alone may have been chosen just now.
            record = replace(question, chain=now.chain)
            record = replace(record, exchange_id=exchange.id, cwd=exchange.cwd or record.cwd)
            plan = record.plan
            step = plan.step(plan.asked_step) if record.chain is not None else plan.steps[0]
            if step is None:
                raise UsageError("card.settled_meanwhile", title=now.title)
            if record.chain is not None:
                record = replace(record, chain=plan.with_step(replace(step, params=params)))
            gone = self._maker.gone(record)
            if gone is not None:
                return await self._gone(record, gone)
            drafts = self._maker.drafts(record)
            if record.chain is None:  # no other step brings anything, and what does not do is told of
                drafts = [[replace(drafts[0][0], params=params, missing=missing)]]
            else:
                drafts = await asyncio.to_thread(fed_anew, drafts)
            return await self._advance(record, drafts, exchange=exchange)

    def _new(self, plan: PlanDraft, stages: Drafts, *, exchange: Exchange) -> ActionRecord:
        language, now = spoken_language.get(), self._clock.now()
        if plan.stands_alone:
            ((draft,),) = stages
            source = str(self._catalog.original(draft.info.key) or "")
            record = new_record(draft, exchange=exchange, text=plan.text, source=source, now=now)
        else:
            titles = [draft.info.spoken(language).title for stage in stages for draft in stage]
            record = ActionRecord(
                id=new_id(),
                conversation_id=exchange.conversation_id,
                exchange_id=exchange.id,
                key=CHAIN_KEY,
                title=joined_titles(titles),
                description=plan.why,
                params={},
                schema={},
                status=ActionStatus.ASKING,
                created_at=now,
                request_text=plan.text,
                language=language,
                cwd=exchange.cwd,
                grantable=False,
                chain=Plan((), goal=plan.goal),
            )
        return replace(
            record,
            asks_first=plan.asks_first or bool(plan.known) or plan.terms is not None,
            known=plan.known,
            candidates=plan.candidates,
            terms=plan.terms,
            schedule_id=plan.schedule_id,
        )

    async def _filled(self, record: ActionRecord, stages: Drafts) -> Drafts:
        """What a step is about, where that is known though nobody said it."""
        filled: list[list[StepDraft]] = []
        number = 0
        for stage in stages:
            filled.append([])
            for draft in stage:
                number += 1
                try:
                    params = await self._prefill(draft.info, draft.params, record.conversation_id)
                except UsageError as error:
                    if record.chain is None:
                        raise
                    title = draft.info.spoken(record.language).title
                    raise UsageError("plans.in_step", step=named(number, title), error=error) from error
                filled[-1].append(replace(draft, params=params))
        return filled

    async def _advance(
        self, record: ActionRecord, stages: Drafts, *, exchange: Exchange, as_form: bool = False
    ) -> Evidence:
        try:
            if record.program and not exchange.told:
                refused = await self._turned_away(record, stages)
                if refused is not None:
                    return refused
            beside = await self._output_access.places(record)
            made = await self._maker.make(stages, cwd=record.cwd, language=record.language, beside=beside)
        except UsageError as error:
            await self._fail(record, str(error))
            raise
        gap = made.gap
        if gap is None and is_saved(made) and not as_form:
            return await self._unfold(record, made, exchange=exchange)
        if as_form or gap is None:
            return await self._propose(record, made, exchange=exchange, as_form=as_form)
        if not gap.param and record.chain is None:
            await self._fail(record, gap.problem)
            raise AskHumanError("common.told", text=gap.problem)
        if not gap.param or not exchange.told:
            why = gap_sentence(record, made, gap)
            decision = await self._refusal(record, stages, why=why) if record.program else None
            shown = record if record.chain is None else made.put_into(record)
            return await self._turn_down(shown, why, decision)
        exchange.status = "waiting"
        return await self._ask(record, stages, made, gap)

    async def _unfold(self, record: ActionRecord, made: MadePlan, *, exchange: Exchange) -> Evidence:
        """What saved plans are to do, in their places."""
        try:
            unfolded, stages = await self._saved_plans.unfolded(record, made)
            problem = shape_problem(stages, most_steps=self._most_steps(), terms=record.terms)
        except UsageError as error:
            problem = str(error)
        if problem:
            return await self._turn_down(record, problem)
        return await self._advance(unfolded, stages, exchange=exchange)

    async def _fail(self, record: ActionRecord, problem: str) -> None:
        ended = replace(record, status=ActionStatus.FAILED, error=problem, finished_at=self._clock.now())
        await self._settle(ended, record)

    async def _gone(self, record: ActionRecord, gone: Gone) -> Evidence:
        """An ability cannot be called any more that a question was about.

        Raises:
            UsageError: It was the only one.
        """
        if record.chain is None:
            await self._fail(record, gone.why)
            raise gone.error
        return await self._turn_down(record, str(gone.error))

    # A program's call goes by its words and by the grants alone, so that it tells nothing of the disk.

    async def _turned_away(self, record: ActionRecord, stages: Drafts) -> Evidence | None:
        """Its end, where words or grants end it; `None`: nothing speaks against looking what it names."""
        made = await self._unseen(record, stages)
        gap = made.gap
        if gap is not None and gap.param:
            return await self._turn_down(record, gap_sentence(record, made, gap))
        decision = await self._refusal(record, stages)
        return None if decision is None else await self._turn_down(record, decision.reason, decision)

    async def _refusal(self, record: ActionRecord, stages: Drafts, *, why: str = "") -> Decision | None:
        """See `PermissionEngine.turned_away`."""
        made = await self._unseen(record, stages)
        for request in made.requests(made.put_into(record)):
            decision = await self._engine.turned_away(request, why=why)
            if decision is not None:
                return decision
        return None

    async def _unseen(self, record: ActionRecord, stages: Drafts) -> MadePlan:
        return await self._maker.make(stages, cwd=record.cwd, language=record.language, unseen=True)

    # What comes of it.

    async def _ask(self, record: ActionRecord, stages: Drafts, made: MadePlan, gap: Gap) -> Evidence:
        info = made.infos[gap.step.id]
        # What was offered is for the answer to one question for a path.
        first = record.asked_param in ("", gap.param)
        offered = record.candidates if first and gap.param in info.path_params() else ()
        asking = made.put_into(record) if record.chain is not None else _asking_alone(record, stages, made)
        if asking.chain is not None:
            asking = replace(asking, chain=replace(asking.chain.with_step(gap.step), asked_step=gap.step.id))
        asking = replace(asking, asked_param=gap.param, asked_at=self._clock.now(), candidates=offered)
        await self._settle(asking, record)
        self._publisher.changed(asking)
        face = step_face(asking)
        return Asked(face, gap.param, asked_hint(face), gap.problem)

    async def _propose(
        self, record: ActionRecord, made: MadePlan, *, exchange: Exchange, as_form: bool
    ) -> Evidence:
        proposal = await asking_beside(self._store, await self._maker.card(record, made), self._clock.now())
        await self._settle(proposal, record)
        outcome, decisions = Outcome.ASK, list[Decision]()
        if not as_form:
            outcome, decisions = await self._judged(proposal, made.requests(proposal), exchange)
        if outcome is Outcome.DENY:
            (denied,) = decisions
            return await self._turn_down(proposal, denial(proposal, denied), denied)
        same = await self._waits_already(proposal) if outcome is Outcome.ASK else None
        if same is not None:
            await self._store.remove(proposal.id)
            exchange.status = "waiting"
            return Proposed(same)
        place = await self._places.show(proposal, led=outcome is Outcome.ASK)
        if proposal.chain is not None and decisions:
            proposal = with_yes(proposal, proposal.chain)
        if outcome is Outcome.ASK:
            exchange.status = "waiting"
            return Proposed(proposal, place)
        return Started(await self._plan_runner.start(proposal, made, decisions, exchange=exchange))

    async def _waits_already(self, proposal: ActionRecord) -> ActionRecord | None:
        """The card that asks for the same here; it waits anew: to say it twice is to mean it once."""
        waiting = await self._store.in_status(ActionStatus.WAITING, conversation_id=proposal.conversation_id)
        for other in waiting:
            if other.id == proposal.id or other.parent_id or not _asks_the_same(other, proposal):
                continue
            renewed = waiting_from(other, self._clock.now(), other.number)
            renewed = replace(renewed, exchange_id=proposal.exchange_id)
            if await self._store.replace(renewed, only_from=ActionStatus.WAITING):
                self._publisher.proposed(renewed)
                return renewed
        return None

    async def _judged(
        self, proposal: ActionRecord, requests: list[PermissionRequest], exchange: Exchange
    ) -> tuple[Outcome, list[Decision]]:
        """What is to be expected of all steps together. What forbids one is decided at once, and so is the
        run of a step that stands alone; each of several is decided on as it comes to run.
        """
        if proposal.chain is None and not proposal.asks_first:
            decisions = [
                await self._engine.decide(request, standing=exchange.standing) for request in requests
            ]
            return decisions[0].outcome, decisions
        if proposal.grantable and not proposal.asks_first and exchange.standing is ApprovalMode.ASK:
            whole, reason = whole_request(proposal), f"chain {proposal.id}"
            granted = await self._engine.granted_plan(requests, whole=whole, reason=reason)
            if granted:
                return Outcome.ALLOW, [*granted]
        together = Outcome.ASK if proposal.asks_first else Outcome.ALLOW
        for request in requests:
            judgement = await self._engine.preview(request, standing=exchange.standing)
            match judgement.outcome:
                case Outcome.DENY:
                    decision = await self._engine.decide(request, standing=exchange.standing)
                    if decision.outcome is Outcome.DENY:
                        return Outcome.DENY, [decision]
                    together = Outcome.ASK
                case Outcome.ASK:
                    together = Outcome.ASK
                case Outcome.ALLOW:
                    pass
                case _:
                    assert_never(judgement.outcome)
        return together, []


def _is_brought(plan: PlanDraft) -> bool:
    return any(feed.step == LANDED for stage in plan.stages for step in stage for feed in step.feeds)


def _asks_the_same(one: ActionRecord, other: ActionRecord) -> bool:
    """Whether a yes to one is a yes to the other: also where it runs belongs to that."""
    if (one.program, one.cwd, one.asks_first) != (other.program, other.cwd, other.asks_first):
        return False
    if one.terms != other.terms:
        return False
    return one.plan.saved_key == other.plan.saved_key and _asked(one) == _asked(other)


def _asked(record: ActionRecord) -> list[list[tuple[object, ...]]]:
    """What would run, and when, as far as it is known before; what a step brings stands there by that step's
    number.
    """
    plan = record.plan
    return [
        [
            (
                each.key,
                each.content_hash,
                _numbered(plan, each),
                each.paths,
                (each.when, each.retries, each.outcomes, each.mends),
            )
            for each in stage.steps
        ]
        for stage in plan.stages
    ]


def _numbered(plan: Plan, step: Step) -> JsonObject:
    fed: JsonObject = {
        feed.param: {"$from": plan.number_of(feed.step), "": feed.output} for feed in step.feeds
    }
    return {**step.params, **fed}


def _asking_alone(record: ActionRecord, stages: Drafts, made: MadePlan) -> ActionRecord:
    """What was said of a step that stands alone, as it was said, but for what does not do."""
    ((draft,),), (step,) = stages, made.steps
    told = step.info.spoken(record.language)
    about = record.description if record.asks_first else told.description
    kept = {name: value for name, value in draft.params.items() if name not in step.problems}
    return replace(record, title=told.title, description=about, schema=told.params, params=kept)
