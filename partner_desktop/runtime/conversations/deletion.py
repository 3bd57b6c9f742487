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
from partner_desktop.runtime.dialog import Dialog, conversation_of
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
        dialog: Dialog,
        channels: ChannelRegistry,
        *,
        halt: Halt,
        forget_runs: ForgetRuns,
        sweep_pictures: SweepPictures,
        clock: Clock,
    ) -> None:
        self._database = database
        self._dialog = dialog
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
            self._tasks.start("leftovers", self._erase_all(left))

    async def shutdown(self) -> None:
        """Nobody can take a deletion back any more."""
        waiting = [*self._undoable]
        await self._tasks.close()
        self._undoable.clear()
        await self._erase_all(waiting)

    @uninterruptible
    async def delete(self, conversation_id: str) -> Conversation:
        """Take a conversation out of sight and stop what runs in it.

        Raises:
            UsageError: It does not exist, or was deleted before.
        """
        conversation = await self._dialog.conversation(conversation_id)
        await self._mark(conversation_id, self._clock.now().isoformat())
        self._undoable[conversation_id] = self._tasks.start(
            conversation_id, self._erase_later(conversation_id)
        )
        self._channels.publish(
            ConversationGoneEvent(conversation_id=conversation_id, conversation=conversation)
        )
        await self._halt(conversation_id)
        return conversation

    async def restore(self, conversation_id: str) -> Conversation:
        """Bring a deleted conversation back.

        Raises:
            UsageError: It is too late, or it was not deleted.
        """
        timer = self._undoable.pop(conversation_id, None)
        if timer is None:
            raise UsageError("runtime.cannot_come_back")
        timer.cancel()
        await self._mark(conversation_id, None)
        conversation = await self._dialog.conversation(conversation_id)
        self._channels.publish(ConversationEvent(conversation_id=conversation_id, conversation=conversation))
        return conversation

    def erase_soon(self, conversation_id: str) -> None:
        """Erase what nobody has seen yet (an import that failed)."""
        self._tasks.start(conversation_id, self.erase(conversation_id))

    async def _mark(self, conversation_id: str, at: str | None) -> None:
        def work(db: Connection) -> None:
            db.execute("UPDATE conversations SET deleted_at = ? WHERE id = ?", (at, conversation_id))
            clear(db, conversation_id)

        await self._database.write(work)

    async def _erase_later(self, conversation_id: str) -> None:
        await asyncio.sleep(self.undo_s)
        del self._undoable[conversation_id]  # from here on it cannot be brought back
        await self.erase(conversation_id)

    async def _erase_all(self, conversation_ids: Sequence[str]) -> None:
        for conversation_id in conversation_ids:
            await self.erase(conversation_id)

    async def erase(self, conversation_id: str) -> None:
        """Erase everything of a deleted conversation; the audit log keeps its ids."""
        await self._halt(conversation_id)
        actions = await self._database.read(lambda db: _action_ids(db, conversation_id))
        await self._forget_runs(actions)
        while await self._database.write(lambda db: _erase_rows(db, conversation_id)):
            pass
        await self._sweep_pictures()
        await clean_search(self._database)
        row = await self._database.write(lambda db: _erase_conversation(db, conversation_id))
        await self._database.forget_erased()
        if row is not None:
            self._channels.publish(
                ConversationGoneEvent(conversation_id=conversation_id, conversation=row, erased=True)
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
    return erased


def _erase_conversation(db: Connection, conversation_id: str) -> Conversation | None:
    row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    drop_draft(db, conversation_id)
    db.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
    return conversation_of(row) if row is not None else None
