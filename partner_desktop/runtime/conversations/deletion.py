"""Deleting conversations: out of sight at once, erased when they can no longer be brought back.

Contract: a deleted conversation is in no list and no search, and nothing in it can be started; what ran was
stopped. Until it is erased, `restore` brings everything back, what was stopped as stopped. Erasing is done in
small steps, so that others reach the database in between; a crash at any moment leaves a row with
`deleted_at`, and the next start goes on. After it, nothing of the texts stands in the database file: rows
are overwritten (`secure_delete`), the index is merged until no segment holds deleted words, the write-ahead
log is emptied. Backups that were made before keep what they hold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.tasks import TaskSet, uninterruptible
from partner_desktop.domain.events import ConversationEvent, ConversationGoneEvent
from partner_desktop.domain.message import Conversation
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.dialog_erasure import clean_search
from partner_desktop.runtime.conversations.draft_store import drop_draft
from partner_desktop.runtime.conversations.organizer import living
from partner_desktop.runtime.dialog import conversation_of
from partner_desktop.runtime.turn_queue import clear
from partner_desktop.storage.database import Connection, Database

#: Seconds in which a deletion can be taken back; longer than the window offers it.
UNDO_S = 15.0

#: Rows that one step erases.
_ROWS = 200

#: Ends everything in a conversation: turns and runs.
Halt = Callable[[str], Awaitable[None]]
#: Removes what the runs of these actions left outside the database.
ForgetRuns = Callable[[Sequence[str]], Awaitable[None]]
#: Removes the pictures that no message names any more.
SweepPictures = Callable[[], Awaitable[None]]


class Deletion:
    """A part of the AgentContext: launched before anything that could answer in a deleted conversation."""

    def __init__(
        self,
        database: Database,
        channels: ChannelRegistry,
        *,
        halt: Halt,
        forget_runs: ForgetRuns,
        sweep_pictures: SweepPictures,
        clock: Clock,
    ) -> None:
        self._database = database
        self._channels = channels
        self._halt = halt
        self._forget_runs = forget_runs
        self._sweep_pictures = sweep_pictures
        self._clock = clock
        self._tasks = TaskSet("deletion")
        self._undoable: dict[str, asyncio.Task[None]] = {}
        self.undo_s = UNDO_S

    async def launch(self) -> None:
        """What an earlier run left half deleted is erased, behind the start."""
        left = await self._database.write(_leftovers)
        if left:
            self._tasks.start("leftovers", self.erase(left))

    async def shutdown(self) -> None:
        """Nobody can take a deletion back any more."""
        waiting = [*self._undoable]
        await self._tasks.close()
        self._undoable.clear()
        await self.erase(waiting)

    @uninterruptible
    async def delete(self, conversation_ids: Sequence[str]) -> list[Conversation]:
        """Take conversations out of sight, all or none, and stop what runs in them.

        Raises:
            UsageError: One does not exist, or was deleted before.
        """
        wanted = list(dict.fromkeys(conversation_ids))
        conversations = await self._database.read(lambda db: living(db, wanted))
        await self._mark(wanted, self._clock.now().isoformat())
        if wanted:
            # One task for all: what several leave in the index is cleaned up once.
            timer = self._tasks.start(wanted[0], self._erase_later())
            self._undoable.update(dict.fromkeys(wanted, timer))
        for one in conversations:
            self._channels.publish(ConversationGoneEvent(conversation_id=one.id, conversation=one))
        for one_id in wanted:
            await self._halt(one_id)
        return conversations

    async def restore(self, conversation_ids: Sequence[str]) -> list[Conversation]:
        """Bring deleted conversations back, as many as still can.

        Raises:
            UsageError: For one it is too late, or it was not deleted; the others are back.
        """
        wanted = list(dict.fromkeys(conversation_ids))
        back = [one for one in wanted if self._undoable.pop(one, None) is not None]
        await self._mark(back, None)
        conversations = await self._database.read(lambda db: living(db, back))
        for one in conversations:
            self._channels.publish(ConversationEvent(conversation_id=one.id, conversation=one))
        if len(back) < len(wanted):
            raise UsageError("runtime.cannot_come_back")
        return conversations

    def erase_soon(self, conversation_id: str) -> None:
        """Erase what nobody has seen yet (an import that failed)."""
        self._tasks.start(conversation_id, self.erase([conversation_id]))

    async def _mark(self, conversation_ids: Sequence[str], at: str | None) -> None:
        def work(db: Connection) -> None:
            for one in conversation_ids:
                db.execute("UPDATE conversations SET deleted_at = ? WHERE id = ?", (at, one))
                clear(db, one)

        await self._database.write(work)

    async def _erase_later(self) -> None:
        await asyncio.sleep(self.undo_s)
        task = asyncio.current_task()
        # Not what was brought back, nor what was deleted again since.
        due = [one for one, timer in self._undoable.items() if timer is task]
        for one in due:
            del self._undoable[one]  # from here on it cannot be brought back
        await self.erase(due)

    async def erase(self, conversation_ids: Sequence[str]) -> None:
        """Erase everything of deleted conversations; the audit log keeps their ids."""
        if not conversation_ids:
            return
        for one in conversation_ids:
            await self._halt(one)
            actions = await self._database.read(lambda db, one=one: _action_ids(db, one))  # type: ignore[misc]
            await self._forget_runs(actions)
            while await self._database.write(lambda db, one=one: _erase_rows(db, one)):  # type: ignore[misc]
                pass
        await self._sweep_pictures()
        await clean_search(self._database)
        rows = await self._database.write(
            lambda db: [_erase_conversation(db, one) for one in conversation_ids]
        )
        await self._database.forget_erased()
        for row in rows:
            if row is not None:
                self._channels.publish(
                    ConversationGoneEvent(conversation_id=row.id, conversation=row, erased=True)
                )


def _leftovers(db: Connection) -> list[str]:
    """Deleted conversations; their actions go at once, so that no start takes one of them up."""
    left = [row["id"] for row in db.execute("SELECT id FROM conversations WHERE deleted_at IS NOT NULL")]
    for conversation_id in left:
        db.execute(
            "UPDATE actions SET status = 'cancelled' "
            "WHERE conversation_id = ? AND status IN ('asking', 'waiting', 'running')",
            (conversation_id,),
        )
        clear(db, conversation_id)
    return left


def _action_ids(db: Connection, conversation_id: str) -> list[str]:
    rows = db.execute("SELECT id FROM actions WHERE conversation_id = ?", (conversation_id,))
    return [row["id"] for row in rows]


def _erase_rows(db: Connection, conversation_id: str) -> int:
    """One step; how many rows it erased."""
    erased = 0
    for table in ("messages", "takes", "actions", "context_snapshots", "model_calls"):
        erased += db.execute(
            f"DELETE FROM {table} WHERE position IN "  # noqa: S608 - one of five names
            f"(SELECT position FROM {table} WHERE conversation_id = ? LIMIT ?)",
            (conversation_id, _ROWS),
        ).rowcount
    db.execute("UPDATE conversations SET title = '' WHERE id = ?", (conversation_id,))
    # Where it was attached to another one, its title stands there, too.
    db.execute("UPDATE attachments SET name = '' WHERE conversation_id = ?", (conversation_id,))
    drop_draft(db, conversation_id)
    return erased


def _erase_conversation(db: Connection, conversation_id: str) -> Conversation | None:
    row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    db.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
    return conversation_of(row) if row is not None else None
