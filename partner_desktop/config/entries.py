"""Lists of tables (`[[file]]`) in a settings file: one entry added or taken out, the rest as it was written.

Blocking. As in `toml_edit.py`, whatever way is taken, the result is read again and must say what was meant.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.toml_edit import by_tomlkit, first_right
from partner_desktop.config.toml_text import Statement, Tables, parse, statements, toml_key, toml_value
from partner_desktop.domain.json_value import Json, JsonObject


@dataclass(frozen=True)
class PutValue:
    """`key = value`; `None` gives it its default again."""

    key: tuple[str, ...]
    value: Json


@dataclass(frozen=True)
class AddEntry:
    """One more `[[key]]`."""

    key: str
    entry: JsonObject


@dataclass(frozen=True)
class DropEntry:
    """The first `[[key]]` that says all of `match` goes; where there is none, nothing does."""

    key: str
    match: JsonObject
    place: int | None = None
    """The one that stands there, counted from 0; it must say all of `match`."""


@dataclass(frozen=True)
class PutEntry:
    """The `[[key]]` at `place`, which must say all of `match`, becomes `entry`."""

    key: str
    place: int
    match: JsonObject
    entry: JsonObject


Edit = PutValue | AddEntry | DropEntry | PutEntry


def with_entry(path: Path, text: str, edit: AddEntry) -> str:
    """The text with the entry after the others, else at the end.

    Raises:
        Unusable: The text is not TOML as it is.
        ConfigError: There is no way to write it.
    """
    tables = parse(path, text)
    wanted = copy.deepcopy(tables)
    _entries(wanted, edit.key).append(edit.entry)
    return first_right(path, wanted, _ways_to_add(text, edit))


def without_entry(path: Path, text: str, edit: DropEntry) -> str:
    """The text without the entry; comments around it stay.

    Raises:
        Unusable: The text is not TOML as it is.
        ConfigError: There is no way to write it.
    """
    wanted = copy.deepcopy(parse(path, text))
    entries = _entries(wanted, edit.key)
    if edit.place is not None:
        index = _at(entries, edit.place, edit.match)
    else:
        index = next((number for number, entry in enumerate(entries) if _fits(entry, edit.match)), -1)
    if index < 0:
        return text
    del entries[index]
    if not entries:
        del wanted[edit.key]
    return first_right(path, wanted, _ways_to_drop(text, edit.key, index))


def with_other_entry(path: Path, text: str, edit: PutEntry) -> str:
    """The text with another entry in the place of one; comments stay.

    Raises:
        Unusable: The text is not TOML as it is.
        ConfigError: Something else stands there, or there is no way to write it.
    """
    wanted = copy.deepcopy(parse(path, text))
    entries = _entries(wanted, edit.key)
    entries[_at(entries, edit.place, edit.match)] = edit.entry
    return first_right(path, wanted, _ways_to_change(text, edit))


def _at(entries: Sequence[object], place: int, match: Mapping[str, Json]) -> int:
    """The place, if what is meant stands there."""
    if not 0 <= place < len(entries) or not _fits(entries[place], match):
        raise ConfigError("config.changed_meanwhile")
    return place


def _entries(tables: Tables, key: str) -> list[Any]:
    entries = tables.setdefault(key, [])
    if not isinstance(entries, list):
        raise ConfigError("config.no_list_of_tables", key=toml_key((key,)))
    return entries


def _fits(entry: object, match: Mapping[str, Json]) -> bool:
    return isinstance(entry, dict) and all(entry.get(key) == value for key, value in match.items())


def _ways_to_add(text: str, edit: AddEntry) -> Iterator[str]:
    block = [f"[[{toml_key((edit.key,))}]]"]
    block += [f"{toml_key((name,))} = {toml_value(value)}" for name, value in edit.entry.items()]
    lines = text.rstrip("\n").split("\n")
    spans = [span for _, span in _spans(text, edit.key)]
    end = spans[-1][1] if spans else len(lines)
    after = lines[end:]
    gap = [""] if after and after[0].strip() else []
    yield "\n".join([*lines[:end], "", *block, *gap, *after]) + "\n"

    def add(document: Any) -> None:  # noqa: ANN401 - tomlkit's document, as in `by_tomlkit`
        document[edit.key].append(edit.entry)

    yield from by_tomlkit(text, add)


def _ways_to_change(text: str, edit: PutEntry) -> Iterator[str]:
    def change(document: Any) -> None:  # noqa: ANN401 - as above
        table = document[edit.key][edit.place]
        for name in [name for name in table if name not in edit.entry]:
            del table[name]
        for name, value in edit.entry.items():
            if table.get(name) != value:
                table[name] = value

    yield from by_tomlkit(text, change)


def _ways_to_drop(text: str, key: str, index: int) -> Iterator[str]:
    lines = text.split("\n")
    for number, (first, end) in _spans(text, key):
        if number == index:
            blank = first > 0 and not lines[first - 1].strip() and not "".join(lines[end : end + 1]).strip()
            yield "\n".join([*lines[: first - blank], *lines[end:]])

    def drop(document: Any) -> None:  # noqa: ANN401 - as above
        del document[key][index]
        if not document[key]:
            del document[key]

    yield from by_tomlkit(text, drop)


def _spans(text: str, key: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each entry's number and lines, as indices: from its header to the end of its last statement."""
    own: Statement | None = None
    last = 0
    for one in [*statements(text), None]:
        if own is not None and (one is None or one.header):
            number = own.place[-1]
            yield (number if isinstance(number, int) else 0), (own.line - 1, last)
            own = None
        if one is not None:
            last = one.last_line
            if one.header and len(one.place) == 2 and one.place[0] == key and isinstance(one.place[1], int):
                own = one
