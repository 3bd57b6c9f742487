"""Recovery: what a crash left of actions, taken up by the next start.

Contract: what may go on by itself is in `StepRecovery`. Everything else is marked as interrupted and said in
its conversation; "Run again" is the person's. Exactly one process does this: the one that holds the home's
lock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from partner_desktop.action.questions import Questions, asked_hint, step_face
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.runs.step_recovery import StepRecovery
from partner_desktop.action.schedules.schedule_maker import ScheduleMaker
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import (
    MISSED_SUBJECTS,
    Asked,
    Choice,
    Dropped,
    Evidence,
    Finished,
    Proposed,
    Withheld,
)
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.runtime.turn_queue import QueueEntry, TurnQueue


class Recovery(WorkPart):
    """A part of the AgentContext, launched when the abilities are known; the turn queue's `Aftermath`."""

    def __init__(
        self,
        parts: WorkParts,
        questions: Questions,
        steps: StepRecovery,
        plan_runner: PlanRunner,
        exchanges: ExchangeRegistry,
        queue: TurnQueue,
        schedule_maker: ScheduleMaker,
    ) -> None:
        super().__init__(parts)
        self._questions = questions
        self._steps = steps
        self._plan_runner = plan_runner
        self._exchanges = exchanges
        self._queue = queue
        self._schedule_maker = schedule_maker
        self._told_of: set[str] = set()
        self._follow: Callable[[Exchange], None] = lambda exchange: None

    def followed_by(self, follow: Callable[[Exchange], None]) -> None:
        """Set who waits for what goes on; wired once by the app."""
        self._follow = follow

    async def launch(self) -> None:
        """Take up what was running, and clear away what had not got as far as a question."""
        queued = {entry.exchange_id for entry in self._queue.left}
        for record in await self._store.in_status(ActionStatus.ASKING, deleted_too=True):
            if record.asked_param or record.options:
                continue
            if record.exchange_id in queued:
                await self._store.remove(record.id)  # its message is understood anew
            else:
                with speaking(record.language):
                    await self._executor.turn_down(record, sentence_of("plans.closed_before"))
        await self._store.show_missing_cards()
        for record in await self._store.in_status(ActionStatus.RUNNING):
            if not record.parent_id:  # steps are taken up with their plan
                with speaking(record.language):
                    await self._take_up(record)
        await self._plan_runner.end_orphans()

    async def shutdown(self) -> None:
        """Runs belong to the executor."""

    async def _take_up(self, record: ActionRecord) -> None:
        exchange = self._exchanges.open(
            record.conversation_id, cwd=record.cwd, exchange_id=record.exchange_id
        )
        release = exchange.hold()
        try:
            if record.chain is not None:
                await self._plan_runner.take_up(record, exchange)
            else:
                await self._resume_or_end(record, exchange)
        finally:
            release()
        self._follow(exchange)

    async def _resume_or_end(self, record: ActionRecord, exchange: Exchange) -> None:
        begun, why = await self._steps.run_anew(record, exchange)
        if not begun:
            await self._executor.interrupt(record, why)

    # What a turn that was cut off had set off (`runtime/turn_recovery.py`: Aftermath).

    async def left_by(self, entry: QueueEntry) -> Sequence[Evidence] | None:
        """What is to be told of it now; `None`: it had set nothing off."""
        begun: list[ActionRecord] = []
        for exchange_id in {entry.exchange_id, entry.answered_by}:
            begun += filter(_stands_alone, await self._store.of_exchange(entry.conversation_id, exchange_id))
        since = await self._store.decided_since(entry.conversation_id, entry.begun_audit)
        decided = [record for record in since if _by_a_person(record)]
        if not begun and not decided:
            return None
        found = {record.id: self._stands(record) for record in begun}
        for record in decided:
            if record.id not in found:
                found[record.id] = _decided(record)
        # Inputs that were merged had one turn: what it set off is told once.
        new = {name: evidence for name, evidence in found.items() if name not in self._told_of}
        self._told_of.update(new)
        told = [evidence for evidence in new.values() if evidence is not None]
        for record in decided:
            if record.id in new and record.terms is not None and record.schedule_id:
                told += await self._planned(record)
        return told

    def _stands(self, record: ActionRecord) -> Evidence | None:
        """Where an action stands, as evidence; `None` where its outcome is told by a turn of its own."""
        if record.status is ActionStatus.WAITING:
            return Proposed(record)
        if record.status is ActionStatus.ASKING:
            if record.options:
                return Choice(record, self._questions.options(record))
            asked = step_face(record)  # of a chain, the step that lacks something
            return Asked(asked, asked.asked_param, asked_hint(asked))
        if record.status is ActionStatus.REJECTED:
            return Withheld(record, record.error)
        if record.status is ActionStatus.FAILED and record.started_at is None:
            return Finished(record)
        return None

    async def outcome(self, action_id: str) -> Sequence[Evidence]:
        """An action's outcome, or what else was to be told; nothing if that is gone."""
        if action_id.startswith(MISSED_SUBJECTS):
            return await self._schedule_maker.missed(action_id)
        try:
            record = await self._store.get(action_id)
        except UsageError:
            return []
        if record.status is ActionStatus.REJECTED:
            return [Withheld(record, record.error)]
        if not record.status.ended:
            return []
        if record.terms is not None and record.schedule_id:
            return await self._planned(record)
        return [Finished(record, await self._steps_of(record))]

    async def _planned(self, record: ActionRecord) -> Sequence[Evidence]:
        """The schedule that an action became; nothing where that is gone."""
        try:
            return [await self._schedule_maker.scheduled(record)]
        except UsageError:
            return []

    async def _steps_of(self, record: ActionRecord) -> tuple[ActionRecord, ...]:
        """What the steps of a chain did, in its order."""
        if record.chain is None:
            return ()
        found = {step.id: step for step in await self._store.steps_of(record.id)}
        return tuple(found[step.id] for step in record.chain.steps if step.id in found)


def _stands_alone(record: ActionRecord) -> bool:
    """Whether a turn tells of it: of the steps of a chain only of those that wait for the person."""
    return not record.parent_id or record.status in (ActionStatus.ASKING, ActionStatus.WAITING)


def _by_a_person(record: ActionRecord) -> bool:
    """Whether a turn may have decided on it: the steps of a chain are decided on while it goes on, whatever
    is said meanwhile, but for those that had a card."""
    return not record.parent_id or record.waits_until is not None


def _decided(record: ActionRecord) -> Evidence | None:
    """What a turn is to tell of an action that was decided on in it; `None`: a turn of its own does."""
    if record.status is ActionStatus.WAITING:
        return Proposed(record)  # cut off between the yes and the run: the card is still there
    if record.status is ActionStatus.REJECTED and not record.error:
        return Dropped(record)
    return None
