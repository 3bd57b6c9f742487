"""ChainRows: the one door through which a chain under way is changed. On disk first, then heard of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from partner_desktop.action.announcer import Announcer
from partner_desktop.action.chain.live import ChainOverError, LiveChain
from partner_desktop.action.chain.remaking import chain_title
from partner_desktop.action.store import ActionStore, Also
from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Chain, Stage, Step, StepStatus

Make = Callable[[Chain], Chain]


class ChainRows:
    """Writes and announces every transition."""

    def __init__(self, store: ActionStore, announcer: Announcer, *, clock: Clock) -> None:
        self._store = store
        self._announcer = announcer
        self._clock = clock

    @uninterruptible
    async def change(self, live: LiveChain, make: Make) -> None:
        """Change the chain; nothing is written where `make` changes nothing.

        Raises:
            ChainOverError: It is settled.
            StorageError: It could not be written down; it is as it was.
            UsageError: `make` refused.
        """
        async with live.lock:
            chain = make(live.chain)
            if chain == live.chain:
                return
            record = replace(live.record, chain=chain, resumes=0, title=_title(live.record, chain))
            if not await self._store.replace(record, only_from=ActionStatus.RUNNING):
                raise ChainOverError(f"{record.title} is over.")
            self.took(live, record)

    async def resumed(self, live: LiveChain) -> None:
        """It is taken up once more without having come further; as `change`."""
        async with live.lock:
            record = replace(live.record, resumes=live.record.resumes + 1)
            if not await self._store.replace(record, only_from=ActionStatus.RUNNING):
                raise ChainOverError(f"{record.title} is over.")
            live.took(record)

    def with_step(self, live: LiveChain, step: Step) -> tuple[ActionRecord, Also]:
        """The chain's record with a step changed, and what writes it in another transaction; under `lock`."""
        record = replace(live.record, chain=live.chain.with_step(step), resumes=0)
        return record, self._store.replacing(record, only_from=ActionStatus.RUNNING)

    def took(self, live: LiveChain, record: ActionRecord) -> None:
        """It stands in the database now."""
        live.took(record)
        self._announcer.changed(live.record)
        live.news.set()

    async def step(
        self, live: LiveChain, step_id: str, status: StepStatus, *, result: str = "", error: str = ""
    ) -> None:
        """A step has come further; one that was taken out meanwhile is let be.

        Raises:
            ChainOverError: The chain is settled.
            StorageError: It could not be written down.
        """
        now = self._clock.now()

        def make(chain: Chain) -> Chain:
            step = chain.step(step_id)
            if step is None or step.status is status or step.status.ended:
                return chain
            begun = now if status is StepStatus.RUNNING and step.started_at is None else step.started_at
            ended = now if status.ended else None
            return chain.with_step(
                replace(step, status=status, result=result, error=error, started_at=begun, finished_at=ended)
            )

        await self.change(live, make)


def _title(record: ActionRecord, chain: Chain) -> str:
    """It is called by its steps; what was put in beside one that failed is no new one."""
    before = record.chain
    if before is not None and [step.id for step in before.steps] == [step.id for step in chain.steps]:
        return record.title
    own = [tuple(step for step in stage.steps if chain.step(step.mends) is None) for stage in chain.stages]
    stages = [Stage(steps) for steps in own]
    return chain_title([stage for stage in stages if stage.steps]) or record.title
