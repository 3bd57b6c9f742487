"""One setting changed in a file's text, everything else as the person wrote it: the one door to tomlkit.

Blocking. Where a setting stands commented out, as in a new file, that line is taken; so a form and an editor
keep each other's order. Whatever way is taken, the result is read again and must say what was meant.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from partner_desktop.base.errors import ConfigError
from partner_desktop.config.field import ConfigField
from partner_desktop.config.key_lines import Statement, statements
from partner_desktop.config.template import commented
from partner_desktop.config.toml_text import Tables, Unusable, parse, toml_key, toml_value
from partner_desktop.domain.json_value import Json


def with_value(path: Path, text: str, key: tuple[str, ...], value: Json) -> str:
    """The text with `key = value`.

    Raises:
        Unusable: The text is not TOML as it is.
        ConfigError: There is no way to write it.
    """
    tables = parse(path, text)
    wanted = _put(copy.deepcopy(tables), key, value)
    return first_right(path, wanted, _ways_to_put(text, key, value))


def without(path: Path, text: str, field: ConfigField) -> str:
    """The text in which a setting has its default again.

    Raises:
        Unusable: The text is not TOML as it is.
        ConfigError: There is no way to write it.
    """
    tables = parse(path, text)
    wanted = _drop(copy.deepcopy(tables), field.key)
    return text if wanted is None else first_right(path, wanted, _ways_to_drop(text, field))


def first_right(path: Path, wanted: Tables, ways: Iterator[str]) -> str:
    """The first of the ways that says what is wanted.

    Raises:
        ConfigError: None does.
    """
    for edited in ways:
        try:
            if _form(parse(path, edited)) == _form(wanted):
                return edited
        except Unusable:
            continue
    raise ConfigError("config.unchangeable", name=path.name)


def _ways_to_put(text: str, key: tuple[str, ...], value: Json) -> Iterator[str]:
    found = statements(text)
    if not any(one.place == key and not one.header for one in found):
        yield from _uncommented(text, found, key, value)
    yield from _by_tomlkit(text, key, value)


def _uncommented(text: str, found: list[Statement], key: tuple[str, ...], value: Json) -> Iterator[str]:
    """With the commented line of the key, the last one in its table, in use."""
    lines = text.split("\n")
    first, end = _region(found, key[:-1], len(lines))
    pattern = re.compile(rf"#\s*{re.escape(toml_key(key[-1:]))}\s*=.*")
    for index in reversed(range(first, end)):
        if pattern.fullmatch(lines[index]):
            lines[index] = f"{toml_key(key[-1:])} = {toml_value(value)}"
            yield "\n".join(lines)
            return


def _region(found: list[Statement], table: tuple[str, ...], end: int) -> tuple[int, int]:
    """The lines of a table, as indices: from its header to the next one."""
    headers = [one for one in found if one.header]
    if not table:
        return 0, headers[0].line - 1 if headers else end
    for position, one in enumerate(headers):
        if one.place == table:
            after = headers[position + 1 : position + 2]
            return one.line, after[0].line - 1 if after else end
    return 0, 0


def _ways_to_drop(text: str, field: ConfigField) -> Iterator[str]:
    """With the statement commented out again; else without it."""
    lines = text.split("\n")
    for one in statements(text):
        if one.place == field.key and one.own_parts == 1 and not one.header:
            yield "\n".join([*lines[: one.line - 1], commented(field), *lines[one.last_line :]])
    yield from _by_tomlkit(text, field.key, None)


def _by_tomlkit(text: str, key: tuple[str, ...], value: Json) -> Iterator[str]:
    """A `None` takes the key out."""

    def change(document: Any) -> None:  # noqa: ANN401 - tomlkit's tables and its document have no type in common
        import tomlkit  # noqa: PLC0415 - only where a setting is changed from the window

        table = document
        for part in key[:-1]:
            table = table.setdefault(part, tomlkit.table()) if value is not None else table[part]
        if value is None:
            del table[key[-1]]
        else:
            table[key[-1]] = value

    yield from by_tomlkit(text, change)


def by_tomlkit(text: str, change: Callable[[Any], None]) -> Iterator[str]:
    """Changed with tomlkit, which keeps comments and order; nothing where it cannot."""
    import tomlkit  # noqa: PLC0415 - only where a setting is changed from the window
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(text)
        change(document)
        yield tomlkit.dumps(document)
    except (TOMLKitError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return  # tomlkit is stricter than tomllib in places, and knows fewer ways to write a table


def _put(tables: Tables, key: tuple[str, ...], value: Json) -> Tables:
    here = tables
    for part in key[:-1]:
        here = here.setdefault(part, {})
        if not isinstance(here, dict):
            raise ConfigError("config.no_table", key=toml_key(key[:-1]))
    here[key[-1]] = value
    return tables


def _drop(tables: Tables, key: tuple[str, ...]) -> Tables | None:
    """The tables without the key; `None` where it is not in them."""
    here: Any = tables  # whatever TOML holds
    for part in key[:-1]:
        here = here.get(part) if isinstance(here, dict) else None
    if not isinstance(here, dict) or key[-1] not in here:
        return None
    del here[key[-1]]
    return tables


def _form(tables: Tables) -> str:
    """Comparable: "not a number" is equal to itself here, and a table that holds nothing to none."""
    return json.dumps(_full(tables), default=str, sort_keys=True)


def _full(tables: Tables) -> Tables:
    """Without empty tables: one of dotted keys goes with its last key."""
    inner = {name: _full(value) if isinstance(value, dict) else value for name, value in tables.items()}
    return {name: value for name, value in inner.items() if value != {}}
