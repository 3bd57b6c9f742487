"""Writes a conversation that was held elsewhere, turn by turn, as history: nothing in it runs or waits.

Contract: it is taken whole or not at all. While it comes in, it stands in the database as a deleted one, so
that a crash leaves nothing that the next start does not erase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.message import Conversation, MessageState, Role
from partner_desktop.runtime.dialog import conversation_of, storable, title_of
from partner_desktop.storage.database import Connection, Database

#: Turns that are written in one transaction: whoever asks the database meanwhile waits for it.
MOST_AT_ONCE = 500


@dataclass(frozen=True)
class PastTurn:
    """What was said; `speaker` is a name where it was neither the person nor Partner."""

    role: Role
    text: str
    at: datetime
    speaker: str = ""


@dataclass(frozen=True)
class WrittenHistory:
    """The conversation, and where its messages stand: `[first, past)`."""

    conversation: Conversation
    first: int
    past: int


async def write_history(
    database: Database,
    title: str,
    turns: Sequence[PastTurn],
    *,
    source: str,
    now: datetime,
    also: Callable[[Connection, WrittenHistory], None],
    erase: Callable[[str], None],
) -> WrittenHistory:
    """A new conversation of some turns, in sight when this returns; `also` is written as it appears.

    Raises:
        StorageError: The database refused; what was written, hidden, is given to `erase`.
    """
    conversation = _conversation(title, turns, now)

    def rows(start: int, db: Connection) -> None:
        if start == 0:
            _hide(db, conversation, now)
        _add(db, conversation, turns[start : start + MOST_AT_ONCE], source, now)

    def last_rows(start: int, db: Connection) -> WrittenHistory:
        rows(start, db)
        written = _show(db, conversation)
        also(db, written)
        return written

    *starts, last_start = range(0, len(turns), MOST_AT_ONCE)
    try:
        for start in starts:
            await database.write(partial(rows, start))
        return await database.write(partial(last_rows, last_start))
    except BaseException:
        with suppress(RuntimeError):  # we are closing: the next start erases it
            erase(conversation.id)
        raise


def insert_history(
    db: Connection, title: str, turns: Sequence[PastTurn], *, source: str, now: datetime
) -> WrittenHistory:
    """The same within a transaction of the caller's, for `MOST_AT_ONCE` turns; positions have no gap."""
    conversation = _conversation(title, turns, now)
    _hide(db, conversation, now)
    _add(db, conversation, turns, source, now)
    return _show(db, conversation)


def extend_history(
    db: Connection, conversation_id: str, turns: Sequence[PastTurn], *, source: str, now: datetime
) -> WrittenHistory:
    """More turns at the end of a conversation, as `insert_history`."""
    row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    conversation = conversation_of(row)
    _add(db, conversation, turns, source, now)
    newest = max(conversation.updated_at, *(min(turn.at, now) for turn in turns))
    db.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (newest.isoformat(), conversation.id))
    past = 1 + int(db.execute("SELECT max(position) FROM messages").fetchone()[0])
    return WrittenHistory(replace(conversation, updated_at=newest), past - len(turns), past)


def _conversation(title: str, turns: Sequence[PastTurn], now: datetime) -> Conversation:
    times = [min(turn.at, now) for turn in turns]
    titled = title_of(storable(title)) or title_of(turns[0].text)
    return Conversation(new_id(), titled, min(times), max(times))


def _hide(db: Connection, conversation: Conversation, now: datetime) -> None:
    db.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at, deleted_at) VALUES (?, ?, ?, ?, ?)",
        (
            conversation.id,
            conversation.title,
            conversation.created_at.isoformat(),
            conversation.updated_at.isoformat(),
            now.isoformat(),
        ),
    )


def _add(
    db: Connection, conversation: Conversation, turns: Sequence[PastTurn], source: str, now: datetime
) -> None:
    db.executemany(
        "INSERT INTO messages (id, conversation_id, role, text, state, source, speaker, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (new_id(), conversation.id, turn.role.value, storable(turn.text), MessageState.DONE.value,
             source, storable(turn.speaker), min(turn.at, now).isoformat())
            for turn in turns
        ],
    )  # fmt: skip


def _show(db: Connection, conversation: Conversation) -> WrittenHistory:
    db.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (conversation.id,))
    row = db.execute(
        "SELECT min(position), max(position) FROM messages WHERE conversation_id = ?", (conversation.id,)
    ).fetchone()
    return WrittenHistory(conversation, int(row[0]), int(row[1]) + 1)
