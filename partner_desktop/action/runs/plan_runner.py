"""PlanRunner: runs plans that may run, stage by stage, and takes up those that a crash cut off.

Contract: a step that stands alone is run by the executor at once, and no mind judges it. Of several, every
transition is on disk before anyone hears of it. A plan of several under way has one task,
and one for each step that runs or is waited for; nothing polls. It holds its exchange while it works. At
shutdown it stops where it is, its row says so, and the next start goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Literal, Protocol

from partner_desktop.action.corrections.plan_correction import ended_by
from partner_desktop.action.plans.plan_maker import MadePlan, whole_request
from partner_desktop.action.runs.live_plan import Ending, LivePlan, PlanEndedError, PlanOverError, over
from partner_desktop.action.runs.retries import reopened, without_tries, without_yes
from partner_desktop.action.runs.stage_runner import RunParts, StageRunner
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, StorageError, UsageError
from partner_desktop.base.messages import sentence_of, spoken_language
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.base.trace import current_conversation
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.permission.request import ApprovalMode, Decision
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.storage.database import Connection

_log = log.area("chains")


class PlanChecking(Protocol):
    """Who checks what plans did."""

    async def check(self, live: LivePlan) -> None:
        """Check what is done, before the plan is closed."""
        ...

    async def after(self, action_id: str, exchange: Exchange) -> None:
        """A plan that was checked is closed."""
        ...


class PlanRunner(WorkPart):
    """A part of the AgentContext."""

    def __init__(
        self,
        work: WorkParts,
        exchanges: ExchangeRegistry,
        parts: RunParts,
        checks: Callable[[], Awaitable[PlanChecking]],
    ) -> None:
        super().__init__(work)
        self._checks = checks
        self._exchanges = exchanges
        self._tasks = TaskSet("chains")
        self._stages = StageRunner(parts, self._tasks)
        self._mender = parts.mender
        self._budget = parts.budget
        self._closing = parts.closing
        self._recovery = parts.recovery
        self._live: dict[str, LivePlan] = {}
        self._unfollow = self._publisher.follow(self._hear)

    async def launch(self) -> None:
        """Nothing to open: `Recovery` takes up what was under way."""

    async def end_orphans(self) -> None:
        """End the steps that are left of plans that are over, or that began anew without them."""
        for status in (ActionStatus.RUNNING, ActionStatus.WAITING, ActionStatus.ASKING):
            for child in await self._store.in_status(status):
                if child.parent_id and self._is_orphan(child):
                    await self._recovery.end_orphan(child)

    def _is_orphan(self, child: ActionRecord) -> bool:
        """Whether its chain is over, or began anew without it."""
        live = self._live.get(child.parent_id)
        return live is None or live.chain.step(child.id) is None

    async def shutdown(self) -> None:
        """Every chain stops where it is; the next start goes on."""
        self._unfollow()
        await self._tasks.close()
        await self._budget.close()

    # Beginning.

    async def start(
        self,
        record: ActionRecord,
        made: MadePlan,
        decisions: Sequence[Decision],
        *,
        exchange: Exchange,
        begun: Also | None = None,
    ) -> ActionRecord:
        """Begin a plan that waits; call it inside `settling`. What stands alone runs under its decision; of
        several each is decided on as it comes to run: `decisions` are the yes of the person to all, or none.
        What has no row yet is a firing: `begun` is written with it.

        Raises:
            UsageError: Another answer settled it first.
        """
        if record.chain is None:
            (step,), (decision,) = made.steps, decisions
            return await self._executor.start(record, step.info, decision, exchange=exchange, with_row=begun)
        steps = len(record.chain.steps)
        running = replace(record, status=ActionStatus.RUNNING, started_at=self._clock.now())

        def work(db: Connection) -> None:
            self._audit.chain_run(db, running.id, running.key, steps=steps)
            if begun is not None:
                begun(db)

        if begun is not None:
            await self._store.add(running, also=work)
        elif not await self._store.replace(running, only_from=record.status, also=work):
            raise UsageError("card.settled", title=record.title)
        live = self._opened(running, exchange)
        self._publisher.started(running)
        await self._begin(live)
        if decisions:
            self._publisher.decided(decisions[0], running)
        return running

    async def resume(
        self, action_id: str, *, standing: ApprovalMode = ApprovalMode.ASK, exchange_id: str = ""
    ) -> ActionRecord:
        """Go on with a plan of several steps that failed, under the yes that it had: what is done stays done.

        Raises:
            UsageError: It is none, did not fail, or has nothing that could be tried again.
        """
        found = await self._store.get(action_id)
        async with self._executor.settling(found.conversation_id):
            record = await self._store.get(action_id)
            failed = record.chain is not None and record.status is ActionStatus.FAILED
            # What was imported had no yes here, and its conditions stayed behind: it can be run again.
            if record.chain is None or not failed or not record.exchange_id or action_id in self._live:
                raise UsageError("plans.not_resumable", title=record.title)
            children = {child.id: child for child in await self._store.steps_of(record.id)}
            chain = reopened(record.chain, children)
            if chain.at >= len(chain.stages):
                raise UsageError("plans.nothing_left_to_do", title=record.title)
            if chain.saved_key and not await self._yes_stands(record):
                chain = without_yes(chain)
            exchange = self._exchanges.open(
                record.conversation_id, standing=standing, cwd=record.cwd, exchange_id=exchange_id
            )
            running = replace(
                record,
                exchange_id=exchange.id,
                status=ActionStatus.RUNNING,
                started_at=self._clock.now(),
                chain=chain,
                error="",
                finished_at=None,
                resumes=0,
            )
            if not await self._store.replace(
                running,
                only_from=record.status,
                also=lambda db: self._audit.chain_run(db, running.id, running.key, steps=len(chain.steps)),
            ):
                raise UsageError("card.settled", title=record.title)
            live = self._opened(running, exchange)
            await self._load(live)
            self._publisher.started(live.record)
            await self._begin(live)
            return live.record

    async def _yes_stands(self, record: ActionRecord) -> bool:
        """Whether what a saved plan was allowed by is there still."""
        first = without_tries(record.plan)
        whole = whole_request(replace(record, chain=first))
        return await self._engine.stands(first.steps[0].id, whole=whole)

    async def take_up(self, record: ActionRecord, exchange: Exchange) -> None:
        """Go on with a plan of several steps that was under way as Partner ended."""
        live = self._opened(record, exchange)
        await self._load(live)
        _log.info("%s goes on after Partner ended while it was under way", record.title)
        try:
            ending = await self._recovery.take_up(live)
            live.ending = live.ending or ending  # somebody may have ended it meanwhile
        except StorageError as error:
            live.failure = error  # said as any other, by the work that meets it
        await self._begin(live)
        if live.ending is None:
            await self._recovery.ask_again(live)

    def _opened(self, record: ActionRecord, exchange: Exchange) -> LivePlan:
        live = LivePlan(record, exchange, self._reopen)
        self._budget.watch(live, partial(self._stop, live))
        self._live[record.id] = live
        live.hold()
        return live

    async def _load(self, live: LivePlan) -> None:
        """What its steps became before; what is heard of them meanwhile is newer."""
        found = {child.id: child for child in await self._store.steps_of(live.id)}
        live.children = {**found, **live.children}

    def _reopen(self, exchange_id: str, like: Exchange) -> Exchange:
        """The exchange that a chain belongs to, also after it was over for others."""
        if exchange_id == like.id and not like.over.is_set():
            return like
        return self._exchanges.open(
            like.conversation_id, standing=like.standing, cwd=like.cwd, exchange_id=exchange_id
        )

    async def _begin(self, live: LivePlan) -> None:
        live.work = self._tasks.start(live.id, self._work(live))
        # A task cancelled before its first step never enters its clean-up: let it begin.
        await asyncio.sleep(0)

    def _hear(self, record: ActionRecord) -> None:
        """A step's action has come further."""
        live = self._live.get(record.parent_id) if record.parent_id else None
        if live is not None:
            live.hear(record)

    # The work.

    async def _work(self, live: LivePlan) -> None:
        spoken_language.set(live.record.language)
        current_conversation.set(live.record.conversation_id)
        cancelled, live.begun = False, True
        try:
            try:
                ending = live.ending or await self._done(live)
            except PlanEndedError as error:
                ending = error.ending
            except PlanOverError:
                await uninterrupted(self._closing.stop_steps(live, over()))
                return
            except asyncio.CancelledError:
                cancelled = True
                if live.ending is None:
                    raise  # Partner ends: the next start goes on
                ending = live.ending
            except StorageError as error:
                ending = self._broken_off(live, error)
            except PartnerError as error:
                ending = Ending(ActionStatus.FAILED, str(error))
            except Exception:  # noqa: BLE001 - the chain must not stay without an end
                _log.exception("%s cannot go on", live.record.title)
                ending = Ending(ActionStatus.FAILED, sentence_of("plans.broke"))
            live.ending = live.ending or ending
            await uninterrupted(self._closing.close(live, live.ending))
            if live.record.verification is not None and not cancelled:
                await self._after(live)
        finally:
            self._live.pop(live.id, None)
            live.let_go()
        if cancelled:
            raise asyncio.CancelledError

    async def _done(self, live: LivePlan) -> Ending:
        """Do what is left of it, and have it checked; what was being checked is done."""
        ending = Ending(ActionStatus.SUCCEEDED)
        if live.record.verification is None:
            ending = await self._stages.do(live)
        if ending.status is not ActionStatus.SUCCEEDED:
            return ending
        live.ending, live.checking = None, True  # whoever ends it now ends the check
        try:
            await (await self._checks()).check(live)
        except StorageError as error:
            _log.warning("the check of %s could not be written down: %s", live.record.title, error)
        finally:
            live.checking = False
        return ending

    async def _after(self, live: LivePlan) -> None:
        try:
            await (await self._checks()).after(live.id, live.exchange)
        except PartnerError as error:
            _log.warning("nothing was offered for %s: %s", live.record.title, error)
        except Exception:  # noqa: BLE001 - it is closed and told
            _log.exception("nothing could be offered for %s", live.record.title)

    def _broken_off(self, live: LivePlan, error: StorageError) -> Ending:
        _log.warning("%s stops where it is: %s", live.record.title, error)
        told = sentence_of(
            "plans.stopped_after" if live.chain.at else "plans.stopped_at_first",
            done=live.chain.at,
            count=len(live.chain.stages),
            error=error,
        )
        return Ending(ActionStatus.FAILED, told)

    # From outside.

    async def intervene(
        self, action_id: str, interventions: Sequence[Intervention], *, by: Literal["person", "mind"]
    ) -> Intervened:
        """Change a chain that is under way, as far as that can be done.

        Raises:
            UsageError: It is no chain, or is over.
        """
        live = self._live.get(action_id)
        wants_end = any(wish.kind is InterventionKind.CANCEL for wish in interventions)
        if live is not None and live.checking and wants_end:  # all is done: only the check can be ended
            await self._end(live, Ending(ActionStatus.CANCELLED))
            return Intervened(live.record, (sentence_of("ending.cancelled"),), ())
        if live is None or live.is_ending() or live.checking:
            record = await self._store.get(action_id)
            raise UsageError(
                "plans.unchanged_no_chain" if record.chain is None else "plans.unchanged_over",
                title=record.title,
            )
        done, refused = [], []
        for wish in interventions:
            if live.is_ending():
                break
            try:
                told, why = await self._mender.apply(live, wish, by=by)
            except PlanOverError as error:
                told, why = "", str(error)
            done += [told] if told else []
            refused += [why] if why else []
            if told and wish.kind is InterventionKind.CANCEL:
                await self._end(live, ended_by([wish]) or Ending(ActionStatus.CANCELLED))
            live.news.set()
        return Intervened(live.record, tuple(done), tuple(refused))

    def heard_in(self, action_id: str, exchange: Exchange) -> None:
        """The person's words are about a chain: one that only waits for them goes on in their exchange."""
        live = self._live.get(action_id)
        if live is not None and not live.works:
            live.move(exchange.id)

    async def cancel(self, action_id: str, *, tell: bool = True) -> None:
        """End a plan and what it runs; returns when the processes are gone. Does nothing when it is over."""
        await self._executor.cancel(action_id, tell=tell)
        live, ending = self._live.get(action_id), Ending(ActionStatus.CANCELLED, tell=tell)
        if live is not None:
            await self._end(live, ending)
            return
        with suppress(UsageError):
            record = await self._store.get(action_id)
            if (begun := self._live.get(action_id)) is not None:  # it was being approved
                await self._end(begun, ending)
            elif record.chain is not None and record.status is ActionStatus.RUNNING:
                await self._close_left(record, ending)

    async def _close_left(self, record: ActionRecord, ending: Ending) -> None:
        """One that stopped because nothing could be written down."""
        exchange = self._exchanges.open(record.conversation_id, exchange_id=record.exchange_id)
        live = self._opened(record, exchange)
        await self._load(live)
        live.ending = ending
        await self._begin(live)
        if live.work is not None:
            await asyncio.wait([live.work])

    async def cancel_all(self, conversation_id: str, *, tell: bool = True) -> None:
        """End every plan of a conversation, also one that is being approved at this moment."""
        async with self._executor.settling(conversation_id):
            found = [live for live in self._live.values() if live.record.conversation_id == conversation_id]
        for live in found:
            await self.cancel(live.id, tell=tell)
        await self._executor.cancel_all(conversation_id, tell=tell)

    def _stop(self, live: LivePlan, reason: str) -> None:
        """A budget is used up."""
        if live.ending is None and live.work is not None and not live.checking:
            live.ending = Ending(ActionStatus.FAILED, reason)
            self._interrupt(live)

    @staticmethod
    def _interrupt(live: LivePlan) -> None:
        """Work that has not begun yet would never enter its clean-up; it sees the ending as it begins."""
        if live.work is not None and live.begun:
            live.work.cancel()

    async def _end(self, live: LivePlan, ending: Ending) -> None:
        if live.ending is None:
            live.ending = ending
            self._interrupt(live)
        if live.work is not None:
            await asyncio.wait([live.work])
        with suppress(UsageError):
            live.record = await self._store.get(live.id)
