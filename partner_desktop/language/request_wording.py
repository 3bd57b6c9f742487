"""RequestWording: whether a request says again what was asked for before, but for the values in it.

It is strict on purpose. Words that were never said in such a request may mean something else, a word that was
said each time may be what matters, and a value where none ever stood is something new: none of these is
the same request, however much the rest is alike. In Chinese and its like characters stand for words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import pairwise

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import says
from partner_desktop.language.spans import find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, has_cjk, stem, terms

#: What stands in place of a value.
VALUE = "…"
#: Longer words are no familiar request but a document.
_LONGEST = 240
_SAID = late(r"[^\W_]+|\?")


@dataclass(frozen=True)
class RequestWording:
    """The words of a request, without the values in them."""

    text: str

    @cached_property
    def said(self) -> frozenset[str]:
        """Everything that is said, words of grammar and the sign for a question too, and how many values."""
        found = {VALUE * number for number in range(1, self.text.count(VALUE) + 1)}
        for match in _SAID.finditer(self.text.casefold().replace("？", "?")):
            word = match.group()
            found |= {*word, *map("".join, pairwise(word))} if has_cjk(word) else {stem(word)}
        return frozenset(found)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """What tells one request from another, and how much."""
        return {term.stem: term.weight for term in terms(self.text) if term.weight > FUNCTION_WEIGHT}

    def likeness(self, other: RequestWording) -> float:
        """0 (nothing in common) to 1 (the same)."""
        own, others = self.weights, other.weights
        whole = sum(own.values()) + sum(others.values())
        shared = sum(min(weight, others[name]) for name, weight in own.items() if name in others)
        return 2 * shared / whole if whole else 0.0

    def says_nothing_new(self, earlier: Sequence[RequestWording]) -> bool:
        """Whether all of it was said in these before, and what was said in each of them is in it."""
        if not earlier:
            return False
        known = frozenset[str]().union(*(one.said for one in earlier))
        always = reduce(frozenset.intersection, (frozenset(one.weights) for one in earlier))
        return self.said <= known and always <= self.weights.keys()


@lru_cache(maxsize=4_000)
def wording(words: str) -> RequestWording:
    """Of words that have no values left in them; kept, as a few are read again and again."""
    return RequestWording(words)


def request_wording(text: str) -> RequestWording | None:
    """Of a request as it was said; `None`: it is too long, or says nothing but values."""
    if len(text) > _LONGEST:
        return None
    words = text
    for span in sorted(find_spans(text), key=lambda span: -span.start):
        words = f"{words[: span.start]} {VALUE} {words[span.end :]}"
    found = wording(" ".join(words.split()))
    return found if found.weights else None


def says_mistaken(text: str) -> bool:
    """Whether it is said that what was done last was not what was meant."""
    return len(text) <= _LONGEST and says("mistaken", "mistaken", text)
