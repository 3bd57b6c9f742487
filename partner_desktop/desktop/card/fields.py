"""The field that fits a property of a JSON Schema. What few schemas need comes in when one does."""

from __future__ import annotations

from partner_desktop.desktop.card.choice_fields import ChoiceField, FlagField, SeveralField, choices_of
from partner_desktop.desktop.card.field import Field
from partner_desktop.desktop.card.line_fields import JsonField, LinesField, LongTextField, TextField
from partner_desktop.desktop.card.number_field import NumberField
from partner_desktop.desktop.card.path_field import PathField
from partner_desktop.domain.json_value import Json, JsonObject

_MOMENTS = ("date", "date-time", "time")


def make_field(
    name: str, title: str, schema: JsonObject, value: Json, *, required: bool, cwd: str = ""
) -> Field:
    """The field that fits a property's schema."""
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        return ChoiceField(name, title, value, choices, required=required)
    match schema.get("type"):
        case "boolean":
            field: Field = FlagField(name, title, value)
        case "integer" | "number":
            field = NumberField(name, title, value, schema)
        case "array":
            field = _list_field(name, title, schema, value, cwd)
        case "object":
            field = JsonField(name, title, value)
        case _:
            field = _words_field(name, title, schema, value, cwd)
    return field


def _list_field(name: str, title: str, schema: JsonObject, value: Json, cwd: str) -> Field:
    item = schema.get("items")
    if not isinstance(item, dict) or not isinstance(value, (list, type(None))):
        return LinesField(name, title, value, schema)
    choices = choices_of(item)
    known = [choice.value for choice in choices]
    if choices and all(one in known for one in value or ()):
        return SeveralField(name, title, value, choices, schema)
    if item.get("format") == "path" and all(isinstance(one, str) for one in value or ()):
        from partner_desktop.desktop.card.path_list_field import PathListField  # noqa: PLC0415 - rare

        # What is read or written may be said of the list or of its items.
        hints: JsonObject = {key: schema[key] for key in ("access", "description") if key in schema}
        return PathListField(name, title, value, schema, {**hints, **item}, cwd=cwd)
    return LinesField(name, title, value, schema)


def _words_field(name: str, title: str, schema: JsonObject, value: Json, cwd: str) -> Field:
    if isinstance(value, (dict, list)):
        return JsonField(name, title, value)
    wanted = schema.get("format")
    if wanted == "path":
        return PathField(name, title, value, schema=schema, cwd=cwd)
    if isinstance(wanted, str) and wanted in _MOMENTS:
        from partner_desktop.desktop.card.moment_field import MomentField  # noqa: PLC0415 - rare

        return MomentField(name, title, value, kind=wanted)
    if isinstance(value, str) and "\n" in value:
        return LongTextField(name, title, value)
    return TextField(name, title, value)
