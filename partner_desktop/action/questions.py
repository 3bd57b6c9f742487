"""Questions: what the person was asked in the chat. A question is a row: it survives a restart, and it ends.

Contract: an open question waits for `CONFIRMATION_TIMEOUT`; then it ends as expired and says so in its
conversation. An answer that comes later is a message like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from partner_desktop.action.confirmation_expiry import CONFIRMATION_TIMEOUT
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.plans.step_maker import as_action, new_record
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.spoken import sentence_of, speaking
from partner_desktop.base.tasks import TaskSet, uninterrupted, uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Choice, Finished
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.runtime.exchanges import Exchange

#: Why a choice ends of which nothing is left.
ALL_GONE = "None of what was offered is there any more."
#: Seconds between looks at what is due.
_LOOK_S = 20.0


class Questions(WorkPart):
    """The open questions of all conversations."""

    def __init__(self, parts: WorkParts) -> None:
        super().__init__(parts)
        self._tasks = TaskSet("questions")

    async def launch(self) -> None:
        """Also ends what became due while Partner was closed."""
        self._tasks.start("patience", self._watch())

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def open(self, conversation_id: str) -> ActionRecord | None:
        """The question that waits for an answer in a conversation, the newest if there are several."""
        asking = await self._store.in_status(ActionStatus.ASKING, conversation_id=conversation_id)
        asked = [
            record for record in asking if (record.asked_param or record.options) and not self._due(record)
        ]
        return asked[-1] if asked else None

    @uninterruptible
    async def offer(self, options: Sequence[MetaActionInfo], *, exchange: Exchange, text: str) -> Choice:
        """Ask which of several abilities was meant.

        Raises:
            UsageError: None of them can be called any more.
        """
        async with self._executor.settling(exchange.conversation_id):
            found = (self._catalog.get(info.key) for info in options)  # as they are now
            options = tuple(info for info in found if info is not None)
            if not options:
                raise UsageError(ALL_GONE)
            record = replace(
                self._record(options[0], exchange=exchange, text=text),
                options=tuple(info.key for info in options),
                asked_at=self._clock.now(),
            )
            await self._store.add(record)
        exchange.status = "waiting"
        self._publisher.changed(record)
        return Choice(record, options)

    def options(self, question: ActionRecord) -> tuple[MetaActionInfo, ...]:
        """The abilities as they were offered: “the first” counts those that are gone too."""
        return tuple(self._offered(key) for key in question.options)

    def _offered(self, key: str) -> MetaActionInfo:
        entry = self._catalog.entry(key)
        if entry is not None and entry.info is not None:
            return entry.info
        return MetaActionInfo(key=key, route=Route.MCP, description="")

    def left(self, question: ActionRecord) -> tuple[MetaActionInfo, ...]:
        """The abilities on offer that can still be called."""
        found = (self._catalog.get(key) for key in question.options)
        return tuple(info for info in found if info is not None)

    @uninterruptible
    async def again(self, question: ActionRecord) -> Choice | None:
        """Ask once more, with what is left of the options; `None` when that is nothing: the question ends."""
        async with self._executor.settling(question.conversation_id):
            left, current = self.left(question), await self._store.get(question.id)
            if current.status is not ActionStatus.ASKING or not current.options:
                return None
            if not left:
                await self._executor.turn_down(current, ALL_GONE)
                return None
            keys = tuple(info.key for info in left)
            renewed = replace(current, options=keys, asked_at=self._clock.now())
            await self._store.replace(renewed, only_from=ActionStatus.ASKING)
        self._publisher.changed(renewed)
        return Choice(renewed, left, again=True)

    @uninterruptible
    async def end(self, question: ActionRecord, reason: str) -> None:
        """End a question that cannot be answered any more, in the exchange that it has now.

        Nothing happens if it is settled.
        """
        async with self._executor.settling(question.conversation_id):
            current = await self._store.get(question.id)
            if current.status is ActionStatus.ASKING:
                here = replace(current, exchange_id=question.exchange_id)
                await self._executor.turn_down(here, reason)

    async def left_open(self, conversation_id: str) -> ActionRecord | None:
        """The newest question that the person left for something else and was not asked again."""
        asking = await self._store.in_status(ActionStatus.ASKING, conversation_id=conversation_id)
        return next((record for record in reversed(asking) if record.kept == "left"), None)

    @uninterruptible
    async def keep(self, question: ActionRecord, kept: Literal["left", "back"]) -> ActionRecord | None:
        """Note that the person went on to something else, or is asked again; `None`: it is settled."""
        async with self._executor.settling(question.conversation_id):
            current = await self._store.get(question.id)
            if current.status is not ActionStatus.ASKING:
                return None
            renewed = replace(current, kept=kept, asked_at=self._clock.now())
            await self._store.replace(renewed, only_from=ActionStatus.ASKING)
            return renewed

    def chosen(self, question: ActionRecord, info: MetaActionInfo, *, exchange: Exchange) -> ActionRecord:
        """The question, with the chosen ability in its place; not yet written down."""
        record = self._record(info, exchange=exchange, text=question.request_text)
        return replace(
            record, id=question.id, created_at=question.created_at, cwd=exchange.cwd or question.cwd
        )

    def _record(self, info: MetaActionInfo, *, exchange: Exchange, text: str) -> ActionRecord:
        source, now = str(self._catalog.original(info.key) or ""), self._clock.now()
        return new_record(StepDraft(info, text), exchange=exchange, text=text, source=source, now=now)

    def _due(self, record: ActionRecord) -> bool:
        return self._clock.now() - (record.asked_at or record.created_at) >= CONFIRMATION_TIMEOUT

    async def _watch(self) -> None:
        while True:
            await self.end_due()
            await self._clock.sleep(_LOOK_S)

    async def end_due(self) -> None:
        """End every question that was waited for long enough, and say so."""
        for record in await self._store.in_status(ActionStatus.ASKING):
            if (record.asked_at or record.created_at) > self._clock.now():
                await uninterrupted(self._rebase(record.id, record.conversation_id))
            elif self._due(record):
                await uninterrupted(self._expire(record))

    async def _rebase(self, action_id: str, conversation_id: str) -> None:
        """The clock was put back behind the question: its patience begins now, not when that time comes."""
        async with self._executor.settling(conversation_id):
            current = await self._store.get(action_id)
            if current.status is ActionStatus.ASKING:
                renewed = replace(current, asked_at=self._clock.now())
                await self._store.replace(renewed, only_from=ActionStatus.ASKING)
                self._publisher.changed(renewed)

    async def _expire(self, record: ActionRecord) -> None:
        async with self._executor.settling(record.conversation_id):
            asking = await self._store.in_status(ActionStatus.ASKING, conversation_id=record.conversation_id)
            current = next((each for each in asking if each.id == record.id), None)
            if current is None or not self._due(current):
                return  # it was answered while the lock was waited for, and may ask for something else now
            with speaking(current.language):
                error = sentence_of(
                    "card.question_expired", minutes=int(CONFIRMATION_TIMEOUT.total_seconds() // 60)
                )
            ended = replace(
                current,
                status=ActionStatus.EXPIRED,
                finished_at=self._clock.now(),
                error=error,
            )
            say = not ended.parent_id  # a chain goes on, and says it with its own end
            if not await self._store.replace(ended, only_from=ActionStatus.ASKING, to_tell=say):
                return
        self._publisher.ended(ended)
        if say:
            self._executor.tell(Finished(ended), ended)


def step_face(question: ActionRecord) -> ActionRecord:
    """The step that an open question is about, as if asked about alone; under the id of the whole."""
    step = question.plan.step(question.plan.asked_step)
    if question.chain is None or step is None:
        return question
    return replace(
        as_action(question, step),
        id=question.id,
        parent_id="",
        status=question.status,
        asked_param=question.asked_param,
        asked_at=question.asked_at,
        exchange_id=question.exchange_id,
    )


def asked_hint(face: ActionRecord) -> str:
    """The asked parameter's own description."""
    properties = face.schema.get("properties")
    schema = properties.get(face.asked_param) if isinstance(properties, dict) else None
    return str(schema.get("description") or "") if isinstance(schema, dict) else ""
