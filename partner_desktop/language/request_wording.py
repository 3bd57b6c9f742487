"""RequestWording: whether a request says again what was asked for before, but for the values in it.

It is strict on purpose: word for word, in the same order, with a value wherever one stood. A few words more
or less, or the same ones the other way round ("turn it on, not off"), can mean something else however much
the rest is alike. Only courtesies, an `s` for several and signs at the ends make no difference. In Chinese
and its like characters stand for words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import rule_tables, says
from partner_desktop.language.spans import find_spans
from partner_desktop.language.terms import FUNCTION_WEIGHT, has_cjk, stem, terms

#: What stands in place of a value.
VALUE = "…"
#: Longer words are no familiar request but a document.
_LONGEST = 240
#: A word, or a sign: `C++` is not `C`.
_SAID = late(r"[^\W_]+|[^\s\w]|_")
#: What divides what is said: which sign does that makes no difference, and nothing is divided at the ends.
_BREAK = ","
_BREAKS = frozenset(",;:.!，；：。！、")
_QUOTES = frozenset("'\"`’‘“”«»「」『』")


@dataclass(frozen=True)
class RequestWording:
    """The words of a request, without the values in them."""

    text: str

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Everything that is said in its order: words of grammar, the sign for a question and values too."""
        text = self.text.casefold().replace("？", "?")
        for table in rule_tables("courtesies", text):
            text = table["courtesies"].sub(" ", text)
        found = [_BREAK]
        for match in _SAID.finditer(text):
            word = match.group()
            if word in _BREAKS:
                found += [_BREAK] * (found[-1] != _BREAK)
            elif word not in _QUOTES:
                found += word if has_cjk(word) else [_one_of(word)]
        return tuple(found[1:-1] if found[-1] == _BREAK else found[1:])

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
        """Whether it is one of these, said again."""
        return any(self.said == one.said for one in earlier)


def _one_of(word: str) -> str:
    """`files` → `file`; any other ending makes another word: `news`, `recording`."""
    return word[:-1] if word.endswith("s") and stem(word) == stem(word[:-1]) else word


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
