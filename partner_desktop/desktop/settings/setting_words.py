"""What is said of a setting: its value, its default, and within which limits it may be changed."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.config.field import ConfigField
from partner_desktop.config.toml_text import toml_value
from partner_desktop.desktop.forms.schema_fields import number_text
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json

#: A longer value is cut in a sentence.
_LONGEST = 80


def facts(field: ConfigField) -> str:
    """The small line under a setting: default, range, and whether it waits for a restart."""
    if not field.editable:
        return tr("takes effect after a restart") if field.restart else ""
    said = [
        tr("Must be set") if field.required else tr("Default: {value}").format(value=shown_default(field))
    ]
    if field.minimum is not None or field.maximum is not None:
        said.append(_range(field))
    if field.restart:
        said.append(tr("takes effect after a restart"))
    return " · ".join(said)


def shown_default(field: ConfigField) -> str:
    """The default as a person reads it."""
    words = value_words(field, field.default)
    numeric = field.kind in ("int", "float") and field.default is not None
    return f"{words} {field.told.unit}" if numeric and field.unit else words


def value_words(field: ConfigField, value: Json) -> str:
    """A value in words."""
    if value is None:
        return tr("not set")
    if field.kind == "bool":
        return tr("on") if value else tr("off")
    if value in ("", [], {}):
        return tr("empty")
    if field.kind == "choice":
        return field.choice_title(str(value))
    return cut(_plain_words(field, value), _LONGEST)


def _plain_words(field: ConfigField, value: Json) -> str:
    if field.kind == "path":
        return display_path(Path(str(value)))
    if field.kind == "list" and isinstance(value, list):
        return ", ".join(str(entry) for entry in value)
    if field.kind in ("int", "float"):
        return f"{value:,}" if isinstance(value, int) else number_text(value)
    return value if isinstance(value, str) else toml_value(value)


def _range(field: ConfigField) -> str:
    low, high = limit_text(field.minimum), limit_text(field.maximum)
    if low and high and not (field.minimum_excluded or field.maximum_excluded):
        return tr("{low} to {high}").format(low=low, high=high)
    said = []
    if low:
        words = tr("more than {limit}") if field.minimum_excluded else tr("at least {limit}")
        said.append(words.format(limit=low))
    if high:
        words = tr("less than {limit}") if field.maximum_excluded else tr("at most {limit}")
        said.append(words.format(limit=high))
    return ", ".join(said)


def limit_text(number: float | None) -> str:
    """A limit as a person reads it; empty where there is none."""
    if number is None:
        return ""
    return f"{int(number):,}" if number == int(number) else f"{number:g}"
