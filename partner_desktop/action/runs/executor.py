"""ActionExecutor: submit, await, record.

Contract: a run is a row with status RUNNING before it begins, and its outcome is a row before anyone
hears of it. The run holds its exchange until the turn that reports it is queued. At shutdown running
actions are cancelled, their processes ended, and they are recorded as interrupted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

from partner_desktop.action.event_publisher import EventPublisher
from partner_desktop.action.runs.outcome import Printed, Progress, cut_short, finished_block, outcome_of
from partner_desktop.action.store import ActionStore, Also
from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.messages import spoken_language
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.base.trace import current_conversation
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.evidence import Evidence, Finished
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.request import Decision
from partner_desktop.runner.client import RunnerClient
from partner_desktop.runtime.exchanges import Exchange, Release
from partner_desktop.storage.database import Connection

_log = log.area("executor")

#: Whether a turn tells the outcome of a firing.
IsTold = Callable[[ActionRecord], Awaitable[bool]]


async def _told(ended: ActionRecord) -> bool:
    del ended
    return True


#: A turn about a result must not plan the same again.
_SKIP = frozenset({"ActionPlanner"})


class ActionExecutor:
    """Runs approved actions in the background. A part of the AgentContext."""

    def __init__(
        self,
        runner: RunnerClient,
        store: ActionStore,
        audit: AuditLog,
        cognition: CognitionCapability,
        publisher: EventPublisher,
        workspace: ContextWorkspace,
        *,
        clock: Clock,
    ) -> None:
        self._runner = runner
        self._store = store
        self._audit = audit
        self._cognition = cognition
        self._publisher = publisher
        self._workspace = workspace
        self._clock = clock
        self._tasks = TaskSet("executor")
        self._runs: dict[str, asyncio.Task[None]] = {}
        self.printed = Printed()
        """The end of what each run under way has printed."""
        self._exchanges: dict[str, str] = {}
        """The exchange of each run that is under way."""
        self._cancelled: dict[str, bool] = {}
        """The runs that somebody ended, and whether a turn tells so."""
        self._is_told: IsTold = _told
        self._settling: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def launch(self) -> None:
        """Nothing to open: `Recovery` takes up what a crash left."""

    async def shutdown(self) -> None:
        await self._tasks.close()

    def told_if(self, is_told: IsTold) -> None:
        """Set who says whether a turn tells an outcome that nobody asked about; wired once by the app."""
        self._is_told = is_told

    async def start(
        self,
        record: ActionRecord,
        info: MetaActionInfo,
        decision: Decision,
        *,
        exchange: Exchange,
        with_row: Also | None = None,
    ) -> ActionRecord:
        """Begin the run under `decision`; call it inside `settling`.

        What has no row yet is a step of a chain, or a firing: `with_row` writes that with it.

        Raises:
            UsageError: Another answer settled the action first.
            StorageError: It could not be written down; nothing runs.
        """
        running = replace(record, status=ActionStatus.RUNNING, started_at=self._clock.now())
        isolation = record.isolation.summary if record.isolation else ""

        def work(db: Connection) -> None:
            self._audit.run(db, decision, isolation=isolation)
            if with_row is not None:
                with_row(db)

        if with_row is not None:
            await self._store.add(running, also=work)
        elif not await self._store.replace(running, only_from=ActionStatus.WAITING, also=work):
            raise UsageError("card.settled", title=record.title)
        self._publisher.decided(decision, running)  # on disk by now: a yes that was heard is never lost
        await self._begin(running, info, decision, exchange)
        return running

    async def resume(
        self, record: ActionRecord, info: MetaActionInfo, decision: Decision, *, exchange: Exchange
    ) -> None:
        """Begin a run again that Partner's end cut off; that it was tried is on disk before it begins."""
        running = replace(
            record,
            status=ActionStatus.RUNNING,
            started_at=self._clock.now(),
            finished_at=None,
            error="",
            resumes=record.resumes + 1,
        )
        isolation = record.isolation.summary if record.isolation else ""
        if not await self._store.replace(
            running,
            only_from=record.status,
            also=lambda db: self._audit.resume(db, decision, isolation=isolation),
        ):
            return
        await self._begin(running, info, decision, exchange)

    async def interrupt(self, record: ActionRecord, reason: str = "") -> None:
        """A run that Partner's end cut off and that is not repeated: said in its conversation."""
        left = await self._runner.left_by(record.id)
        ended = replace(record, files=left.files, files_until=left.files_until, undo=left.undo)
        ended = replace(ended, status=ActionStatus.INTERRUPTED, error=reason)
        await self.finish(record, ended, say=not record.parent_id)

    async def _begin(
        self, running: ActionRecord, info: MetaActionInfo, decision: Decision, exchange: Exchange
    ) -> None:
        self._publisher.started(running)
        work = self._run(running, info, decision, exchange.hold(), exchange)
        self._runs[running.id] = self._tasks.start(running.id, work)
        self._exchanges[running.id] = running.exchange_id
        # A task cancelled before its first step never enters its clean-up: let it begin.
        await asyncio.sleep(0)

    async def _run(
        self,
        record: ActionRecord,
        info: MetaActionInfo,
        decision: Decision,
        release: Release,
        exchange: Exchange,
    ) -> None:
        meta_action = MetaAction(
            id=record.id,
            info=info,
            params=record.params,
            cwd=record.cwd,
            conversation_id=record.conversation_id,
            language=record.language,
        )
        spoken_language.set(record.language)
        current_conversation.set(record.conversation_id)
        cancelled = False
        said: dict[Stream, str] = {}
        try:
            with (
                Progress(partial(self._publisher.progressed, record)) as progress,
                self.printed.of(record.id, partial(self._publisher.printed, record)) as printed,
            ):
                try:
                    await self._runner.submit(
                        meta_action,
                        decision,
                        paths=record.paths,
                        on_progress=progress.tell,
                        on_output=printed,
                    )
                except asyncio.CancelledError:
                    cancelled = True
                    said = self.printed.so_far(record.id)
            asked = record.id in self._cancelled
            ended = outcome_of(record, meta_action.response)
            if cancelled:
                status = ActionStatus.CANCELLED if asked else ActionStatus.INTERRUPTED
                ended = cut_short(ended, status, said)
            exchange.status = "ok" if ended.status is ActionStatus.SUCCEEDED else "failed"
            # What ran has run: a cancellation that comes now must not lose its record.
            # Whoever calls what is hidden, a program, and a chain hear of its end by themselves.
            heard = exchange.told and not info.hidden and not record.parent_id
            say = heard and self._cancelled.get(record.id, not cancelled)
            await uninterrupted(self.finish(record, ended, say=say))
        finally:
            self._runs.pop(record.id, None)
            self._exchanges.pop(record.id, None)
            self._cancelled.pop(record.id, None)
            release()
        if cancelled:
            raise asyncio.CancelledError

    async def finish(
        self,
        record: ActionRecord,
        ended: ActionRecord,
        *,
        say: bool = True,
        steps: Sequence[ActionRecord] = (),
    ) -> None:
        """Write the outcome of a run or a chain down, then say it; `steps`: what those of a chain did."""
        ended = replace(ended, finished_at=self._clock.now())
        say = say and (not ended.schedule_id or await self._is_told(ended))
        if not await self._keep(record, ended, to_tell=say):
            return
        self._publisher.ended(ended)
        if not ended.parent_id:  # the chain's own block tells of its steps
            self.remember(ended, steps)
        if say:
            self.tell(Finished(ended, tuple(steps)), ended)

    def remember(self, ended: ActionRecord, steps: Sequence[ActionRecord]) -> None:
        """Put the outcome of an action before the turns to come, in the place of what they had of it."""
        self._workspace.register(finished_block(ended, steps))

    async def _keep(self, record: ActionRecord, ended: ActionRecord, *, to_tell: bool) -> bool:
        """Write the outcome down; a disk that refuses is logged, and the person still hears the outcome."""
        try:
            return await self._store.replace(
                ended,
                only_from=record.status,
                to_tell=to_tell,
                also=lambda db: self._audit.result(db, ended.id, ended.key, outcome=ended.status.value),
            )
        except StorageError:
            _log.exception("the outcome of %s could not be saved", ended.key)
        return True

    def tell(self, evidence: Evidence, record: ActionRecord, *besides: Evidence) -> None:
        """Start a turn that says what happened, addressed to the action's conversation."""
        self._cognition.initiate_turn(
            [evidence, *besides],
            conversation_id=record.conversation_id,
            exchange_id=record.exchange_id,
            skip=_SKIP,
        )

    async def turn_down(
        self, record: ActionRecord, reason: str, *, decision: Decision | None = None, to_tell: bool = False
    ) -> ActionRecord:
        """End a question or proposal that will not run; with `to_tell` a turn of its own tells so.

        Raises:
            UsageError: Another answer settled it first.
        """
        ended = replace(record, status=ActionStatus.REJECTED, error=reason, finished_at=self._clock.now())
        if not await self._store.replace(ended, only_from=record.status, to_tell=to_tell):
            raise UsageError("card.settled", title=record.title)
        if decision is not None:
            self._publisher.decided(decision, ended)
        self._publisher.ended(ended)
        return ended

    def exchange_of(self, action_id: str) -> str:
        """The exchange of a run that is under way; empty when it is not."""
        return self._exchanges.get(action_id, "")

    def settling(self, conversation_id: str) -> asyncio.Lock:
        """Held while an action of a conversation is begun or answered: decision, record and start are one."""
        lock = self._settling.get(conversation_id)
        if lock is None:
            lock = self._settling[conversation_id] = asyncio.Lock()
        return lock

    async def cancel(self, action_id: str, *, tell: bool = True) -> None:
        """End a run and its processes; returns when they are gone. Does nothing when it is over."""
        task = self._runs.get(action_id)
        if task is None:
            return
        known = action_id in self._cancelled
        self._cancelled[action_id] = tell
        if not known:
            task.cancel()
        await asyncio.wait([task])

    async def cancel_all(self, conversation_id: str, *, tell: bool = True) -> None:
        """End every run of a conversation, also one that is being approved at this moment."""
        async with self.settling(conversation_id):
            running = await self._store.in_status(
                ActionStatus.RUNNING, conversation_id=conversation_id, deleted_too=True
            )
        for record in running:
            await self.cancel(record.id, tell=tell)
