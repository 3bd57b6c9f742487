"""What memory reads of the dialog: turns that changed, turns at their places, and what they lie in.

Contract: `messages` and `conversations` belong to the runtime; here they are only read. A turn is a message with
words, whole, in the line that is shown; what was deleted is no turn any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from partner_desktop.domain.memory import RememberedTurn
from partner_desktop.domain.message import Role
from partner_desktop.language.recollection import PARTNER, PERSON
from partner_desktop.memory.turn_index import TurnText
from partner_desktop.storage.database import Connection, Database, Row

_IS_TURN = (
    "m.role <> 'action' AND m.text <> '' AND m.state NOT IN ('streaming', 'not_replied') AND m.take = '' "
    "AND c.deleted_at IS NULL"
)
_TURNS = (
    "SELECT m.position, m.id, m.conversation_id, m.role, m.speaker, m.text, m.created_at, c.title "  # noqa: S608
    f"FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id WHERE {_IS_TURN} "
)
_AT_ONCE = 500


@dataclass(frozen=True)
class DialogState:
    """What tells whether an index is one of this dialog, as it is now."""

    token: str
    newest: int
    """Number of the last change."""
    taken: int
    """Number of the last change that an index has told to have taken."""
    last: int
    """The last position."""


class TurnReader:
    """Asks the database; every call is one look."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self) -> DialogState:
        """How far the dialog is."""

        def look(db: Connection) -> DialogState:
            token = db.execute("SELECT token FROM memory_state").fetchone()[0]
            row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'").fetchone()
            last = db.execute("SELECT coalesce(max(position), 0) FROM messages").fetchone()[0]
            newest = int(row[0]) if row else 0
            oldest = db.execute("SELECT min(number) FROM memory_changes").fetchone()[0]
            return DialogState(str(token), newest, newest if oldest is None else int(oldest) - 1, int(last))

        return await self._database.read(look)

    async def changes(self, limit: int) -> list[tuple[int, int]]:
        """Number and position of the oldest changes that were not taken yet."""
        rows = await self._database.rows(
            "SELECT number, position FROM memory_changes ORDER BY number LIMIT ?", (limit,)
        )
        return [(row["number"], row["position"]) for row in rows]

    async def changes_taken(self, up_to: int) -> None:
        """They are in the index, on the disk."""
        await self._database.execute("DELETE FROM memory_changes WHERE number <= ?", (up_to,))

    async def after(self, position: int, limit: int) -> list[TurnText]:
        """The next turns, in order."""
        rows = await self._database.rows(
            _TURNS + "AND m.position > ? ORDER BY m.position LIMIT ?", (position, limit)
        )
        return [_text(row) for row in rows]

    async def texts(self, positions: Iterable[int]) -> list[TurnText]:
        """The turns at these positions that are there."""
        return [_text(row) for row in await self._rows(list(positions))]

    async def turns(self, positions: Iterable[int]) -> dict[int, RememberedTurn]:
        """The same, as they are shown."""
        return {row["position"]: _turn(row) for row in await self._rows(list(positions))}

    async def first_of(self, message_ids: Collection[str]) -> int:
        """The position of the first of some messages; beyond all where there is none."""
        if not message_ids:
            return 2**62
        marks = ",".join("?" * len(message_ids))
        query = f"SELECT min(position) FROM messages WHERE id IN ({marks})"  # noqa: S608 - question marks only
        row = await self._database.row(query, tuple(message_ids))
        return int(row[0]) if row[0] is not None else 2**62

    async def within(self, conversation_id: str, first: int, past: int) -> list[RememberedTurn]:
        """The turns of a stretch, `[first, past)`."""
        rows = await self._database.rows(
            _TURNS + "AND m.conversation_id = ? AND m.position >= ? AND m.position < ? ORDER BY m.position",
            (conversation_id, first, past),
        )
        return [_turn(row) for row in rows]

    async def _rows(self, positions: Sequence[int]) -> list[Row]:
        def look(db: Connection) -> list[Row]:
            found: list[Row] = []
            for start in range(0, len(positions), _AT_ONCE):
                some = positions[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                found += db.execute(f"{_TURNS} AND m.position IN ({marks})", some).fetchall()
            return found

        return await self._database.read(look) if positions else []


def speaker_of(row: Row) -> str:
    """Who said it: a name, the person, or Partner."""
    return str(row["speaker"]) or (PERSON if row["role"] == Role.USER else PARTNER)


def _at(row: Row) -> datetime:
    return datetime.fromisoformat(row["created_at"])


def _text(row: Row) -> TurnText:
    return TurnText(row["position"], row["conversation_id"], speaker_of(row), row["text"], _at(row))


def _turn(row: Row) -> RememberedTurn:
    return RememberedTurn(
        row["id"],
        row["conversation_id"],
        row["title"],
        row["position"],
        speaker_of(row),
        row["text"],
        _at(row),
    )
