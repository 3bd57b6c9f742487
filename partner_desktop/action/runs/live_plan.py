"""LivePlan: one plan that is under way in this process, what its parts share, and how it ends.

Contract: `record` is what stands in the database; it changes under `lock`, after it was written. While the
chain works it holds its exchange; while it only waits for the person it does not. What the person says to
one of its steps takes it over into the exchange of those words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from datetime import datetime

from partner_desktop.action.plans.plan_maker import plan_title
from partner_desktop.action.store import Also
from partner_desktop.action.work_parts import WorkPart
from partner_desktop.base.errors import PartnerError, StorageError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan, Stage, Step, StepStatus
from partner_desktop.domain.verification import Verification
from partner_desktop.runtime.exchanges import Exchange, Release

_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING)


class PlanOverError(PartnerError):
    """The chain was settled by somebody else."""


@dataclass(frozen=True)
class Ending:
    """How a chain ends."""

    status: ActionStatus
    reason: str = ""
    tell: bool = True


class PlanEndedError(PartnerError):
    """Raised inside of a chain's own work to end it."""

    def __init__(self, ending: Ending) -> None:
        super().__init__("common.told", text=ending.reason)
        self.ending = ending


def over() -> str:
    """Why what a step asks is turned down."""
    return sentence_of("plans.over")


def failed(reason: str) -> PlanEndedError:
    """The chain ends here, without success."""
    return PlanEndedError(Ending(ActionStatus.FAILED, reason))


@dataclass(eq=False)
class LivePlan:
    """Built by the runner; `reopen` gives the exchange of an id, opened like another if it is over."""

    record: ActionRecord
    exchange: Exchange
    reopen: Callable[[str, Exchange], Exchange]
    children: dict[str, ActionRecord] = field(default_factory=dict)
    """What its steps have become, by their id, as last heard."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever something is to be looked at."""
    steps: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    """The steps under way or waited for."""
    work: asyncio.Task[None] | None = None
    begun: bool = False
    """Its work has been entered."""
    checking: bool = False
    """All is done, and is being checked: nothing can be put in any more."""
    ending: Ending | None = None
    """Set by whoever ends it from outside, before its work is cancelled."""
    anew: bool = False
    """It is being rebuilt: its work begins again."""
    failure: BaseException | None = None
    """What one of its steps could not go on for."""
    discussed: set[str] = field(default_factory=set)
    """The failed steps that a mind was asked about."""
    judged: int = 0
    """The number of stages after which the recogniser was asked."""
    repeated: str = ""
    """Why the loop guard stops it."""
    on_work: Callable[[bool], None] = lambda working: None
    """Told when it begins and ceases to work."""
    _release: Release | None = None
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def chain(self) -> Plan:
        """As it stands.

        Raises:
            PlanOverError: The record is none of a chain.
        """
        if self.record.chain is None:
            raise PlanOverError("plans.no_chain", title=self.record.title)
        return self.record.chain

    @property
    def stage(self) -> Stage | None:
        """The stage that runs; `None` when all are settled."""
        chain = self.chain
        return chain.stages[chain.at] if chain.at < len(chain.stages) else None

    def is_ending(self) -> bool:
        """Whether somebody ends it."""
        return self.ending is not None

    def step(self, step_id: str) -> Step:
        """One of its steps.

        Raises:
            PlanOverError: It was taken out.
        """
        found = self.chain.step(step_id)
        if found is None:
            raise PlanOverError("plans.the_step_gone")
        return found

    async def changed(self, step_id: str, known: ActionRecord) -> None:
        """Wait until the action of a step is another than the known one."""
        while self.children[step_id] == known:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def hear(self, child: ActionRecord) -> None:
        """One of its steps' actions has come further."""
        before = self.children.get(child.id)
        self.children[child.id] = child
        if before is not None and before.exchange_id != child.exchange_id:
            self.move(child.exchange_id)
        if child.status is ActionStatus.RUNNING or child.status.ended:
            self.hold()
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)
        self.news.set()

    def took(self, record: ActionRecord) -> None:
        """It stands in the database now; where it belongs may have changed while that was written."""
        self.record = replace(record, exchange_id=self.record.exchange_id)

    def move(self, exchange_id: str) -> None:
        """Go on in the exchange of the words that it goes on by: whoever said them waits for the outcome."""
        before, release = self.exchange, self._release
        self.record = replace(self.record, exchange_id=exchange_id)
        self.exchange = self.reopen(exchange_id, before)
        if release is not None:
            self._release = self.exchange.hold()
            before.status = "waiting"
            release()

    @property
    def works(self) -> bool:
        """Whether it does something by itself now."""
        return self._release is not None

    def hold(self) -> None:
        """It works: whoever waits for the exchange waits for it."""
        if self._release is None:
            self.exchange = self.reopen(self.exchange.id, self.exchange)
            self._release = self.exchange.hold()
            self.on_work(True)

    def let_go(self, status: str = "") -> None:
        """It waits for the person, or is over."""
        if self._release is None:
            return
        if status == "waiting":
            self.exchange.status = "waiting"
        release, self._release = self._release, None
        self.on_work(False)
        release()

    @property
    def waits(self) -> bool:
        """Whether all that it has under way waits for the person."""
        open_ones = (ActionStatus.ASKING, ActionStatus.WAITING)
        under_way = [self.children.get(step_id) for step_id in self.steps]
        return bool(under_way) and all(child is not None and child.status in open_ones for child in under_way)

    def ran(self) -> list[ActionRecord]:
        """What its steps have become, in the chain's order."""
        return [self.children[step.id] for step in self.chain.steps if step.id in self.children]


Make = Callable[[Plan], Plan]


class PlanRows(WorkPart):
    """Writes and announces every transition."""

    @uninterruptible
    async def change(self, live: LivePlan, make: Make) -> None:
        """Change the chain; nothing is written where `make` changes nothing.

        Raises:
            PlanOverError: It is settled.
            StorageError: It could not be written down; it is as it was.
            UsageError: `make` refused.
        """
        async with live.lock:
            chain = make(live.chain)
            if chain == live.chain:
                return
            record = replace(live.record, chain=chain, resumes=0, title=_title(live.record, chain))
            if not await self._store.replace(record, only_from=ActionStatus.RUNNING):
                raise PlanOverError("plans.is_over", title=record.title)
            self.took(live, record)

    @uninterruptible
    async def note(self, live: LivePlan, verification: Verification) -> None:
        """Write down how far its check is; as `change`."""
        async with live.lock:
            record = replace(live.record, verification=verification, resumes=0)
            if not await self._store.replace(record, only_from=ActionStatus.RUNNING):
                raise PlanOverError("plans.is_over", title=record.title)
            self.took(live, record)

    async def resumed(self, live: LivePlan) -> None:
        """It is taken up once more without having come further; as `change`."""
        async with live.lock:
            record = replace(live.record, resumes=live.record.resumes + 1)
            if not await self._store.replace(record, only_from=ActionStatus.RUNNING):
                raise PlanOverError("plans.is_over", title=record.title)
            live.took(record)

    def with_step(self, live: LivePlan, step: Step) -> tuple[ActionRecord, Also]:
        """The chain's record with a step changed, and what writes it in another transaction; under `lock`."""
        record = replace(live.record, chain=live.chain.with_step(step), resumes=0)
        return record, self._store.replacing(record, only_from=ActionStatus.RUNNING)

    def took(self, live: LivePlan, record: ActionRecord) -> None:
        """It stands in the database now."""
        live.took(record)
        self._publisher.changed(live.record)
        live.news.set()

    async def step(
        self,
        live: LivePlan,
        step_id: str,
        status: StepStatus,
        *,
        result: str = "",
        error: str = "",
        unneeded: bool = False,
    ) -> None:
        """A step has come further; one that was taken out meanwhile is let be.

        Raises:
            PlanOverError: The chain is settled.
            StorageError: It could not be written down.
        """
        now = self._clock.now()

        def make(chain: Plan) -> Plan:
            step = chain.step(step_id)
            if step is None or step.status is status or step.status.ended:
                return chain
            begun = now if status is StepStatus.RUNNING and step.started_at is None else step.started_at
            ended = now if status.ended else None
            told = replace(step, status=status, result=result, error=error, unneeded=unneeded)
            return chain.with_step(replace(told, started_at=begun, finished_at=ended))

        await self.change(live, make)


def _title(record: ActionRecord, chain: Plan) -> str:
    """It is called by its steps; what was put in beside one that failed is no new one."""
    before = record.chain
    if chain.saved_key:
        return record.title
    if before is not None and [step.id for step in before.steps] == [step.id for step in chain.steps]:
        return record.title
    own = [tuple(step for step in stage.steps if chain.step(step.mends) is None) for stage in chain.stages]
    stages = [Stage(steps) for steps in own]
    return plan_title([stage for stage in stages if stage.steps]) or record.title


class PlanClosing(WorkPart):
    """Shared by all plans."""

    async def close(self, live: LivePlan, ending: Ending) -> None:
        """End what runs, write the outcome down, and say it."""
        await self.stop_steps(live, over())
        async with live.lock:
            record, now = live.record, self._clock.now()
            begun = record.started_at or now
            ended = replace(
                record,
                status=ending.status,
                error=ending.reason,
                chain=_closed(live.chain, live),
                verification=_over(record.verification, now),
                duration_ms=max(0, int((now - begun).total_seconds() * 1000)),
            )
            live.exchange.status = "ok" if ended.status is ActionStatus.SUCCEEDED else "failed"
            say = ending.tell and live.exchange.told
            await self._executor.finish(record, ended, say=say, steps=live.ran())

    async def stop_steps(self, live: LivePlan, reason: str) -> None:
        """End the steps under way and their processes, and turn down what they ask."""
        tasks = list(live.steps.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        under_way = [child for child in live.children.values() if not child.status.ended]
        await asyncio.gather(*(self._stop(live, child, reason) for child in under_way))

    async def _stop(self, live: LivePlan, child: ActionRecord, reason: str) -> None:
        async with self._executor.settling(child.conversation_id):
            now = live.children[child.id]
            if now.status in _OPEN:
                with suppress(UsageError, StorageError):  # settled already; or nothing can be written down
                    live.children[child.id] = await self._executor.turn_down(now, reason)
        await self._executor.cancel(child.id, tell=False)
        now = live.children[child.id]
        if now.status is ActionStatus.RUNNING:  # in its row alone: it ran in a process that is no more
            await self._executor.interrupt(now)


def _over(verification: Verification | None, now: datetime) -> Verification | None:
    """A check that was given up has come to its end too."""
    if verification is None or verification.ended_at is not None:
        return verification
    return replace(verification, ended_at=now)


def _closed(chain: Plan, live: LivePlan) -> Plan:
    """With what ended last, and with what was not begun cancelled."""
    return replace(
        chain,
        stages=tuple(Stage(tuple(_ended(step, live) for step in stage.steps)) for stage in chain.stages),
    )


def _ended(step: Step, live: LivePlan) -> Step:
    child = live.children.get(step.id)
    done = child is not None and child.status is ActionStatus.SUCCEEDED
    if step.status.ended:
        return step
    if child is not None and done:  # it came to its end before its row could say so
        return replace(step, status=StepStatus.SUCCEEDED, finished_at=child.finished_at)
    return replace(step, status=StepStatus.CANCELLED)
