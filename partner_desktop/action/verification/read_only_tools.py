"""ReadOnlyTools of one verification: the only way by which an owner looks at anything.

Contract: what is called says that it only looks, and nothing that is known of it speaks against that; each
call is asked of the permission engine and written down like any other. Where a person would have to be asked,
nothing is called, unless exactly this look was allowed in this conversation before: so what was checked can
be checked again. The same look is made once for all steps that ask for it. A call that is given up is ended
with its processes, and leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from weakref import WeakValueDictionary

from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.plans.planned_checks import looks_of
from partner_desktop.action.plans.step_maker import MadeStep, StepMaker, as_action
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.agents.owner_agents import LookOutcome, OwnerLook
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.plan import Plan
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode, Decision, Outcome, params_hash

#: Characters of an answer that is read; a longer one tells nothing.
MOST_ANSWER = 200_000


class LooksUnderWay:
    """So that no look is made twice at once."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, look_id: str) -> asyncio.Lock:
        """Held by whoever makes it."""
        lock = self._locks.get(look_id)
        if lock is None:
            lock = self._locks[look_id] = asyncio.Lock()
        return lock


class PermittedDoor(WorkPart):
    """For the looks at what one action did, whose conversation and folder they have."""

    def __init__(
        self,
        work: WorkParts,
        maker: StepMaker,
        runs: Path,
        under_way: LooksUnderWay,
        record: ActionRecord,
        standing: ApprovalMode,
    ) -> None:
        super().__init__(work)
        self._under_way = under_way
        self._told: dict[str, OwnerLook] = {}
        self._maker = maker
        self._runs = runs
        self._record = record
        self._standing = standing

    def looks_of(self, owner: str) -> Sequence[MetaActionInfo]:
        return [*looks_of(self._catalog.usable(), owner)]

    async def look(self, owner: str, key: str, params: JsonObject) -> OwnerLook:
        info = next((each for each in self.looks_of(owner) if each.key == key), None)
        if info is None:
            told = sentence_of("verification.no_look", ability=self._title(key))
            return OwnerLook(key, LookOutcome.REFUSED, params, problem=told)
        look_id = self._look_id(key, params)
        async with self._under_way.of(look_id):
            if look_id not in self._told:
                self._told[look_id] = await self._made(StepDraft(info, "", params, id=look_id))
            return self._told[look_id]

    async def _made(self, draft: StepDraft) -> OwnerLook:
        info, key = draft.info, draft.info.key
        made = await self._maker.make(draft, cwd=self._record.cwd, language=self._record.language)
        step = made.step
        if made.problems or made.missing:
            told = next(iter(made.problems.values()), "") or sentence_of(
                "verification.unknown_param", param=made.missing[0], ability=step.title
            )
            return OwnerLook(key, LookOutcome.UNFIT, step.params, problem=told)
        # Of a server's tool only its own word says that it only looks: there a yes that reaches it decides.
        if step.risk is not Risk.READ and not step.isolation.server:
            told = sentence_of("verification.no_look", ability=step.title)
            return OwnerLook(key, LookOutcome.REFUSED, step.params, problem=told)
        child = replace(as_action(replace(self._record, chain=Plan(())), step), program=self._record.program)
        request = request_for(child, info)
        decision = await self._engine.decide(request, standing=self._standing)
        if decision.outcome is Outcome.ASK:
            decision = await self._engine.resume(request) or decision
        if decision.outcome is not Outcome.ALLOW:
            told = sentence_of("verification.would_ask", ability=step.title)
            if decision.outcome is Outcome.DENY:
                told = sentence_of("verification.denied", ability=step.title, reason=decision.reason)
            return OwnerLook(key, LookOutcome.NEEDS_YES, step.params, problem=told)
        return _as_look(key, made, await self._run(made, decision))

    def _look_id(self, key: str, params: JsonObject) -> str:
        """Of the same look in one conversation the same, so that what was said of it is found."""
        about = f"{self._record.conversation_id}\n{key}\n{params_hash(params)}"
        return hashlib.sha256(about.encode()).hexdigest()[:32]

    def _title(self, key: str) -> str:
        info = self._catalog.get(key)
        return info.told.title if info is not None else key

    async def _run(self, made: MadeStep, decision: Decision) -> RunnerResponse:
        """It is no action of the person's: the audit log has it, and no card."""
        step = made.step
        call = MetaAction(
            step.id,
            made.info,
            step.params,
            cwd=self._record.cwd,
            conversation_id=self._record.conversation_id,
            language=self._record.language,
        )
        await self._audit.look(decision, "started", step.isolation.summary)
        try:
            await self._runner.submit(call, decision, paths=step.paths)
        finally:
            await uninterrupted(self._end(call, decision))
        assert call.response is not None, "the runner always settles a call"
        return call.response

    async def _end(self, call: MetaAction, decision: Decision) -> None:
        response = call.response
        ended = "cancelled" if response is None or response.cancelled else "succeeded"
        await self._audit.look(decision, "failed" if response and not response.ok else ended)
        await asyncio.to_thread(shutil.rmtree, self._runs / call.id, ignore_errors=True)


def _as_look(key: str, made: MadeStep, response: RunnerResponse) -> OwnerLook:
    params, title = made.step.params, made.step.title
    if not response.ok:
        told = sentence_of("verification.look_failed", ability=title, error=response.error)
        return OwnerLook(key, LookOutcome.FAILED, params, problem=told)
    answer: Json = response.data if response.data is not None else response.stdout.strip()
    null = response.data is None and answer == "null"
    if response.truncated or len(json.dumps(answer, ensure_ascii=False)) > MOST_ANSWER:
        told = sentence_of("verification.flood", ability=title)
        return OwnerLook(key, LookOutcome.FAILED, params, problem=told)
    return OwnerLook(key, LookOutcome.ANSWERED, params, None if null else answer)
