"""Approvals: the person's yes, no and otherwise, from the card, the chat or a command.

Contract: two answers to one card: the first counts, the second is told so. What is approved is what was
shown, step by step: anything else is shown anew and asks again. The yes is one bounded grant: the decisions
on all steps, and the row of the plan where it has several, are one transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from partner_desktop.action.confirmation_expiry import is_over, waiting_from
from partner_desktop.action.plans.card_edit import edited, with_params
from partner_desktop.action.plans.card_version import (
    Shown,
    card_version,
    check_yes,
    is_as_shown,
    status_word,
    with_yes,
)
from partner_desktop.action.plans.plan_draft import Drafts
from partner_desktop.action.plans.plan_maker import (
    MadePlan,
    PlanMaker,
    denial,
    firing_request,
    gap_sentence,
    of_step,
    planned_request,
    schedule_key,
    whole_request,
)
from partner_desktop.action.plans.saved_plan_maker import SavedPlanMaker, is_saved
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.schedule_maker import ScheduleMaker
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_store import ScheduleStore
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted, uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Amended, Scheduled
from partner_desktop.domain.intervention import PlanEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.permission import Scope
from partner_desktop.domain.plan import Plan, Stage, Step
from partner_desktop.permission.request import Outcome, PermissionRequest
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.runtime.turn_queue import add_told
from partner_desktop.storage.database import Connection


class Approvals(WorkPart):
    """Settles what waits for the person."""

    def __init__(
        self,
        parts: WorkParts,
        maker: PlanMaker,
        runner: PlanRunner,
        saved_plans: SavedPlanMaker,
        schedules: ScheduleStore,
        schedule_maker: ScheduleMaker,
        news: ScheduleNews,
    ) -> None:
        super().__init__(parts)
        self._maker = maker
        self._plan_runner = runner
        self._saved_plans = saved_plans
        self._schedules = schedules
        self._schedule_maker = schedule_maker
        self._news = news

    @uninterruptible
    async def approve(
        self,
        action_id: str,
        *,
        scope: Scope,
        params: JsonObject | None,
        exchange: Exchange,
        shown: Shown = None,
        told: bool = True,
        by_person: bool = True,
    ) -> ActionRecord:
        """Run what waits, with the parameters as edited on the card (`None`: as proposed); of what is to be
        done later, make a schedule, if the yes is one `by_person`: no program's reaches beyond one run.

        `shown`: its card when the person decided, or the version of that; `None`: they decided otherwise.
        `told`: a turn tells of the schedule.

        Raises:
            UsageError: It no longer waits, an ability is gone or was edited, a parameter does not fit, or
                its card shows something else by now.
        """
        async with self._settling(action_id, exchange) as record:
            if record.terms is not None and not by_person:
                raise UsageError("schedules.yes_of_a_program", title=record.title)
            version = card_version(shown) if isinstance(shown, ActionRecord) else shown
            if version is not None and card_version(record) != version:
                self._publisher.proposed(record)  # whoever still shows it as it was
                raise UsageError("card.changed", title=record.title)
            if record.chain is not None:
                check_yes(record, scope, params)
            made = await self._as_shown(record, params)
            if is_saved(made):
                return await self._unfold(made.put_into(record), made)
            if record.terms is not None:
                return await self._schedule(record, made, told=told)
            return await self._approve(record, made, scope, exchange)

    async def approve_as(self, shown: ActionRecord, *, exchange: Exchange, by_person: bool) -> ActionRecord:
        """Run what waits once, as its card was when the person spoke: a mind takes its time to hear.

        It belongs to their exchange from then on: whoever said yes waits for what comes of it.

        Raises:
            UsageError: As `approve`; or its card shows something else by now.
        """
        return await self.approve(
            shown.id,
            scope="once",
            params=None,
            exchange=exchange,
            shown=shown,
            told=False,
            by_person=by_person,
        )

    async def _unfold(self, record: ActionRecord, made: MadePlan) -> ActionRecord:
        """The form of a saved plan was filled in: the card shows its steps now, and asks about those.

        Raises:
            UsageError: An ability that it names is not there, or an argument of a step does not do.
        """
        unfolded, stages = await self._saved_plans.unfolded(record, made)
        steps = await self._maker.make(stages, cwd=record.cwd, language=record.language)
        shown = await self._maker.card(unfolded, steps)
        if steps.gap is not None:
            raise _unfit(shown, steps)
        return await self._show(shown)

    async def _approve(
        self, record: ActionRecord, made: MadePlan, scope: Scope, exchange: Exchange
    ) -> ActionRecord:
        if record.chain is None:
            record = approved = made.put_into(record)
            also: Also | None = None
            looks: list[PermissionRequest] = []
        else:
            approved = with_yes(record, record.chain)
            also = self._answered(record, "allow", kept=approved)
            looks = await self._maker.looks.requests(record, record.chain)
        requests, reason = [*made.requests(record), *looks], _of_plan(record)
        if scope == "once" or also is None:
            decisions = await self._engine.approve_all(requests, scope=scope, reason=reason, also=also)
        else:
            whole = whole_request(record)
            decisions = await self._engine.approve_plan(
                requests, whole=whole, scope=scope, reason=reason, also=also
            )
        no = next((each for each in decisions if each.outcome is Outcome.DENY), None)
        if no is not None:
            return await self._deny(record, denial(record, no), no)
        return await self._plan_runner.start(approved, made, decisions, exchange=exchange)

    async def _schedule(self, record: ActionRecord, made: MadePlan, *, told: bool) -> ActionRecord:
        """Nothing runs now: the yes makes a schedule of it, and reaches to each of its firings, unless some
        step asks each time.

        Raises:
            UsageError: It would never be due.
        """
        approved = made.put_into(record) if record.chain is None else with_yes(record, record.chain)
        requests = [replace(request, grantable=True) for request in made.requests(approved)]
        asks = any(map(self._engine.asks_each_firing, requests))
        stored = await self._schedule_maker.made(approved, asks=asks)
        now = self._clock.now()
        ended = replace(approved, status=ActionStatus.SUCCEEDED, schedule_id=stored.id, finished_at=now)
        key = schedule_key(stored.id)

        def also(db: Connection) -> None:
            self._engine.forgetting(key)(db)  # what an earlier version of it was allowed
            self._audit.settled(db, record.id, key, outcome="allow", reason=f"{len(requests)} steps")
            self._store.replacing(ended, only_from=ActionStatus.WAITING)(db)
            self._schedules.putting(stored)(db)
            if told:
                add_told(
                    db,
                    ended.id,
                    conversation_id=ended.conversation_id,
                    exchange_id=ended.exchange_id,
                    now=now,
                )

        reason = f"schedule {stored.id}"
        if asks or not requests:
            decisions = await self._engine.approve_all(requests, reason=reason, also=also)
        else:
            assert ended.terms is not None, "it is to be done later"
            whole = await asyncio.to_thread(firing_request, ended, ended.terms, stored.id)
            decisions = await self._engine.approve_plan(
                requests, whole=whole, scope="always", reason=reason, also=also
            )
        no = next((each for each in decisions if each.outcome is Outcome.DENY), None)
        if no is not None:
            return await self._deny(record, denial(record, no), no)
        if decisions:
            self._publisher.decided(decisions[0], ended)
        self._publisher.ended(ended)
        (schedule,) = await self._news.changed(stored.id)
        if told:
            self._executor.tell(Scheduled(ended, schedule), ended)
        return ended

    @uninterruptible
    async def amend(
        self, action_id: str, params: JsonObject, *, step_id: str = "", exchange: Exchange | None = None
    ) -> Amended:
        """Show a waiting card with other arguments, of the one that is named where it has several steps: it
        asks again, and nothing runs.

        With `exchange` it belongs to that from then on, here and wherever a card is changed by words: whoever
        changed it is told how it looks now.

        Raises:
            UsageError: It is settled already, or does not say which of several steps.
        """
        async with self._settling(action_id, exchange) as record:
            if record.chain is not None and not step_id:
                raise UsageError("plans.which_step", title=record.title)
            step = record.plan.step(step_id or record.id)
            if step is None:
                return Amended(record, problem=sentence_of("plans.step_gone"))
            try:
                made = await self._fit(record, record.plan.with_step(with_params(step, params)))
            except UsageError as error:
                return Amended(record, problem=str(error))
            now = made.chain.step(step.id)
            assert now is not None, "it was made of that step"
            changed = tuple(name for name, value in now.params.items() if step.params.get(name) != value)
            if not changed:
                return Amended(record)
            return Amended(await self._show(await self._maker.card(record, made)), changed)

    @uninterruptible
    async def edit_chain(
        self, action_id: str, edit: PlanEdit, *, exchange: Exchange | None = None
    ) -> ActionRecord:
        """Show waiting steps reordered, fewer of them, or with other arguments; the card asks again.

        Raises:
            UsageError: It is settled already, has no steps, or cannot be so; nothing changed.
        """
        async with self._settling(action_id, exchange) as record:
            chain = _steps_of(record)
            made = await self._fit(record, edited(chain, edit))
            if made.chain == chain:
                return record
            return await self._show(await self._maker.card(record, made))

    @uninterruptible
    async def change_chain(
        self, action_id: str, shown: Plan, wanted: Plan, *, exchange: Exchange | None = None
    ) -> ActionRecord:
        """Show other steps, new ones among them, in the place of those that it was `shown` with.

        Raises:
            UsageError: It is settled already, is not as it was shown, or cannot be so; nothing changed.
        """
        async with self._settling(action_id, exchange) as record:
            if _steps_of(record) != shown:
                raise UsageError("plans.changed_meanwhile")
            made = await self._fit(record, wanted)
            return await self._show(await self._maker.card(record, made))

    @uninterruptible
    async def reject(
        self, action_id: str, *, withdrawn: str = "", exchange: Exchange | None = None
    ) -> ActionRecord:
        """Turn a card or an open question down; `withdrawn`: why, where that is no answer of the person.

        With `exchange` it belongs to that from then on: what its plan goes on to do is waited for there.

        Raises:
            UsageError: It is settled already.
        """
        record = await self._store.get(action_id)
        async with self._executor.settling(record.conversation_id):
            record = await self._store.get(action_id)
            if record.status is not ActionStatus.ASKING:
                record = await self._waiting(action_id)
            record = record if exchange is None else replace(record, exchange_id=exchange.id)
            if record.status is ActionStatus.ASKING:
                return await self._executor.turn_down(record, "")
            if withdrawn:
                return await self._executor.turn_down(record, withdrawn)
            known = [(step, self._catalog.entry(step.key)) for step in record.plan.steps]
            requests = [
                planned_request(record, step, entry.info)
                for step, entry in known
                if entry is not None and entry.info is not None  # switched off or not: the no is written down
            ]
            also = self._answered(record, "deny") if record.chain is not None else None
            decisions = await self._engine.reject_all(requests, reason=_of_plan(record), also=also)
            return await self._executor.turn_down(record, "", decision=decisions[0] if decisions else None)

    async def rename(self, old_key: str, new_key: str) -> None:
        """An ability has another key now: what still asks for the old one asks for the new one.

        Nothing was approved yet; the card shows everything anew.
        """
        for status in (ActionStatus.ASKING, ActionStatus.WAITING):
            for record in await self._store.in_status(status):
                if old_key in (*record.options, *(step.key for step in record.plan.steps)):
                    await uninterrupted(self._rename(record.id, old_key, new_key))

    async def _rename(self, action_id: str, old_key: str, new_key: str) -> None:
        record = await self._store.get(action_id)
        info = self._catalog.get(new_key)
        if info is None:
            return
        async with self._executor.settling(record.conversation_id):
            source = str(self._catalog.original(new_key) or "")
            record = _renamed(await self._store.get(action_id), old_key, info, source)
            if record.status is ActionStatus.WAITING:
                await self._show_as_now(record)
            elif await self._store.replace(record, only_from=ActionStatus.ASKING):
                self._publisher.changed(record)

    @asynccontextmanager
    async def _settling(
        self, action_id: str, exchange: Exchange | None = None
    ) -> AsyncIterator[ActionRecord]:
        """The card as it waits, while nothing else of its conversation is decided; it belongs to `exchange`.

        Raises:
            UsageError: It waits no longer.
        """
        record = await self._store.get(action_id)
        async with self._executor.settling(record.conversation_id):
            record = await self._waiting(action_id)
            if is_over(record, self._clock.now()):
                raise UsageError("card.timed_out", title=record.title)
            yield record if exchange is None else replace(record, exchange_id=exchange.id)

    async def _waiting(self, action_id: str) -> ActionRecord:
        record = await self._store.get(action_id)
        if record.status is not ActionStatus.WAITING:
            raise UsageError("plans.settled", title=record.title, status=status_word(record))
        return record

    # What the card shows, and what there is.

    async def _as_shown(self, record: ActionRecord, params: JsonObject | None) -> MadePlan:
        """The steps as they are now, with the arguments of the yes, where they are what the card shows.

        Raises:
            UsageError: They are not; where that can be shown, the card shows them anew.
        """
        gone = self._maker.gone(record)
        if gone is not None:
            if record.chain is None:
                raise gone.error
            marked = record.chain.with_step(replace(gone.step, error=gone.why))
            await self._show(replace(record, chain=marked))
            number = record.chain.number_of(gone.step.id)
            raise UsageError("plans.do_the_rest", error=gone.error, number=number)
        asked = record if params is None else replace(record, params=params)
        made = await self._make(asked, asked.plan)
        for step in record.plan.steps:
            title = record.title if record.chain is None else of_step(record.chain, step)
            now, gap = made.chain.step(step.id), made.gap
            if now is None or now.content_hash != step.content_hash:
                await self._show_as_now(record)
                raise UsageError("card.edited", title=title)
            if gap is not None and gap.step.id == step.id:
                if record.chain is not None:
                    await self._show_as_now(record)
                raise _unfit(record, made)
            given = step.params if params is None else params
            if not is_as_shown(step, now, given):
                await self._show_as_now(asked)
                within = title if record.chain is None else f"{title[:1].lower()}{title[1:]}"
                raise UsageError("card.moved", title=within)
        return made

    async def _make(self, record: ActionRecord, wanted: Plan) -> MadePlan:
        """The steps that are wanted, as they are now. An argument that nobody knows is left out of several,
        and told of where it was given to one that stands alone.
        """
        drafts: Drafts = self._maker.drafts(record, wanted)
        if record.chain is None:
            drafts = [[replace(drafts[0][0], params=wanted.steps[0].params)]]
        return await self._maker.make(drafts, cwd=record.cwd, language=record.language)

    async def _fit(self, record: ActionRecord, wanted: Plan) -> MadePlan:
        """The steps that are wanted in place of those on the card.

        Raises:
            UsageError: Something does not do; nothing changed.
        """
        made = await self._make(record, wanted)
        if made.gap is not None:
            raise _unfit(record, made)
        return made

    async def _show_as_now(self, record: ActionRecord) -> None:
        """The card as things are now; the first step that does not do any more says why."""
        with suppress(UsageError):  # a step of it is gone, which the yes will say
            drafts = self._maker.drafts(record)
            made = await self._maker.make(drafts, cwd=record.cwd, language=record.language)
            record = _marked(await self._maker.card(record, made), made)
        await self._show(record)

    async def _show(self, record: ActionRecord) -> ActionRecord:
        """It asks from now on."""
        renewed = waiting_from(record, self._clock.now(), record.number)
        if not await self._store.replace(renewed, only_from=ActionStatus.WAITING):
            raise UsageError("card.settled", title=record.title)
        self._publisher.proposed(renewed)
        return renewed

    def _answered(self, record: ActionRecord, outcome: str, *, kept: ActionRecord | None = None) -> Also:
        """A plan's own row in the audit log, with what is `kept` of the answer in its own."""

        def work(db: Connection) -> None:
            steps = f"{len(record.plan.steps)} steps"
            self._audit.settled(db, record.id, record.key, outcome=outcome, reason=steps)
            if kept is not None:
                self._store.replacing(kept, only_from=ActionStatus.WAITING)(db)

        return work


def _steps_of(record: ActionRecord) -> Plan:
    """Raises: UsageError: It stands alone."""
    if record.chain is None:
        raise UsageError("plans.no_steps", title=record.title)
    return record.chain


def _of_plan(record: ActionRecord) -> str:
    """To what a yes or no was, where that is more than the call itself."""
    return "" if record.chain is None else f"chain {record.id}"


def _unfit(record: ActionRecord, made: MadePlan) -> UsageError:
    """Why it cannot be so."""
    gap = made.gap
    assert gap is not None, "only what lacks something does not do"
    if record.chain is None and not gap.problem:
        return UsageError("plans.still_missing", param=gap.param)
    return UsageError(
        "common.told", text=gap.problem if record.chain is None else gap_sentence(record, made, gap)
    )


def _marked(record: ActionRecord, made: MadePlan) -> ActionRecord:
    """The step that does not do any more says why; what stands alone shows it at its field."""
    gap = made.gap
    step = made.chain.step(gap.step.id) if gap is not None else None
    if record.chain is None or gap is None or step is None:
        return record
    told = replace(step, error=gap_sentence(record, made, gap))
    return replace(record, chain=record.chain.with_step(told))


def _renamed(record: ActionRecord, old_key: str, info: MetaActionInfo, source: str) -> ActionRecord:
    title = info.spoken(record.language).title

    def renamed(step: Step) -> Step:
        return replace(step, key=info.key, title=title, source_path=source) if step.key == old_key else step

    if record.chain is not None:
        stages = tuple(Stage(tuple(map(renamed, stage.steps))) for stage in record.chain.stages)
        return replace(record, chain=replace(record.chain, stages=stages))
    options = tuple(info.key if key == old_key else key for key in record.options)
    record = replace(record, options=options)
    (step,) = map(renamed, record.plan.steps)
    return replace(record, key=step.key, title=step.title, source_path=step.source_path)
