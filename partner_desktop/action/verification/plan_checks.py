"""PlanChecks: what a plan did is checked before it is closed, again when asked, and mended where asked.

Contract: a plan is checked once: that it began, each verdict and its end are rows before anyone hears of
them, and after a crash what has a verdict is not asked again. What failed is offered to be done again by a
card; nothing is done by itself, and while one card waits there is no other. When such a plan is over, what it
was to mend is checked again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from weakref import WeakValueDictionary

from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.action.runs.live_plan import LivePlan, PlanRows
from partner_desktop.action.verification.verifier import Verifier, executed
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Asked, Proposed, Started, Withheld
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.domain.verification import VerdictStatus, Verification, checked_sentence
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.exchanges import Exchange

_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING, ActionStatus.RUNNING)


class PlanChecks(WorkPart):
    """Shared by all plans; made when the first of them is checked."""

    def __init__(self, work: WorkParts, verifier: Verifier, rows: PlanRows, desk: ManualActions) -> None:
        super().__init__(work)
        self._verifier = verifier
        self._rows = rows
        self._desk = desk
        self._alone: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # A plan that comes to its end.

    async def check(self, live: LivePlan) -> None:
        """Check what a plan did that is under way still; what was found before stands.

        Raises:
            PlanOverError: Somebody else settled it.
            StorageError: It could not be written down.
        """
        known = live.record.verification
        if known is None:
            if not self._verifier.is_due(live.record, live.children):
                return
            known = Verification(self._clock.now())
            await self._rows.note(live, known)
        if known.ended_at is not None:
            return

        async def note(now: Verification) -> None:
            await self._rows.note(live, now)

        found = await self._verifier.check(
            live.record, live.children, known, note, standing=live.exchange.standing
        )
        await self._rows.note(live, replace(found, ended_at=self._clock.now()))

    async def after(self, action_id: str, exchange: Exchange) -> None:
        """A plan that was checked is over: check again what it was to mend, and offer to mend what failed."""
        record = await self._store.get(action_id)
        for original_id, mended in (await self._mended_by(record)).items():
            await self._again(original_id, mended)
        if _failed(record) and exchange.told:
            await self._offer(record, exchange)

    # On demand.

    async def verify(self, action_id: str) -> ActionRecord:
        """Check what succeeded and is over, as it is now.

        Raises:
            UsageError: It does not exist, did not succeed, or is not over.
        """
        async with self._alone_with(action_id):
            record = await self._store.get(action_id)
            if record.status is not ActionStatus.SUCCEEDED:
                raise UsageError("verification.not_done", title=record.title)
            before = record.verification
            begun = Verification(self._clock.now(), repair=before.repair if before is not None else "")
            record = await self._checked(record, begun, await self._runs_of(record))
        if _failed(record):
            with self._desk.exchange_of(record) as exchange:
                record = await self._offer(record, exchange)
        return record

    async def repair(self, action_id: str) -> ActionRecord:
        """Offer to do again what failed its check; the card, also one that waits already.

        Raises:
            UsageError: Nothing failed, or an ability is gone.
        """
        record = await self._store.get(action_id)
        if record.status is ActionStatus.WAITING and record.plan.mends_another:
            return record  # it is the card itself
        if not _failed(record):
            raise UsageError("verification.nothing_failed", title=record.title)
        with self._desk.exchange_of(record) as exchange:
            record = await self._offer(record, exchange, anyway=True)
        assert record.verification is not None
        return await self._store.get(record.verification.repair)

    def _alone_with(self, action_id: str) -> asyncio.Lock:
        lock = self._alone.get(action_id)
        if lock is None:
            lock = self._alone[action_id] = asyncio.Lock()
        return lock

    async def _runs_of(self, record: ActionRecord) -> dict[str, ActionRecord]:
        return {run.id: run for run in await self._store.steps_of(record.id)}

    async def _checked(
        self, record: ActionRecord, begun: Verification, runs: Mapping[str, ActionRecord]
    ) -> ActionRecord:
        async def note(now: Verification) -> None:
            await self._amend(record.id, now)

        await note(begun)
        found = await self._verifier.check(record, runs, begun, note, standing=ApprovalMode.ASK)
        now = await self._amend(record.id, replace(found, ended_at=self._clock.now()))
        if not now.parent_id:
            steps = await self._store.steps_of(now.id)
            self._executor.remember(now, steps)
        return now

    @uninterruptible
    async def _amend(self, action_id: str, now: Verification) -> ActionRecord:
        record = await self._store.amend(action_id, lambda known: replace(known, verification=now))
        if record is None:
            raise UsageError("acts.none", id=action_id)
        self._publisher.changed(record)
        return record

    # Mending.

    async def _mended_by(self, record: ActionRecord) -> dict[str, dict[str, ActionRecord]]:
        """By the action that failed its check: its steps that were done again, each with what did it."""
        found: dict[str, dict[str, ActionRecord]] = {}
        runs, plan = await self._runs_of(record), record.plan
        for step in plan.steps:
            if not step.mends or plan.step(step.mends) is not None or step.id not in runs:
                continue
            try:
                failed = await self._store.get(step.mends)
            except UsageError:
                continue  # it was erased
            found.setdefault(failed.parent_id or failed.id, {})[failed.id] = runs[step.id]
        return found

    async def _again(self, original_id: str, mended: Mapping[str, ActionRecord]) -> None:
        """Check steps again that failed, by what was done in their place."""
        async with self._alone_with(original_id):
            try:
                record = await self._store.get(original_id)
            except UsageError:
                return
            if record.verification is None:
                return
            done = {name: run for name, run in mended.items() if run.status is ActionStatus.SUCCEEDED}
            kept = tuple(each for each in record.verification.verdicts if each.step not in done)
            known = replace(record.verification, verdicts=kept, ended_at=None)
            # What stands alone is its own run: what did it again stands in its place.
            as_run = record if record.chain is not None else _as_if(record, done)
            await self._checked(as_run, known, {**await self._runs_of(record), **done})

    async def _offer(self, record: ActionRecord, exchange: Exchange, *, anyway: bool = False) -> ActionRecord:
        """A card for what failed, unless one waits; the record with its id."""
        verification = record.verification
        assert verification is not None
        if verification.repair and await self._is_open(verification.repair):
            return record
        try:
            with speaking(record.language):
                draft = await self._draft(record, verification)
                evidence = await self._desk.begin_plan(draft, exchange)
        except UsageError:
            if anyway:
                raise
            return record  # an ability is gone: there is nothing to offer
        if not isinstance(evidence, Proposed | Asked | Started | Withheld):
            return record
        return await self._amend(record.id, replace(verification, repair=evidence.action.id))

    async def _is_open(self, action_id: str) -> bool:
        try:
            return (await self._store.get(action_id)).status in _OPEN
        except UsageError:
            return False

    async def _draft(self, record: ActionRecord, verification: Verification) -> PlanDraft:
        """The failed steps with the very arguments they ran with, and what a computed plan made of them."""
        runs = await self._runs_of(record)
        done = {each.step.id: each.run for each in executed(record, runs)}
        failed = {each.step for each in verification.verdicts if each.status is VerdictStatus.FAILED}
        again = _with_dependents(record.plan, failed & done.keys())
        ids = {step_id: new_id() for step_id in again}
        stages = [
            [
                await self._step(step, done.get(step.id), ids, mends=step.id in failed)
                for step in stage.steps
                if step.id in ids
            ]
            for stage in record.plan.stages
        ]
        text = sentence_of("verification.repair", title=record.title)
        why = checked_sentence(verification, record.plan.steps)
        return PlanDraft([stage for stage in stages if stage], text, why=why, asks_first=True)

    async def _step(
        self, step: Step, run: ActionRecord | None, ids: Mapping[str, str], *, mends: bool
    ) -> StepDraft:
        info = self._catalog.require(await self._catalog.successor(step.key))
        feeds = tuple(replace(feed, step=ids[feed.step]) for feed in step.feeds if feed.step in ids)
        fed = {feed.param for feed in feeds}
        given = run.params if run is not None else step.params
        params: JsonObject = {name: value for name, value in given.items() if name not in fed}
        return StepDraft(info, step.text, params, feeds, mends=step.id if mends else "", id=ids[step.id])


def _failed(record: ActionRecord) -> bool:
    return record.verification is not None and record.verification.overall is VerdictStatus.FAILED


def _as_if(record: ActionRecord, done: Mapping[str, ActionRecord]) -> ActionRecord:
    run = done.get(record.id)
    return record if run is None else replace(run, id=record.id, status=record.status, chain=None)


def _with_dependents(plan: Plan, failed: set[str]) -> set[str]:
    """The failed steps, and of a computed plan those that its goal needs anew: what rests on them."""
    again = set(failed)
    for step in plan.steps if plan.goal else ():
        needed_for = {
            user for each in plan.steps if each.id in again and each.reason for user in each.reason.needed_by
        }
        if step.id in needed_for or any(feed.step in again for feed in step.feeds):
            again.add(step.id)
    return again
