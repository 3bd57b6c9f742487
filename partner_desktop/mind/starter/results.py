"""What a run left behind, as Markdown for a person. All of it is in the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from partner_desktop.base.paths import display_text
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.field_names import head, said_in
from partner_desktop.mind.starter.markdown import bold, code, fence, inline, sentence, shown
from partner_desktop.mind.starter.phrases import Phrases
from partner_desktop.mind.starter.values import one_line, table

#: Items of a list, rows of facts, and lines of a text that are shown.
MAX_ITEMS, MAX_FACTS, MAX_LINES = 20, 12, 30
#: So few more are shown rather than counted.
_SLACK = 4
#: Longest text that is shown as a sentence and not as a block.
MAX_SENTENCE = 160
_MAX_COLUMNS = 5
_SUMMARY_KEYS = ("summary", "message")
#: What programs call a thing by; beside a sentence about it, a person has no use for it.
_HANDLES = ("key", "executionId")


def result(action: ActionRecord, phrases: Phrases) -> str:
    """The result of a run that succeeded."""
    data = _unwrapped(action.data)
    if data in ({}, [], "") and action.stdout.strip():
        return phrases.finished_nothing
    if isinstance(data, dict):
        body = _object(data, phrases)
    elif isinstance(data, list):
        body = _list(data, phrases)
    elif data is None or isinstance(data, str):
        body = _text(data or action.stdout, action, phrases)
    else:
        body = one_line(data, phrases)
    return body or phrases.finished_empty


def _unwrapped(data: Json) -> Json:
    """Without the object that MCP servers put around a bare value."""
    if isinstance(data, dict) and set(data) == {"result"}:
        return data["result"]
    return data


def _object(data: JsonObject, phrases: Phrases) -> str:
    key = next(
        (key for key in _SUMMARY_KEYS if isinstance(data.get(key), str) and str(data[key]).strip()), ""
    )
    summary = str(data[key]) if key else ""
    told = sentence(display_text(summary), paths=_paths(data.values()))
    facts = {name: value for name, value in data.items() if name != key and not name.startswith("_")}
    if summary:
        facts = {name: value for name, value in facts.items() if name not in _HANDLES}
    new = {name: value for name, value in facts.items() if not said_in(summary, value)}
    (only,) = new.values() if len(new) == 1 else (None,)
    if summary and isinstance(only, list) and only:  # what the list is, the summary says
        return f"{told}\n\n{_list(only, phrases)}"
    blocks = [told, _scalars(new, phrases), *_sections(new, phrases)]
    return "\n\n".join(block for block in blocks if block)


def _paths(values: Iterable[Json]) -> tuple[str, ...]:
    """What may be a path among plain values and lists of such, as a person writes it."""
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return tuple(display_text(one) for one in flat[:MAX_ITEMS] if isinstance(one, str) and one)


def _scalars(facts: JsonObject, phrases: Phrases) -> str:
    plain = [(name, value) for name, value in facts.items() if not _nested(value)]
    lines = [f"- {bold(head(name))} {one_line(value, phrases)}" for name, value in plain[:MAX_FACTS]]
    return "\n".join([*lines, *_more(len(plain) - MAX_FACTS, phrases)])


def _sections(facts: JsonObject, phrases: Phrases) -> Iterator[str]:
    nested = [(name, value) for name, value in facts.items() if _nested(value)]
    for name, value in nested[:MAX_FACTS]:
        if isinstance(value, list):
            yield f"{bold(head(name))}\n\n{_list(value, phrases)}"
        elif isinstance(value, dict):
            yield f"- {bold(head(name))} {one_line(value, phrases)}"


def _nested(value: Json) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _list(items: Sequence[Json], phrases: Phrases) -> str:
    rows = [item for item in items if isinstance(item, dict)]
    if len(rows) == len(items) and _tabular(rows):
        body = table(rows[:MAX_FACTS], phrases)
        return "\n\n".join([body, *_more(len(rows) - MAX_FACTS, phrases)])
    limit = len(items) if len(items) <= MAX_ITEMS + _SLACK else MAX_ITEMS
    lines = [f"- {one_line(item, phrases, begins=True)}" for item in items[:limit]]
    more = [f"- {line}" for line in _more(len(items) - limit, phrases)]
    return "\n".join([*lines, *more])


def _tabular(rows: Sequence[JsonObject]) -> bool:
    columns = {name for row in rows for name in row}
    return 2 <= len(columns) <= _MAX_COLUMNS and not any(
        _nested(value) for row in rows for value in row.values()
    )


def _more(count: int, phrases: Phrases) -> Iterable[str]:
    return [phrases.more_items.format(count=count)] if count > 0 else []


def _text(text: str, action: ActionRecord, phrases: Phrases) -> str:
    lines = shown(text).strip("\n").split("\n")
    if not any(line.strip() for line in lines):
        return ""
    where = _whole(action, phrases)
    if len(lines) == 1 and len(lines[0]) <= MAX_SENTENCE:
        return "\n\n".join([inline(display_text(lines[0])), *where])
    left = len(lines) - MAX_LINES
    block = [line[:500] for line in lines[:MAX_LINES]]
    hidden = [phrases.more_lines.format(count=left)] if left > 0 else []
    return "\n\n".join([fence("\n".join(block)), *hidden, *where])


def _whole(action: ActionRecord, phrases: Phrases) -> list[str]:
    if not action.truncated:
        return []
    if action.stdout_path:
        return [phrases.whole_output.format(path=code(display_text(action.stdout_path)))]
    return [phrases.cut_output]
