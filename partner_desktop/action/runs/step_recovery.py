"""StepRecovery: what a crash or the last shutdown left of single runs and of the steps of a plan.

Contract: what was running goes on only where doing it twice changes nothing: its author says so, its script
and what holds it are those that were approved, and it was not tried too often. Nothing runs under a new
permission. In the place of any other step of several stands a fresh one that asks first: whether the first
was done is not known.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from partner_desktop.action.corrections.plan_edit import is_cancelled
from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.plans.path_arguments import resolve_paths
from partner_desktop.action.questions import asked_hint
from partner_desktop.action.runs.live_plan import Ending, LivePlan, PlanRows, over
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base import log
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Asked
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Change, Plan, Stage, Step, StepStatus
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runner.client import repeatable
from partner_desktop.runtime.exchanges import Exchange

_log = log.area("recovery")

#: A run that took Partner down this often is not begun again; nor is a plan taken up between whose steps it
#: ended so often in a row.
MOST_RESUMES = 2


class StepRecovery(WorkPart):
    """Used at launch only."""

    def __init__(self, parts: WorkParts, rows: PlanRows) -> None:
        super().__init__(parts)
        self._rows = rows

    async def run_anew(self, record: ActionRecord, exchange: Exchange) -> tuple[bool, str]:
        """Begin a run again under the approval that it had; whether that may be, and what forbids it."""
        info = self._catalog.get(record.key)
        decision = await self._still_allowed(record, info) if info is not None else None
        if info is None or decision is None:
            _log.info("%s was interrupted and is not repeated", record.key)
            return False, ""
        if decision.outcome is not Outcome.ALLOW:
            _log.info("%s was interrupted and may not run any more", record.key)
            return False, decision.reason
        _log.info("%s goes on after Partner ended while it ran", record.key)
        await self._executor.resume(record, info, decision, exchange=exchange)
        return True, ""

    async def _still_allowed(self, record: ActionRecord, info: MetaActionInfo) -> Decision | None:
        """The decision it ran under, if the same run may be repeated under it; or the one that forbids it."""
        if not repeatable(info, record.paths) or record.resumes >= MOST_RESUMES:
            return None
        if info.content_hash != record.content_hash or self._runner.isolation(info) != record.isolation:
            return None
        found = await asyncio.to_thread(resolve_paths, info, record.params, cwd=record.cwd)
        if found.problems or found.uses != record.paths or found.params != record.params:
            return None
        return await self._engine.resume(request_for(record, info))

    async def take_up(self, live: LivePlan) -> Ending | None:
        """Bring every step of a chain to where its work can go on; where it is not to go on, how it ends.

        Raises:
            StorageError: Nothing can be written down.
        """
        if is_cancelled(live.chain):  # by the person; Partner ended before it was over
            return Ending(ActionStatus.CANCELLED)
        if self._thinks(live):
            if live.record.resumes >= MOST_RESUMES:
                return Ending(ActionStatus.FAILED, sentence_of("plans.given_up", count=MOST_RESUMES + 1))
            await self._rows.resumed(live)
        for step in live.chain.steps:
            child = live.children.get(step.id)
            if child is None and step.status in (StepStatus.RUNNING, StepStatus.WAITING):
                await self._rows.change(live, lambda chain, it=step: chain.with_step(_planned(it)))  # type: ignore[misc]
            elif child is not None and not step.status.ended and _was_cut_off(child):
                await self._repeat_or_ask(live, step, child)
        return None

    @staticmethod
    def _thinks(live: LivePlan) -> bool:
        """Whether none of its steps was under way: Partner ended over what is between them."""
        children = [live.children.get(step.id) for step in live.chain.steps if not step.status.ended]
        return all(child is None or (child.status.ended and not _was_cut_off(child)) for child in children)

    async def _repeat_or_ask(self, live: LivePlan, step: Step, child: ActionRecord) -> None:
        begun, _ = await self.run_anew(child, live.exchange)
        if begun:
            # As heard from the executor meanwhile; a run that was over at once has ended by now.
            return
        if child.status is ActionStatus.RUNNING:
            await self._executor.interrupt(child)
        live.children[child.id] = replace(child, status=ActionStatus.INTERRUPTED)
        now = self._clock.now()
        told = Change("insert", "partner", sentence_of("chain.asks_again", title=step.title), now)
        await self._rows.change(live, lambda chain: _with_fresh(chain, step, told))

    async def ask_again(self, live: LivePlan) -> None:
        """Partner ended after a question was written down and before it was said: it is said now."""
        for child in live.ran():
            asked_at = child.asked_at
            if child.status is not ActionStatus.ASKING or asked_at is None:
                continue
            if not await self._store.said_since(child.conversation_id, asked_at):
                self._executor.tell(Asked(child, child.asked_param, asked_hint(child)), child)

    async def end_orphan(self, child: ActionRecord) -> None:
        """A step's action whose chain is over."""
        if child.status is ActionStatus.RUNNING:
            await self._executor.interrupt(child)
            return
        async with self._executor.settling(child.conversation_id):
            try:
                with speaking(child.language):
                    await self._executor.turn_down(child, over())
            except UsageError:
                return  # it was answered first


def _was_cut_off(child: ActionRecord) -> bool:
    return child.status in (ActionStatus.RUNNING, ActionStatus.INTERRUPTED)


def _planned(step: Step) -> Step:
    return replace(step, status=StepStatus.PLANNED, started_at=None, finished_at=None)


def _with_fresh(chain: Plan, old: Step, told: Change) -> Plan:
    """The chain with a new step in the place of one; what the old was to bring, the new one brings.

    A further try stays, so that what it was to make good is known to be made good by the next.
    """
    if old.origin == "retry":
        return _with_next_try(chain, old, told)
    fresh = replace(_planned(old), id=new_id(), mends=old.id, approved=False, result="", error="")

    def anew(step: Step) -> Step:
        if step.id == old.id:
            return fresh
        feeds = tuple(replace(f, step=fresh.id) if f.step == old.id else f for f in step.feeds)
        return replace(step, feeds=feeds)

    stages = tuple(Stage(tuple(anew(step) for step in stage.steps)) for stage in chain.stages)
    return replace(chain, stages=stages, changes=(*chain.changes, told))


def _with_next_try(chain: Plan, old: Step, told: Change) -> Plan:
    ended = replace(old, status=StepStatus.FAILED, error=told.text)
    fresh = replace(_planned(old), id=new_id(), mends=old.id, approved=False, result="", error="")
    stages = tuple(
        Stage(
            tuple(each for step in stage.steps for each in ((ended, fresh) if step.id == old.id else (step,)))
        )
        for stage in chain.stages
    )
    return replace(chain, stages=stages, changes=(*chain.changes, told))
