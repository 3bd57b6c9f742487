"""SliceStore: units, slices and topics of dialog that is over, and what is pinned of it.

Contract: a unit and a slice are stretches `[first, past)` of one conversation; opened, they give the messages
exactly as they stand in the dialog, which is the only place where the words are kept. What is erased there takes
its units along.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.memory import MemorySlice, MemoryUnit, OpenedSlice, RememberedTurn
from partner_desktop.language.recollection import topic_term
from partner_desktop.memory.messages import TurnReader
from partner_desktop.memory.topics import BELOW, Source, profile, topic_score
from partner_desktop.storage.database import Connection, Database, Row

#: A slice ends with a pause, or with so many messages.
_MOST_MESSAGES = 12
_PAUSE = timedelta(minutes=30)
#: Of one topic's list.
_MOST_SLICES = 5
_MOST_PARENT, _MOST_RELATED = 2, 2
#: Of a term, the newest: what is older ranks below them.
_MOST_READ = 10
_MOST_TERMS = 12
#: Topics above those that were named that are looked into.
_MOST_ABOVE = 5

_SLICES = (
    "SELECT s.*, u.conversation_id FROM memory_slices AS s JOIN memory_units AS u ON u.id = s.unit_id "
    "JOIN conversations AS c ON c.id = u.conversation_id AND c.deleted_at IS NULL "
)


class SliceStore:
    """Owns the tables `memory_units`, `memory_slices` and `memory_topics`."""

    def __init__(self, database: Database, reader: TurnReader, *, clock: Clock) -> None:
        self._database = database
        self._reader = reader
        self._clock = clock

    async def keep(self, conversation_id: str, first: int, past: int, *, origin: str = "") -> MemoryUnit | None:
        """Make a unit of a stretch that is over, with its slices and their topics; `None`: it holds no turn.

        Raises:
            UsageError: A part of it is in a unit already.
        """
        turns = await self._reader.within(conversation_id, first, past)
        if not turns:
            return None
        cuts = _cuts(turns)
        topics = profile([[turn.text for turn in part] for part in cuts])
        unit = MemoryUnit(new_id(), conversation_id, first, past, turns[0].at, origin)
        edges = [first, *(part[0].position for part in cuts[1:]), past]

        def write(db: Connection) -> None:
            clash = db.execute(
                "SELECT 1 FROM memory_units WHERE conversation_id = ? AND first < ? AND past > ?",
                (conversation_id, past, first),
            ).fetchone()
            if clash is not None:
                raise UsageError("A part of this stretch of dialog is in memory as a unit already.")
            db.execute(
                "INSERT INTO memory_units (id, conversation_id, first, past, at, origin) VALUES (?, ?, ?, ?, ?, ?)",
                (unit.id, conversation_id, first, past, unit.at.isoformat(), origin),
            )
            for number, (part, about) in enumerate(zip(cuts, topics, strict=True)):
                slice_id = new_id()
                db.execute(
                    "INSERT INTO memory_slices (id, unit_id, first, past, at, activation, diffusion, independence) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (slice_id, unit.id, edges[number], edges[number + 1], part[0].at.isoformat(),
                     about.activation, about.diffusion, about.independence),
                )  # fmt: skip
                db.executemany(
                    "INSERT OR IGNORE INTO memory_topics (path, slice_id, term, related, at) VALUES (?, ?, ?, ?, ?)",
                    [(path, slice_id, topic_term(path.split(BELOW)[-1]), related, part[0].at.isoformat())
                     for path, related in _paths(about.path, about.related)],
                )  # fmt: skip

        await self._database.write(write)
        return unit

    async def get(self, slice_id: str) -> OpenedSlice:
        """A slice with its messages.

        Raises:
            UsageError: There is none of this id.
        """
        rows = await self._database.rows(_SLICES + "WHERE s.id = ?", (slice_id,))
        if not rows:
            raise UsageError(f"There is no slice {slice_id}; `partner-desktop memory search` shows ids.")
        found = (await self._whole(rows))[0]
        return OpenedSlice(found, tuple(await self._reader.within(found.conversation_id, found.first, found.past)))

    async def units(self, conversation_id: str) -> list[MemoryUnit]:
        """The units of a conversation, in order."""
        rows = await self._database.rows(
            "SELECT * FROM memory_units WHERE conversation_id = ? ORDER BY first", (conversation_id,)
        )
        return [
            MemoryUnit(row["id"], row["conversation_id"], row["first"], row["past"], _at(row), row["origin"])
            for row in rows
        ]

    async def end_of(self, conversation_id: str) -> int:
        """The position after the last message of a conversation."""
        row = await self._database.row(
            "SELECT coalesce(max(position) + 1, 0) FROM messages WHERE conversation_id = ?", (conversation_id,)
        )
        return int(row[0])

    async def all(self, *, limit: int, conversation_id: str = "", pinned: bool = False) -> list[MemorySlice]:
        """Slices, the newest first."""
        where, values = "WHERE 1 ", []
        if conversation_id:
            where, values = where + "AND u.conversation_id = ? ", [*values, conversation_id]
        if pinned:
            where += "AND s.pinned_at IS NOT NULL "
        query = f"{_SLICES}{where}ORDER BY s.at DESC, s.first DESC LIMIT ?"
        return await self._whole(await self._database.rows(query, (*values, limit)))

    async def counts(self) -> tuple[int, int]:
        """How many slices there are, and how many of them are pinned."""
        row = await self._database.row("SELECT count(*), count(pinned_at) FROM memory_slices")
        return int(row[0]), int(row[1])

    async def pin(self, slice_id: str, *, pinned: bool) -> MemorySlice:
        """Keep a slice in sight of its conversations, or no longer.

        Raises:
            UsageError: There is none of this id.
        """
        opened = await self.get(slice_id)
        at = self._clock.now().isoformat() if pinned else None
        await self._database.execute("UPDATE memory_slices SET pinned_at = ? WHERE id = ?", (at, slice_id))
        return (await self.get(opened.slice.id)).slice

    async def at(self, positions: Collection[int]) -> dict[int, MemorySlice]:
        """The slices that hold some positions."""

        def look(db: Connection) -> dict[int, Row]:
            query = (
                _SLICES + "JOIN messages AS m ON m.position = ? AND m.conversation_id = u.conversation_id "
                "WHERE s.first <= ? AND s.past > ? ORDER BY s.first DESC LIMIT 1"
            )
            rows = {each: db.execute(query, (each, each, each)).fetchone() for each in positions}
            return {position: row for position, row in rows.items() if row is not None}

        found = await self._database.read(look)
        whole = await self._whole(list(found.values())) if found else []
        return dict(zip(found, whole, strict=True))

    # Topics.

    async def about(self, topic: str) -> list[tuple[MemorySlice, float]]:
        """The slices of a topic, or akin to it, by the score of `topics.topic_score`; at most five."""
        terms = [topic_term(part) for part in topic.split(BELOW)[-1].split()] or [topic]
        return await self._database.read(lambda db: self._ranked(db, terms))

    async def topics(self) -> list[tuple[str, int]]:
        """Every topic and how many slices it has, by its path."""
        rows = await self._database.rows(
            "SELECT path, count(*) AS slices FROM memory_topics WHERE related = 0 GROUP BY path ORDER BY path"
        )
        return [(row["path"], row["slices"]) for row in rows]

    async def topical(self, terms: Sequence[str]) -> list[int]:
        """Positions of the turns in the best slices of what some terms name."""
        if not terms:
            return []

        def look(db: Connection) -> list[int]:
            found: list[int] = []
            for one, _ in self._ranked(db, terms):
                rows = db.execute(
                    "SELECT position FROM messages WHERE conversation_id = ? AND position >= ? AND position < ?",
                    (one.conversation_id, one.first, one.past),
                )
                found += [int(row[0]) for row in rows]
            return found

        return await self._database.read(look)

    def _ranked(self, db: Connection, terms: Sequence[str]) -> list[tuple[MemorySlice, float]]:
        """The best slices of topics; a term reads few of them, however many have it."""
        sources: dict[str, Source] = {}
        above: dict[str, None] = {}
        for term in terms[:_MOST_TERMS]:
            for slice_id, path in _of_term(db, term, related=False, most=_MOST_READ):
                sources[slice_id] = Source.PRIMARY
                above[path.rpartition(BELOW)[0]] = None
        for term in terms[:_MOST_TERMS]:
            for slice_id, _ in _of_term(db, term, related=True, most=_MOST_RELATED):
                sources.setdefault(slice_id, Source.RELATED)
        for path in [each for each in above if each][:_MOST_ABOVE]:
            for slice_id in _below(db, path, _MOST_PARENT):
                sources.setdefault(slice_id, Source.PARENT)
        places = ",".join("?" * len(sources))
        now = self._clock.now()
        found = []
        for row in db.execute(f"{_SLICES}WHERE s.id IN ({places})", list(sources)):  # noqa: S608 - question marks
            one = _slice(row)
            found.append((one, topic_score(one, sources[one.id], now - one.at)))
        return sorted(found, key=lambda each: (-each[1], each[0].id))[:_MOST_SLICES]

    async def _whole(self, rows: Sequence[Row]) -> list[MemorySlice]:
        def look(db: Connection) -> list[tuple[str, ...]]:
            query = "SELECT path FROM memory_topics WHERE slice_id = ? AND related = 0 ORDER BY path"
            return [tuple(each[0] for each in db.execute(query, (row["id"],))) for row in rows]

        topics = await self._database.read(look)
        return [_slice(row, topics=paths) for row, paths in zip(rows, topics, strict=True)]


def _of_term(db: Connection, term: str, *, related: bool, most: int) -> list[tuple[str, str]]:
    """The newest slices of a term, with their paths."""
    rows = db.execute(
        "SELECT slice_id, path FROM memory_topics WHERE term = ? AND related = ? ORDER BY at DESC LIMIT ?",
        (term, int(related), most),
    )
    return [(str(slice_id), str(path)) for slice_id, path in rows]


def _below(db: Connection, path: str, most: int) -> list[str]:
    """The newest slices of a topic and of those under it."""
    rows = db.execute(
        "SELECT slice_id FROM memory_topics WHERE path >= ? AND path < ? AND (path = ? OR path > ?) "
        "ORDER BY at DESC LIMIT ?",
        (path, f"{path}{BELOW}\U0010ffff", path, path + BELOW, most),
    )
    return [str(row[0]) for row in rows]


def _cuts(turns: Sequence[RememberedTurn]) -> list[list[RememberedTurn]]:
    parts: list[list[RememberedTurn]] = [[]]
    for turn in turns:
        last = parts[-1]
        if last and (len(last) >= _MOST_MESSAGES or turn.at - last[-1].at > _PAUSE):
            parts.append([])
        parts[-1].append(turn)
    return parts


def _paths(path: str, related: Sequence[str]) -> list[tuple[str, int]]:
    """A path and those that it lies under are what a slice is about."""
    parts = path.split(BELOW) if path else []
    own = [BELOW.join(parts[: length + 1]) for length in range(len(parts))][-1:]
    return [*((each, 0) for each in own), *((each, 1) for each in related)]


def _slice(row: Row, *, topics: tuple[str, ...] = ()) -> MemorySlice:
    return MemorySlice(
        row["id"],
        row["unit_id"],
        row["conversation_id"],
        row["first"],
        row["past"],
        _at(row),
        row["summary"],
        row["activation"],
        row["diffusion"],
        row["independence"],
        pinned=row["pinned_at"] is not None,
        topics=topics,
    )


def _at(row: Row) -> datetime:
    return datetime.fromisoformat(row["at"])


def as_line(opened: OpenedSlice) -> str:
    """A slice as one line of JSON, for an export."""
    one = opened.slice
    turns = [{"speaker": turn.speaker, "at": turn.at.isoformat(), "text": turn.text} for turn in opened.turns]
    facts: dict[str, Any] = {
        "slice": one.id,
        "conversation": one.conversation_id,
        "title": opened.turns[0].title if opened.turns else "",
        "at": one.at.isoformat(),
        "summary": one.summary,
        "topics": list(one.topics),
        "pinned": one.pinned,
        "turns": turns,
    }
    return json.dumps(facts, ensure_ascii=False)


