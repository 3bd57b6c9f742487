"""Sought: the text that is to be found in something, for parameters that hold such a text.

`which files mention the word budget` → `budget`; `search ~/Notes for budget 2024` → `budget 2024`. What is
quoted comes before all else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from partner_desktop.base.patterns import late
from partner_desktop.language.arguments.measures import slot_words
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.reading import Reading
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.spans import SpanKind
from partner_desktop.language.terms import FUNCTION_WEIGHT, GENERIC_WEIGHT, terms

#: A quotation; a text that is called one; a text behind a verb of searching.
_QUOTED, _CALLED, _BEHIND = 3.0, 2.4, 2.2
_WORDS = frozenset({"text", "query", "phrase", "word", "keyword", "term", "pattern", "string"})
_KIND = r"(?:the |a )?(?:exact )?(?:words?|phrases?|texts?|strings?|terms?|keywords?)"
_CALLS = late(
    rf"\b(?:contain(?:s|ing)?|mention(?:s|ing)?|with|for|find|about) {_KIND} (?:of |is )?(?P<said>)",
    re.IGNORECASE,
)
_SEEKS = late(
    r"\b(?:mention(?:s|ing)?|contain(?:s|ing)?"
    r"|(?:search|look|looking|searching|grep|scan)(?:\s{1,3}[^\s]{1,200}){0,4}?\s{1,3}for)\s{1,3}(?:(?:the|an?|any)\s{1,3})?(?P<said>)",
    re.IGNORECASE,
)
_CHINESE = late(
    r"(?:提到|提及|包含|含有|出现|写着|写了|搜索|查找)(?:了|过|着)?\s{0,3}"
    r"(?P<value>[^\s，。,.?？!！、的里中]{1,20})(?=\s{0,3}(?:的|这个|$|[，。?？!！]))"
)
#: Where the text ends: at a place to look in, at a mark, at the end of the sentence.
_END = late(r"\s{1,9}(?:in|inside|within|under|from|among|please)\b|[,;?!\n]|\.(?:\s|$)", re.IGNORECASE)
_LONGEST = 80


def sought_offers(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """What the message says is to be found, for a text parameter of an ability that finds texts."""
    if not _is_sought(slot):
        return
    for span in reading.spans:
        if span.kind is SpanKind.QUOTE:
            yield Offer(span.value, span.start, span.end, _QUOTED, kind="text")
    for pattern, score in ((_CALLS, _CALLED), (_SEEKS, _BEHIND)):
        for match in pattern.finditer(reading.said):
            yield from _to_end(reading, match.start("said"), score)
    for match in _CHINESE.finditer(reading.said):
        if _open(reading, *match.span("value")):
            yield Offer(match["value"], *match.span("value"), _BEHIND, kind="text")


def _is_sought(slot: Slot) -> bool:
    told = {name for term in terms(slot.description) for name in term.concepts}
    return bool(slot_words(slot) & _WORDS) and "find" in told


def _to_end(reading: Reading, start: int, score: float) -> Iterator[Offer]:
    end = _END.search(reading.said, start)
    stops = [
        end.start() if end else len(reading.said),
        *(span.start for span in reading.spans if span.start >= start and span.kind is not SpanKind.NUMBER),
    ]
    said = reading.said[start : min(stops)].rstrip()
    known = [term for term in terms(said) if term.weight > FUNCTION_WEIGHT]
    if not known or len(said) > _LONGEST or all(term.weight <= GENERIC_WEIGHT for term in known):
        return
    yield Offer(said, start, start + len(said), score, kind="text")


def _open(reading: Reading, start: int, end: int) -> bool:
    return all(end <= span.start or start >= span.end for span in reading.spans)
