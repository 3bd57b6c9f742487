"""A new settings file: every key explained and commented out, so that defaults may change with the app."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import cache

from partner_desktop.base.spoken import speaking
from partner_desktop.config.field import ANY_NAME, ConfigField
from partner_desktop.config.toml_text import toml_key, toml_value

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
