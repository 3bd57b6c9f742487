"""Examples of what people ask Partner of itself, and say to it; how near a text is to each by its words.

The examples are `resources/language/{en,zh}/self_talk.toml`, by kind.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
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
        rare = Counter(gram for each in self.grams for gram in each)

        def weight(gram: str) -> float:
            return math.log((len(self.grams) + 1) / (rare[gram] + 0.5)) * (0.5 if len(gram) == 1 else 1.0)

        def size(grams: Counter[str]) -> float:
            return sum(weight(gram) ** 2 * count for gram, count in grams.items())

        said = _grams(text)
        shared = [
            sum(weight(gram) ** 2 * count for gram, count in (said & each).items()) for each in self.grams
        ]
        return [
            both / math.sqrt(size(said) * size(each) or 1.0)
            for both, each in zip(shared, self.grams, strict=True)
        ]


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
