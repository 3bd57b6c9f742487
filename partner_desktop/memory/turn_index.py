"""TurnIndex: every turn by its words, its meaning and its day; a file that is rebuilt when lost.

Contract: the file is used on its own thread, a transaction a call. The words of many turns are read in a
process behind the window, those of few on a thread. The file names the database that
it was made of (`mark`), how far it came in that one (`walked`, `changed`), and the model of its vectors.
Vectors are kept as whole numbers from -127 to 127 with a scale each: `(384,)`, an error of about one percent.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from partner_desktop.base.background_process import BackgroundProcess
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.memory.ranking import SIGNALS, WITH_MEANING, WORDS_ALONE
from partner_desktop.storage.database import Connection
from partner_desktop.storage.rebuildable import RebuildableDatabase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from partner_desktop.language.recollection import Cue
    from partner_desktop.memory.turn_table import TurnTable, Whole

    Vectors = NDArray[np.float32]

T = TypeVar("T")

_VERSION = 3
_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE turns (
    position INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    speaker TEXT NOT NULL,
    at_s INTEGER NOT NULL,
    day INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    marks INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    digest BLOB NOT NULL,
    bits BLOB
);
CREATE INDEX turns_without_meaning ON turns (position) WHERE bits IS NULL;
CREATE TABLE vectors (position INTEGER PRIMARY KEY, scale REAL NOT NULL, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE postings USING fts5vocab(words, instance);
"""
_WORD_INDEX = """
CREATE VIRTUAL TABLE words USING fts5(
    terms, detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
);
"""
#: Pages of the word index that one step of cleaning merges.
_PAGES = 64
_MOST_QUESTION_TERMS = 24
#: Characters from which on turns are read in another process: to start one takes as long as to read them.
_MUCH = 60_000
#: Of the candidates, those best by the estimate are compared exactly: so many, or so many for each wanted.
_EXACT, _EXACT_EACH = 160, 4
#: Turns that are read from the disk in one go; the interpreter is held while they are taken in.
_ROWS_AT_ONCE = 1_000
#: A turn of more terms counts as one of so many.
_LONGEST_TERMS = 2_000
#: What words of grammar that are no terms would weigh in days: text that speaks of more is no single day.
_LONGEST_SAID_DAYS = 62
#: Of a vector of nothing but zeros.
_LEAST_SCALE = 1e-9
_PLACES = ",".join("?" * 500)


@dataclass(frozen=True)
class Facts:
    """What the file says of itself."""

    mark: str = ""
    model: str = ""
    walked: int = 0
    target: int = 0
    """Up to here the dialog is walked through; what came after it is told by changes."""
    changed: int = 0
    unclean: bool = False
    """Whether words that were taken out may still stand somewhere in the file."""


@dataclass(frozen=True)
class Counts:
    """How many turns are there, and how many of them can be compared by meaning."""

    turns: int
    by_meaning: int


@dataclass(frozen=True)
class Scored:
    """One candidate."""

    position: int
    score: float
    signals: dict[str, float]
    digest: bytes = b""
    """Of the text as it was indexed."""


@dataclass(frozen=True)
class TurnQuery:
    """A question, ready to be compared."""

    cue: Cue
    days: tuple[tuple[int, int], ...] = ()
    """As ordinals, half-open."""
    conversation: str = ""
    before: int = 2**62
    topical: tuple[int, ...] = ()
    """Positions that share a topic with it."""
    off: frozenset[str] = frozenset()
    """Signals that are switched off: `words`, `meaning`, `time`, `topic`, `speaker`, `neighbourhood`."""


def digest_of(text: str) -> bytes:
    """What tells a text from another one, beside its vector."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


class TurnIndex:
    """Opened with the first call; the table in memory with the first question."""

    def __init__(self, path: Path) -> None:
        self._file = RebuildableDatabase(path, schema=_WORD_INDEX + _SCHEMA, version=_VERSION)
        self._table: TurnTable | None = None
        self.background = BackgroundProcess()

    async def shutdown(self) -> None:
        """Close the file; idempotent."""
        await self.background.shutdown()
        await self._file.shutdown()

    @property
    def lost(self) -> int:
        """How often the file was thrown away because it could not be read."""
        return self._file.lost

    async def _run(self, work: Callable[[Connection], T]) -> T:
        return await self._file.run(work)

    # What it says of itself.

    async def facts(self) -> Facts:
        """How far it came, and of what.

        Raises:
            StorageError: The file cannot be used.
        """
        rows = await self._run(lambda db: db.execute("SELECT name, value FROM facts").fetchall())
        found = {str(name): str(value) for name, value in rows}
        return Facts(
            found.get("mark", ""),
            found.get("model", ""),
            int(found.get("walked", 0)),
            int(found.get("target", 0)),
            int(found.get("changed", 0)),
            unclean=found.get("unclean") == "1",
        )

    async def counts(self) -> Counts:
        """How much there is."""
        query = "SELECT count(*), count(bits) FROM turns"
        row = await self._run(lambda db: db.execute(query).fetchone())
        return Counts(int(row[0]), int(row[1]))

    async def begin(self, mark: str, changed: int, target: int) -> None:
        """Forget everything: it is made anew of the database of this mark, up to position `target`."""

        def work(db: Connection) -> None:
            db.execute("DROP TABLE words")  # to delete its rows would take as long as to add them
            db.execute(_WORD_INDEX)
            for table in ("turns", "vectors", "facts"):
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            _write_facts(db, mark=mark, changed=changed, walked=0, target=target)
            self._table = None

        await self._run(work)

    async def use_model(self, model: str) -> int:
        """From now on vectors are of this model; how many of another one went."""

        def work(db: Connection) -> int:
            row = db.execute("SELECT value FROM facts WHERE name = 'model'").fetchone()
            if row is not None and row[0] == model:
                return 0
            _write_facts(db, model=model)
            gone = db.execute("UPDATE turns SET bits = NULL WHERE bits IS NOT NULL").rowcount
            db.execute("DELETE FROM vectors")
            self._table = None
            return int(gone)

        return await self._run(work)

    # What changes it.

    async def keep(
        self,
        turns: Sequence[RememberedTurn],
        gone: Iterable[int] = (),
        *,
        walked: int | None = None,
        changed: int | None = None,
    ) -> None:
        """Take turns in, and out; how far it came is written with them."""
        positions = [*gone, *(turn.position for turn in turns)]

        def same_of(known: dict[int, tuple[str, bytes]]) -> set[int]:
            return {turn.position for turn in turns if known.get(turn.position) == _mark_of(turn)}

        unchanged = same_of(await self._run(lambda db: _known(db, positions))) if turns else set()
        read = await self._read([turn for turn in turns if turn.position not in unchanged])

        def work(db: Connection) -> None:
            known = _known(db, positions)
            same = same_of(known)
            other = [position for position in known if position not in same]
            _remove(db, other)
            if other:
                _write_facts(db, unclean=1)
            rows = [row for row in read if row.numbers[0] not in same]
            _insert(db, rows)
            if walked is not None:
                _write_facts(db, walked=walked)
            if changed is not None:
                _write_facts(db, changed=changed)
            if not {turn.position for turn in turns}.isdisjoint(other):
                self._table = None  # its words would still find what was changed by what it was
            if self._table is not None:
                self._table.drop(other)
                self._table.put((*row.numbers, None) for row in rows)
                for row in rows:
                    self._table.words.add(row.numbers[0], row.terms)

        await self._run(work)

    async def _read(self, turns: Sequence[RememberedTurn]) -> list[_Indexed]:
        if sum(len(turn.text) for turn in turns) < _MUCH:
            return await asyncio.to_thread(_indexed, turns)
        return await self.background.run(_indexed, turns)

    async def clean(self) -> None:
        """Make sure that words that were taken out stand nowhere in the file any more.

        FTS5 only notes what was deleted; merging its segments into one drops the words themselves. It is done
        in steps, as https://sqlite.org/fts5.html#the_merge_command describes, so that questions come between.
        """
        pages = -_PAGES
        while await self._run(partial(_merge_step, pages)) >= 2:
            pages = _PAGES
        await self._run(partial(_write_facts, unclean=0))
        await self._file.forget_erased()

    async def without_meaning(self, limit: int) -> list[tuple[int, bytes]]:
        """Positions that have no vector yet, the newest first, with the digests of their texts."""
        query = "SELECT position, digest FROM turns WHERE bits IS NULL ORDER BY position DESC LIMIT ?"
        rows = await self._run(lambda db: db.execute(query, (limit,)).fetchall())
        return [(int(position), bytes(digest)) for position, digest in rows]

    async def keep_vectors(
        self, turns: Sequence[tuple[int, bytes]], vectors: Vectors, *, model: str = ""
    ) -> None:
        """Vectors of turns, `(len(turns), 384)`, each by position and the digest of the text that was read.

        Of a turn that went or changed meanwhile none is kept, nor any where the index is of another
        `model` by now.
        """

        def work(db: Connection) -> None:
            row = db.execute("SELECT value FROM facts WHERE name = 'model'").fetchone()
            if model and (row is None or row[0] != model):
                return
            import numpy as np  # noqa: PLC0415 - a start does not wait for it

            from partner_desktop.memory.turn_table import signs_of  # noqa: PLC0415

            there = _known(db, [position for position, _ in turns])
            kept = [
                number
                for number, (position, digest) in enumerate(turns)
                if position in there and there[position][1] == digest
            ]
            chosen, places = vectors[kept], [turns[number][0] for number in kept]
            scales = np.maximum(np.abs(chosen).max(axis=1, initial=0) / 127, _LEAST_SCALE)
            whole = np.round(chosen / scales[:, None]).astype(np.int8)
            bits = [signs_of(vector) for vector in chosen]
            db.executemany("UPDATE turns SET bits = ? WHERE position = ?", zip(bits, places, strict=True))
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                zip(places, scales.tolist(), [row.tobytes() for row in whole], strict=True),
            )
            if self._table is not None:
                for position, signs in zip(places, bits, strict=True):
                    self._table.set_bits(position, signs)

        await self._run(work)

    # What is asked of it.

    async def speakers(self) -> list[str]:
        """Everybody whose words are here by name."""
        query = "SELECT DISTINCT speaker FROM turns WHERE speaker NOT IN ('user', 'partner') LIMIT 1000"
        return [str(row[0]) for row in await self._run(lambda db: db.execute(query).fetchall())]

    async def speaking_of(self, day: date) -> list[int]:
        """Positions of what the person said, before a day, about that day alone; the newest few."""
        query = (
            "SELECT position FROM turns WHERE since = ? AND until = ? AND day < ? AND speaker = 'user' "
            "AND marks & ? = 0 ORDER BY position DESC LIMIT 20"
        )
        number = day.toordinal()

        def work(db: Connection) -> list[int]:
            from partner_desktop.language.recollection import Marks  # noqa: PLC0415 - on this thread

            marks = int(Marks.ASKS | Marks.RECALLS)
            return [int(row[0]) for row in db.execute(query, (number, number + 1, number, marks))]

        return await self._run(work)

    async def digests(self, positions: Sequence[int]) -> dict[int, bytes]:
        """What the texts at some positions were when they were indexed."""

        def work(db: Connection) -> dict[int, bytes]:
            return _digests(db, positions)

        return await self._run(work)

    async def around(self, positions: Sequence[int], turns: int) -> list[list[int]]:
        """For each position itself and up to `turns` on each side."""

        def work(db: Connection) -> list[list[int]]:
            table = self._opened(db)
            found = []
            for position in positions:
                rows = table.rows_of([position])
                found.append(table.around(int(rows[0]), turns) if rows.size else [position])
            return found

        return await self._run(work)

    async def search(self, query: TurnQuery, vector: Vectors | None, *, limit: int) -> list[Scored]:
        """The turns that fit best; `vector: (384,)` of the question, where there is one."""
        return await self._run(lambda db: self._search(db, query, vector, limit))

    def _search(self, db: Connection, query: TurnQuery, vector: Vectors | None, limit: int) -> list[Scored]:
        import numpy as np  # noqa: PLC0415 - a start does not wait for it

        from partner_desktop.language.recollection import NO_MARKS  # noqa: PLC0415
        from partner_desktop.memory.turn_table import Wanted, signs_of  # noqa: PLC0415

        table = self._opened(db)
        off, cue = query.off, query.cue
        vector = None if "meaning" in off else vector
        words, weight = _postings(table, () if "words" in off else cue.terms)
        wanted = Wanted(
            words=words,
            words_weight=weight,
            bits=signs_of(vector) if vector is not None else None,
            speaker="" if "speaker" in off else cue.speaker,
            wants=NO_MARKS if "time" in off else cue.wants,
            days=() if "time" in off else query.days,
            conversation=query.conversation,
            topical=table.rows_of(query.topical) if query.topical and "topic" not in off else None,
            before=query.before,
            neighbours="neighbourhood" not in off,
        )
        ranked = table.candidates(wanted)
        if not ranked.rows.size:
            return []
        positions = table.positions_of(ranked.rows)
        weights = WITH_MEANING if vector is not None else WORDS_ALONE
        weighted = np.array([weights.get(name, 0.0) for name in SIGNALS], dtype=np.float32)
        if vector is not None:
            likely = np.argsort(-(ranked.signals @ weighted), kind="stable")[
                : max(_EXACT, _EXACT_EACH * limit)
            ]
            _exact(db, {positions[row]: int(row) for row in likely}, vector, ranked.signals)
        scores = ranked.signals @ weighted
        best = np.argsort(-scores, kind="stable")[:limit]
        chosen = [positions[row] for row in best]
        digests = _digests(db, chosen)
        values = np.round(ranked.signals[best].astype(np.float64), 4).tolist()
        return [
            Scored(position, round(score, 4), _named(row), digests.get(position, b""))
            for position, score, row in zip(chosen, scores[best].tolist(), values, strict=True)
        ]

    def _opened(self, db: Connection) -> TurnTable:
        if self._table is None:
            from partner_desktop.memory.turn_table import TurnTable  # noqa: PLC0415

            table = TurnTable()
            size = int(db.execute("SELECT count(*) FROM turns").fetchone()[0])
            rows = db.execute(
                "SELECT position, conversation, speaker, at_s, day, terms, marks, since, until, bits "
                "FROM turns ORDER BY position"
            )
            table.fill(iter(lambda: rows.fetchmany(_ROWS_AT_ONCE), []), size)
            table.words.fill(
                db.execute("SELECT term, count(*), group_concat(doc, ' ') FROM postings GROUP BY term")
            )
            self._table = table
        return self._table


def _named(signals: Sequence[float]) -> dict[str, float]:
    """A row of signals by their names, those that say something."""
    return {name: value for name, value in zip(SIGNALS, signals, strict=True) if value}


def _write_facts(db: Connection, **facts: object) -> None:
    db.executemany(
        "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)",
        [(name, str(value)) for name, value in facts.items()],
    )


def _merge_step(pages: int, db: Connection) -> int:
    before = db.total_changes
    db.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
    return int(db.total_changes - before)


def _select(db: Connection, query: str, positions: Sequence[int]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(positions), 500):
        some = positions[start : start + 500]
        rows += db.execute(f"{query} ({_PLACES[: 2 * len(some) - 1]})", some).fetchall()
    return rows


def _known(db: Connection, positions: Sequence[int]) -> dict[int, tuple[str, bytes]]:
    """What is there at some positions, by conversation and digest."""
    rows = _select(db, "SELECT position, conversation, digest FROM turns WHERE position IN", positions)
    return {int(row[0]): (str(row[1]), bytes(row[2])) for row in rows}


def _mark_of(turn: RememberedTurn) -> tuple[str, bytes]:
    return turn.conversation_id, digest_of(turn.text)


def _remove(db: Connection, positions: Sequence[int]) -> None:
    for position in positions:
        db.execute("DELETE FROM turns WHERE position = ?", (position,))
        db.execute("DELETE FROM vectors WHERE position = ?", (position,))
        db.execute("DELETE FROM words WHERE rowid = ?", (position,))


@dataclass(frozen=True)
class _Indexed:
    """A turn as it is written."""

    numbers: tuple[int, str, str, int, int, int, int, int, int]
    digest: bytes
    terms: tuple[str, ...]


def _indexed(turns: Sequence[RememberedTurn]) -> list[_Indexed]:
    return [_indexed_turn(turn) for turn in turns]


def _indexed_turn(turn: RememberedTurn) -> _Indexed:
    # What reads words comes in with the first turn, off the loop: a start does not wait for it.
    from partner_desktop.language.recollection import marks_of, remembered_terms  # noqa: PLC0415
    from partner_desktop.language.values.past_times import past_times  # noqa: PLC0415

    terms = remembered_terms(turn.text)
    local = turn.at.astimezone()
    said = [
        each
        for each in past_times(turn.text, local)
        if not each.vague and (each.until - each.since).days <= _LONGEST_SAID_DAYS
    ]
    since, until = (said[0].since.toordinal(), said[0].until.toordinal()) if said else (0, 0)
    numbers = (
        turn.position,
        turn.conversation_id,
        turn.speaker,
        int(turn.at.timestamp()),
        local.toordinal(),
        min(len(terms), _LONGEST_TERMS),
        int(marks_of(turn.text)),
        since,
        until,
    )
    return _Indexed(numbers, digest_of(turn.text), tuple(dict.fromkeys(terms)))


def _insert(db: Connection, turns: Sequence[_Indexed]) -> None:
    db.executemany(
        "INSERT INTO turns (position, conversation, speaker, at_s, day, terms, marks, since, until, digest) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(*turn.numbers, turn.digest) for turn in turns],
    )
    db.executemany(
        "INSERT INTO words (rowid, terms) VALUES (?, ?)",
        [(turn.numbers[0], " ".join(turn.terms)) for turn in turns],
    )


def _postings(table: TurnTable, terms: Sequence[str]) -> tuple[list[tuple[float, Whole]], float]:
    """The rows of each term, with its weight; and the weight of all terms together."""
    from partner_desktop.memory.turn_table import log_odds  # noqa: PLC0415

    read: list[tuple[float, Whole]] = []
    total = 0.0
    for term in terms[:_MOST_QUESTION_TERMS]:
        rows = table.rows_of(table.words.positions(term))
        weight = log_odds(rows.size, len(table))
        read.append((weight, rows))
        total += weight
    return read, total


def _digests(db: Connection, positions: Sequence[int]) -> dict[int, bytes]:
    rows = _select(db, "SELECT position, digest FROM turns WHERE position IN", positions)
    return {int(position): bytes(digest) for position, digest in rows}


def _exact(db: Connection, place: dict[int, int], vector: Vectors, signals: Vectors) -> None:
    """Put the exact meaning in place of the estimate; `place`: position → row of `signals`."""
    import numpy as np  # noqa: PLC0415

    rows = _select(db, "SELECT position, scale, vector FROM vectors WHERE position IN", sorted(place))
    if not rows:
        return
    column = SIGNALS.index("meaning")
    table = np.frombuffer(b"".join([bytes(row[2]) for row in rows]), dtype=np.int8)
    exact = table.reshape(len(rows), -1).astype(np.float32) @ vector
    scales = np.array([row[1] for row in rows], dtype=np.float32)
    signals[[place[int(row[0])] for row in rows], column] = exact * scales
