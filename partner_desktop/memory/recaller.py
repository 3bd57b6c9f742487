"""Recalling: from a question to the turns that answer it, and to passages that can be shown.

Contract: nothing here waits for a model longer than `_PATIENCE_S`; without vectors, words and dates decide. A
turn that is not what was indexed is never shown.

`TurnRecall` is what a turn asks of memory: all who ask the same in one turn share one recall. What nobody
asked to be looked up is answered by a plain statement only. A question about what was shown last is answered
from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.remembered import (
    PARTNER,
    PERSON,
    FollowUp,
    Reason,
    Recall,
    RecalledPassage,
    RecalledTurn,
    RecallQuery,
    RememberedTurn,
)
from partner_desktop.language.recollection import Cue, asks_of_own_life, read_cue, shared_letters
from partner_desktop.language.terms import mainly_cjk
from partner_desktop.language.values.past_times import EventTime, PastTime, event_times, past_times
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.memory.ranking import confidence
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.memory.slice_store import SliceStore
from partner_desktop.memory.turn_index import Scored, TurnIndex, TurnQuery, digest_of
from partner_desktop.model.embedder import Embedder
from partner_desktop.runtime.turn_reader import TurnReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = log.area("memory")

#: Seconds that a question waits for its own vector.
_PATIENCE_S = 3.0
#: Turns on each side that a passage shows.
_AROUND = 2
#: A question that names no more than this long a time is about that time.
_LONGEST_DAYS = 400
_LEAST_ORDINAL = 1


class Recaller:
    """Asks the index, and the database for the words."""

    def __init__(
        self,
        index: TurnIndex,
        indexing: TurnIndexing,
        reader: TurnReader,
        slices: SliceStore,
        embedder: Embedder | None,
        settings: ConfigHandle[MemorySettings],
        *,
        clock: Clock,
    ) -> None:
        self._index = index
        self._indexing = indexing
        self._reader = reader
        self._slices = slices
        self._embedder = embedder
        self._settings = settings
        self._clock = clock

    async def recall(self, wanted: RecallQuery) -> Recall:
        """What was said that answers a question.

        Raises:
            StorageError: The index or the database cannot be read.
        """
        question, limit = wanted.question, wanted.limit
        await self._indexing.catch_up()
        now = (wanted.now or self._clock.now()).astimezone()
        before = await self._reader.first_of(wanted.turn.said if wanted.turn is not None else ())
        query = await self._query(question, now, conversation_id=wanted.conversation_id, before=before)
        vector, topical = await asyncio.gather(self._vector(query.cue), self._topical(query))
        query = replace(query, topical=topical)
        scored = await self._index.search(query, vector, limit=limit)
        turns = await self._turns(scored)
        if len(turns) < len(scored):  # some of it is gone
            turns = (await self._turns(await self._index.search(query, vector, limit=2 * limit)))[:limit]
        # What the person once asked is seldom what the person wants to know.
        turns = tuple(sorted(turns, key=lambda turn: -turn.score + _OWN_QUESTION * _is_own_question(turn)))
        dated = bool(query.days) and not query.cue.terms and "time" not in query.off
        if dated:
            turns = tuple(turn for turn in turns if turn.signals.get("date"))
        sure = 1.0 if dated and turns else sure_of(query.cue, turns[:5])
        settings = self._settings.value
        shown = turns if sure >= settings.threshold else ()
        passages = await self._passages(query.cue, shown, settings.passages)
        return Recall(
            question,
            round(sure, 4),
            turns,
            passages,
            by_meaning=vector is not None,
            looked_for=bool(query.cue.terms or query.days),
        )

    async def _query(self, question: str, now: datetime, *, conversation_id: str, before: int) -> TurnQuery:
        off = frozenset(name for name, on in self._settings.value.signals if not on)
        # The first question compiles the patterns, which takes tenths of a second.
        times, events, cue = await asyncio.to_thread(_read, question, now, self._indexing.speakers)
        days = [_days(time.since, time.until) for time in times]
        stretches = [(time.start, time.end) for time in times]
        if "time" not in off:
            for event in events:
                found = await self._day_of(event, conversation_id, before)
                if found is not None:
                    days.append(found)
                    stretches.append((event.start, event.end))
        if len(stretches) > len(times):
            cue = read_cue(question, self._indexing.speakers, without=stretches)
        return TurnQuery(
            cue,
            days=tuple((first, past) for first, past in days if past - first <= _LONGEST_DAYS),
            conversation=conversation_id,
            before=before,
            off=off,
        )

    async def _topical(self, query: TurnQuery) -> tuple[int, ...]:
        return () if "topic" in query.off else tuple(await self._slices.topical(query.cue.terms))

    async def _day_of(self, event: EventTime, conversation_id: str, before: int) -> tuple[int, int] | None:
        """The days of `the day before Ann came`: the best turn about it says which day that was."""
        cue = read_cue(event.event, self._indexing.speakers)
        query = TurnQuery(cue, conversation=conversation_id, before=before)
        vector = await self._vector(cue)
        scored = await self._index.search(query, vector, limit=1)
        turns = await self._turns(scored)
        if sure_of(cue, turns) < self._settings.value.threshold:
            return None
        turn = turns[0].turn
        said = [time for time in past_times(turn.text, turn.at.astimezone()) if not time.vague]
        day = said[0].since if said else turn.at.astimezone().date()
        try:
            first = day + timedelta(event.offset_days)
        except OverflowError:
            return None
        return _days(first, first + timedelta(event.span_days))

    async def _vector(self, cue: Cue) -> NDArray[np.float32] | None:
        """The question's vector; `None` where there is none in time. The shipped model reads English only."""
        if self._embedder is None or not cue.text:
            return None
        if mainly_cjk(cue.text) and not self._embedder.status().model:
            return None
        if not self._settings.value.signals.meaning or not self._embedder.status().available:
            return None
        self._indexing.want_meaning()
        model = self._embedder.model_id
        try:
            vectors = await asyncio.wait_for(self._embedder.embed([cue.text], urgent=True), _PATIENCE_S)
        except (ModelError, TimeoutError) as error:
            _log.info("a question is compared by words alone: %s", str(error) or "its vector is late")
            return None
        if not model == self._embedder.model_id == self._indexing.model:
            return None  # another model was chosen in this very moment
        vector: NDArray[np.float32] = vectors[0]
        return vector

    async def _turns(self, scored: Sequence[Scored]) -> tuple[RecalledTurn, ...]:
        there = await self._reader.at(each.position for each in scored)
        found = [each for each in scored if each.position in there]
        same = [each for each in found if each.digest == digest_of(there[each.position].text)]
        if len(same) < len(found):
            await self._indexing.catch_up()  # something was changed in this very moment
            same = await self._same(found, there)
        if len(same) < len(found):
            await self._indexing.disagree()
        return tuple(
            RecalledTurn(there[each.position], each.score, _reasons(each.signals), each.signals)
            for each in same
        )

    async def _same(self, found: Sequence[Scored], there: Mapping[int, RememberedTurn]) -> list[Scored]:
        """Those that are what was indexed, or were taken out of the index just now."""
        digests = await self._index.digests([each.position for each in found])
        return [
            each
            for each in found
            if digests.get(each.position) in (None, digest_of(there[each.position].text))
        ]

    async def _passages(
        self, cue: Cue, turns: Sequence[RecalledTurn], most: int
    ) -> tuple[RecalledPassage, ...]:
        """The best turns with those around them; what stands together is one passage."""
        if not turns:
            return ()
        around = await self._index.around([each.turn.position for each in turns[: 2 * most]], _AROUND)
        chosen: list[tuple[RecalledTurn, list[int]]] = []
        covered: set[int] = set()
        # What asks leads no passage where a statement fits.
        pairs = sorted(zip(turns, around, strict=False), key=lambda pair: _is_own_question(pair[0]))
        for hit, positions in pairs:
            if hit.turn.position in covered or len(chosen) == most or not _fits_itself(cue, hit):
                continue
            own = [each for each in positions if each not in covered]
            covered.update(own)
            chosen.append((hit, own))
        texts, slices = await asyncio.gather(
            self._reader.at(covered), self._slices.holding([hit.turn for hit, _ in chosen])
        )
        passages = []
        for hit, positions in chosen:
            here = slices.get(hit.turn.position)
            shown = [texts[each] for each in positions if each in texts]
            passages.append(
                RecalledPassage(
                    hit,
                    tuple(each for each in shown if each.conversation_id == hit.turn.conversation_id),
                    slice_id=here.id if here is not None else "",
                    pinned=here is not None and here.pinned,
                )
            )
        return tuple(passages)


def _read(
    question: str, now: datetime, speakers: Sequence[str]
) -> tuple[Sequence[PastTime], Sequence[EventTime], Cue]:
    """What times a question names, by themselves and by what happened, and what it looks for."""
    times = past_times(question, now)
    stretches = [(time.start, time.end) for time in times]
    return times, event_times(question), read_cue(question, speakers, without=stretches)


def _days(since: date, until: date) -> tuple[int, int]:
    return max(_LEAST_ORDINAL, since.toordinal()), until.toordinal()


def sure_of(cue: Cue, turns: Sequence[RecalledTurn], *, beside: bool = False) -> float:
    """How sure it is, 0 to 1, that one of some turns is what a cue looks for, or what stands `beside` it.

    By what was compared: vectors of turns may be still to come.
    """

    def best(kind: str) -> float:
        names = (kind, f"{kind}_before", f"{kind}_after") if beside else (kind,)
        return max((each.signals.get(name, 0.0) for each in turns for name in names), default=0.0)

    letters = [shared_letters(cue, each.turn.text) for each in turns]
    most = max((each for each in letters if each is not None), default=None)
    return confidence(best("words"), best("meaning"), most) if turns else 0.0


#: A turn beside the best one is shown where it would be found for this sure by itself.
_SURE_OF_A_PASSAGE = 0.2


def _fits_itself(cue: Cue, hit: RecalledTurn) -> bool:
    """Whether a turn, or what stands beside it, answers to the question at all."""
    return bool(hit.signals.get("date")) or sure_of(cue, [hit], beside=True) >= _SURE_OF_A_PASSAGE


#: How much a question of the person's own loses.
_OWN_QUESTION = 6.0


def _is_own_question(turn: RecalledTurn) -> bool:
    return bool(turn.signals.get("asks")) and turn.turn.speaker == PERSON


_REASONS: Sequence[tuple[Reason, str, float]] = (
    ("words", "words", 0.1),
    ("meaning", "meaning", 0.35),
    ("date", "date", 0.5),
    ("speaker", "speaker", 0.5),
    ("topic", "topic", 0.5),
)
_BESIDE = ("words_before", "words_after", "meaning_before", "meaning_after")
_BESIDE_COUNTS = 0.3


def _reasons(signals: dict[str, float]) -> tuple[Reason, ...]:
    """Why a turn came, for a person."""
    found: list[Reason] = [reason for reason, name, least in _REASONS if signals.get(name, 0.0) >= least]
    if max(signals.get(name, 0.0) for name in _BESIDE) >= _BESIDE_COUNTS:
        found.append("neighbour")
    return tuple(found)


#: Recalls of the newest turns that are kept at hand.
_KEPT = 8
#: Positions, and turns, on each side of a passage in which something of it is looked for.
_NEAR, _NEAR_TURNS = 200, 10
#: Turns on each side that a passage shows, and how many it shows of what else was said.
_TURN_AROUND, _MORE = 1, 3
#: How sure it must be of a turn that answers what may be asked of the world as well.
_SURE_UNASKED = 0.7


@dataclass
class _Shared:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    recall: Recall | None = None


class TurnRecall:
    """Made with the first question."""

    def __init__(
        self, recaller: Recaller, reader: TurnReader, settings: ConfigHandle[MemorySettings]
    ) -> None:
        self._recaller = recaller
        self._reader = reader
        self._settings = settings
        self._shared: dict[RecallQuery, _Shared] = {}

    async def recall(self, query: RecallQuery) -> Recall:
        """See `MemoryCapability.recall`."""
        if query.follow_up is not None:
            return await self._followed_up(query, query.follow_up)
        if not query.unasked:
            return await self._once(query)
        if not self._settings.value.recall:
            return Recall(query.question, 0.0)
        recall = await self._once(replace(query, unasked=False))
        cue = read_cue(query.question)
        least = self._settings.value.threshold if asks_of_own_life(query.question) else _SURE_UNASKED
        return _plainly_said(recall, lambda turn: sure_of(cue, [turn]) >= least)

    async def _once(self, query: RecallQuery) -> Recall:
        if query.turn is None:
            return await self._recaller.recall(query)
        shared = self._shared.setdefault(query, _Shared())
        for oldest in list(self._shared)[:-_KEPT]:
            del self._shared[oldest]
        async with shared.lock:  # whoever came second waits; what failed, or was cancelled, is asked anew
            if shared.recall is None:
                shared.recall = await self._recaller.recall(query)
            return shared.recall

    # What was shown last.

    async def _followed_up(self, query: RecallQuery, wanted: FollowUp) -> Recall:
        position = await self._reader.first_of([wanted.message_id])
        shown = (await self._reader.at([position])).get(position)
        plain = replace(query, follow_up=None)
        if shown is None:  # it was deleted meanwhile
            return Recall(query.question, 0.0)
        if wanted.kind == "other":
            return await self._other(replace(plain, question=wanted.wanted), shown)
        talk = await self._reader.within(
            shown.conversation_id, shown.position - _NEAR, shown.position + _NEAR
        )
        at = talk.index(shown)
        near = talk[max(0, at - _NEAR_TURNS) : at + _NEAR_TURNS + 1]
        if wanted.kind == "more":
            passages = await self._more(plain, shown, near)
        elif wanted.kind == "detail":
            passages = (_passage(await self._detail(plain, shown, near), near),)
        else:
            passages = (_passage(shown, near),)
        return Recall(query.question, 1.0, passages=passages)

    async def _other(self, query: RecallQuery, shown: RememberedTurn) -> Recall:
        """In the same conversation, where it is there."""
        there = await self._once(replace(query, conversation_id=shown.conversation_id))
        return there if there.passages else await self._once(query)

    async def _detail(
        self, query: RecallQuery, shown: RememberedTurn, near: Sequence[RememberedTurn]
    ) -> RememberedTurn:
        recall = await self._once(replace(query, conversation_id=shown.conversation_id))
        fitting = [each.turn for each in recall.turns if each.turn in near and not each.signals.get("asks")]
        return fitting[0] if fitting else shown

    async def _more(
        self, query: RecallQuery, shown: RememberedTurn, near: Sequence[RememberedTurn]
    ) -> tuple[RecalledPassage, ...]:
        """What the same person said beside it, what follows first; then what was said of it elsewhere."""
        at = near.index(shown)
        seen = near[max(0, at - _TURN_AROUND) : at + _TURN_AROUND + 1]
        rest = [each for each in (*near[at:], *near[:at][::-1]) if each not in seen]
        own = [each for each in rest if each.speaker == shown.speaker]
        elsewhere = await self._once(replace(query, question=shown.text))
        others = [
            each for each in elsewhere.passages if each.hit.turn.conversation_id != shown.conversation_id
        ]
        if not own:
            return tuple(others)
        score = max((each.hit.score for each in others), default=1.0)
        said = tuple(sorted(own[:_MORE], key=lambda each: each.position))
        return (RecalledPassage(RecalledTurn(own[0], score, ("neighbour",)), said), *others)


def _passage(hit: RememberedTurn, talk: Sequence[RememberedTurn]) -> RecalledPassage:
    at = talk.index(hit)
    around = tuple(talk[max(0, at - _TURN_AROUND) : at + _TURN_AROUND + 1])
    return RecalledPassage(RecalledTurn(hit, 1.0, ("neighbour",)), around)


def _plainly_said(recall: Recall, fits: Callable[[RecalledTurn], bool]) -> Recall:
    """Of what was recalled, what may answer a question unasked: somebody's statement that fits by itself."""
    fitting = [
        turn
        for turn in recall.turns
        if not turn.signals.get("asks") and turn.turn.speaker != PARTNER and fits(turn)
    ]
    found = []
    for passage in recall.passages:
        hit = next((turn for turn in fitting if turn.turn in passage.turns), None)
        if hit is not None:
            found.append(replace(passage, hit=hit))
    return replace(recall, passages=tuple(found))
