"""The turns in numbers: what a question is compared with, held in memory, some hundred bytes a turn.

Vectors stand here by the signs of their numbers alone; how many of them differ tells their angle well enough
to choose candidates (Charikar, "Similarity estimation techniques from rounding algorithms", 2002). The whole
vectors of the candidates are read from the disk.

`n` turns: `bits: uint64 (6, n)`, everything else `(n,)`. Rows are in the order in which they came.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.recollection import NO_MARKS, Marks
from partner_desktop.memory.ranking import SIGNALS
from partner_desktop.memory.word_postings import WordPostings

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
#: As many signs differ between vectors that have nothing to do with each other.
_RIGHT_ANGLE = DIMENSIONS // 2
#: Rows whose signs are compared in one go: what the processor keeps near.
_ROWS_AT_ONCE = 8_192
_NO_BITS = bytes(DIMENSIONS // 8)
#: A turn that speaks of a longer time says nothing of a single day in it.
_NEAR_DAYS = 3
_COLUMN = {name: number for number, name in enumerate(SIGNALS)}
#: Angle by the number of signs that differ, as its cosine.
_COSINE = np.cos(np.pi * np.arange(DIMENSIONS + 1) / DIMENSIONS).astype(np.float32)


#: A turn as it comes from the disk: position, conversation, speaker, second, day (of the calendar where it
#: was indexed, as an ordinal), terms, marks, the days that it speaks of (as ordinals, half-open; 0 and 0: of
#: none), and the signs of its vector.
TurnRow: TypeAlias = tuple[int, str, str, int, int, int, int, int, int, bytes | None]


@dataclass(frozen=True)
class Wanted:
    """What is compared with the turns."""

    words: Sequence[tuple[float, Whole]] = ()
    """Weight of each term, and the rows that have it."""
    words_weight: float = 0.0
    """Of all terms together, those that no turn has included."""
    bits: bytes | None = None
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


def signs_of(vector: Floats) -> bytes:
    """The signs of a vector's numbers."""
    return np.packbits(vector > 0).tobytes()


class TurnTable:
    """Filled from the disk once, then row by row. Used on the index's thread only."""

    def __init__(self) -> None:
        self.words = WordPostings()
        self._size = 0
        self._count = 0
        self._row_at: NDArray[np.int32] = np.full(1_024, -1, dtype=np.int32)
        """Position → row; -1: it is not there."""
        self._last_of: dict[int, int] = {}
        """Number of a conversation → row of its last turn."""
        self._conversation_numbers: dict[str, int] = {}
        self._speaker_numbers: dict[str, int] = {}
        self._capacity = 0
        self._make_room(1_024)

    def __len__(self) -> int:
        return self._count

    def _make_room(self, rows: int) -> None:
        if rows <= self._capacity:
            return
        capacity = max(rows, self._capacity * 3 // 2)

        def grown(name: str, kind: Any, *shape: int, fill: int = 0) -> None:  # noqa: ANN401 - numpy's own
            new = np.full((*shape, capacity), fill, dtype=kind)
            old = getattr(self, name, None)
            if old is not None:
                new[..., : self._size] = old[..., : self._size]
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

    def fill(self, turns: Iterable[Sequence[TurnRow]], size: int) -> None:
        """Take the `size` turns that are on the disk, by position, some at a time, into an empty table."""
        self._make_room(size)
        for some in turns:
            self._add_columns(len(some), *zip(*some, strict=True))
        whole = slice(0, self._size)
        self._alive[whole] = True
        self._count = self._size
        if self._size:
            self._reach(int(self._positions[self._size - 1]))
            self._row_at[self._positions[whole]] = np.arange(self._size, dtype=np.int32)
            self._join_all()
            self._answers[whole] = self._answer(np.arange(self._size))

    def _add_columns(self, size: int, *columns: Sequence[Any]) -> None:
        positions, conversations, speakers, at_s, day, terms, marks, since, until, bits = columns
        self._make_room(self._size + size)
        here = slice(self._size, self._size + size)
        self._positions[here] = positions
        self._conversations[here] = _numbered(self._conversation_numbers, conversations)
        self._speakers[here] = _numbered(self._speaker_numbers, speakers)
        self._at_s[here] = at_s
        self._day[here] = day
        self._terms[here] = np.minimum(terms, 65_535).astype(np.uint16)
        self._marks[here] = marks
        self._since[here] = since
        self._until[here] = until
        self._has_bits[here] = [each is not None for each in bits]
        signs = b"".join([each or _NO_BITS for each in bits])
        self._bits[:, here] = np.frombuffer(signs, dtype=np.uint64).reshape(size, _WORDS).T
        self._size += size

    def _join_all(self) -> None:
        order = np.argsort(self._conversations[: self._size], kind="stable").astype(np.int32)
        one, other = order[:-1], order[1:]
        same = self._conversations[one] == self._conversations[other]
        near = same & (np.abs(self._at_s[other] - self._at_s[one]) <= PAUSE_S)
        self._before[other[near]] = one[near]
        self._after[one[near]] = other[near]
        for row in order[np.append(~same, True)]:
            self._last_of[int(self._conversations[row])] = int(row)

    def put(self, turns: Iterable[TurnRow]) -> None:
        """Add turns, in the order of their positions; one that is there already is replaced."""
        for turn in turns:
            position = turn[0]
            self.drop([position])
            row = self._size
            self._add_columns(1, *([value] for value in turn))
            self._alive[row] = True
            self._reach(position)
            self._row_at[position] = row
            self._count += 1
            self._join(row, position)
            self._answers[row] = self._answer(np.array([row]))[0]

    def _join(self, row: int, position: int) -> None:
        """Neighbours are turns of one conversation with no long pause between them."""
        conversation = int(self._conversations[row])
        last = self._last_of.get(conversation, -1)
        if last >= 0 and self._alive[last] and self._positions[last] > position:
            return  # one that was changed: its neighbours are found when the table is read anew
        self._last_of[conversation] = row
        if last >= 0 and self._alive[last] and abs(int(self._at_s[row] - self._at_s[last])) <= PAUSE_S:
            self._before[row], self._after[last] = last, row

    def _answer(self, rows: Whole) -> NDArray[np.bool_]:
        """Which rows may answer something: none that asks about earlier talk, or repeats it."""
        answers: NDArray[np.bool_] = (self._marks[rows] & Marks.RECALLS) == 0
        return answers

    def set_bits(self, position: int, bits: bytes) -> None:
        """The signs of a turn's vector, which was computed now."""
        for row in self.rows_of([position]):
            self._has_bits[row] = True
            self._bits[:, row] = np.frombuffer(bits, dtype=np.uint64)

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

    def rows_of(self, positions: Sequence[int] | Whole) -> Whole:
        """The rows of positions; what is not there is left out."""
        wanted = np.asarray(positions, dtype=np.int64)
        rows = self._row_at[wanted[wanted < len(self._row_at)]]
        return rows[rows >= 0].astype(np.int64)

    def _reach(self, position: int) -> None:
        if position >= len(self._row_at):
            longer = np.full(max(position + 1, 2 * len(self._row_at)), -1, dtype=np.int32)
            longer[: len(self._row_at)] = self._row_at
            self._row_at = longer

    def positions_of(self, rows: Whole) -> list[int]:
        """The positions of rows."""
        found: list[int] = self._positions[rows].tolist()
        return found

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
            mine &= self._conversations[:size] == self._conversation_numbers.get(wanted.conversation, -1)
        words = self._words(wanted) * mine
        apart = self._apart(wanted)
        chosen: list[Whole] = [_best(words, np.flatnonzero(words > 0), _CANDIDATES)]
        if wanted.bits is not None:
            chosen.append(_nearest(np.where(mine, apart, _RIGHT_ANGLE), _CANDIDATES))
        dated = self._dated(wanted)
        if wanted.days:
            chosen.append(np.flatnonzero(dated & mine)[-_CANDIDATES:])
        if wanted.topical is not None:
            chosen.append(wanted.topical[mine[wanted.topical]][-_CANDIDATES:])
        inside = np.zeros(size, dtype=np.bool_)
        inside[np.concatenate(chosen)] = True
        if wanted.neighbours and inside.any():
            rows = np.flatnonzero(inside)
            closer = rows[_best(words[rows] + _COSINE[apart[rows]], np.arange(rows.size), _CLOSER)]
            for beside in (self._before[closer], self._after[closer]):
                inside[beside[beside >= 0]] = True
            inside &= mine
        rows = np.flatnonzero(inside)
        return Ranked(rows, self._signals(wanted, rows, words, apart, dated))

    def _words(self, wanted: Wanted) -> Floats:
        """The share of the question's terms that each turn has, by weight; long turns count for less."""
        found = np.zeros(self._size, dtype=np.float32)
        if not wanted.words_weight:
            return found
        for weight, rows in wanted.words:
            found[rows] += weight
        touched = np.flatnonzero(found > 0)
        alive = max(1, self._count)
        mean = float(self._terms[: self._size].sum()) / alive or 1.0
        long = 0.5 + 0.5 * self._terms[touched] / mean
        found[touched] *= 2.2 / (1 + 1.2 * long) / wanted.words_weight / 1.5
        return found

    def _apart(self, wanted: Wanted) -> NDArray[np.uint16]:
        """How many signs of each turn's vector differ; half of them where there is none."""
        if wanted.bits is None:
            return np.full(self._size, _RIGHT_ANGLE, dtype=np.uint16)
        bits = np.frombuffer(wanted.bits, dtype=np.uint64)
        apart = np.empty(self._size, dtype=np.uint16)
        for start in range(0, self._size, _ROWS_AT_ONCE):
            here = slice(start, min(self._size, start + _ROWS_AT_ONCE))
            differ = np.bitwise_count(np.bitwise_xor(self._bits[:, here], bits[:, None]))
            np.add.reduce(differ, axis=0, dtype=np.uint16, out=apart[here])
        apart[~self._has_bits[: self._size]] = _RIGHT_ANGLE
        return apart

    def _dated(self, wanted: Wanted) -> NDArray[np.bool_]:
        found = np.zeros(self._size, dtype=np.bool_)
        day, since, until = self._day[: self._size], self._since[: self._size], self._until[: self._size]
        for first, past in wanted.days:
            found |= (day >= first) & (day < past)
            near = until - since <= max(past - first, _NEAR_DAYS)
            found |= (since < past) & (until > first) & (until > since) & near
        return found

    def _signals(
        self, wanted: Wanted, rows: Whole, words: Floats, apart: NDArray[np.uint16], dated: NDArray[np.bool_]
    ) -> Floats:
        made = np.zeros((rows.size, len(SIGNALS)), dtype=np.float32)

        def put(name: str, values: Any) -> None:  # noqa: ANN401 - any row of numbers
            made[:, _COLUMN[name]] = values

        put("words", words[rows])
        put("meaning", _COSINE[apart[rows]])
        if wanted.speaker:
            put("speaker", self._speakers[rows] == self._speaker_numbers.get(wanted.speaker, -1))
        if wanted.neighbours:
            for side, beside in (("before", self._before), ("after", self._after)):
                near = rows
                for suffix in ("", "_2"):
                    near = np.where(near >= 0, beside[near], -1)
                    put(f"words_{side}{suffix}", np.where(near >= 0, words[near], 0))
                    put(
                        f"meaning_{side}{suffix}", np.where(near >= 0, np.maximum(_COSINE[apart[near]], 0), 0)
                    )
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
            topical = np.zeros(self._size, dtype=np.bool_)
            topical[wanted.topical] = True
            put("topic", topical[rows])
        return made


def _best(scores: Floats, rows: Whole, most: int) -> Whole:
    """Of some rows those of the best scores, at most `most`."""
    if rows.size > most:
        rows = rows[np.argpartition(scores[rows], -most)[-most:]]
    return rows


def _nearest(apart: NDArray[np.uint16], most: int) -> Whole:
    """The rows of which the fewest signs differ, at most `most`, none beyond a right angle.

    Counting is several times as fast as putting a hundred thousand numbers in order.
    """
    upto = np.cumsum(np.bincount(apart, minlength=_RIGHT_ANGLE)[:_RIGHT_ANGLE])
    least = int(np.searchsorted(upto, most))
    rows = np.flatnonzero(apart <= min(least, _RIGHT_ANGLE - 1))
    return rows[np.argsort(apart[rows], kind="stable")[:most]]


def _numbered(numbers: dict[str, int], names: Sequence[str]) -> list[int]:
    return [numbers.setdefault(name, len(numbers)) for name in names]


def log_odds(found: int, of: int) -> float:
    """How much a term tells that `found` of `of` turns have (BM25's)."""
    return math.log(1 + (of - found + 0.5) / (found + 0.5))
