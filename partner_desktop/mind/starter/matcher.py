"""AbilityMatcher: which abilities a message may mean: by words alone, or by words and meaning together.

Contract: ranking leaves the loop free between abilities that it has not seen before; nothing outlives a call
but what was learnt about the abilities.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.terms import has_cjk
from partner_desktop.mind.question import RankedAbility
from partner_desktop.mind.starter.calibration import Signs, score
from partner_desktop.mind.starter.corpus import Corpus, CorpusCache
from partner_desktop.mind.starter.givens import givens_of, wants_of
from partner_desktop.mind.starter.honour import Demands
from partner_desktop.mind.starter.lead import agreement, lead_of
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.mind.starter.profile import AbilityProfile
from partner_desktop.mind.starter.query import read_query
from partner_desktop.mind.starter.scoring import Utterance

#: Abilities compared before the loop gets its turn: a few milliseconds.
_SLICE = 200
#: What leading with the message's own verb adds where words alone decide.
_LED = 0.1


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
        utterance, compared = await self.compare(text, await self.corpus(abilities))
        return by_words(text, utterance, compared)

    async def corpus(self, abilities: Sequence[MetaActionInfo]) -> Corpus:
        """The abilities, read for comparing."""
        return await self._cache.corpus(abilities)

    async def compare(
        self, text: str, corpus: Corpus
    ) -> tuple[Utterance, list[tuple[AbilityProfile, float]]]:
        """Every profile with its score by words, in the corpus's order."""
        utterance = Utterance(read_query(text), corpus)
        compared: list[tuple[AbilityProfile, float]] = []
        for count, profile in enumerate(corpus.profiles, 1):
            compared.append((profile, utterance.score(profile)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return utterance, compared


class MeaningMatcher:
    """Compares by words and by meaning; by words alone what has no vectors, and what is not in English.

    The embedding model is English: for Chinese and its like, characters and aliases decide, with the
    thresholds of the words.
    """

    def __init__(self, words: WordMatcher, meaning: MeaningIndex) -> None:
        self._words = words
        self._meaning = meaning

    async def rank(self, text: str, abilities: Sequence[MetaActionInfo]) -> tuple[RankedAbility, ...]:
        corpus = await self._words.corpus(abilities)
        if has_cjk(text):
            return by_words(text, *await self._words.compare(text, corpus))
        async with asyncio.TaskGroup() as together:  # the model has a process of its own
            meant = together.create_task(self._meaning.vector_of(text), name="meaning of the text")
            await asyncio.sleep(0)  # it is on its way before the words are compared
            utterance, compared = await self._words.compare(text, corpus)
            likeliest = by_words(text, utterance, compared)
        asked = meant.result()
        near = {} if asked is None else await self._meaning.nearness(asked, [item.info for item in likeliest])
        if not near:
            return likeliest
        givens, lead, demands = givens_of(text), lead_of(text), Demands(text, utterance)
        ranked: list[RankedAbility] = []
        for count, (profile, words) in enumerate(compared, 1):
            nearness = near.get(profile.info.key)
            if nearness is not None:
                signs = Signs(
                    words=words,
                    description=nearness.description,
                    name=nearness.name,
                    lead=agreement(lead, profile),
                    called=utterance.calls(profile),
                )
                words = score(signs, givens, wants_of(profile))  # noqa: PLW2901 - one score an ability
            ranked.append(RankedAbility(profile.info, demands.bounded(profile, words)))
            if count % _SLICE == 0:
                await asyncio.sleep(0)
        return _ranked(ranked)


def by_words(
    text: str, utterance: Utterance, compared: Sequence[tuple[AbilityProfile, float]]
) -> tuple[RankedAbility, ...]:
    """Best first; among those that say the same, what is led by the message's own verb."""
    lead, demands = lead_of(text), Demands(text, utterance)
    found = []
    for profile, words in compared:
        led = min(1.0, words * (1 + _LED * max(0.0, agreement(lead, profile))))
        found.append(RankedAbility(profile.info, demands.bounded(profile, led)))
    return _ranked(found)


def _ranked(found: Sequence[RankedAbility]) -> tuple[RankedAbility, ...]:
    return tuple(sorted(found, key=lambda item: -item.score))
