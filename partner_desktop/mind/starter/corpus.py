"""Corpus: the abilities of one moment together: which words they know and how rare each is among them."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Sequence

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.starter.profile import AbilityProfile, analyse

#: How far the rarity of a word among the abilities lowers its weight.
RARITY = 0.3
#: Profiles kept beyond those of the abilities at hand: lists that alternate need not be read again.
SPARE_PROFILES = 500


class Corpus:
    """Profiles of abilities in their given order, with the vocabulary that they share."""

    def __init__(self, profiles: Sequence[AbilityProfile]) -> None:
        self.profiles = tuple(profiles)
        self._known_by = Counter(stem for profile in profiles for stem in profile.stems)
        self._words: dict[str, set[str]] = {}
        for profile in profiles:
            for word in profile.words:
                self._words.setdefault(word[:1], set()).add(word)
        self._scale = math.log(len(self.profiles) + 4)

    def knows(self, stem: str) -> bool:
        return stem in self._known_by

    def words_like(self, word: str) -> Iterable[str]:
        """Known spellings with the same first letter, in a stable order."""
        return sorted(self._words.get(word[:1], ()))

    def rarity(self, stem: str) -> float:
        """1 for a word that at most one ability knows, falling slowly with each further one."""
        count = self._known_by.get(stem, 0)
        return 1.0 - RARITY * math.log(count) / self._scale if count > 1 else 1.0


class CorpusCache:
    """Keeps profiles while their infos are in use, and the last corpus.

    Infos are known by identity (they are frozen; a change of an ability is a new info), and kept alive here
    so that an identity cannot be given away.
    """

    def __init__(self) -> None:
        self._profiles: dict[int, AbilityProfile] = {}
        self._last: tuple[tuple[int, ...], Corpus] | None = None

    async def corpus(self, abilities: Sequence[MetaActionInfo]) -> Corpus:
        """The corpus of these abilities; the loop is free between two that are new."""
        identity = tuple(id(info) for info in abilities)
        last = self._last
        if last is not None and last[0] == identity:
            return last[1]
        corpus = Corpus([await self._profile(info) for info in abilities])
        self._last = (identity, corpus)
        self._drop_unused(identity)
        return corpus

    async def _profile(self, info: MetaActionInfo) -> AbilityProfile:
        profile = self._profiles.get(id(info))
        if profile is None:
            await asyncio.sleep(0)
            profile = self._profiles[id(info)] = analyse(info)
        return profile

    def _drop_unused(self, used: tuple[int, ...]) -> None:
        kept = set(used)
        spare = [key for key in self._profiles if key not in kept]
        for key in spare[: max(0, len(spare) - SPARE_PROFILES)]:
            del self._profiles[key]
