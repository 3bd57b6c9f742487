"""The field that fits a property of a JSON Schema. What few schemas need comes in when one does."""

from __future__ import annotations

from partner_desktop.desktop.card.choice_fields import (
    Choice,
    ChoiceField,
    FlagField,
    SeveralField,
    choice_text,
    choices_of,
)
from partner_desktop.desktop.card.field import Field, FieldProblemError, MissingValue
from partner_desktop.desktop.card.line_fields import JsonField, LinesField, LongTextField, TextField
from partner_desktop.desktop.card.number_field import NumberField
from partner_desktop.desktop.card.path_field import PathField
from partner_desktop.desktop.card.whole_edit import fits_line
from partner_desktop.domain.json_value import Json, JsonObject

_MOMENTS = ("date", "date-time", "time")


#: A number of more digits is looked at like a text.
_MOST_DIGITS = 16


def make_field(
    name: str,
    title: str,
    schema: JsonObject,
    value: Json,
    *,
    required: bool,
    cwd: str = "",
    given: bool = False,
) -> Field:
    """The field that fits a property's schema, and shows the value whole: it reads the same again.

    `given`: the value is an argument of the call, also where it is null.
    """
    field = _fitting_field(name, title, schema, value, required=required, cwd=cwd)
    if (given or value is not None) and not _shows(field, value):
        field.widget.deleteLater()
        if isinstance(value, str):
            return LongTextField(name, title, value)
        return JsonField(name, title, value, given=given)
    return field


def _shows(field: Field, value: Json) -> bool:
    """Whether what stands in a new field is the value itself."""
    try:
        found = field.read()
    except FieldProblemError:  # it stands there, beyond its limits
        kinds = (int, float, str) if isinstance(field, NumberField) else (int, float, str, list)
        return isinstance(value, kinds) and not isinstance(value, bool)
    if isinstance(found, MissingValue) or isinstance(found, bool) is not isinstance(value, bool):
        return False
    return found == value


def _fitting_field(
    name: str, title: str, schema: JsonObject, value: Json, *, required: bool, cwd: str
) -> Field:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and _fits_line(value):
        return ChoiceField(name, title, value, choices, required=required)
    match schema.get("type"):
        case "boolean":
            field: Field = FlagField(name, title, value)
        case "integer" | "number" if len(str(value)) <= _MOST_DIGITS:
            field = NumberField(name, title, value, schema)
        case "array":
            field = _list_field(name, title, schema, value, cwd)
        case "object":
            field = JsonField(name, title, value)
        case _:
            field = _words_field(name, title, schema, value, cwd)
    return field


def _fits_line(value: Json) -> bool:
    return fits_line("" if value is None else str(value))


def _list_field(name: str, title: str, schema: JsonObject, value: Json, cwd: str) -> Field:
    item = schema.get("items")
    if not isinstance(item, dict) or not isinstance(value, (list, type(None))):
        return LinesField(name, title, value, schema)
    choices = choices_of(item)
    known = [choice.value for choice in choices]
    if choices and all(one in known for one in value or ()):
        # A title may say another thing than what is sent.
        said = [Choice(each.value, _with_value(each)) for each in choices]
        return SeveralField(name, title, value, said, schema)
    if item.get("format") == "path" and all(isinstance(one, str) for one in value or ()):
        from partner_desktop.desktop.card.path_list_field import PathListField  # noqa: PLC0415 - rare

        # What is read or written may be said of the list or of its items.
        hints: JsonObject = {key: schema[key] for key in ("access", "description") if key in schema}
        return PathListField(name, title, value, schema, {**hints, **item}, cwd=cwd)
    return LinesField(name, title, value, schema)


def _with_value(choice: Choice) -> str:
    text = choice_text(choice.value)
    return choice.title if choice.title == text else f"{choice.title} ({text})"


def _words_field(name: str, title: str, schema: JsonObject, value: Json, cwd: str) -> Field:
    if isinstance(value, (dict, list)):
        return JsonField(name, title, value)
    wanted = schema.get("format")
    if wanted == "path":
        return PathField(name, title, value, schema=schema, cwd=cwd)
    if isinstance(wanted, str) and wanted in _MOMENTS and _fits_line(value):
        from partner_desktop.desktop.card.moment_field import MomentField  # noqa: PLC0415 - rare

        return MomentField(name, title, value, kind=wanted)
    return TextField(name, title, value) if _fits_line(value) else LongTextField(name, title, value)
