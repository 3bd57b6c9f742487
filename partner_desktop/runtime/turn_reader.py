"""TurnReader: what was said, for whoever looks for it by its place.

Contract: a turn is a message with words, whole, in the line that is shown; what was deleted is none any more,
and nothing of a conversation that is not remembered is one.
Every call is one look at the database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.message import Role
from partner_desktop.domain.remembered import PARTNER, PERSON, RememberedTurn
from partner_desktop.storage.database import Connection, Database, Row

_SHOWN = (
    "FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id WHERE m.role <> 'action' "
    "AND m.text <> '' AND m.state NOT IN ('streaming', 'not_replied') AND m.take = '' "
    "AND c.deleted_at IS NULL AND c.remembered = 1 "
)
_TURNS = (
    "SELECT m.position, m.id, m.conversation_id, m.role, m.speaker, m.text, m.created_at, c.title " + _SHOWN
)
_WITHIN = "AND m.conversation_id = ? AND m.position >= ? AND m.position < ? ORDER BY m.position"
_OPENING = 240
_AT_ONCE = 500
_BEYOND = _NO_LIMIT = 2**62


@dataclass(frozen=True)
class StretchOpening:
    """What a stretch of a conversation is known by; empty where nothing of it is left."""

    title: str = ""
    text: str = ""
    turns: int = 0


class TurnReader:
    """Reads `messages` and `conversations`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def after(
        self, position: int, limit: int, *, most_characters: int = _NO_LIMIT
    ) -> list[RememberedTurn]:
        """The next turns, in order, up to the one with which they are so long."""
        query = _TURNS + "AND m.position > ? ORDER BY m.position LIMIT ?"

        def look(db: Connection) -> list[RememberedTurn]:
            return list(_up_to(map(_turn, db.execute(query, (position, limit))), most_characters))

        return await self._database.read(look)

    async def first_at(
        self, positions: Sequence[int], *, most_characters: int
    ) -> tuple[list[RememberedTurn], int]:
        """The turns at the first of these positions, and at how many was looked until they were so long."""
        query = _TURNS + "AND m.position = ?"

        def look(db: Connection) -> tuple[list[RememberedTurn], int]:
            found: list[RememberedTurn] = []
            room = most_characters
            for number, position in enumerate(positions):
                if room <= 0:
                    return found, number
                found += [_turn(row) for row in db.execute(query, (position,))]
                room -= len(found[-1].text) if found and found[-1].position == position else 0
            return found, len(positions)

        return await self._database.read(look)

    async def at(self, positions: Iterable[int]) -> dict[int, RememberedTurn]:
        """The turns at these positions that are there."""
        wanted = list(positions)
        return await self._database.read(lambda db: turns_at(db, wanted)) if wanted else {}

    async def within(
        self, conversation_id: str, first: int, past: int, *, most: int = _NO_LIMIT
    ) -> list[RememberedTurn]:
        """The turns of a stretch, `[first, past)`; of many the first."""
        return await self._database.read(lambda db: turns_within(db, conversation_id, first, past, most=most))

    async def openings(self, stretches: Sequence[tuple[str, int, int]]) -> list[StretchOpening]:
        """How some stretches begin: conversation, first, past."""
        query = (
            f"SELECT c.title, substr(m.text, 1, {_OPENING}) AS text, count(*) OVER () AS turns "
            f"{_SHOWN}{_WITHIN} LIMIT 1"
        )

        def look(db: Connection) -> list[StretchOpening]:
            rows = (db.execute(query, stretch).fetchone() for stretch in stretches)
            return [
                StretchOpening(row["title"], " ".join(row["text"].split()), row["turns"])
                if row is not None
                else StretchOpening()
                for row in rows
            ]

        return await self._database.read(look) if stretches else []

    async def first_of(self, message_ids: Collection[str]) -> int:
        """The position of the first of some messages; beyond all where there is none."""
        if not message_ids:
            return _BEYOND
        marks = ",".join("?" * len(message_ids))
        query = f"SELECT min(position) FROM messages WHERE id IN ({marks})"  # noqa: S608 - question marks only
        row = await self._database.row(query, tuple(message_ids))
        return int(row[0]) if row[0] is not None else _BEYOND

    async def end_of(self, conversation_id: str = "") -> int:
        """The position after the last message: of one conversation, or of all."""
        where = "WHERE conversation_id = ?" if conversation_id else ""
        query = f"SELECT coalesce(max(position) + 1, 0) FROM messages {where}"  # noqa: S608 - words of ours
        row = await self._database.row(query, (conversation_id,) if conversation_id else ())
        return int(row[0])

    async def settled_end(self, conversation_id: str, *, since: int) -> int:
        """As `end_of`, but no further than a message after `since` that is still being written."""
        row = await self._database.row(
            "SELECT coalesce((SELECT min(position) FROM messages "
            "WHERE conversation_id = :place AND take = '' AND position >= :since AND state = 'streaming'), "
            "(SELECT max(position) + 1 FROM messages WHERE conversation_id = :place), 0)",
            {"place": conversation_id, "since": since},
        )
        return int(row[0])

    async def resting(self, since: datetime, until: datetime) -> list[str]:
        """The conversations that something came into after `since`, nothing after `until`; newest first."""
        query = (
            "SELECT id FROM conversations WHERE updated_at > ? AND updated_at <= ? AND deleted_at IS NULL "
            "ORDER BY updated_at DESC"
        )
        times = (since.isoformat(), until.isoformat())
        return await self._database.read(lambda db: [str(row["id"]) for row in db.execute(query, times)])

    async def last_of(self, conversation_ids: Sequence[str]) -> dict[str, int]:
        """The position of the last message of each of some conversations that has any."""
        query = "SELECT max(position) FROM messages WHERE conversation_id = ?"

        def look(db: Connection) -> dict[str, int]:
            found = ((one, db.execute(query, (one,)).fetchone()[0]) for one in conversation_ids)
            return {one: int(last) for one, last in found if last is not None}

        return await self._database.read(look)

    async def kept(self, conversation_ids: Collection[str]) -> set[str]:
        """Those of some conversations that are there and not deleted."""
        return (
            await self._database.read(lambda db: kept_of(db, conversation_ids)) if conversation_ids else set()
        )

    async def unremembered(self, conversation_ids: Collection[str]) -> set[str]:
        """Those of some conversations that are not to be remembered."""
        query = "SELECT id FROM conversations WHERE remembered = 0 AND id IN"
        wanted = list(dict.fromkeys(conversation_ids))

        def look(db: Connection) -> set[str]:
            rows = _some(wanted, lambda some, marks: db.execute(f"{query} ({marks})", some))
            return {str(row["id"]) for row in rows}

        return await self._database.read(look) if wanted else set()


def kept_of(db: Connection, conversation_ids: Collection[str]) -> set[str]:
    """Those of some conversations that are there and not deleted."""
    query = "SELECT id FROM conversations WHERE deleted_at IS NULL AND id IN"
    wanted = list(dict.fromkeys(conversation_ids))
    rows = _some(wanted, lambda some, marks: db.execute(f"{query} ({marks})", some))
    return {str(row["id"]) for row in rows}


def positions_within(db: Connection, stretches: Iterable[tuple[str, int, int]]) -> list[int]:
    """The positions of all messages in some stretches: conversation, first, past."""
    query = "SELECT position FROM messages WHERE conversation_id = ? AND position >= ? AND position < ?"
    return [int(row[0]) for stretch in stretches for row in db.execute(query, stretch)]


def turns_at(db: Connection, positions: Sequence[int]) -> dict[int, RememberedTurn]:
    """The turns at these positions that are there, inside somebody's transaction."""
    rows = _some(positions, lambda some, marks: db.execute(f"{_TURNS} AND m.position IN ({marks})", some))
    return {row["position"]: _turn(row) for row in rows}


def turns_within(
    db: Connection, conversation_id: str, first: int, past: int, *, most: int = _NO_LIMIT
) -> list[RememberedTurn]:
    """The turns of a stretch, `[first, past)`, for who has a transaction of his own."""
    found = db.execute(f"{_TURNS}{_WITHIN} LIMIT ?", (conversation_id, first, past, most))
    return [_turn(row) for row in found]


def _up_to(turns: Iterable[RememberedTurn], characters: int) -> Iterator[RememberedTurn]:
    for turn in turns:
        yield turn
        characters -= len(turn.text)
        if characters <= 0:
            break


def _some(wanted: Sequence[object], ask: Callable[[Sequence[object], str], Iterable[Row]]) -> list[Row]:
    """What a question finds that takes a limited number of values at a time."""
    found: list[Row] = []
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        found += ask(some, ",".join("?" * len(some)))
    return found


def _turn(row: Row) -> RememberedTurn:
    return RememberedTurn(
        row["id"],
        row["conversation_id"],
        row["title"],
        row["position"],
        row["speaker"] or (PERSON if row["role"] == Role.USER else PARTNER),
        row["text"],
        datetime.fromisoformat(row["created_at"]),
    )
