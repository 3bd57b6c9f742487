"""How long a card waits for its yes or no, and a question for its answer. A card is reminded of near the end.

Contract: the end is in the row, so that time counts while Partner is closed. What is due is looked at in
turns; it expires and says so. A decision past the end is refused (`Approvals`), whether or not it was looked
at yet; an answer past it is a message like any other. Cards that became due at one look are said in one turn
a conversation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from partner_desktop.action.store import ActionStore
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Finished, Reminded
from partner_desktop.storage.database import Connection

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
    """Whether a card or a question waited long enough."""
    if record.status is ActionStatus.ASKING:
        return now - (record.asked_at or record.created_at) >= CONFIRMATION_TIMEOUT
    return record.waits_until is not None and now >= record.waits_until


class ConfirmationExpiry(WorkPart):
    """The waiting cards and open questions of all conversations. A part of the AgentContext."""

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
        due = [record.conversation_id for record in await self._open() if self._step(record) is not None]
        for conversation_id in dict.fromkeys(due):
            await uninterrupted(self._settle_due(conversation_id))

    def _step(self, record: ActionRecord) -> Callable[..., Awaitable[ActionRecord | None]] | None:
        """What is to be done about a card or a question now."""
        now, until = self._clock.now(), record.waits_until
        if record.status is ActionStatus.ASKING:
            put_back = (record.asked_at or record.created_at) > now
            return self._begin_anew if put_back else self._expire if is_over(record, now) else None
        if until is None or until - now > CONFIRMATION_TIMEOUT:
            return self._begin_anew  # it is from an older version; or the clock was put back
        if now >= until:
            return self._expire
        return self._remind if until - now <= REMINDER and not record.reminded else None

    async def _settle_due(self, conversation_id: str) -> None:
        """All that is due in one conversation, as it is once nothing else is being decided there."""
        expired: list[Finished] = []
        reminded: list[Reminded] = []
        async with self._executor.settling(conversation_id):
            for record in await self._open(conversation_id):
                asks = record.status is ActionStatus.ASKING
                step, own = self._step(record), not record.parent_id  # a plan says it with its own end
                done = await step(record, to_tell=own and (asks or not expired)) if step is not None else None
                if done is None or (done.status is ActionStatus.EXPIRED and not own):
                    continue
                if done.status is not ActionStatus.EXPIRED:
                    reminded += [Reminded(done)] if done.reminded else []
                elif asks:
                    self._executor.tell(Finished(done), done)
                else:
                    expired.append(Finished(done))
        facts: list[Finished | Reminded] = [*expired, *reminded]
        if facts:
            self._executor.tell(facts[0], facts[0].action, *facts[1:])

    async def _open(self, conversation_id: str = "") -> list[ActionRecord]:
        return [
            record
            for status in (ActionStatus.WAITING, ActionStatus.ASKING)
            for record in await self._store.in_status(status, conversation_id=conversation_id)
        ]

    async def _begin_anew(self, record: ActionRecord, *, to_tell: bool) -> ActionRecord | None:
        """Its patience begins now, not when the time comes that a wrong clock wrote down."""
        del to_tell
        now, asks = self._clock.now(), record.status is ActionStatus.ASKING
        renewed = replace(record, asked_at=now) if asks else waiting_from(record, now, record.number)
        if not await self._store.replace(renewed, only_from=record.status):
            return None
        (self._publisher.changed if asks else self._publisher.proposed)(renewed)
        return renewed

    async def _remind(self, record: ActionRecord, *, to_tell: bool) -> ActionRecord | None:
        del to_tell
        reminded = replace(record, reminded=True)
        return reminded if await self._store.replace(reminded, only_from=ActionStatus.WAITING) else None

    async def _expire(self, record: ActionRecord, *, to_tell: bool) -> ActionRecord | None:
        """The first card of a turn is told of after a crash, too: one turn, one place in the queue."""
        asks = record.status is ActionStatus.ASKING
        told = "card.question_expired" if asks else "card.expired"
        with speaking(record.language):
            error = sentence_of(told, minutes=int(CONFIRMATION_TIMEOUT.total_seconds() // 60))
        ended = replace(record, status=ActionStatus.EXPIRED, finished_at=self._clock.now(), error=error)

        def also(db: Connection) -> None:
            if not asks:
                self._audit.result(db, ended.id, ended.key, outcome=ended.status.value)

        if not await self._store.replace(ended, only_from=record.status, to_tell=to_tell, also=also):
            return None
        self._publisher.ended(ended)
        return ended
