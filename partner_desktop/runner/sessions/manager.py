"""CommandSessions: the commands that run in the background of this Partner.

Contract: a session is a row before its process begins, and its end is a row before anyone hears of it. Each
runs in a task of this part; a cancel returns when the command and everything that it started is gone. When
this part closes, what still runs is asked to end, all at once, and killed soon after; if Partner is killed,
the guard of each kills it. The next start lists what was cut off as lost. Ended sessions are listed, and
their output lies on the disk, for ten minutes.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AskHumanError, StorageError, UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.command_session import CommandSession, SessionOutput, SessionState, Stream
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import SessionEvent, as_json
from partner_desktop.domain.evidence import CommandEnded
from partner_desktop.runner.sessions.running_session import RunningSession, last_lines, output_excerpt
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.storage.database import Database

_log = log.area("sessions")

#: At the same time.
MOST_RUNNING = 16
#: For which an ended session is listed.
KEPT = timedelta(minutes=10)

#: A turn about an end must not plan anything.
_SKIP = frozenset({"ActionPlanner"})


class CommandSessions:
    """A part of the AgentContext."""

    def __init__(
        self,
        store: SessionStore,
        channels: ChannelRegistry,
        cognition: CognitionCapability,
        *,
        runs: Path,
        clock: Clock,
    ) -> None:
        self._store = store
        self._channels = channels
        self._cognition = cognition
        self._runs = runs
        self._clock = clock
        self._tasks = TaskSet("sessions")
        self._listed: dict[str, RunningSession] = {}
        """By id, oldest first."""
        self._starting = 0

    # Life.

    async def launch(self) -> None:
        """List what an earlier Partner left: what ran then is lost."""
        for session in await self._store.all():
            kept = RunningSession(session, self._folder(session), self._printed)
            for each in kept.logs.values():
                await asyncio.to_thread(each.find)
            self._listed[session.id] = kept
            if not kept.over:
                await self._write_end(kept, SessionState.LOST)
            self._forget_later(kept)

    async def shutdown(self) -> None:
        """End what runs; the rows stay."""
        await self._tasks.close()

    async def idle(self) -> None:
        """Wait until nothing runs, and every end is told."""
        while tasks := [kept.task for kept in self._listed.values() if kept.unsettled]:
            await asyncio.wait([task for task in tasks if task is not None])

    # What can be asked.

    @operation(Caller.ATTACHED)
    def list(self) -> Sequence[CommandSession]:
        """The commands in the background, newest first; ended ones for ten minutes."""
        return [kept.session for kept in reversed(self._listed.values())]

    @operation(Caller.ATTACHED)
    def find(self, beginning: str) -> CommandSession:
        """The one whose id begins so.

        Raises:
            UsageError: There is none, or several.
        """
        found = [one for one in self.list() if beginning and one.id.startswith(beginning)]
        if len(found) != 1:
            raise UsageError("runner.many_sessions" if found else "runner.no_session", id=beginning[:80])
        return found[0]

    @operation(Caller.ATTACHED)
    def get(self, session_id: str) -> CommandSession:
        """One of them, as it is now.

        Raises:
            UsageError: There is no such command.
        """
        return self._require(session_id).session

    async def start(self, session: CommandSession, argv: Sequence[str], *, timeout_s: float | None) -> None:
        """Begin; returns when the process is there. `argv`: the program's own path and its arguments.

        Raises:
            ActionError: It cannot be started, or too many run already.
        """
        running = sum(not kept.over for kept in self._listed.values()) + self._starting
        if running >= MOST_RUNNING:
            raise AskHumanError("runner.many_running", count=running)
        self._starting += 1
        try:
            await self._store.put(session)
        finally:
            self._starting -= 1
        kept = RunningSession(session, self._folder(session), self._printed)
        self._listed[session.id] = kept
        limit_s = timeout_s if timeout_s is not None else math.inf
        kept.task = self._tasks.start(session.id, self._run(kept, argv, limit_s))
        self._say(kept)
        await self._begun(kept)

    async def _begun(self, kept: RunningSession) -> None:
        try:
            await asyncio.sleep(0)  # a task cancelled before its first step never enters its clean-up
            await kept.begun.wait()
        except asyncio.CancelledError:  # whoever began it does not want it any more
            await uninterrupted(self.cancel(kept.session.id))
            raise
        if kept.failure is not None:
            raise kept.failure

    @operation(Caller.ATTACHED)
    async def output(
        self,
        session_id: str,
        stream: Stream,
        *,
        offset: int,
        limit: Annotated[int, Field(ge=1, le=1024 * 1024)] = 4096,
    ) -> SessionOutput:
        """A piece of what it printed, from a byte on; a negative offset counts from the end.

        Raises:
            UsageError: There is no such command.
        """
        kept = self._require(session_id)
        over = kept.over
        return await asyncio.to_thread(kept.logs[stream].read, offset, limit, ended=over)

    async def excerpt(self, session_id: str, stream: Stream) -> str:
        """The first and last lines of what it printed.

        Raises:
            UsageError: There is no such command.
        """
        kept = self._require(session_id)
        return await asyncio.to_thread(output_excerpt, kept.logs[stream], ended=kept.over)

    @operation(Caller.ATTACHED)
    async def cancel(self, session_id: str) -> None:
        """End it and everything that it started; returns when that is gone. No turn tells of it.

        Raises:
            UsageError: There is no such command.
        """
        kept = self._require(session_id)
        if kept.task is None or not kept.unsettled:
            return
        if not kept.cancelled and not kept.over:
            kept.cancelled = True
            kept.task.cancel()
        await asyncio.wait([kept.task])

    async def cancel_all(self, conversation_id: str) -> None:
        """End every one of a conversation, which is deleted."""
        mine = [kept for kept in self._listed.values() if kept.session.conversation_id == conversation_id]
        await asyncio.gather(*(self.cancel(kept.session.id) for kept in mine))

    async def forget(self, action_ids: Sequence[str]) -> None:
        """What these actions began is erased: it is not listed any more, nor lies on the disk."""
        for kept in [kept for kept in self._listed.values() if kept.session.action_id in action_ids]:
            await self.cancel(kept.session.id)
            await self._forget(kept)

    # One session.

    async def _run(self, kept: RunningSession, argv: Sequence[str], timeout_s: float) -> None:
        try:
            await kept.run(argv, timeout_s=timeout_s)
        finally:
            await uninterrupted(self._ended(kept))

    async def _ended(self, kept: RunningSession) -> None:
        for each in kept.logs.values():
            await asyncio.to_thread(each.close)
        if kept.failure is not None:  # whoever began it is told, and nobody else
            await self._forget(kept)
            return
        await self._write_end(kept, kept.session.state)
        self._forget_later(kept)
        if kept.session.state in (SessionState.ENDED, SessionState.FAILED):
            await self._tell(kept)

    async def _write_end(self, kept: RunningSession, state: SessionState) -> None:
        kept.session = replace(
            kept.session,
            state=state,
            ended_at=self._clock.now(),
            error=kept.session.error or (sentence_of(_ERRORS[state]) if state in _ERRORS else ""),
            stdout_bytes=kept.logs["stdout"].total,
            stderr_bytes=kept.logs["stderr"].total,
        )
        try:
            await self._store.put(kept.session)
        except StorageError:
            _log.exception("the end of a command in the background could not be saved")
        self._say(kept)

    async def _tell(self, kept: RunningSession) -> None:
        """A turn of its own, in the conversation that it was begun in."""
        said = {stream: await asyncio.to_thread(last_lines, log) for stream, log in kept.logs.items()}
        failed = kept.session.state is SessionState.FAILED
        output = said["stderr"] or said["stdout"] if failed else said["stdout"] or said["stderr"]
        self._cognition.initiate_turn(
            [CommandEnded(kept.session, output)],
            conversation_id=kept.session.conversation_id,
            exchange_id="",
            skip=_SKIP,
        )

    def _printed(self, kept: RunningSession) -> None:
        self._say(kept)

    def _say(self, kept: RunningSession, *, gone: bool = False) -> None:
        session = kept.session
        self._channels.publish(
            SessionEvent(conversation_id=session.conversation_id, session=session, gone=gone)
        )

    # What has ended.

    def _forget_later(self, kept: RunningSession) -> None:
        try:
            self._tasks.start(f"keep {kept.session.id}", self._keep_for_a_while(kept))
        except RuntimeError:
            _log.debug("closing: the next start forgets it")

    async def _keep_for_a_while(self, kept: RunningSession) -> None:
        ended_at = kept.session.ended_at or self._clock.now()
        left_s = (ended_at + KEPT - self._clock.now()).total_seconds()
        if left_s > 0:
            await self._clock.sleep(left_s)
        await uninterrupted(self._forget(kept))

    async def _forget(self, kept: RunningSession) -> None:
        if self._listed.pop(kept.session.id, None) is None:
            return
        for each in kept.logs.values():
            await asyncio.to_thread(each.erase)
        await self._store.remove(kept.session.id)
        self._say(kept, gone=True)

    def _require(self, session_id: str) -> RunningSession:
        kept = self._listed.get(session_id)
        if kept is None:
            raise UsageError("runner.session_gone", id=session_id[:80])
        return kept

    def _folder(self, session: CommandSession) -> Path:
        return self._runs / session.action_id


_ERRORS = {
    SessionState.CANCELLED: "runner.was_cancelled",
    SessionState.LOST: "runner.lost",
}


class SessionStore:
    """The command_sessions table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, session: CommandSession) -> None:
        """Write a session as it is now."""
        await self._database.execute(
            "INSERT INTO command_sessions (id, conversation_id, started_at, record) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            (
                session.id,
                session.conversation_id,
                session.started_at.isoformat(),
                json.dumps(as_json(session)),
            ),
        )

    async def remove(self, session_id: str) -> None:
        """It is listed no more."""
        await self._database.execute("DELETE FROM command_sessions WHERE id = ?", (session_id,))

    async def all(self) -> Sequence[CommandSession]:
        """All of them, oldest first."""
        rows = await self._database.rows("SELECT record FROM command_sessions ORDER BY started_at, id")
        return [decoded(CommandSession, json.loads(row["record"])) for row in rows]
