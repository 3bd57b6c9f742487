"""The values that a finished step offers to a parameter of another one. Blocking.

Contract: what is offered keeps the parameter's schema. A path is there, a number was in the result; nothing
is guessed: where the result holds no such thing, nothing is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from partner_desktop.action.feeds.step_paths import (
    MOST_TEXT,
    input_paths_of,
    leaves_of,
    noun_of,
    paths_in,
    there,
)
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schema_check import misfit
from partner_desktop.language.anaphora import Kind, alike, nouns, words_of

#: Values that are offered, and paths that a list holds.
_MOST_VALUES, _MOST_PATHS = 20, 10_000
_TEXT_KEYS = ("text", "content", "contents", "result", "output", "message", "summary")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.])")


def values_in(
    kind: Kind, schema: JsonObject, result: ActionRecord, *, workspace: Path | None, words: str = ""
) -> tuple[Json, ...]:
    """The likeliest first; see `input_sources.value_from`."""
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
    echoed = input_paths_of(result)
    paths: list[Json] = [str(path) for path in fitting if str(path) not in echoed]
    yield paths or None


# Texts and numbers.


def _texts(result: ActionRecord) -> Iterator[Json]:
    """All that was said, as a person would have it; then the text that stands in it alone."""
    from partner_desktop.action.feeds.result_text import result_text  # noqa: PLC0415 - not at the start; in a thread

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
        yield result_text(data)
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
