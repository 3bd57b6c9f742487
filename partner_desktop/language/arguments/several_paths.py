"""Several: one request for several paths, of an ability that takes one. Pure.

`zip ~/Documents and ~/Music` is two steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.fit import is_more
from partner_desktop.language.spans import Span, SpanKind, find_spans

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
