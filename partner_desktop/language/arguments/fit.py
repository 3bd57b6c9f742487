"""How well one part of a message fits one parameter: by form first, then by the words beside it.

Also one request for several paths, of an ability that takes one: `zip ~/Documents and ~/Music` is two steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.conversion import counts_bytes, is_byte_unit
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.spans import Span, SpanKind, find_spans
from partner_desktop.language.terms import terms

#: Prepositions before a value, and the parameters that they introduce.
_CUES = {
    "from": {"sourc", "src", "from", "input", "origin", "start", "old"},
    "of": {"sourc", "src", "input"},
    "to": {"target", "dest", "destin", "to", "output", "end", "new"},
    "into": {"target", "dest", "destin", "output", "to"},
    "as": {"target", "dest", "destin", "output", "name", "format", "new"},
    "in": {"folder", "directori", "locat", "where", "in"},
    "with": {"with"},
    "by": {"by"},
    "than": {"min", "minimum", "max", "maximum", "threshold", "limit"},
}
#: `put the zip in ~/Desktop`: where something goes, and not what is worked on.
_PUT = re.compile(
    r"\b(?:put|save|store|place|keep|drop)\b[^,.;]{0,40}\b(?:in|on|to|into|under|at)\s+(?:the\s+)?[\"'“`]?$"
    r"|(?:放到|放在|放进|保存到|存到|存在|存进)\s*[\"'“「`]?$",
    re.IGNORECASE,
)
#: `~/Documents and also ~/Music`: more of the same.
_MORE = re.compile(
    r"[\"'”`]?\s*(?:,|，|、|&|\+|和|与|跟|以及|还有)?\s*(?:\b(?:and|or"
    r"|plus)\b)?\s*(?:also\s+|then\s+|as well as\s+)?[\"'“`]?",
    re.IGNORECASE,
)
#: The farther away a parameter's word, the less it says; from here on nothing.
_FAR = 60
#: A clause ends between a word and a value: they belong together less, as if farther apart by this.
_BREAK = re.compile(r"[,;.!?，。；]\s|\band\b|\bor\b|和")
_BREAK_GAP = 20
#: Needed before an optional number is taken: a word of the parameter within `_FAR`.
_NEARNESS, _CUE, _REQUIRED, _ORDER, _PLACED = 0.5, 0.4, 0.1, 0.05, 0.6


@dataclass(frozen=True)
class Fit:
    """A possible pair."""

    slot: Slot
    span: Span
    score: float


def fits(text: str, slot: Slot, span: Span, *, position: int, spans: Sequence[Span]) -> Fit | None:
    """The pair with its score; `None` when the form does not fit. `position`: of the slot among its like."""
    form = form_fit(slot, span)
    if form == 0:
        return None
    if slot.is_destination and is_more(text, span, spans):
        return None
    near = _nearness(text, slot, span)
    loose = span.kind is SpanKind.NUMBER and not (slot.is_number and slot.required)
    if loose and near == 0:
        return None
    score = form + _NEARNESS * near + _CUE * _cued(text, slot, span) + _REQUIRED * slot.required
    if slot.is_path and _PUT.search(text[max(0, span.start - 80) : span.start]):
        score += _PLACED if slot.is_destination else -_PLACED
    order = [other for other in spans if other.kind is span.kind].index(span)
    return Fit(slot, span, score - _ORDER * abs(order - position))


def form_fit(slot: Slot, span: Span) -> float:  # noqa: PLR0911 - one line per kind of parameter
    """0 when the form rules the pair out, up to 2 when it was made for it."""
    kind = span.kind
    if slot.choices and not slot.is_list:
        return 0.0
    if slot.is_path:
        if kind is SpanKind.PATH and span.file and slot.file_kinds == {"folder"}:
            return 0.0
        return {SpanKind.PATH: 2.0, SpanKind.QUOTE: 1.5}.get(kind, 0.0)
    if slot.is_number:
        return 2.0 if kind is SpanKind.NUMBER else 0.0
    if slot.is_moment:
        return {SpanKind.MOMENT: 2.0, SpanKind.QUOTE: 1.0}.get(kind, 0.0)
    if slot.format == "email":
        return 2.0 if kind is SpanKind.EMAIL else 0.0
    if slot.is_link:
        file_too = bool({"file", "folder", "path"} & slot.concepts)
        return {SpanKind.URL: 2.0, SpanKind.QUOTE: 1.0, SpanKind.PATH: 1.2 if file_too else 0.0}.get(
            kind, 0.0
        )
    return _text_fit(slot, span) if _plain(slot) else 0.0


def _plain(slot: Slot) -> bool:
    return "string" in slot.types or (slot.is_list and slot.items.get("type", "string") == "string")


def _text_fit(slot: Slot, span: Span) -> float:
    about = slot.concepts
    moment = {"time", "hour"} if ":" in span.value and "-" not in span.value else {"date", "day"}
    hints = {
        SpanKind.QUOTE: (1.4, True),
        SpanKind.PATH: (1.2, bool({"file", "folder", "path", "filenam"} & about)),
        SpanKind.EMAIL: (1.2, bool({"email", "mail", "send", "recipi", "address"} & about)),
        SpanKind.MOMENT: (1.2, bool((moment | {"when"}) & about)),
        SpanKind.NUMBER: (0.8, bool({"number", "id", "code", "year", "count"} & about)),
        SpanKind.URL: (1.0, bool({"web", "page", "site", "link", "host"} & about)),
    }
    score, fitting = hints[span.kind]
    return score if fitting else 0.0


def _nearness(text: str, slot: Slot, span: Span) -> float:
    """1 when a word of the parameter stands right beside the span, falling to 0 at `_FAR` characters."""
    best = 1.0 if span.unit and counts_bytes(slot) and is_byte_unit(span.unit) else 0.0
    for term in terms(text):
        named, told = term.stem in slot.name_stems, term.stem in slot.description_stems
        if not (named or told) or abs(term.start - span.start) > _FAR + span.end - span.start:
            continue
        end = term.start + len(term.word)
        if span.start < end and term.start < span.end:
            continue
        between = text[end : span.start] if end <= span.start else text[span.end : term.start]
        gap = len(between) + (_BREAK_GAP if _BREAK.search(between) else 0)
        best = max(best, (1.0 if named else 0.6) * max(0.0, 1 - gap / _FAR))
    return best


def is_more(text: str, span: Span, spans: Sequence[Span]) -> bool:
    """Whether a path is one more of those that are worked on, joined to the one before it."""
    before = [other for other in spans if other.kind is SpanKind.PATH and other.end <= span.start]
    if span.kind is not SpanKind.PATH or not before:
        return False
    between = text[max(other.end for other in before) : span.start]
    return bool(between.strip()) and _MORE.fullmatch(between) is not None


def _cued(text: str, slot: Slot, span: Span) -> bool:
    before = re.search(
        r"([A-Za-z]+)\s+(?:the\s+|file\s+|folder\s+)*$", text[max(0, span.start - 40) : span.start]
    )
    return bool(before and _CUES.get(before.group(1).lower(), set()) & slot.name_stems)


#: Paths that are done one after the other; a longer list is a document.
_MOST = 10


def one_by_one(text: str, info: MetaActionInfo, params: JsonObject) -> tuple[str, ...]:
    """The request for each path alone, in order; only itself where `params` hold all that was said.

    `params` are what the whole text gave: of the paths one, and the others nowhere.
    """
    paths = info.path_params()
    needed = [name for name in paths if name in info.required()]
    run = _run(text)
    if not 2 <= len(run) <= _MOST or not needed:
        return (text,)
    said = [span.value for span in run]
    held = [name for name, value in params.items() if isinstance(value, str) and value in said]
    lists = any(isinstance(value, list) for value in params.values())
    if len(held) != 1 or held[0] not in needed or lists or len(set(said)) < len(said):
        return (text,)
    first, last = run[0], run[-1]
    return tuple(
        f"{text[: first.start]}{text[span.start : span.end]}{text[last.end :]}".strip() for span in run
    )


def names_several(text: str) -> bool:
    """Whether paths stand side by side in the words."""
    return len(_run(text)) > 1


def _run(text: str) -> Sequence[Span]:
    """The first paths that are joined to each other."""
    spans = find_spans(text)
    run: list[Span] = []
    for span in (span for span in spans if span.kind is SpanKind.PATH):
        if run and not is_more(text, span, spans):
            if len(run) > 1:
                break
            run = []
        run.append(span)
    return run
