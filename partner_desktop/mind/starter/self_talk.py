"""SelfTalk: what people ask Partner of itself, and say to it: by the nearest of many examples.

The examples are `resources/language/{en,zh}/self_talk.toml`. In English their meaning is compared, until the
vectors are there and in Chinese their words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.rule_table import Language, rule_table
from partner_desktop.language.terms import has_cjk, stem
from partner_desktop.mind.question import ReadSelfTalk, SelfTalk

if TYPE_CHECKING:
    from partner_desktop.mind.starter.meaning import MeaningIndex

#: From here on an example says the same, and from here on about the same: by meaning, and by words.
_SURE, _LIKELY = 0.66, 0.55
_SURE_WORDS, _LIKELY_WORDS = 0.6, 0.4
#: No example is meant that is called so: such things need a model.
_NONE = "knowledge"
_LONGEST = 160
_UNTELLING = re.compile(r"[\W的了吗呢啊吧呀]")


@dataclass(frozen=True)
class _Examples:
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
def _examples(language: Language) -> _Examples:
    table = rule_table("self_talk", language)
    rows = [(kind, text) for kind in table.names for text in table.texts(kind)]
    return _Examples(*zip(*((kind, text, _grams(text)) for kind, text in rows), strict=True))


def english_examples() -> Sequence[str]:
    """What is compared by meaning."""
    return _examples("en").texts


def _grams(text: str) -> Counter[str]:
    """Words by their stems; of Chinese each character and each pair."""
    if not has_cjk(text):
        words = [stem(word) for word in re.findall(r"[\w']+", text.casefold().replace("’", "'"))]
        return Counter([*words, *(f"{one} {other}" for one, other in pairwise(words))])
    said = _UNTELLING.sub("", text.casefold())
    return Counter([*said, *(one + other for one, other in pairwise(said))])


async def read_self_talk(asked: ReadSelfTalk, meaning: MeaningIndex | None) -> SelfTalk | None:
    """What the words say to Partner, or ask of it; `None`: they are about something else."""
    if len(asked.text) > _LONGEST:
        return None
    examples = _examples("zh" if has_cjk(asked.text) else "en")
    likely, sure = _LIKELY, _SURE
    near = None
    if meaning is not None and not has_cjk(asked.text):
        near = await meaning.likeness(asked.text, examples.texts)
    if near is None:
        near, likely, sure = examples.by_words(asked.text), _LIKELY_WORDS, _SURE_WORDS
    best = max(range(len(near)), key=near.__getitem__)
    if near[best] < likely or examples.kinds[best] == _NONE:
        return None
    return SelfTalk(examples.kinds[best], sure=near[best] >= sure)
