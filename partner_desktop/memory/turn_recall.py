"""TurnRecall: what a turn asks of memory, on top of `Recaller`.

Contract: all who ask the same in one turn share one recall. What nobody asked to be looked up is answered by
a plain statement only. A question about what was shown last is answered from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import field, replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.domain.remembered import (
    PARTNER,
    FollowUp,
    Recall,
    RecalledPassage,
    RecalledTurn,
    RecallQuery,
    RememberedTurn,
)
from partner_desktop.language.recollection import asks_of_own_life, read_cue
from partner_desktop.memory.recaller import Recaller, sure_of
from partner_desktop.memory.settings import MemorySettings
from partner_desktop.runtime.turn_reader import TurnReader

#: Recalls of the newest turns that are kept at hand.
_KEPT = 8
#: Positions, and turns, on each side of a passage in which something of it is looked for.
_NEAR, _NEAR_TURNS = 200, 10
#: Turns on each side that a passage shows, and how many it shows of what else was said.
_AROUND, _MORE = 1, 3
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
        seen = near[max(0, at - _AROUND) : at + _AROUND + 1]
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
    around = tuple(talk[max(0, at - _AROUND) : at + _AROUND + 1])
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
