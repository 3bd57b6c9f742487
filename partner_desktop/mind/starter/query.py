"""Query: a message, read for comparing: its words, and what its arguments hint at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from partner_desktop.language.spans import Span, SpanKind, blank, find_spans
from partner_desktop.language.terms import (
    FUNCTION_WEIGHT,
    GENERIC_WEIGHT,
    Term,
    has_cjk,
    terms,
)
from partner_desktop.language.values.time_zones import zones_in

#: Words inside quotation marks are mostly a value, sometimes the name of an ability.
QUOTED_FACTOR = 0.5


@dataclass(frozen=True)
class Query:
    """What a message says and points at."""

    terms: tuple[Term, ...]
    """Its words, each once."""
    hints: tuple[Term, ...]
    """What its arguments suggest: they help an ability that knows them and never count against one."""
    has_path: bool
    path_kinds: frozenset[str]
    """`file`, `folder`: what its paths are by their form."""
    zones: frozenset[int]
    """Where places begin that time zones are told by."""
    cjk: bool
    """At least in part in Chinese or its like."""

    @property
    def empty(self) -> bool:
        return not self.terms and not self.hints


def read_query(text: str) -> Query:
    """Split a message into words and arguments."""
    spans = find_spans(text)
    words = {term.stem: term for term in reversed(terms(blank(text, spans)))}
    ordered = tuple(sorted(words.values(), key=lambda term: term.start))
    zones = {start for start, _, _ in zones_in(text)}
    found = (*(term for span in spans for term in _hints(span)), *map(_zone_hint, sorted(zones)[:1]))
    hints = {term.stem: term for term in found if term.stem not in words}
    has_path = any(span.kind is SpanKind.PATH for span in spans)
    kinds = frozenset(_path_kinds(spans))
    return Query(ordered, tuple(hints.values()), has_path, kinds, frozenset(zones), has_cjk(text))


def _zone_hint(start: int) -> Term:
    return replace(terms("timezone")[0], start=start)


def _path_kinds(spans: tuple[Span, ...]) -> Iterator[str]:
    for span in spans:
        if span.kind is SpanKind.PATH and (span.folder or span.file):
            yield "folder" if span.folder else "file"


def _hints(span: Span) -> Iterator[Term]:
    if span.kind is SpanKind.QUOTE:
        for term in terms(span.value, limit=20):
            if term.weight > FUNCTION_WEIGHT:
                yield replace(term, weight=term.weight * QUOTED_FACTOR, start=span.start)
    elif span.kind is SpanKind.URL:
        yield Term("=link", GENERIC_WEIGHT, {"link": 1.0}, start=span.start)
    elif span.kind is SpanKind.PATH:
        concept = "folder" if span.folder else "file"
        yield Term(f"={concept}", GENERIC_WEIGHT, {concept: 1.0}, start=span.start)
