"""Questions: what the person was asked in the chat. A question is a row: it survives a restart, and it ends.

Contract: an open question waits as long as a card does; see `ConfirmationExpiry`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from partner_desktop.action.confirmation_expiry import is_over
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.action.plans.step_maker import as_action, new_record
from partner_desktop.action.work_parts import WorkPart
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Choice
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.runtime.exchanges import Exchange


#: Why a choice ends of which nothing is left.
def all_gone() -> str:
    """Why a question ends of whose options none is left."""
    return sentence_of("plans.all_gone")


class Questions(WorkPart):
    """The open questions of all conversations."""

    async def open(self, conversation_id: str) -> ActionRecord | None:
        """The question that waits for an answer in a conversation, the newest if there are several."""
        asking = await self._store.in_status(ActionStatus.ASKING, conversation_id=conversation_id)
        asked = [
            record
            for record in asking
            if (record.asked_param or record.options) and not is_over(record, self._clock.now())
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
                raise UsageError("plans.all_gone")
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
                await self._executor.turn_down(current, all_gone())
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
