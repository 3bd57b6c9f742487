"""Recovery: what a crash left of actions, taken up by the next start.

Contract: an action that was running goes on by itself only where doing it twice changes nothing: its
author says so, its script and what holds it are those that were approved, and it was not tried too often.
Everything else is marked as interrupted and said in its conversation; "Run again" is the person's.
Nothing runs under a new permission. Exactly one process does this: the one that holds the home's lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from partner_desktop.action.chain.chain_core import step_face
from partner_desktop.action.facts import request_for
from partner_desktop.action.path_arguments import resolve_paths
from partner_desktop.action.questions import Questions
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base import log
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Asked, Choice, Dropped, Evidence, Finished, Proposed, Withheld
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runner.client import repeatable
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.runtime.turn_queue import QueueEntry, TurnQueue

_log = log.area("recovery")

#: A run that took Partner down this often is not begun again.
MOST_RESUMES = 2


class Recovery(WorkPart):
    """A part of the AgentContext, launched when the abilities are known; the turn queue's `Aftermath`."""

    def __init__(
        self, parts: WorkParts, questions: Questions, exchanges: ExchangeRegistry, queue: TurnQueue
    ) -> None:
        super().__init__(parts)
        self._questions = questions
        self._exchanges = exchanges
        self._queue = queue
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
                await self._executor.turn_down(record, "Partner was closed before it could ask.")
        await self._store.show_missing_cards()
        for record in await self._store.in_status(ActionStatus.RUNNING):
            if record.chain is None and not record.parent_id:  # chains are the ChainRunner's
                await self._go_on(record)

    async def shutdown(self) -> None:
        """Runs belong to the executor."""

    async def _go_on(self, record: ActionRecord) -> None:
        exchange = self._exchanges.open(
            record.conversation_id, cwd=record.cwd, exchange_id=record.exchange_id
        )
        release = exchange.hold()
        try:
            await self._resume_or_end(record, exchange)
        finally:
            release()
        self._follow(exchange)

    async def _resume_or_end(self, record: ActionRecord, exchange: Exchange) -> None:
        info = self._catalog.get(record.key)
        decision = await self._still_allowed(record, info) if info is not None else None
        if info is None or decision is None:
            _log.info("%s was interrupted and is not repeated", record.key)
            await self._executor.interrupt(record)
        elif decision.outcome is not Outcome.ALLOW:
            _log.info("%s was interrupted and may not run any more", record.key)
            await self._executor.interrupt(record, decision.reason)
        else:
            _log.info("%s goes on after Partner ended while it ran", record.key)
            await self._executor.resume(record, info, decision, exchange=exchange)

    async def resume_step(self, record: ActionRecord, exchange: Exchange) -> bool:
        """Begin the run of a chain's step again where that may be; whether it did."""
        info = self._catalog.get(record.key)
        decision = await self._still_allowed(record, info) if info is not None else None
        if info is None or decision is None or decision.outcome is not Outcome.ALLOW:
            return False
        await self._executor.resume(record, info, decision, exchange=exchange)
        return True

    async def _still_allowed(self, record: ActionRecord, info: MetaActionInfo) -> Decision | None:
        """The decision it ran under, if the same run may be repeated under it; or the one that forbids it."""
        if not repeatable(info, record.paths) or record.resumes >= MOST_RESUMES:
            return None
        if info.content_hash != record.content_hash or self._runner.isolation(info) != record.isolation:
            return None
        found = await asyncio.to_thread(resolve_paths, info, record.params, cwd=record.cwd)
        if found.problems or found.uses != record.paths or found.params != record.params:
            return None
        return await self._engine.resume(request_for(record, info))

    # What a turn that was cut off had set off (`runtime/unfinished.py`: Aftermath).

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
        return [evidence for evidence in new.values() if evidence is not None]

    def _stands(self, record: ActionRecord) -> Evidence | None:
        """Where an action stands, as evidence; `None` where its outcome is told by a turn of its own."""
        if record.status is ActionStatus.WAITING:
            return Proposed(record)
        if record.status is ActionStatus.ASKING:
            if record.options:
                return Choice(record, self._questions.options(record))
            asked = step_face(record)  # of a chain, the step that lacks something
            return Asked(asked, asked.asked_param, _hint(asked))
        if record.status is ActionStatus.REJECTED:
            return Withheld(record, record.error)
        if record.status is ActionStatus.FAILED and record.started_at is None:
            return Finished(record)
        return None

    async def outcome(self, action_id: str) -> Sequence[Evidence]:
        """An action's outcome; nothing if the action is gone."""
        try:
            record = await self._store.get(action_id)
        except UsageError:
            return []
        if record.status is ActionStatus.REJECTED:
            return [Withheld(record, record.error)]
        if not record.status.ended:
            return []
        return [Finished(record, await self._steps_of(record))]

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


def _hint(record: ActionRecord) -> str:
    """The asked parameter's own description."""
    properties = record.schema.get("properties")
    schema = properties.get(record.asked_param) if isinstance(properties, dict) else None
    return str(schema.get("description") or "") if isinstance(schema, dict) else ""
