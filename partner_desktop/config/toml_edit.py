"""One setting changed in a file's text, everything else as the person wrote it: the one door to tomlkit.

Blocking. Where a setting stands commented out, as in a new file, that line is taken; so a form and an editor
keep each other's order. Whatever way is taken, the result is read again and must say what was meant.

In a new file every key is explained and commented out, so that defaults may change with the app.
"""

from __future__ import annotations

import copy
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.messages import speaking
from partner_desktop.config.field import ANY_NAME, ConfigField
from partner_desktop.config.toml_text import (
    Statement,
    Tables,
    Unusable,
    parse,
    statements,
    toml_key,
    toml_value,
)
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


_WIDTH = 100

_HEADER = (
    "Partner reads this file when it starts, and again whenever it is saved: a change takes effect within a "
    "second, without a restart. A line that begins with “#” is a comment: a setting in one has its default, "
    "which may differ in another version. To change a setting, take the “# ” before it away. If something "
    "here is wrong, Partner says so, with the line, and the settings from before hold.\n"
    "All settings: partner-desktop config docs"
)


@speaking("en")  # as the descriptions are, whatever the window speaks
def template(description: str, fields: Sequence[ConfigField]) -> str:
    """The text of a new file, with a line end at its end."""
    parts = [_comment(f"{description}\n\n{_HEADER}".strip())]
    own = [field for field in fields if len(field.key) == 1 and field.kind != "table"]
    parts += [_entry(field) for field in own]
    # Root keys must stand before the first table, so tables come last.
    for table in (field for field in fields if field.kind == "table" and ANY_NAME not in field.key):
        parts.append("\n".join(_table(table, fields)))
    return "\n\n".join(parts) + "\n"


def _entry(field: ConfigField) -> str:
    default = "" if field.required else f" Default: {default_words(field)}."
    restart = " It takes effect at the next start." if field.restart else ""
    told = f"{field.description}\n{_capital(field.expected)}.{default} Example: {field.sample_line}{restart}"
    if field.required:
        told += "\nThis one has no default: Partner does not start without it."
    return _comment(told) + "\n" + commented(field)


def commented(field: ConfigField) -> str:
    """The line that stands for a setting which is not set."""
    shown = field.example if field.default is None else field.default
    return f"# {toml_key(field.key[-1:])} = {toml_value(shown)}"


def default_words(field: ConfigField) -> str:
    """The default as it would be written."""
    return "not set" if field.default is None else toml_value(field.default)


def _table(table: ConfigField, fields: Sequence[ConfigField]) -> Iterator[str]:
    yield _comment(table.description or table.title)
    below = [field for field in fields if field.key[:-1] == table.key and field.kind != "table"]
    if below:
        # A header that is commented out would let the keys below it slip into the table before.
        yield f"# [{toml_key(table.key)}]" if table.nullable else f"[{toml_key(table.key)}]"
        for field in below:
            yield "\n" + _entry(field)
        return
    defaults = table.default if isinstance(table.default, dict) else {}
    for name, entry in defaults.items():
        if isinstance(entry, dict):
            pairs = [f"{toml_key((key,))} = {toml_value(value)}" for key, value in entry.items()]
            yield _comment("\n".join(["", f"[{toml_key((*table.key, name))}]", *pairs]))
    inner = [field for field in fields if field.key[:-1] == (*table.key, ANY_NAME)]
    if inner and not defaults:
        yield _comment(_example_entry(table, inner))


def _example_entry(table: ConfigField, inner: Sequence[ConfigField]) -> str:
    listed = isinstance(table.example, list)
    header = f"[[{toml_key(table.key)}]]" if listed else f"[{toml_key((*table.key, 'example'))}]"
    lines = (f"{field.sample_line}   # {field.expected}" for field in inner)
    return "\n".join(["There is none by default. An example:", header, *lines])


@cache  # every file has the same head
def _comment(text: str) -> str:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += textwrap.wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(f"# {line}".rstrip() for line in lines)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
