"""Brought: the values that a finished step offers to a parameter of another one. Blocking.

Contract: what is offered keeps the parameter's schema. A path is there, a number was in the result; nothing
is guessed: where the result holds no such thing, nothing is offered.

The sentence that the ability says of it comes first, and what that says already is not said again; names are
written as words, `reading_time_minutes` as `Reading time (minutes)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from partner_desktop.action.chain.brought_paths import inputs_of, noun_of, paths_in, there
from partner_desktop.action.chain.leaves import DEEPEST, MOST_TEXT, leaves_of
from partner_desktop.action.chain.referring import Kind, alike, nouns, words_of
from partner_desktop.action.schema_check import misfit
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.field_names import fact_name, head, said_in

#: Values that are offered, and paths that a list holds.
_MOST_VALUES, _MOST_PATHS = 20, 10_000
_TEXT_KEYS = ("text", "content", "contents", "result", "output", "message", "summary")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.])")


def values_in(
    kind: Kind, schema: JsonObject, result: ActionRecord, *, workspace: Path | None, words: str = ""
) -> tuple[Json, ...]:
    """The likeliest first; see `feeding.value_from`."""
    offers: Iterable[Json] = ()
    if kind == "path":
        offers = paths_in(schema, result, workspace, words)
    elif kind in ("paths", "list"):
        offers = _lists(schema, result, workspace, of_paths=kind == "paths")
    elif kind in ("text", "query"):
        offers = _texts(result)
    elif kind == "number":
        offers = _numbers(schema, result)
    fitting: list[Json] = []
    for value in offers:
        if value not in fitting and misfit(schema, value, foreign=True) is None:
            fitting.append(value)
        if len(fitting) >= _MOST_VALUES:
            break
    return tuple(fitting)


# Lists.


def _lists(
    schema: JsonObject, result: ActionRecord, workspace: Path | None, *, of_paths: bool
) -> Iterator[Json]:
    if not of_paths:
        yield from (leaf.value for leaf in leaves_of(result.data) if isinstance(leaf.value, list))
        if isinstance(result.data, list):
            yield result.data
        lines: list[Json] = [line for line in result.stdout.splitlines()[:_MOST_PATHS] if line.strip()]
        yield lines or None
        return
    items = schema.get("items")
    one: JsonObject = items if isinstance(items, dict) else {}
    wants = nouns(words_of("", one)) or nouns(words_of("", schema))
    strings = [str(leaf.value) for leaf in leaves_of(result.data) if isinstance(leaf.value, str)]
    texts = strings if result.data is not None else result.stdout.splitlines()[:_MOST_PATHS]
    texts = [*texts, *(file.name for file in result.files)]
    found = [path for text in texts if (path := there(text, result.cwd, workspace)) is not None]
    fitting = [path for path in dict.fromkeys(found) if alike(wants, noun_of(path))]
    echoed = inputs_of(result)
    paths: list[Json] = [str(path) for path in fitting if str(path) not in echoed]
    yield paths or None


# Texts and numbers.


def _texts(result: ActionRecord) -> Iterator[Json]:
    """All that was said, as a person would have it; then the text that stands in it alone."""

    data = (
        result.data["result"]
        if isinstance(result.data, dict) and set(result.data) == {"result"}
        else result.data
    )
    if isinstance(data, str):
        yield data
    elif data is None:
        yield _whole_output(result)
    else:
        yield as_text(data)
        for leaf in leaves_of(data):
            if leaf.name in _TEXT_KEYS and isinstance(leaf.value, str):
                yield leaf.value


def _whole_output(result: ActionRecord) -> Json:
    """What was printed, all of it where it lies on the disk."""
    text = result.stdout
    if result.truncated and result.stdout_path:
        try:
            with Path(result.stdout_path).open(encoding="utf-8", errors="replace") as file:
                text = file.read(MOST_TEXT)
        except OSError:
            text = result.stdout
    return text.strip("\n")[:MOST_TEXT] or None


def _numbers(schema: JsonObject, result: ActionRecord) -> list[Json]:
    """Those that are called as the parameter is described first; of a text the one number that it holds."""
    data = result.data
    wants = {word for word in re.findall(r"\w+", words_of("", schema).casefold()) if len(word) > 2}
    named = [leaf for leaf in leaves_of(data) if _is_number(leaf.value)]
    named.sort(key=lambda leaf: not wants & set(re.findall(r"[^\W_]+", leaf.name.casefold())))
    if named:
        return [_typed(leaf.value, schema) for leaf in named]
    text = data if isinstance(data, str) else result.stdout if data is None else ""
    found = _NUMBER.findall(text[:MOST_TEXT].replace(",", ""))
    if len(found) != 1:
        return []
    return [_typed(float(found[0]) if "." in found[0] else int(found[0]), schema)]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _typed(value: Json, schema: JsonObject) -> Json:
    """A whole number where one is wanted and it is one."""
    whole = schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()
    return int(value) if whole and isinstance(value, float) else value


_SUMMARIES = ("summary", "message")
#: So many single values of an item stand on its line.
_IN_LINE = 6


def as_text(data: Json) -> str:
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
