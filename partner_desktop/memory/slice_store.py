"""SliceStore: units, slices and topics of dialog that is over, and what is pinned of it.

Contract: a unit and a slice are stretches `[first, past)` of one conversation; opened, they give the messages
exactly as they stand in the dialog, which is the only place where the words are kept. What is erased there
takes its units along.
"""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.capabilities import SumUp
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.remembered import (
    MemorySlice,
    MemoryUnit,
    OpenedSlice,
    RememberedTurn,
    RollReason,
    UnitSummaries,
    UnrolledDialog,
)
from partner_desktop.memory.topics import (
    BELOW,
    SliceTopics,
    TopicSource,
    profile,
    terms_of_topic,
    topic_score,
)
from partner_desktop.runtime.dialog import storable
from partner_desktop.runtime.turn_reader import TurnReader, kept_of, positions_within, turns_within
from partner_desktop.storage.database import Connection, Database, Row

#: A slice ends with a pause, or with so many messages.
_MOST_MESSAGES = 12
_PAUSE = timedelta(minutes=30)
#: Of one topic's list.
_MOST_SLICES = 5
_MOST_PARENT, _MOST_RELATED = 2, 2
_MOST_TOPICS = 6
#: Of a term, the newest: what is older ranks below them.
_MOST_READ = 10
_MOST_TERMS = 12

#: Characters of a slice's summary.
LONGEST_SUMMARY = 2_000
#: How often a stretch is read anew that changes while it is summed up.
_TRIES = 3
#: Conversations that are looked at in one go; others reach the database in between.
_LOOKED_AT = 500
_NO_LIMIT = 2**62

_SLICES = "SELECT s.*, u.conversation_id FROM memory_slices AS s JOIN memory_units AS u ON u.id = s.unit_id "
_SLICES_TOLD = (
    "SELECT s.*, s.rowid AS number, u.conversation_id, (SELECT group_concat(path, ', ') "
    "FROM memory_topics AS t WHERE t.slice_id = s.id AND related = 0) AS paths "
    "FROM memory_slices AS s JOIN memory_units AS u ON u.id = s.unit_id "
)
_SLICES_SAYING = f"{_SLICES_TOLD}WHERE s.rowid > ? AND s.summary <> '' ORDER BY s.rowid LIMIT ?"
_UNITS_SAYING = (
    "SELECT rowid AS number, * FROM memory_units WHERE rowid > ? AND summary <> '' ORDER BY rowid LIMIT ?"
)
_NEWEST_FIRST = "ORDER BY s.at DESC, s.first DESC, s.id DESC"
_AFTER_ALL: tuple[object, ...] = ("~", 0, "")
"""Greater than every time."""


class SliceStore:
    """Owns the tables `memory_units`, `memory_slices`, `memory_topics` and `memory_compressed`."""

    def __init__(self, database: Database, reader: TurnReader, *, clock: Clock) -> None:
        self._database = database
        self._reader = reader
        self._clock = clock

    async def keep(
        self,
        conversation_id: str,
        first: int,
        past: int,
        *,
        origin: str = "",
        reason: RollReason = "",
        sum_up: SumUp | None = None,
    ) -> MemoryUnit | None:
        """See `UnitCapability.keep`."""
        for _ in range(_TRIES):
            turns = await self._reader.within(conversation_id, first, past)
            if not turns:
                return None
            plan = await asyncio.to_thread(plan_unit, [(turn.text, turn.at) for turn in turns])
            slices = [turns[start:end] for start, end in pairwise([*plan.starts, len(turns)])]
            summaries = _storable(await sum_up(slices)) if sum_up is not None else None
            unit = MemoryUnit(
                new_id(),
                conversation_id,
                first,
                past,
                turns[0].at,
                origin,
                summary=summaries.unit if summaries is not None else "",
                messages=len(turns),
                reason=reason,
                rolled_at=self._clock.now() if reason else None,
            )
            write = partial(_insert_as_read, unit=unit, turns=turns, plan=plan, summaries=summaries)
            if await self._database.write(write):
                return unit
        raise UsageError("memory.keeps_changing")

    async def sum_anew(self, unit: MemoryUnit, sum_up: SumUp) -> MemoryUnit | None:
        """See `UnitCapability.sum_anew`."""
        for _ in range(_TRIES):
            turns = await self._reader.within(unit.conversation_id, unit.first, unit.past)
            rows = await self._database.rows(_SLICES + "WHERE s.unit_id = ? ORDER BY s.first", (unit.id,))
            if not turns or not rows:
                return None
            parts = [_slice(row) for row in rows]
            slices = [[turn for turn in turns if part.first <= turn.position < part.past] for part in parts]
            summaries = _storable(await sum_up(slices))
            summed = replace(unit, summary=summaries.unit, messages=len(turns))
            write = partial(_update_as_read, unit=summed, turns=turns, parts=parts, summaries=summaries)
            if await self._database.write(write):
                return summed
        raise UsageError("memory.keeps_changing")

    async def unrolled(self, conversation_id: str, *, most: int = _NO_LIMIT) -> UnrolledDialog:
        """See `UnitCapability.unrolled`."""
        row = await self._database.row(
            "SELECT coalesce(max(past), 0) FROM memory_units WHERE conversation_id = ?", (conversation_id,)
        )
        first = int(row[0])
        past = await self._reader.settled_end(conversation_id, since=first)
        turns = await self._reader.within(conversation_id, first, past, most=most)
        return UnrolledDialog(first, past, tuple(turns))

    async def resting(self, since: datetime, until: datetime) -> list[str]:
        """See `UnitCapability.resting`."""
        resting = await self._reader.resting(since, until)
        found: list[str] = []
        for start in range(0, len(resting), _LOOKED_AT):
            ends = await self._reader.last_of(resting[start : start + _LOOKED_AT])
            found += await self._database.read(partial(_open_ones, ends))
        return found

    async def get(self, slice_id: str) -> OpenedSlice:
        """A slice with its messages; the beginning of its id will do.

        Raises:
            UsageError: There is none of this id.
        """
        query = _SLICES + "WHERE s.id = ? OR (length(?) >= 6 AND s.id > ? AND s.id < ? || 'g') LIMIT 2"
        whole = await self._whole(await self._database.rows(query, (slice_id,) * 4))
        if len(whole) != 1:
            raise UsageError("memory.no_slice", slice_id=slice_id)
        (found,) = whole
        return OpenedSlice(
            found, tuple(await self._reader.within(found.conversation_id, found.first, found.past))
        )

    async def units(self, conversation_id: str) -> list[MemoryUnit]:
        """See `UnitCapability.units`."""
        rows = await self._database.rows(
            "SELECT * FROM memory_units WHERE conversation_id = ? ORDER BY first", (conversation_id,)
        )
        return [decoded(MemoryUnit, dict(row)) for row in rows]

    async def counted_units(self, conversation_id: str) -> list[MemoryUnit]:
        """The units of a conversation, in order, and how many messages each holds."""
        units = await self.units(conversation_id)
        begun = await self._reader.openings([(conversation_id, one.first, one.past) for one in units])
        return [replace(one, messages=each.turns) for one, each in zip(units, begun, strict=True)]

    async def all(
        self,
        *,
        limit: int,
        conversation_id: str = "",
        pinned: bool = False,
        topic: str = "",
        before: str = "",
    ) -> list[MemorySlice]:
        """Slices, the newest first; `before`: those that follow this one.

        Raises:
            UsageError: There is none of the id `before`.
        """
        where = "WHERE 1 "
        values: list[object] = []
        if conversation_id:
            where, values = where + "AND u.conversation_id = ? ", [*values, conversation_id]
        if pinned:
            where += "AND s.pinned_at IS NOT NULL "
        if topic:
            where += "AND s.id IN (SELECT slice_id FROM memory_topics WHERE path = ? AND related = 0) "
            values = [*values, topic]
        query = f"{_SLICES}{where}AND (s.at, s.first, s.id) < (?, ?, ?) {_NEWEST_FIRST} LIMIT ?"
        edge = await self._edge(before) if before else _AFTER_ALL
        found: list[MemorySlice] = []
        while len(found) < limit:
            rows = await self._database.rows(query, (*values, *edge, limit))
            found += await self._whole(rows)
            if len(rows) < limit:
                break
            edge = (rows[-1]["at"], rows[-1]["first"], rows[-1]["id"])
        return found[:limit]

    async def _edge(self, slice_id: str) -> tuple[object, ...]:
        row = await self._database.row("SELECT at, first, id FROM memory_slices WHERE id = ?", (slice_id,))
        if row is None:
            raise UsageError("memory.slice_gone", slice_id=slice_id)
        return tuple(row)

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
        await self._database.execute(
            "UPDATE memory_slices SET pinned_at = ? WHERE id = ?", (at, opened.slice.id)
        )
        return (await self.get(opened.slice.id)).slice

    async def holding(self, turns: Sequence[RememberedTurn]) -> dict[int, MemorySlice]:
        """The slices that hold some turns, by their positions."""
        query = (
            _SLICES
            + "WHERE u.conversation_id = ? AND s.first <= ? AND s.past > ? ORDER BY s.first DESC LIMIT 1"
        )

        def look(db: Connection) -> list[tuple[int, Row]]:
            return [
                (turn.position, row)
                for turn in turns
                for row in db.execute(query, (turn.conversation_id, turn.position, turn.position))
            ]

        found = await self._database.read(look)
        return {position: _slice(row) for position, row in found}

    async def edit(self, slice_id: str, summary: str) -> MemorySlice:
        """Say in other words what a slice is about; its messages stay as they were said.

        Raises:
            UsageError: There is none of this id, or the text is too long.
        """
        opened = await self.get(slice_id)
        summary = " ".join(storable(summary.replace("\x00", "")).split())
        if len(summary) > LONGEST_SUMMARY:
            raise UsageError("memory.summary_too_long", most=LONGEST_SUMMARY, length=len(summary))
        await self._database.execute(
            "UPDATE memory_slices SET summary = ? WHERE id = ?", (summary, opened.slice.id)
        )
        return (await self.get(opened.slice.id)).slice

    async def positions_of_topic(self, topic: str) -> list[tuple[str, int, int]]:
        """The stretches of all slices of a topic: its path, the beginning of one, or its last part."""
        rows = await self._database.rows(
            "SELECT DISTINCT u.conversation_id, s.first, s.past FROM memory_topics AS t "
            "JOIN memory_slices AS s ON s.id = t.slice_id JOIN memory_units AS u ON u.id = s.unit_id "
            "WHERE t.related = 0 AND (t.path = :topic OR substr(t.path, 1, length(:below)) = :below "
            "OR substr(t.path, -length(:last)) = :last)",
            {"topic": topic, "below": topic + BELOW, "last": BELOW + topic},
        )
        return [(row["conversation_id"], row["first"], row["past"]) for row in rows]

    # A `Forgettable`: what is said of a stretch is said anew of what is left of it.

    async def held(self, database: Database, gone: Forgotten) -> list[HeldWords]:
        """See `Forgettable.held`."""
        slices = [
            HeldWords("slice", row["id"], row["summary"] or row["paths"] or "", row["conversation_id"])
            for row in await self._touched(database, gone)
            if row["summary"] or row["paths"]
        ]
        return slices + [
            HeldWords("unit", row["id"], row["summary"], row["conversation_id"])
            for row in await _saying(database, _UNITS_SAYING, gone)
        ]

    async def _touched(self, database: Database, gone: Forgotten) -> list[Row]:
        """The slices that messages which are forgotten lie in, or whose summary says words of them."""
        inside = await database.read(lambda db: _slices_around(db, gone))
        saying = await _saying(database, _SLICES_SAYING, gone)
        return [*{row["id"]: row for row in (*inside, *saying)}.values()]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        reader = TurnReader(database)
        units = [(row["id"],) for row in await _saying(database, _UNITS_SAYING, gone)]
        if units:
            await database.write(
                lambda db: db.executemany("UPDATE memory_units SET summary = '' WHERE id = ?", units)
            )
        touched = await self._touched(database, gone)
        for unit_id in dict.fromkeys(row["unit_id"] for row in touched):
            rows = await database.rows(_SLICES + "WHERE s.unit_id = ? ORDER BY s.first", (unit_id,))
            texts = [
                [
                    turn.text
                    for turn in await reader.within(row["conversation_id"], row["first"], row["past"])
                    if turn.message_id not in gone.message_ids
                ]
                for row in rows
            ]
            left = [(row["id"], row["at"], some) for row, some in zip(rows, texts, strict=True) if some]
            about = await asyncio.to_thread(profile, [some for _, _, some in left])
            cleared = [row["id"] for row in touched if row["unit_id"] == unit_id]
            kept = [(slice_id, at, each) for (slice_id, at, _), each in zip(left, about, strict=True)]
            await database.write(
                lambda db, unit_id=unit_id, kept=kept, cleared=cleared: _reduce(db, unit_id, kept, cleared)  # type: ignore[misc]
            )

    # Topics.

    async def about(self, topic: str) -> list[tuple[MemorySlice, float]]:
        """The slices of a topic, or akin to it, by the score of `topics.topic_score`; at most five."""
        terms = await asyncio.to_thread(terms_of_topic, storable(topic))
        now = self._clock.now()
        ranked = await self._database.read(lambda db: _ranked(db, terms, now))
        paths = await self._paths_of([one.id for one, _ in ranked])
        return [
            (replace(one, topics=about), score) for (one, score), about in zip(ranked, paths, strict=True)
        ]

    async def topics(self) -> list[tuple[str, int]]:
        """Every topic and how many slices it has, by its path."""
        rows = await self._database.rows(
            "SELECT path, count(*) AS slices FROM memory_topics WHERE related = 0 GROUP BY path ORDER BY path"
        )
        return [(row["path"], row["slices"]) for row in rows]

    async def topical(self, terms: Sequence[str]) -> list[int]:
        """Positions of the turns in the best slices of what some terms name."""
        now = self._clock.now()

        def look(db: Connection) -> list[int]:
            best = [one for one, _ in _ranked(db, terms, now)]
            return positions_within(db, [(one.conversation_id, one.first, one.past) for one in best])

        return await self._database.read(look) if terms else []

    async def _paths_of(self, slice_ids: Sequence[str]) -> list[tuple[str, ...]]:
        def look(db: Connection) -> list[tuple[str, ...]]:
            query = "SELECT path FROM memory_topics WHERE slice_id = ? AND related = 0 ORDER BY path"
            return [_lowest([each[0] for each in db.execute(query, (one,))]) for one in slice_ids]

        return await self._database.read(look)

    async def _whole(self, rows: Sequence[Row]) -> list[MemorySlice]:
        """With their topics, and without those of deleted conversations."""
        kept = await self._reader.kept([row["conversation_id"] for row in rows])
        there = [row for row in rows if row["conversation_id"] in kept]
        topics = await self._paths_of([row["id"] for row in there])
        openings = await self._reader.openings(
            [(row["conversation_id"], row["first"], row["past"]) for row in there]
        )
        return [
            replace(_slice(row, topics=paths), title=begun.title, opening=begun.text, messages=begun.turns)
            for row, paths, begun in zip(there, topics, openings, strict=True)
        ]


def _slices_around(db: Connection, gone: Forgotten) -> list[Row]:
    found: list[Row] = []
    positions = sorted(gone.positions)
    for conversation_id in sorted(gone.conversation_ids):
        rows = db.execute(f"{_SLICES_TOLD}WHERE u.conversation_id = ?", (conversation_id,))
        found += [
            row for row in rows if bisect_left(positions, row["first"]) < bisect_left(positions, row["past"])
        ]
    return found


async def _saying(database: Database, query: str, gone: Forgotten) -> list[Row]:
    """Of some rows with summaries those that say words of what is forgotten, wherever these were said."""
    found: list[Row] = []
    after = 0
    while rows := await database.rows(query, (after, _LOOKED_AT)):
        after = rows[-1]["number"]
        found += await asyncio.to_thread(
            lambda rows=rows: [row for row in rows if row["id"] in gone.ids or gone.holds(row["summary"])]  # type: ignore[misc]
        )
    return found


def _reduce(
    db: Connection, unit_id: str, kept: Sequence[tuple[str, str, SliceTopics]], cleared: Sequence[str]
) -> None:
    """Leave of a unit the slices that still hold a turn, with their topics as they are now."""
    there = {slice_id for slice_id, _, _ in kept}
    for row in db.execute("SELECT id FROM memory_slices WHERE unit_id = ?", (unit_id,)).fetchall():
        db.execute("DELETE FROM memory_topics WHERE slice_id = ?", (row["id"],))
        if row["id"] not in there:
            db.execute("DELETE FROM memory_slices WHERE id = ?", (row["id"],))
    db.executemany("UPDATE memory_slices SET summary = '' WHERE id = ?", [(one,) for one in cleared])
    for slice_id, at, about in kept:
        _insert_topics(db, slice_id, at, about)
    if not there:
        db.execute("DELETE FROM memory_units WHERE id = ?", (unit_id,))


def _insert_topics(db: Connection, slice_id: str, at: str, about: SliceTopics) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO memory_topics (path, slice_id, term, related, at) VALUES (?, ?, ?, ?, ?)",
        [(path, slice_id, term, related, at) for path, term, related in about.rows],
    )


def _ranked(db: Connection, terms: Sequence[str], now: datetime) -> list[tuple[MemorySlice, float]]:
    """The best slices of topics; few of them are read of a term, however many have it."""
    sources = _sources(db, terms[:_MOST_TERMS])
    marks = ",".join("?" * len(sources))
    rows = db.execute(f"{_SLICES}WHERE s.id IN ({marks})", list(sources)).fetchall()
    kept = kept_of(db, [row["conversation_id"] for row in rows])
    found = [(_slice(row), sources[row["id"]]) for row in rows if row["conversation_id"] in kept]
    scored = [(one, topic_score(one, source, now - one.at)) for one, source in found]
    return sorted(scored, key=lambda each: (-each[1], -each[0].at.timestamp(), each[0].id))[:_MOST_SLICES]


def _sources(db: Connection, terms: Sequence[str]) -> dict[str, TopicSource]:
    """Slices by how they come to some topics: of them, above them, or akin."""
    found: dict[str, TopicSource] = {}
    paths: dict[str, None] = {}
    for term in terms:
        for slice_id, path in _newest(db, term, _MOST_READ):
            found[slice_id] = TopicSource.PRIMARY
            paths[path] = None
    akin = [(term, 1) for term in terms] + [(term, 0) for term in _related(db, list(found))]
    for term, related in akin:
        for slice_id, _ in _newest(db, term, _MOST_RELATED, related=related):
            found.setdefault(slice_id, TopicSource.RELATED)
    for path in list(paths)[:_MOST_READ]:
        if parent := path.rpartition(BELOW)[0]:
            beside = _newest(db, next(iter(terms_of_topic(parent)), ""), _MOST_PARENT, path=parent, but=path)
            for slice_id, _ in beside:
                found.setdefault(slice_id, TopicSource.PARENT)
    return found


def _newest(
    db: Connection, term: str, most: int, *, related: int = 0, path: str = "", but: str = ""
) -> list[tuple[str, str]]:
    """The newest slices of a term with their paths; of one `path` alone, without those of the path `but`."""
    # The plus keeps the search with the index that has the newest first.
    rows = db.execute(
        "SELECT slice_id, path FROM memory_topics AS t "
        "WHERE term = ? AND related = ? AND (? = '' OR +path = ?) "
        "AND (? = '' OR NOT EXISTS (SELECT 1 FROM memory_topics WHERE path = ? AND slice_id = t.slice_id AND "
        "related = 0)) ORDER BY at DESC LIMIT ?",
        (term, related, path, path, but, but, most),
    )
    return [(str(slice_id), str(found)) for slice_id, found in rows]


def _related(db: Connection, slice_ids: Sequence[str]) -> list[str]:
    """The topics that some slices are akin to."""
    some = slice_ids[:_MOST_READ]
    marks = ",".join("?" * len(some))
    query = (
        f"SELECT term FROM memory_topics WHERE related = 1 AND slice_id IN ({marks}) "  # noqa: S608 - marks only
        "GROUP BY term ORDER BY count(*) DESC, term LIMIT ?"
    )
    return [str(row["term"]) for row in db.execute(query, (*some, _MOST_TOPICS))]


@dataclass(frozen=True)
class UnitPlan:
    """How a stretch of dialog is cut into slices: at which of its turns, when these were, and the topics."""

    starts: tuple[int, ...]
    times: tuple[datetime, ...]
    topics: tuple[SliceTopics, ...]


def plan_unit(turns: Sequence[tuple[str, datetime]]) -> UnitPlan:
    """Cut a stretch of texts and their times; a hundredth of a second for some hundred of them."""
    starts: list[int] = []
    for number, (_, at) in enumerate(turns):
        if not starts or number - starts[-1] >= _MOST_MESSAGES or at - turns[number - 1][1] > _PAUSE:
            starts.append(number)
    edges = [*starts, len(turns)]
    texts = [[text for text, _ in turns[first:past]] for first, past in pairwise(edges)]
    return UnitPlan(tuple(starts), tuple(turns[start][1] for start in starts), tuple(profile(texts)))


def insert_unit(
    db: Connection,
    unit: MemoryUnit,
    positions: Sequence[int],
    plan: UnitPlan,
    summaries: UnitSummaries | None = None,
) -> None:
    """Write a unit whose turns stand at some positions, as it was planned."""
    db.execute(
        "INSERT INTO memory_units (id, conversation_id, first, past, at, origin, summary, reason, rolled_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (unit.id, unit.conversation_id, unit.first, unit.past, unit.at.isoformat(), unit.origin,
         unit.summary, unit.reason, unit.rolled_at.isoformat() if unit.rolled_at is not None else None),
    )  # fmt: skip
    edges = [unit.first, *(positions[start] for start in plan.starts[1:]), unit.past]
    told = summaries.slices if summaries is not None else ("",) * len(plan.starts)
    for (first, past), at, about, summary in zip(pairwise(edges), plan.times, plan.topics, told, strict=True):
        slice_id = new_id()
        db.execute(
            "INSERT INTO memory_slices (id, unit_id, first, past, at, summary, activation, diffusion, "
            "independence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (slice_id, unit.id, first, past, at.isoformat(), summary,
             about.activation, about.diffusion, about.independence),
        )  # fmt: skip
        _insert_topics(db, slice_id, at.isoformat(), about)
    if summaries is not None:
        _keep_compressed(db, unit, summaries)


def _insert_as_read(
    db: Connection,
    *,
    unit: MemoryUnit,
    turns: Sequence[RememberedTurn],
    plan: UnitPlan,
    summaries: UnitSummaries | None,
) -> bool:
    """Write a new unit, unless what was read of it is otherwise by now."""
    clash = db.execute(
        "SELECT 1 FROM memory_units WHERE conversation_id = ? AND first < ? AND past > ?",
        (unit.conversation_id, unit.past, unit.first),
    ).fetchone()
    if clash is not None:
        raise UsageError("memory.in_unit_already")
    if not _stands(db, unit, turns):
        return False
    insert_unit(db, unit, [turn.position for turn in turns], plan, summaries)
    return True


def _update_as_read(
    db: Connection,
    *,
    unit: MemoryUnit,
    turns: Sequence[RememberedTurn],
    parts: Sequence[MemorySlice],
    summaries: UnitSummaries,
) -> bool:
    """Write the summaries that are missing, unless what was read of the unit is otherwise by now."""
    if not _stands(db, unit, turns):
        return False
    changed = db.execute("UPDATE memory_units SET summary = ? WHERE id = ?", (unit.summary, unit.id))
    if not changed.rowcount:
        return False
    for part, summary in zip(parts, summaries.slices, strict=True):
        db.execute("UPDATE memory_slices SET summary = ? WHERE id = ? AND summary = ''", (summary, part.id))
    _keep_compressed(db, unit, summaries)
    return True


def _stands(db: Connection, unit: MemoryUnit, turns: Sequence[RememberedTurn]) -> bool:
    now = turns_within(db, unit.conversation_id, unit.first, unit.past)
    return [(turn.message_id, turn.text) for turn in now] == [(turn.message_id, turn.text) for turn in turns]


def _storable(summaries: UnitSummaries) -> UnitSummaries:
    return replace(summaries, unit=storable(summaries.unit), slices=tuple(map(storable, summaries.slices)))


def _keep_compressed(db: Connection, unit: MemoryUnit, summaries: UnitSummaries) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO memory_compressed (unit_id, position, text) VALUES (?, ?, ?)",
        [(unit.id, position, text) for position, text in summaries.compressed.items()],
    )


def _open_ones(ends: Mapping[str, int], db: Connection) -> list[str]:
    """Those of some conversations whose last message is in no unit."""
    query = "SELECT 1 FROM memory_units WHERE conversation_id = ? AND past > ?"
    return [one for one, last in ends.items() if db.execute(query, (one, last)).fetchone() is None]


def _lowest(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for path in paths if not any(other.startswith(path + BELOW) for other in paths))


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
