"""Single values of a result in a person's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from partner_desktop.base.paths import display_text
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.language.field_names import fact_name, head, number
from partner_desktop.mind.starter.markdown import bold, code, inline
from partner_desktop.mind.starter.phrases import Phrases

#: Parts of a list or an object that are shown within one line.
_IN_LINE = 4
_PATH_LIKE = re.compile(
    r"^(?:~|\.{0,2}/|[A-Za-z]:\\)\S|^[^\s/<>]+(?:/[^\s/<>]+)+$|^[\w.\-]+\.[A-Za-z]\w{0,5}$"
)
#: A number or a size as a script writes it: `1,234`, `1.2 MB`, `-3.5 %`.
_QUANTITY = re.compile(r"[-+−]?\d[\d.,\u202f]*(?:\s?(?:[kKMGTP]i?B|B|bytes?|%|ms|s|min|h|px))?")


def one_line(value: Json, phrases: Phrases, *, begins: bool = False, literal: bool = False) -> str:
    """Any value within a line, safe in Markdown.

    `begins`: the line begins here, so that the first name is a head. `literal`: a text is a name of a file,
    even where it does not look like one.
    """
    if value is None or value in ([], {}, ""):
        return phrases.nothing
    if isinstance(value, bool):
        return phrases.yes if value else phrases.no
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return text_in_line(value, literal=literal)
    if isinstance(value, list):
        return _joined([one_line(item, phrases) for item in value[: _IN_LINE + 1]], len(value), phrases)
    parts = [
        f"{bold(head(name) if begins and not place else fact_name(name))} {one_line(item, phrases)}"
        for place, (name, item) in enumerate(list(value.items())[: _IN_LINE + 1])
    ]
    return _joined(parts, len(value), phrases)


def text_in_line(text: str, *, literal: bool = False) -> str:
    """A text, paths at home short, as code where it is the name of a file."""
    shown = display_text(text)
    return code(shown) if literal or _PATH_LIKE.match(shown) else inline(shown)


def _joined(parts: Sequence[str], count: int, phrases: Phrases) -> str:
    if count <= _IN_LINE + 1:
        return phrases.list_separator.join(parts)
    shown = phrases.list_separator.join(parts[:_IN_LINE])
    return phrases.and_more.format(items=shown, count=count - _IN_LINE)


def table(rows: Sequence[JsonObject], phrases: Phrases) -> str:
    """Objects of plain values as a table; the columns in the order in which they first come."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [_column(name, rows, phrases) for name in names]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))


def _column(name: str, rows: Sequence[JsonObject], phrases: Phrases) -> list[str]:
    """Head, alignment and cells: numbers stand to the right, names of files have one look."""
    values = [row[name] for row in rows if name in row]
    paths = any(isinstance(value, str) and _PATH_LIKE.match(value) for value in values)
    known = [value for value in values if value is not None and value != ""]
    right = bool(known) and all(_is_quantity(value) for value in known)
    cells = [one_line(row[name], phrases, literal=paths) if name in row else "" for row in rows]
    return [_cell(inline(head(name))), "---:" if right else "---", *map(_cell, cells)]


def _is_quantity(value: Json) -> bool:
    if isinstance(value, str):
        return bool(_QUANTITY.fullmatch(value.strip()))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
