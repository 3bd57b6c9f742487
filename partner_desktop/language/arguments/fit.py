"""How well the form of one part of a message fits one parameter.

Also one request for several paths, of an ability that takes one: `zip ~/Documents and ~/Music` is two steps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.spans import Span, SpanKind, find_spans

#: `~/Documents and also ~/Music`: more of the same.
_MORE = re.compile(
    r"[\"'”`]?\s*(?:,|，|、|&|\+|和|与|跟|以及|还有)?\s*(?:\b(?:and|or"
    r"|plus)\b)?\s*(?:also\s+|then\s+|as well as\s+)?[\"'“`]?",
    re.IGNORECASE,
)


def form_fit(slot: Slot, span: Span) -> float:
    """0 when the form rules the pair out, up to 2 when it was made for it."""
    kind = span.kind
    if slot.choices and not slot.is_list:
        return 0.0
    if slot.is_path:
        if kind is SpanKind.PATH and span.file and slot.file_kinds == {"folder"}:
            return 0.0
        lesser = not span.file and slot.file_kinds == {"file"}
        return {SpanKind.PATH: 1.0 if lesser else 2.0, SpanKind.QUOTE: 1.5}.get(kind, 0.0)
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


def is_joined(text: str, span: Span, spans: Sequence[Span]) -> bool:
    """Whether a path is one of several that are joined to each other."""
    later = next((other for other in spans if other.kind is SpanKind.PATH and other.start >= span.end), None)
    return is_more(text, span, spans) or (later is not None and is_more(text, later, spans))


def is_more(text: str, span: Span, spans: Sequence[Span]) -> bool:
    """Whether a path is one more of those that are worked on, joined to the one before it."""
    before = [other for other in spans if other.kind is SpanKind.PATH and other.end <= span.start]
    if span.kind is not SpanKind.PATH or not before:
        return False
    between = text[max(other.end for other in before) : span.start]
    return bool(between.strip()) and _MORE.fullmatch(between) is not None


#: Of two one is meant.
_ONE_OF = re.compile(r"\bor\b|或|还是", re.IGNORECASE)
#: Paths that are done one after the other; a longer list is a document.
_MOST = 10


def one_by_one(text: str, info: MetaActionInfo, params: JsonObject) -> tuple[str, ...]:
    """The request for each path alone, in order; only itself where `params` hold all that was said.

    `params` are what the whole text gave: of the paths one, and the others nowhere.
    """
    schemas = info.properties().items()
    opened = {name: "read" for name, schema in schemas if schema.get("x-partner-target")}
    paths = {**info.path_params(), **opened}
    needed = [name for name in paths if name in info.required()]
    run = _run(text)
    if not 2 <= len(run) <= _MOST or not needed:
        return (text,)
    between = [text[first.end : second.start] for first, second in pairwise(run)]
    if any(_ONE_OF.search(words) for words in between):
        return (text,)
    said = [span.value for span in run]
    # What stands beside a thing is one more of its kind, and no place that it goes to.
    held = [name for name, value in params.items() if name in needed and value in said]
    lists = any(isinstance(value, list) for value in params.values())
    if len(held) != 1 or lists or len(set(said)) < len(said):
        return (text,)
    goes_there = paths[held[0]] == "write" and len(info.properties()) > 1
    if goes_there and len({bool(PurePath(each).suffix) for each in said}) > 1:
        return (text,)  # a folder that something goes to, and a file that is spoken of next
    first, last = run[0], run[-1]
    return tuple(
        f"{text[: first.start]}{text[span.start : span.end]}{text[last.end :]}".strip() for span in run
    )


def joined_paths(text: str) -> Sequence[str]:
    """The paths that stand side by side in the words."""
    run = _run(text)
    return [span.value for span in run] if len(run) > 1 else []


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
