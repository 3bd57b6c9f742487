"""AbilityMatcher: which abilities a message may mean. By words for now; embeddings join behind this port.

Contract: ranking leaves the loop free between abilities that it has not seen before; nothing outlives a call
but what was learnt about the abilities.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.port import RankedAbility
from partner_desktop.mind.starter.corpus import CorpusCache
from partner_desktop.mind.starter.query import read_query
from partner_desktop.mind.starter.scoring import Utterance

#: From this score on an ability is what was meant; calibrated with the formula (`scoring`).
CHOOSE_SCORE = 0.5
#: From this score on an ability is worth naming as the nearest.
NEAR_SCORE = 0.2
#: Abilities compared before the loop gets its turn: a few milliseconds.
_SLICE = 200


class AbilityMatcher(Protocol):
    """Compares a message with abilities."""

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        """Every ability with its score, best first; equals keep their order."""
        ...


class WordMatcher:
    """Compares by words: stems, everyday synonyms, spelling, Chinese words and bigrams."""

    def __init__(self) -> None:
        self._cache = CorpusCache()

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        corpus = await self._cache.corpus(abilities)
        utterance = Utterance(read_query(text), corpus)
        ranked: list[RankedAbility] = []
        for count, profile in enumerate(corpus.profiles, 1):
            ranked.append(RankedAbility(profile.info, utterance.score(profile)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return tuple(sorted(ranked, key=lambda item: -item.score))
