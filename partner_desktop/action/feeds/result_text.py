"""A result as the text that another step writes down or reads: as a person would have it noted.

The sentence that the ability says of it comes first, and what that says already is not said again; names are
written as words, `reading_time_minutes` as `Reading time (minutes)`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from partner_desktop.action.feeds.step_paths import DEEPEST, MOST_TEXT
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.lexicon import fact_name, head, said_in

_SUMMARIES = ("summary", "message")
#: So many single values of an item stand on its line.
_IN_LINE = 6


def result_text(data: Json) -> str:
    """Plain lines."""
    lines = _told(data) if isinstance(data, dict) else _lines(data, depth=0)
    return "\n".join(lines)[:MOST_TEXT]


def _told(data: JsonObject) -> Iterator[str]:
    """A whole result: its sentence, then what that leaves open."""
    found = [(key, text) for key in _SUMMARIES if isinstance(text := data.get(key), str) and text.strip()]
    key, summary = next(iter(found), ("", ""))
    if not summary:
        yield from _lines(data, depth=0)
        return
    yield summary
    rest: JsonObject = {
        name: value
        for name, value in data.items()
        if name != key and value not in (None, "", [], {}) and not said_in(summary, value)
    }
    (only,) = rest.values() if len(rest) == 1 else (None,)
    yield from _lines(only if isinstance(only, list) else rest, depth=0)  # the sentence says what is listed


def _lines(data: Json, *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if depth > DEEPEST:
        yield indent + json.dumps(data, ensure_ascii=False)
    elif isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, dict | list) and value:
                yield f"{indent}{head(key)}:"
                yield from _lines(value, depth=depth + 1)
            else:
                yield f"{indent}{head(key)}: {_plain(value)}".rstrip()
    elif isinstance(data, list):
        for value in data:
            yield from _item(value, depth=depth)
    else:
        yield indent + _plain(data)


def _item(value: Json, *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, dict) and len(value) <= _IN_LINE and not any(map(_is_nested, value.values())):
        yield f"{indent}- " + ", ".join(f"{fact_name(key)}: {_plain(each)}" for key, each in value.items())
    elif _is_nested(value):
        first, *more = _lines(value, depth=depth + 1)
        yield f"{indent}- {first.lstrip()}"
        yield from more
    else:
        yield f"{indent}- {_plain(value)}"


def _is_nested(value: Json) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _plain(value: Json) -> str:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, dict | list):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)
