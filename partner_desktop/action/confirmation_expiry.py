"""How long a card waits for its yes or no. A reminder near the end, then it expires and says so.

Contract: the end is in the row, so that time counts while Partner is closed. What is due is looked at in
turns; a decision past the end is refused (`Approvals`), whether or not it was looked at yet. What became due
at one look is said in one turn a conversation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from partner_desktop.action.store import ActionStore
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.spoken import sentence_of, speaking
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Finished, Reminded

#: How long an answer is waited for.
CONFIRMATION_TIMEOUT = timedelta(minutes=30)
#: How long before the end the person is reminded.
REMINDER = timedelta(minutes=5)
#: Seconds between looks at what is due.
_LOOK_S = 20.0


def waiting_from(record: ActionRecord, now: datetime, number: int) -> ActionRecord:
    """A card that asks from now on, be it for the first time or because it shows something else."""
    return replace(record, waits_until=now + CONFIRMATION_TIMEOUT, reminded=False, number=number)


async def asking_beside(store: ActionStore, record: ActionRecord, now: datetime) -> ActionRecord:
    """A card that is put there, numbered after those that wait beside it."""
    beside = await store.in_status(ActionStatus.WAITING, conversation_id=record.conversation_id)
    number = 1 + max((other.number for other in beside), default=0)
    return waiting_from(replace(record, status=ActionStatus.WAITING), now, number)


def is_over(record: ActionRecord, now: datetime) -> bool:
    """Whether a card waited long enough."""
    return record.waits_until is not None and now >= record.waits_until


class ConfirmationExpiry(WorkPart):
    """The waiting cards of all conversations. A part of the AgentContext."""

    def __init__(self, parts: WorkParts) -> None:
        super().__init__(parts)
        self._tasks = TaskSet("card patience")

    async def launch(self) -> None:
        """Also ends what became due while Partner was closed."""
        self._tasks.start("patience", self._watch())

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def _watch(self) -> None:
        while True:
            await self.look()
            await self._clock.sleep(_LOOK_S)

    async def look(self) -> None:
        """Remind of what is due soon, and end what is due."""
        by_conversation: dict[str, list[ActionRecord]] = {}
        for record in await self._store.in_status(ActionStatus.WAITING):
            by_conversation.setdefault(record.conversation_id, []).append(record)
        for conversation_id, records in by_conversation.items():
            if any(self._step(record) is not None for record in records):
                await uninterrupted(self._settle_due(conversation_id))

    def _step(self, record: ActionRecord) -> Callable[..., Awaitable[ActionRecord | None]] | None:
        """What is to be done about a card now."""
        now, until = self._clock.now(), record.waits_until
        if (
            until is None or until - now > CONFIRMATION_TIMEOUT
        ):  # from an older version; or the clock was put back
            return self._begin_anew
        if now >= until:
            return self._expire
        return self._remind if until - now <= REMINDER and not record.reminded else None

    async def _settle_due(self, conversation_id: str) -> None:
        """All that is due in one conversation, as it is once nothing else is being decided there."""
        expired: list[ActionRecord] = []
        reminded: list[ActionRecord] = []
        async with self._executor.settling(conversation_id):
            waiting = await self._store.in_status(ActionStatus.WAITING, conversation_id=conversation_id)
            for record in waiting:
                step = self._step(record)
                say = not expired and not record.parent_id  # a chain goes on, and says it with its own end
                done = await step(record, first=say) if step is not None else None
                if done is not None and done.status is ActionStatus.EXPIRED:
                    expired.extend([] if done.parent_id else [done])
                elif done is not None and done.reminded:
                    reminded.append(done)
        self._tell(expired, reminded)

    def _tell(self, expired: Sequence[ActionRecord], reminded: Sequence[ActionRecord]) -> None:
        facts: list[Finished | Reminded] = [
            *(Finished(record) for record in expired),
            *(Reminded(record) for record in reminded),
        ]
        if facts:
            self._executor.tell(facts[0], facts[0].action, *facts[1:])

    async def _begin_anew(self, record: ActionRecord, *, first: bool) -> ActionRecord | None:
        """Its patience begins now, not when the time comes that a wrong clock wrote down."""
        del first
        renewed = waiting_from(record, self._clock.now(), record.number)
        if not await self._store.replace(renewed, only_from=ActionStatus.WAITING):
            return None
        self._publisher.proposed(renewed)
        return renewed

    async def _remind(self, record: ActionRecord, *, first: bool) -> ActionRecord | None:
        del first
        reminded = replace(record, reminded=True)
        return reminded if await self._store.replace(reminded, only_from=ActionStatus.WAITING) else None

    async def _expire(self, record: ActionRecord, *, first: bool) -> ActionRecord | None:
        """The `first` of a turn is told of after a crash, too: one turn, one place in the queue."""
        with speaking(record.language):
            error = sentence_of("card.expired", minutes=int(CONFIRMATION_TIMEOUT.total_seconds() // 60))
        ended = replace(
            record,
            status=ActionStatus.EXPIRED,
            finished_at=self._clock.now(),
            error=error,
        )
        if not await self._store.replace(
            ended,
            only_from=ActionStatus.WAITING,
            to_tell=first,
            also=lambda db: self._audit.result(db, ended.id, ended.key, outcome=ended.status.value),
        ):
            return None
        self._publisher.ended(ended)
        return ended
