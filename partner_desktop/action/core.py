"""ActionCore: from understood words to a question, a proposal or a run.

Contract: every step is a row before it is an event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import assert_never

from partner_desktop.action.chain.output_access import StepOutputAccess
from partner_desktop.action.confirmation_expiry import waiting_from
from partner_desktop.action.facts import assessed, new_record, request_for, validation_problem
from partner_desktop.action.path_arguments import ResolvedPaths, resolve_paths
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import AskHumanError, UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus, KnownValue
from partner_desktop.domain.evidence import Asked, Evidence, Proposed, Started, Withheld
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runtime.exchanges import Exchange


class ActionCore(WorkPart):
    """Shared by the planner and the commands."""

    def __init__(self, parts: WorkParts, output_access: StepOutputAccess) -> None:
        super().__init__(parts)
        self._output_access = output_access

    async def waiting(self, conversation_id: str) -> list[ActionRecord]:
        """The actions of a conversation that wait for a yes or no, oldest first."""
        return await self._store.in_status(ActionStatus.WAITING, conversation_id=conversation_id)

    async def last(self, conversation_id: str) -> ActionRecord | None:
        """What was done last in a conversation, but for what took something back."""
        return await self._store.last_run(conversation_id, but=("builtin::files::undo",))

    async def current(self, record: ActionRecord) -> ActionRecord:
        """An action as it stands now; as it was, where it is gone."""
        with suppress(UsageError):
            return await self._store.get(record.id)
        return record

    async def count(self, waiting: Sequence[ActionRecord]) -> list[ActionRecord]:
        """Number what waits as it is about to be named: from now on “the second” is the second of these."""
        counted: list[ActionRecord] = []
        for number, record in enumerate(waiting, 1):
            found = await self._store.amend(record.id, partial(replace, number=number))
            counted.append(found or record)
        return counted

    @uninterruptible
    async def begin(
        self,
        info: MetaActionInfo,
        params: JsonObject,
        missing: Sequence[str],
        *,
        exchange: Exchange,
        text: str,
        asks_first: bool = False,
        known: tuple[KnownValue, ...] = (),
        candidates: tuple[str, ...] = (),
    ) -> Evidence:
        """Start with an ability and the arguments found so far.

        With `asks_first`, or `known` arguments that nobody said, the person is asked, whatever is allowed.
        `candidates`: the paths of which one was meant, where one is missing.
        """
        async with self._executor.settling(exchange.conversation_id):
            record = self._new(info.key, params, exchange=exchange, text=text)
            record = replace(record, asks_first=asks_first or bool(known), known=known, candidates=candidates)
            await self._store.add(record)
            try:
                filled = await self._prefill(info, record.params, record.conversation_id)
            except UsageError as error:
                return await self._turn_down(record, str(error))
            return await self._advance(replace(record, params=filled), missing, exchange=exchange)

    def _new(self, key: str, params: JsonObject, *, exchange: Exchange, text: str) -> ActionRecord:
        """A record of the ability as it is at this moment: the words were understood some time ago."""
        source = str(self._catalog.original(key) or "")
        info, now = self._catalog.require(key), self._clock.now()
        return new_record(info, params, exchange=exchange, text=text, source=source, now=now)

    @uninterruptible
    async def offer(
        self, info: MetaActionInfo, params: JsonObject, *, exchange: Exchange, text: str
    ) -> Evidence:
        """Put a card there whose form the person fills in; whatever is allowed already, nothing runs yet."""
        async with self._executor.settling(exchange.conversation_id):
            record = self._new(info.key, params, exchange=exchange, text=text)
            info = self._catalog.require(info.key)
            try:
                filled = await self._prefill(info, record.params, record.conversation_id)
            except UsageError as error:
                await self._store.add(record)
                return await self._turn_down(record, str(error))
            found = await asyncio.to_thread(resolve_paths, info, filled, cwd=record.cwd)
            proposal = await self._assessed(record, info, found)
            await self._store.add(proposal)
            exchange.status = "waiting"
            return Proposed(proposal, await self._places.show(proposal, led=True))

    async def propose_step(
        self, step: ActionRecord, info: MetaActionInfo, *, also: Also = lambda db: None
    ) -> ActionRecord:
        """A step of a chain waits for the person, as it was just assessed; call it inside `settling`.

        Its card is put there by `show_step`, or by the next start.
        """
        found = ResolvedPaths(step.params, step.paths, {})
        proposal = await self._assessed(step, info, found)
        proposal = replace(proposal, description=step.description)
        await self._store.add(proposal, also=also)
        return proposal

    async def show_step(self, proposal: ActionRecord) -> Proposed:
        """Put the card of a step there that waits."""
        return Proposed(proposal, await self._places.show(proposal, led=True))

    async def ask_step(
        self,
        step: ActionRecord,
        info: MetaActionInfo,
        param: str,
        problem: str,
        *,
        also: Also = lambda db: None,
    ) -> Asked:
        """Ask in the chat for what a step of a chain lacks; call it inside `settling`."""
        asking = replace(step, asked_param=param, asked_at=self._clock.now())
        await self._store.add(asking, also=also)
        self._publisher.changed(asking)
        return Asked(asking, param, _hint(info, asking), problem)

    @uninterruptible
    async def answer(
        self, record: ActionRecord, params: JsonObject, missing: Sequence[str], *, exchange: Exchange
    ) -> Evidence:
        """An open question was answered; go on with it.

        Raises:
            UsageError: The ability is gone, or the question was settled in the meantime.
        """
        record = replace(record, params=params, exchange_id=exchange.id, cwd=exchange.cwd or record.cwd)
        async with self._executor.settling(record.conversation_id):
            return await self._advance(record, missing, exchange=exchange)

    async def _advance(self, record: ActionRecord, missing: Sequence[str], *, exchange: Exchange) -> Evidence:
        info = await self._current(record)
        if record.program and not exchange.told:
            refused = await self._turned_away(record, info, missing)
            if refused is not None:
                return refused
        told = info.spoken(record.language)
        about = record.description if record.asks_first else told.description
        record = replace(record, title=told.title, description=about, schema=told.params)
        beside = await self._output_access.places(record)
        found = await asyncio.to_thread(resolve_paths, info, record.params, cwd=record.cwd, beside=beside)
        gaps = [name for name in info.properties() if name in found.problems] or _gaps(info, found, missing)
        if not gaps:
            problem, param = await asyncio.to_thread(validation_problem, info, found.params)
            if await self._current(record) != info:  # edited while its arguments were looked at
                return await self._advance(record, missing, exchange=exchange)
            if not problem:
                return await self._propose(record, info, found, exchange=exchange)
            if not param:
                await self._settle(replace(record, status=ActionStatus.FAILED, error=problem), record)
                raise AskHumanError(problem)
            found, gaps = replace(found, problems={param: problem}), [param]
        if not exchange.told:
            reason = _gap_sentence(gaps[0], found.problems.get(gaps[0], ""))
            decision = await self._refusal(record, info, why=reason) if record.program else None
            return await self._turn_down(record, reason, decision)
        exchange.status = "waiting"
        return await self._ask(record, info, gaps[0], found)

    async def _turned_away(
        self, record: ActionRecord, info: MetaActionInfo, missing: Sequence[str]
    ) -> Evidence | None:
        """The end of a program's call that goes by its words and by the grants alone, so that it tells
        nothing of the disk; `None`: nothing speaks against looking what it names.
        """
        told = info.spoken(record.language)
        record = replace(record, title=told.title, schema=told.params)
        gaps = _gaps(info, ResolvedPaths(record.params, (), {}), missing)
        problem, param = "", gaps[0] if gaps else ""
        if not gaps:
            problem, param = await asyncio.to_thread(validation_problem, info, record.params)
        if param:
            return await self._turn_down(record, _gap_sentence(param, problem))
        decision = await self._refusal(record, info)
        return None if decision is None else await self._turn_down(record, decision.reason, decision)

    async def _refusal(self, record: ActionRecord, info: MetaActionInfo, *, why: str = "") -> Decision | None:
        """See `PermissionEngine.turned_away`."""
        unseen = await self._assessed(record, info, ResolvedPaths(record.params, (), {}))
        return await self._engine.turned_away(request_for(unseen, info), why=why)

    async def _current(self, record: ActionRecord) -> MetaActionInfo:
        """The ability as it is now: one that was switched off or edited meanwhile must not run as it was.

        Raises:
            UsageError: It cannot be called any more; the action has ended.
        """
        try:
            return self._catalog.require(record.key)
        except UsageError as error:
            ended = replace(
                record, status=ActionStatus.FAILED, error=str(error), finished_at=self._clock.now()
            )
            await self._settle(ended, record)
            raise

    async def _ask(
        self, record: ActionRecord, info: MetaActionInfo, param: str, found: ResolvedPaths
    ) -> Evidence:
        kept = {name: value for name, value in record.params.items() if name not in found.problems}
        # What was offered is for the answer to one question for a path.
        offered = (
            record.candidates if param in info.path_params() and record.asked_param in ("", param) else ()
        )
        asking = replace(
            record, asked_param=param, params=kept, asked_at=self._clock.now(), candidates=offered
        )
        await self._settle(asking, record)
        self._publisher.changed(asking)
        return Asked(asking, param, _hint(info, asking), found.problems.get(param, ""))

    async def _propose(
        self, record: ActionRecord, info: MetaActionInfo, found: ResolvedPaths, *, exchange: Exchange
    ) -> Evidence:
        proposal = replace(await self._assessed(record, info, found), description=record.description)
        await self._settle(proposal, record)
        request = request_for(proposal, info)
        if proposal.asks_first:
            judgement = await self._engine.preview(request, standing=exchange.standing)
            if judgement.outcome is not Outcome.DENY:
                exchange.status = "waiting"
                return Proposed(proposal, await self._places.show(proposal, led=True))
        decision = await self._engine.decide(request, standing=exchange.standing)
        place = await self._places.show(proposal, led=decision.outcome is Outcome.ASK)
        if decision.outcome is Outcome.ASK:
            exchange.status = "waiting"
            return Proposed(proposal, place)
        if decision.outcome is Outcome.ALLOW:
            return Started(await self._executor.start(proposal, info, decision, exchange=exchange))
        if decision.outcome is Outcome.DENY:
            ended = await self._executor.turn_down(proposal, decision.reason, decision=decision)
            return Withheld(ended, decision.reason)
        assert_never(decision.outcome)

    async def _assessed(
        self, record: ActionRecord, info: MetaActionInfo, found: ResolvedPaths
    ) -> ActionRecord:
        each_time = self._engine.asks_each_time(record.key)
        proposal = assessed(record, info, found, self._runner.isolation(info), each_time=each_time)
        was_allowed = await self._engine.allowed_before_edit(request_for(proposal, info))
        proposal = replace(proposal, was_allowed=was_allowed)
        beside = await self.waiting(record.conversation_id)
        number = 1 + max((other.number for other in beside), default=0)
        return waiting_from(proposal, self._clock.now(), number)


def _hint(info: MetaActionInfo, asking: ActionRecord) -> str:
    told = info.spoken(asking.language).properties().get(asking.asked_param, {})
    return str(told.get("description") or "")


def _gap_sentence(param: str, problem: str) -> str:
    """For whoever cannot be asked back."""
    return sentence_of("param.unfit" if problem else "param.missing", param=param, problem=problem)


def _gaps(info: MetaActionInfo, found: ResolvedPaths, missing: Sequence[str]) -> list[str]:
    """What is missing of the ability as it is now, which may have been edited since that was found."""
    known = [name for name in missing if name in info.properties()]
    return known + [name for name in info.required() if name not in found.params and name not in known]
