"""Single values of a result in a person's words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.mind.starter.lexicon import word_set
from partner_desktop.mind.starter.markdown import bold, code, inline
from partner_desktop.mind.starter.phrases import Phrases

#: Parts of a list or an object that are shown within one line.
_IN_LINE = 4
_PATH_LIKE = re.compile(
    r"^(?:~|\.{0,2}/|[A-Za-z]:\\)\S|^[^\s/<>]+(?:/[^\s/<>]+)+$|^[\w.\-]+\.[A-Za-z]\w{0,5}$"
)
#: Units that a name ends with, put in brackets.
_UNITS = word_set("bytes kb mb gb seconds minutes hours days ms percent px")


def fact_name(key: str) -> str:
    """`reading_time_minutes` → `reading time (minutes)`."""
    words = re.sub(r"[_\-\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)).strip().lower().split()
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{' '.join(words[:-1])} ({words[-1]})"
    return " ".join(words) or key


def number(value: float) -> str:
    """With thousands marked and without needless decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def one_line(value: Json, phrases: Phrases) -> str:
    """Any value within a line, safe in Markdown."""
    if value is None or value in ([], {}, ""):
        return phrases.nothing
    if isinstance(value, bool):
        return phrases.yes if value else phrases.no
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return code(value) if _PATH_LIKE.match(value) else inline(value)
    if isinstance(value, list):
        return _joined([one_line(item, phrases) for item in value[: _IN_LINE + 1]], len(value), phrases)
    parts = [
        f"{bold(fact_name(name))} {one_line(item, phrases)}"
        for name, item in list(value.items())[: _IN_LINE + 1]
    ]
    return _joined(parts, len(value), phrases)


def _joined(parts: Sequence[str], count: int, phrases: Phrases) -> str:
    if count <= _IN_LINE + 1:
        return phrases.list_separator.join(parts)
    shown = phrases.list_separator.join(parts[:_IN_LINE])
    return phrases.and_more.format(items=shown, count=count - _IN_LINE)


def said_in(summary: str, value: Json) -> bool:
    """Whether a sentence already gives a value, so that repeating it adds nothing."""
    if isinstance(value, (bool, dict, list)) or value is None:
        return False
    forms = {str(value), number(value)} if isinstance(value, (int, float)) else {value}
    return any(form and re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", summary) for form in forms)


def table(rows: Sequence[JsonObject], phrases: Phrases) -> str:
    """Objects of plain values as a table; the columns in the order in which they first come."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = [_cell(inline(fact_name(name))) for name in columns]
    body = [[_cell(one_line(row[name], phrases)) if name in row else "" for name in columns] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(columns), *body))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
