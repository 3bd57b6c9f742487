"""The turns in numbers: what a question is compared with, held in memory, some seventy bytes a turn.

Vectors stand here by the signs of their numbers alone; how many of them differ tells their angle well enough
to choose candidates (Charikar, "Similarity estimation techniques from rounding algorithms", 2002). The whole
vectors of the candidates are read from the disk.

`n` turns: `bits: uint64 (n, 6)`, everything else `(n,)`. Rows are in the order in which they came.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from partner_desktop.domain.remembered import PARTNER
from partner_desktop.language.recollection import NO_MARKS, Marks
from partner_desktop.memory.ranking import SIGNALS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    Whole: TypeAlias = NDArray[np.int64]

DIMENSIONS = 384
_WORDS = DIMENSIONS // 64
#: Seconds between two turns after which they are no neighbours.
PAUSE_S = 3_600
#: Turns that words, and meaning, bring in before they are looked at more closely.
_CANDIDATES = 200
_CLOSER = 60
#: A turn that speaks of a longer time says nothing of a single day in it.
_NEAR_DAYS = 3
_COLUMN = {name: number for number, name in enumerate(SIGNALS)}
#: Angle by the number of signs that differ, as its cosine.
_COSINE = np.cos(np.pi * np.arange(DIMENSIONS + 1) / DIMENSIONS).astype(np.float32)


@dataclass(frozen=True)
class TurnNumbers:
    """One turn, as it comes from the disk."""

    position: int
    conversation: str
    speaker: str
    at_s: int
    day: int
    """Of the calendar where it was indexed, as an ordinal."""
    terms: int
    marks: int
    since: int
    """The days that it speaks of, as ordinals, half-open; 0 and 0: it speaks of none."""
    until: int
    bits: bytes | None


@dataclass(frozen=True)
class Wanted:
    """What is compared with the turns."""

    words: Sequence[tuple[float, Whole]] = ()
    """Weight of each term, and the rows that have it."""
    words_weight: float = 0.0
    """Of all terms together, those that no turn has included."""
    bits: bytes | None = None
    vector: Floats | None = None
    speaker: str = ""
    wants: Marks = NO_MARKS
    days: Sequence[tuple[int, int]] = ()
    conversation: str = ""
    topical: Whole | None = None
    """Rows of slices that share a topic with the question."""
    before: int = 2**62
    """The position from which on nothing counts."""
    neighbours: bool = True


@dataclass
class Ranked:
    """Candidates: rows of the table, and their signals, `float32 (rows, signals)`."""

    rows: Whole
    signals: Floats
    found_by: dict[str, int] = field(default_factory=dict)


def signs_of(vector: Floats) -> bytes:
    """The signs of a vector's numbers."""
    return np.packbits(vector > 0).tobytes()


class TurnTable:
    """Filled from the disk once, then row by row. Used on the index's thread only."""

    def __init__(self) -> None:
        self._size = 0
        self._count = 0
        self._row_at: NDArray[np.int32] = np.full(1_024, -1, dtype=np.int32)
        """Position → row; -1: it is not there."""
        self._last_of: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._capacity = 0
        self._make_room(1_024)

    def __len__(self) -> int:
        return self._count

    def _make_room(self, rows: int) -> None:
        if rows <= self._capacity:
            return
        capacity = max(rows, self._capacity * 3 // 2)

        def grown(name: str, kind: Any, *shape: int, fill: int = 0) -> None:  # noqa: ANN401 - numpy's own
            new = np.full((capacity, *shape), fill, dtype=kind)
            old = getattr(self, name, None)
            if old is not None:
                new[: self._size] = old[: self._size]
            setattr(self, name, new)

        grown("_positions", np.int64)
        grown("_conversations", np.int32)
        grown("_speakers", np.int32)
        grown("_at_s", np.int64)
        grown("_terms", np.uint16)
        grown("_marks", np.uint8)
        grown("_day", np.int32)
        grown("_since", np.int32)
        grown("_until", np.int32)
        grown("_bits", np.uint64, _WORDS)
        grown("_has_bits", np.bool_)
        grown("_alive", np.bool_)
        grown("_answers", np.bool_)
        grown("_before", np.int32, fill=-1)
        grown("_after", np.int32, fill=-1)
        self._capacity = capacity

    if TYPE_CHECKING:
        _positions: Whole
        _conversations: NDArray[np.int32]
        _speakers: NDArray[np.int32]
        _at_s: Whole
        _terms: NDArray[np.uint16]
        _marks: NDArray[np.uint8]
        _day: NDArray[np.int32]
        _since: NDArray[np.int32]
        _until: NDArray[np.int32]
        _bits: NDArray[np.uint64]
        _has_bits: NDArray[np.bool_]
        _alive: NDArray[np.bool_]
        _answers: NDArray[np.bool_]
        _before: NDArray[np.int32]
        _after: NDArray[np.int32]

    def _number(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def fill(self, turns: Sequence[TurnNumbers]) -> None:
        """Take the whole of what is on the disk, by conversation and position, into an empty table."""
        size = len(turns)
        if not size:
            return
        self._make_room(size)
        self._size = size
        whole = slice(0, size)
        self._positions[whole] = [turn.position for turn in turns]
        self._conversations[whole] = [self._number(turn.conversation) for turn in turns]
        self._speakers[whole] = [self._number("\n" + turn.speaker) for turn in turns]
        self._at_s[whole] = [turn.at_s for turn in turns]
        self._day[whole] = [turn.day for turn in turns]
        self._terms[whole] = [min(turn.terms, 65_535) for turn in turns]
        self._marks[whole] = [turn.marks for turn in turns]
        self._since[whole] = [turn.since for turn in turns]
        self._until[whole] = [turn.until for turn in turns]
        self._has_bits[whole] = [turn.bits is not None for turn in turns]
        none = bytes(DIMENSIONS // 8)
        signs = b"".join([turn.bits or none for turn in turns])
        self._bits[whole] = np.frombuffer(signs, dtype=np.uint64).reshape(size, _WORDS)
        self._alive[whole] = True
        self._count = size
        self._reach(int(self._positions[whole].max()))
        self._row_at[self._positions[whole]] = np.arange(size, dtype=np.int32)
        self._last_of = {turn.conversation: row for row, turn in enumerate(turns)}
        rows = np.arange(1, size, dtype=np.int32)
        together = self._conversations[1:size] == self._conversations[: size - 1]
        together &= np.abs(np.diff(self._at_s[whole])) <= PAUSE_S
        self._before[1:size] = np.where(together, rows - 1, -1)
        self._after[: size - 1] = np.where(together, rows, -1)
        recalls = (self._marks[whole] & Marks.RECALLS) > 0
        before = self._before[whole]
        partner = self._speakers[whole] == self._number("\n" + PARTNER)
        self._answers[whole] = ~(recalls | (partner & (before >= 0) & recalls[before]))

    def put(self, turns: Iterable[TurnNumbers]) -> None:
        """Add turns, in the order of their positions; one that is there already is replaced."""
        for turn in turns:
            self.drop([turn.position])
            row = self._size
            self._make_room(row + 1)
            self._size += 1
            self._positions[row] = turn.position
            self._conversations[row] = self._number(turn.conversation)
            self._speakers[row] = self._number("\n" + turn.speaker)
            self._at_s[row] = turn.at_s
            self._terms[row] = min(turn.terms, 65_535)
            self._marks[row] = turn.marks
            self._day[row] = turn.day
            self._since[row], self._until[row] = turn.since, turn.until
            self._set_bits(row, turn.bits)
            self._alive[row] = True
            self._reach(turn.position)
            self._row_at[turn.position] = row
            self._count += 1
            self._join(row, turn)
            before = int(self._before[row])
            echoes = before >= 0 and turn.speaker == PARTNER and bool(self._marks[before] & Marks.RECALLS)
            self._answers[row] = not (echoes or turn.marks & Marks.RECALLS)

    def _join(self, row: int, turn: TurnNumbers) -> None:
        """Neighbours are turns of one conversation with no long pause between them."""
        last = self._last_of.get(turn.conversation, -1)
        if last >= 0 and self._alive[last] and self._positions[last] > turn.position:
            return  # one that was changed: its neighbours are found when the table is read anew
        self._last_of[turn.conversation] = row
        if last >= 0 and self._alive[last] and abs(turn.at_s - int(self._at_s[last])) <= PAUSE_S:
            self._before[row], self._after[last] = last, row

    def set_bits(self, position: int, bits: bytes) -> None:
        """The signs of a turn's vector, which was computed now."""
        for row in self.rows_of([position]):
            self._set_bits(int(row), bits)

    def _set_bits(self, row: int, bits: bytes | None) -> None:
        self._has_bits[row] = bits is not None
        if bits is not None:
            self._bits[row] = np.frombuffer(bits, dtype=np.uint64)

    def drop(self, positions: Iterable[int]) -> None:
        """These are there no more."""
        for position in positions:
            row = int(self._row_at[position]) if position < len(self._row_at) else -1
            if row < 0:
                continue
            self._row_at[position] = -1
            self._count -= 1
            self._alive[row] = False
            before, after = int(self._before[row]), int(self._after[row])
            if before >= 0:
                self._after[before] = after
            if after >= 0:
                self._before[after] = before

    def rows_of(self, positions: Iterable[int]) -> Whole:
        """The rows of positions; what is not there is left out."""
        wanted = np.fromiter(positions, dtype=np.int64)
        rows = self._row_at[wanted[wanted < len(self._row_at)]]
        return rows[rows >= 0].astype(np.int64)

    def _reach(self, position: int) -> None:
        if position >= len(self._row_at):
            longer = np.full(max(position + 1, 2 * len(self._row_at)), -1, dtype=np.int32)
            longer[: len(self._row_at)] = self._row_at
            self._row_at = longer

    def positions_of(self, rows: Whole) -> list[int]:
        """The positions of rows."""
        return [int(position) for position in self._positions[rows]]

    def around(self, row: int, turns: int) -> list[int]:
        """The positions of a turn and of up to `turns` on each side, in order."""
        found = [row]
        for beside in (self._before, self._after):
            at = row
            for _ in range(turns):
                at = int(beside[at])
                if at < 0:
                    break
                found.append(at)
        return sorted(int(self._positions[each]) for each in found)

    # Ranking.

    def candidates(self, wanted: Wanted) -> Ranked:
        """What may fit, with every signal but the exact meaning, for which there is only an estimate."""
        size = self._size
        mine = self._alive[:size] & self._answers[:size] & (self._positions[:size] < wanted.before)
        if wanted.conversation:
            mine &= self._conversations[:size] == self._names.get(wanted.conversation, -1)
        words = self._words(wanted) * mine
        meaning = self._meaning(wanted)
        chosen = [_best(words, _CANDIDATES, least=0.0)]
        if wanted.bits is not None:
            chosen.append(_best(np.where(mine, meaning, -1), _CANDIDATES, least=0.0))
        dated = self._dated(wanted)
        if wanted.days:
            chosen.append(np.flatnonzero(dated & mine)[-_CANDIDATES:])
        if wanted.topical is not None:
            chosen.append(wanted.topical[mine[wanted.topical]][-_CANDIDATES:])
        rows = np.unique(np.concatenate(chosen)).astype(np.int64)
        if wanted.neighbours and rows.size:
            closer = rows[_best(words[rows] + meaning[rows], _CLOSER, least=-2.0)]
            beside: list[Any] = [rows, self._before[closer], self._after[closer]]
            rows = np.unique(np.concatenate(beside)).astype(np.int64)
            rows = rows[rows >= 0]
            rows = rows[mine[rows]]
        return Ranked(rows, self._signals(wanted, rows, words, meaning, dated))

    def _words(self, wanted: Wanted) -> Floats:
        """The share of the question's terms that each turn has, by weight; long turns count for less."""
        found = np.zeros(self._size, dtype=np.float32)
        if not wanted.words_weight:
            return found
        for weight, rows in wanted.words:
            found[rows] += weight
        touched = np.flatnonzero(found)
        alive = max(1, self._count)
        mean = float(self._terms[: self._size].sum()) / alive or 1.0
        long = 0.5 + 0.5 * self._terms[touched] / mean
        found[touched] *= 2.2 / (1 + 1.2 * long) / wanted.words_weight / 1.5
        return found

    def _meaning(self, wanted: Wanted) -> Floats:
        if wanted.bits is None:
            return np.zeros(self._size, dtype=np.float32)
        bits = np.frombuffer(wanted.bits, dtype=np.uint64)
        apart = np.zeros(self._size, dtype=np.uint16)
        for word in range(_WORDS):
            apart += np.bitwise_count(self._bits[: self._size, word] ^ bits[word])
        return np.where(self._has_bits[: self._size], _COSINE[apart], np.float32(0))

    def _dated(self, wanted: Wanted) -> NDArray[np.bool_]:
        found = np.zeros(self._size, dtype=np.bool_)
        day, since, until = self._day[: self._size], self._since[: self._size], self._until[: self._size]
        for first, past in wanted.days:
            found |= (day >= first) & (day < past)
            near = until - since <= max(past - first, _NEAR_DAYS)
            found |= (since < past) & (until > first) & (until > since) & near
        return found

    def _signals(
        self, wanted: Wanted, rows: Whole, words: Floats, meaning: Floats, dated: NDArray[np.bool_]
    ) -> Floats:
        made = np.zeros((rows.size, len(SIGNALS)), dtype=np.float32)

        def put(name: str, values: Any) -> None:  # noqa: ANN401 - any row of numbers
            made[:, _COLUMN[name]] = values

        put("words", words[rows])
        put("meaning", meaning[rows])
        if wanted.speaker:
            put("speaker", self._speakers[rows] == self._names.get("\n" + wanted.speaker, -1))
        if wanted.neighbours:
            for side, beside in (("before", self._before), ("after", self._after)):
                near = rows
                for suffix in ("", "_2"):
                    near = np.where(near >= 0, beside[near], -1)
                    put(f"words_{side}{suffix}", np.where(near >= 0, words[near], 0))
                    put(f"meaning_{side}{suffix}", np.where(near >= 0, np.maximum(meaning[near], 0), 0))
            before = self._before[rows]
            asked = np.where(before >= 0, self._marks[before] & Marks.ASKED, 0)
            put("after_question", asked > 0)
        marks = self._marks[rows]
        put("asks", (marks & Marks.ASKS) > 0)
        put("length", np.log1p(self._terms[rows]))
        for name, mark in (
            ("time_wanted", Marks.TIME),
            ("number_wanted", Marks.NUMBER),
            ("name_wanted", Marks.NAME),
        ):
            if wanted.wants & mark:
                put(name, (marks & mark) > 0)
        if wanted.days:
            put("date", dated[rows])
        if wanted.topical is not None:
            put("topic", np.isin(rows, wanted.topical))
        return made


def _best(scores: Floats, most: int, *, least: float) -> Whole:
    """The rows of the best scores over `least`, at most `most`."""
    if scores.size > most:
        found = np.argpartition(scores, -most)[-most:]
        return found[scores[found] > least]
    return np.flatnonzero(scores > least)


def log_odds(found: int, of: int) -> float:
    """How much a term tells that `found` of `of` turns have (BM25's)."""
    return math.log(1 + (of - found + 0.5) / (found + 0.5))
