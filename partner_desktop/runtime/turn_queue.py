"""TurnQueue: what was accepted and not yet answered, as rows.

Contract: an entry is written in the transaction that accepts its message or records its action's outcome.
It goes when its turn is over, be it ended or stopped by the person; a turn that is cut off because Partner
closes or is killed leaves it, and the next start takes it up (`runtime/turn_recovery.py`). That a turn begins
is on disk before its modules run, so that a turn that takes Partner down is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from partner_desktop.base import log
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.evidence import Finished, Missed, Scheduled, Withheld
from partner_desktop.domain.message import Message
from partner_desktop.runtime.flow import FlowInput
from partner_desktop.storage.database import Connection, Database

_log = log.area("queue")


_BEGIN = (
    "UPDATE turn_queue SET attempts = attempts + ?, answered_by = ?, "
    "begun_message = (SELECT coalesce(max(position), 0) FROM messages), "
    "begun_audit = (SELECT coalesce(max(position), 0) FROM audit) WHERE subject_id = ?"
)

_ANSWERED = (
    "UPDATE turn_queue SET answered_by = ?, "
    "begun_message = (SELECT position FROM messages WHERE messages.id = subject_id), "
    "begun_audit = (SELECT coalesce(max(position), 0) FROM audit) WHERE subject_id = ?"
)


class EntryKind(StrEnum):
    """What the turn is about."""

    SAID = "said"
    """A message of the person's."""
    AGAIN = "again"
    """The same, answered before: its answer is to be had anew, and nothing but the answer."""
    TOLD = "told"
    """An action's outcome, which the person has not heard of yet."""


@dataclass(frozen=True)
class QueueEntry:
    """One row of the queue."""

    kind: EntryKind
    subject_id: str
    conversation_id: str
    exchange_id: str
    created_at: datetime
    source: str = ""
    cwd: str = ""
    attempts: int = 0
    begun_message: int | None = None
    """The newest message when its turn began; `None`: it never began."""
    begun_audit: int = 0
    answered_by: str = ""
    """The exchange that its turn answers in: merged inputs are answered in the last one's."""


class TurnQueue:
    """A part of the AgentContext: it outlives the runtime, and knows then which turns were cut off."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begun: set[str] = set()
        """What this process began, and counted."""
        self._fresh: dict[str, str] = {}
        """Of these, what was accepted with nothing before it, so that nothing is to be written when its turn
        begins at once: subject → exchange."""
        self.left: Sequence[QueueEntry] = ()
        """What an earlier run left, oldest first; set at launch, taken up by `TurnRecovery`."""

    async def launch(self) -> None:
        self.left = await self._database.read(_entries)

    async def shutdown(self) -> None:
        """What was cut off because Partner closes is no crash: it does not count."""
        cut, self._begun = sorted(self._begun), set()
        if cut:
            marks = ", ".join("?" * len(cut))
            await self._database.execute(
                f"UPDATE turn_queue SET attempts = attempts - 1 WHERE subject_id IN ({marks})",  # noqa: S608 - marks only
                cut,
            )

    def accept(self, db: Connection, message: Message, *, exchange_id: str, cwd: str) -> None:
        """Queue a message's turn, in the transaction that keeps the message.

        With nothing before it in its conversation the turn begins at once: that is written here as well, and
        the person need not wait for another write.

        Raises:
            UsageError: The conversation was deleted in the meantime.
        """
        if not _is_in_sight(db, message.conversation_id):
            raise UsageError("runtime.conversation_deleted")
        first = not is_owed(db, message.conversation_id)
        entry = QueueEntry(
            EntryKind.SAID,
            message.id,
            message.conversation_id,
            exchange_id,
            message.created_at,
            source=message.source,
            cwd=cwd,
        )
        _add(db, entry)
        if first:
            db.execute(_BEGIN, (1, exchange_id, message.id))
            self._begun.add(message.id)
            self._fresh[message.id] = exchange_id

    async def begun(self, inputs: Sequence[FlowInput]) -> None:
        """A turn begins, or begins anew with more inputs; it answers in the exchange of the last."""
        subjects = [subject for subject in map(subject_of, inputs) if subject]
        exchange_id = inputs[-1].exchange.id
        written = [self._fresh.pop(subject, None) == exchange_id for subject in subjects]
        if not all(written):
            await uninterrupted(self._begin(subjects, exchange_id))

    async def _begin(self, subjects: Sequence[str], exchange_id: str) -> None:
        rows = [(int(each not in self._begun), exchange_id, each) for each in subjects]
        try:
            await self._database.write(lambda db: db.executemany(_BEGIN, rows))
        except StorageError as error:
            _log.warning("that a turn began could not be written down: %s", error)
        else:
            self._begun.update(subjects)

    async def settled(self, inputs: Sequence[FlowInput]) -> None:
        """A turn is over: ended, or stopped by the person."""
        await self.settle([subject for subject in map(subject_of, inputs) if subject])

    async def reopened(self, inputs: Sequence[FlowInput]) -> None:
        """What was answered is about to be answered anew, because more was said: it is owed again.

        Until the answer is taken back it stands: a start that finds it there owes no other.
        """

        def work(db: Connection) -> None:
            for item in inputs:
                _add(db, _entry_for(item))
            rows = [(inputs[-1].exchange.id, item.message_id) for item in inputs]
            db.executemany(_ANSWERED, rows)

        try:
            await self._database.write(work)
        except StorageError as error:
            _log.warning("a queue entry could not be put back: %s", error)

    async def settle(self, subjects: Sequence[str]) -> None:
        """Take entries out. A disk that refuses leaves them to the next start, which finds the answer."""
        if not subjects:
            return
        try:
            await self._database.write(lambda db: remove(db, subjects))
        except StorageError as error:
            _log.warning("a queue entry could not be taken out: %s", error)
        self._begun.difference_update(subjects)
        for subject in subjects:
            self._fresh.pop(subject, None)


def subject_of(item: FlowInput) -> str:
    """The message or action that an input is about, or under what else it is owed; empty for what needs no
    entry (a card's own sentence).
    """
    if item.message_id:
        return item.message_id
    told = [fact.told for fact in item.evidence if isinstance(fact, Missed)]
    told += [fact.action.id for fact in item.evidence if isinstance(fact, Finished | Withheld | Scheduled)]
    return told[0] if told else ""


def add_told(
    db: Connection, action_id: str, *, conversation_id: str, exchange_id: str, now: datetime
) -> None:
    """Queue the turn that tells an action's outcome, in the transaction that keeps the outcome."""
    _add(db, QueueEntry(EntryKind.TOLD, action_id, conversation_id, exchange_id, now))


def add_again(db: Connection, message: Message, *, exchange_id: str, now: datetime) -> None:
    """Queue the turn that answers a message anew, in the transaction that sets the old answer aside."""
    entry = QueueEntry(
        EntryKind.AGAIN, message.id, message.conversation_id, exchange_id, now, source=message.source
    )
    _add(db, entry)


def _is_in_sight(db: Connection, conversation_id: str) -> bool:
    query = "SELECT 1 FROM conversations WHERE id = ? AND deleted_at IS NULL"
    return db.execute(query, (conversation_id,)).fetchone() is not None


def is_owed(db: Connection, conversation_id: str) -> bool:
    """Whether an answer is owed in a conversation, within a transaction."""
    query = "SELECT 1 FROM turn_queue WHERE conversation_id = ? LIMIT 1"
    return db.execute(query, (conversation_id,)).fetchone() is not None


def _entry_for(item: FlowInput) -> QueueEntry:
    """Of something that was said."""
    return QueueEntry(
        EntryKind.AGAIN if item.words_only else EntryKind.SAID,
        item.message_id,
        item.source.conversation_id,
        item.exchange.id,
        item.at,
        source=item.source.gateway,
        cwd=item.exchange.cwd,
    )


def _add(db: Connection, entry: QueueEntry) -> None:
    db.execute(
        "INSERT OR IGNORE INTO turn_queue "
        "(kind, subject_id, conversation_id, exchange_id, source, cwd, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            entry.kind.value,
            entry.subject_id,
            entry.conversation_id,
            entry.exchange_id,
            entry.source,
            entry.cwd,
            entry.created_at.isoformat(),
        ),
    )


def remove(db: Connection, subjects: Sequence[str]) -> None:
    """Take entries out, within a transaction."""
    db.executemany("DELETE FROM turn_queue WHERE subject_id = ?", [(subject,) for subject in subjects])


def clear(db: Connection, conversation_id: str) -> None:
    """A deleted conversation owes no answer."""
    db.execute("DELETE FROM turn_queue WHERE conversation_id = ?", (conversation_id,))


def _entries(db: Connection) -> list[QueueEntry]:
    """All of them, oldest first; what was said in deleted conversations is not among them."""
    rows = db.execute(
        "SELECT * FROM turn_queue WHERE conversation_id NOT IN "
        "(SELECT id FROM conversations WHERE deleted_at IS NOT NULL) ORDER BY position"
    ).fetchall()
    return [decoded(QueueEntry, dict(row)) for row in rows]
