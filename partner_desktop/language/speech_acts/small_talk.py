"""Small talk: what kind a message is, when all of it is small talk.

The phrases are `resources/language/{en,zh}/small_talk.toml`; one fits a whole clause.

Examples of what people ask Partner of itself, and say to it, are
`resources/language/{en,zh}/self_talk.toml`, by kind; a text is more or less near to each by its words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from enum import StrEnum
from functools import cache, cached_property
from itertools import pairwise

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.rule_table import Language, rule_table, says
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.terms import has_cjk, stem


class SmallTalk(StrEnum):
    """Kinds of small talk that have a designed answer; the most telling first."""

    JOKE = "joke"
    HOW_ARE_YOU = "how_are_you"
    WHO_ARE_YOU = "who_are_you"
    WHAT_CAN_YOU_DO = "what_can_you_do"
    LOVE = "love"
    MOOD = "mood"
    INSULT = "insult"
    PRAISE = "praise"
    SORRY = "sorry"
    BYE = "bye"
    THANKS = "thanks"
    HELLO = "hello"
    OKAY = "okay"
    SIGNS = "signs"
    """No word at all: emoji, dots."""
    SENSES = "senses"
    """From here on questions about Partner that have one answer."""
    MISTAKES = "mistakes"
    LIMITS = "limits"
    TRASH = "trash"
    TEACHING = "teaching"
    LANGUAGES = "languages"

    @property
    def brief(self) -> bool:
        """Whether a long answer would be too much: the person is done rather than at a beginning."""
        return self in _BRIEF

    @property
    def shortest(self) -> bool:
        """Whether one short line is enough."""
        return self in (SmallTalk.INSULT, SmallTalk.OKAY) or self in _KINDS[_KINDS.index(SmallTalk.SIGNS) :]


_KINDS = list(SmallTalk)
#: Questions that stand on their own behind what is only told.
OF_PARTNER = (SmallTalk.WHO_ARE_YOU, SmallTalk.WHAT_CAN_YOU_DO)
_BRIEF = (SmallTalk.PRAISE, SmallTalk.SORRY, SmallTalk.BYE, SmallTalk.THANKS)
_MARKS = late(r"[,.;:!?，。；：！？、~\n]+")
#: Nothing longer is small talk.
_LIMIT = 200


def small_talk(text: str) -> SmallTalk | None:
    """The kind when every clause is small talk, that of the most telling clause; else `None`."""
    if len(text) > _LIMIT or not text.strip():
        return None
    if not any(letter.isalnum() for letter in text):
        return SmallTalk.SIGNS
    plain = _MARKS.sub("\n", text.replace("’", "'").casefold())
    clauses = [" ".join(re.sub(r"[^\w\s']", " ", part).split()) for part in plain.split("\n")]
    clauses = [clause for clause in clauses if clause]
    kinds = [_kind(clause) for clause in clauses]
    if kinds and kinds[-1] in OF_PARTNER and not any(map(may_order, clauses[:-1])):
        return kinds[-1]
    if any(kind is None for kind in kinds):
        return None
    return min((kind for kind in kinds if kind is not None), key=_KINDS.index)


def _kind(clause: str) -> SmallTalk | None:
    said = phrase_table("small_talk").read(clause)
    return SmallTalk(said.kind) if said is not None else None


def may_order(clause: str) -> bool:
    """Whether a few words may order something themselves; what only tells does not."""
    if has_cjk(clause):
        return rule_table("result_references", "zh")["orders"].search(clause) is not None
    return asks(clause, ())


def wants_conversation(text: str) -> bool:
    """Whether an unanswerable message asks for talk or knowledge rather than for a deed."""
    return says("follow_ups", "wants_talk", text.strip()[:_LIMIT])


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
