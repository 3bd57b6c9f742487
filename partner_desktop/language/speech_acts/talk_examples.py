"""Examples of what people ask Partner of itself, and say to it; how near a text is to each by its words.

The examples are `resources/language/{en,zh}/self_talk.toml`, by kind.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache, cached_property
from itertools import pairwise

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.rule_table import Language, rule_table
from partner_desktop.language.terms import has_cjk, stem

_UNTELLING = re.compile(r"[\W的了吗呢啊吧呀]")


@dataclass(frozen=True)
class SelfTalkExamples:
    """Those of one language."""

    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    grams: tuple[Counter[str], ...]

    def by_words(self, text: str) -> list[float]:
        """The cosine of what is said with each, the rarer a word the more it counts."""
        said = _grams(text)
        own = self._size(said)
        shared = [0.0 if said.keys().isdisjoint(each) else self._size(said & each) for each in self.grams]
        return [both / math.sqrt(own * size or 1.0) for both, size in zip(shared, self._sizes, strict=True)]

    def _size(self, grams: Counter[str]) -> float:
        return sum(self._weight(gram) ** 2 * count for gram, count in grams.items())

    def _weight(self, gram: str) -> float:
        rare = math.log((len(self.grams) + 1) / (self._rare[gram] + 0.5))
        return rare * (0.5 if len(gram) == 1 else 1.0)

    @cached_property
    def _rare(self) -> Counter[str]:
        return Counter(gram for each in self.grams for gram in each)

    @cached_property
    def _sizes(self) -> list[float]:
        return [self._size(each) for each in self.grams]


@cache
def self_talk_examples(language: Language) -> SelfTalkExamples:
    table = rule_table("self_talk", language)
    rows = [(kind, text) for kind in table.names for text in table.texts(kind)]
    return SelfTalkExamples(*zip(*((kind, text, _grams(text)) for kind, text in rows), strict=True))


def _grams(text: str) -> Counter[str]:
    """Words by their stems; of Chinese each character and each pair."""
    if not has_cjk(text):
        words = [stem(word) for word in re.findall(r"[\w']+", text.casefold().replace("’", "'"))]
        return Counter([*words, *(f"{one} {other}" for one, other in pairwise(words))])
    said = _UNTELLING.sub("", text.casefold())
    return Counter([*said, *(one + other for one, other in pairwise(said))])
