"""Writes a conversation that was held elsewhere, turn by turn, as history: nothing in it runs or waits.

Contract: it is taken whole or not at all. While it comes in, it stands in the database as a deleted one, so
that a crash leaves nothing that the next start does not erase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from partner_desktop.base.ids import new_id
from partner_desktop.domain.message import Conversation, MessageState, Role
from partner_desktop.runtime.dialog import storable, title_of
from partner_desktop.storage.database import Connection, Database

_ROWS = 500


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
) -> WrittenHistory:
    """A new conversation of some turns, in sight when this returns; `also` is written as it appears.

    Raises:
        StorageError: The database refused; what is there already is hidden.
    """
    times = [min(turn.at, now) for turn in turns]
    titled = title_of(storable(title)) or title_of(turns[0].text)
    conversation = Conversation(new_id(), titled, min(times), max(times))

    def hidden(db: Connection) -> None:
        db.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at, deleted_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                conversation.id,
                conversation.title,
                conversation.created_at.isoformat(),
                conversation.updated_at.isoformat(),
                now.isoformat(),
            ),
        )

    def rows(start: int, db: Connection) -> tuple[int, int]:
        if start == 0:
            hidden(db)
        db.executemany(
            "INSERT INTO messages (id, conversation_id, role, text, state, source, speaker, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (new_id(), conversation.id, turn.role.value, storable(turn.text), MessageState.DONE.value,
                 source, storable(turn.speaker), at.isoformat())
                for turn, at in zip(turns[start : start + _ROWS], times[start : start + _ROWS], strict=True)
            ],
        )  # fmt: skip
        row = db.execute(
            "SELECT min(position), max(position) FROM messages WHERE conversation_id = ?", (conversation.id,)
        ).fetchone()
        return int(row[0]), int(row[1])

    def last_rows(start: int, db: Connection) -> WrittenHistory:
        first, last = rows(start, db)
        written = WrittenHistory(conversation, first, last + 1)
        db.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (conversation.id,))
        also(db, written)
        return written

    *starts, last_start = range(0, len(turns), _ROWS)
    for start in starts:
        await database.write(partial(rows, start))
    return await database.write(partial(last_rows, last_start))
