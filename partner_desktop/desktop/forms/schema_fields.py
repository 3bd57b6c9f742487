"""The field that fits a property of a JSON Schema: of an ability's parameters, or of a server's question.

What few schemas need comes in when one does.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit

from partner_desktop.desktop.forms.choice_fields import (
    ChoiceField,
    FieldChoice,
    FlagField,
    SeveralField,
    choice_text,
    choices_of,
)
from partner_desktop.desktop.forms.fields import (
    MISSING,
    Field,
    FieldProblemError,
    JsonField,
    LinesField,
    LongTextField,
    MissingValue,
    TextField,
    fits_line,
    typed_number,
)
from partner_desktop.desktop.forms.path_field import PathField
from partner_desktop.desktop.parts.boxes import aligned, hbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, resolve_text, tr
from partner_desktop.domain.json_value import Json, JsonObject

_MOMENTS = ("date", "date-time", "time")


#: A number of more digits is looked at like a text.
_MOST_DIGITS = 16


def make_field(
    name: str,
    title: LazyText,
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
    name: str, title: LazyText, schema: JsonObject, value: Json, *, required: bool, cwd: str
) -> Field:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and _fits_line(value):
        plain = [FieldChoice(each, choice_text(each)) for each in choices]
        return ChoiceField(name, title, value, plain, required=required)
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


def _list_field(name: str, title: LazyText, schema: JsonObject, value: Json, cwd: str) -> Field:
    item = schema.get("items")
    if not isinstance(item, dict) or not isinstance(value, (list, type(None))):
        return LinesField(name, title, value, schema)
    choices = choices_of(item)
    known = [choice.value for choice in choices]
    if choices and all(one in known for one in value or ()):
        # A title may say another thing than what is sent.
        said = [FieldChoice(each.value, _with_value(each)) for each in choices]
        return SeveralField(name, title, value, said, schema)
    if item.get("format") == "path" and all(isinstance(one, str) for one in value or ()):
        from partner_desktop.desktop.forms.rare_fields import PathListField  # noqa: PLC0415 - rare

        # What is read or written may be said of the list or of its items.
        hints: JsonObject = {key: schema[key] for key in ("access", "description") if key in schema}
        return PathListField(name, title, value, schema, {**hints, **item}, cwd=cwd)
    return LinesField(name, title, value, schema)


def _with_value(choice: FieldChoice) -> str:
    text = choice_text(choice.value)
    title = resolve_text(choice.title)
    return title if title == text else f"{title} ({text})"


def _words_field(name: str, title: LazyText, schema: JsonObject, value: Json, cwd: str) -> Field:
    if isinstance(value, (dict, list)):
        return JsonField(name, title, value)
    wanted = schema.get("format")
    if wanted == "path":
        return PathField(name, title, value, schema=schema, cwd=cwd)
    if isinstance(wanted, str) and wanted in _MOMENTS and _fits_line(value):
        from partner_desktop.desktop.forms.rare_fields import MomentField  # noqa: PLC0415 - rare

        return MomentField(name, title, value, kind=wanted)
    if _fits_line(value):
        return FormattedField(name, title, value, schema)
    return LongTextField(name, title, value)


_NUMBER_WIDTH = 144
#: As a number is shown: a comma between thousands, and nowhere else.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class NumberField(TextField):
    """The schema's limits are kept; the arrow keys go a step up or down. Its unit stands in it."""

    fills = False

    def __init__(
        self, name: str, title: LazyText, value: Json, schema: JsonObject, *, unit: LazyText = ""
    ) -> None:
        self._whole = schema.get("type") == "integer"
        self._least, self._most = _limit(schema, "minimum"), _limit(schema, "maximum")
        self._above, self._below = _limit(schema, "exclusiveMinimum"), _limit(schema, "exclusiveMaximum")
        self._multiple = _limit(schema, "multipleOf")
        unit = unit or _unit_of(schema)
        super().__init__(name, title, value, line=_NumberEdit(self._step, unit))
        if unit:
            said = lambda: f"{self.title} ({resolve_text(unit)})"  # noqa: E731 - words of a language
            bind_text(self.line, self.line.setAccessibleName, said)
        bind_text(self, self.line.setPlaceholderText, self._range_words)

    def words_of(self, value: Json) -> str:
        return "" if value is None else number_text(value)

    def read(self) -> Json | MissingValue:
        text = _THOUSANDS.sub("", self.text().strip())
        if not text:
            return MISSING
        try:
            number = typed_number(text, whole=self._whole)
        except ValueError:
            problem = tr("Type a whole number.") if self._whole else tr("Type a number.")
            raise FieldProblemError(problem) from None
        self._check_limits(number)
        return number

    def _check_limits(self, number: float) -> None:
        for limit, fits, words in (
            (self._least, operator.ge, tr("At least {limit}.")),
            (self._most, operator.le, tr("At most {limit}.")),
            (self._above, operator.gt, tr("More than {limit}.")),
            (self._below, operator.lt, tr("Less than {limit}.")),
            (self._multiple, _is_multiple, tr("In steps of {limit}.")),
        ):
            if limit is not None and not fits(number, limit):
                raise FieldProblemError(words.format(limit=number_text(limit)))

    def _range_words(self) -> str:
        if self._least is None or self._most is None:
            return ""
        words = tr("{least} to {most}")
        return words.format(least=number_text(self._least), most=number_text(self._most))

    def _step(self, by: int) -> None:
        """One up or down, as far as the limits go; from nothing it begins at the least."""
        text = self.text().strip()
        try:
            number = typed_number(text, whole=self._whole) if text else None
        except ValueError:
            return
        wanted = (self._least or 0) if number is None else number + by * (self._multiple or 1)
        if self._least is not None:
            wanted = max(wanted, self._least)
        if self._most is not None:
            wanted = min(wanted, self._most)
        self.put(number_text(wanted))
        self.edited.emit()


class _NumberEdit(QLineEdit):
    """With its unit at the right of it."""

    def __init__(self, step: Callable[[int], None], unit: LazyText) -> None:
        super().__init__()
        self._step = step
        self._unit: QLabel | None = None
        if unit:
            self.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._unit = text_label(unit, "unit")
            self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            hbox(aligned(self._unit, Qt.AlignmentFlag.AlignRight), into=self, margins=(0, 0, 10, 0))
            self.refit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.refit()

    def refit(self) -> None:
        """As wide as any number, with room for the unit."""
        self.setFixedWidth(zoomed(_NUMBER_WIDTH))
        if self._unit is not None:
            self.setTextMargins(0, 0, self._unit.sizeHint().width() + 4, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = _STEPS.get(Qt.Key(event.key()))
        if by is not None and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            event.accept()
            self._step(by)
        else:
            super().keyPressEvent(event)


def _unit_of(schema: JsonObject) -> str:
    unit = schema.get("x-unit") or schema.get("unit")
    return unit.strip()[:24] if isinstance(unit, str) else ""


def _limit(schema: JsonObject, name: str) -> float | None:
    limit = schema.get(name)
    return limit if isinstance(limit, (int, float)) and not isinstance(limit, bool) else None


def _is_multiple(number: float, size: float) -> bool:
    return size <= 0 or math.isclose(number / size, round(number / size), abs_tol=1e-9)


def number_text(value: Json) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


#: What anybody would take for an address; whether it exists, only sending tells.
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class FormattedField(TextField):
    """One line that must have a form, and a length."""

    def __init__(self, name: str, title: LazyText, value: Json, schema: JsonObject) -> None:
        super().__init__(name, title, value)
        self._format = schema.get("format")
        self._least, self._most = schema.get("minLength"), schema.get("maxLength")
        if self._format == "email":
            self.line.setPlaceholderText("ann@example.org")

    def read(self) -> Json | MissingValue:
        text = super().read()
        if not isinstance(text, str):
            return text
        if self._format in ("email", "uri"):
            text = text.strip()
        if isinstance(self._least, int) and len(text) < self._least:
            raise FieldProblemError(tr("At least {limit} letters.").format(limit=self._least))
        if isinstance(self._most, int) and len(text) > self._most:
            raise FieldProblemError(tr("At most {limit} letters.").format(limit=self._most))
        if self._format == "email" and not _EMAIL.fullmatch(text):
            raise FieldProblemError(tr("Type an e-mail address."))
        if self._format == "uri" and QUrl(text, QUrl.ParsingMode.StrictMode).isRelative():
            raise FieldProblemError(tr("Type a whole address, with https:// before it."))
        return text


def make_answer_field(name: str, title: LazyText, schema: JsonObject, *, required: bool) -> Field:
    """The field for one property of a question's schema."""
    default = schema.get("default")
    items = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, dict):
        several = choices_of(items)
        if several:
            return SeveralField(name, title, default, several, schema)
    choices = choices_of(schema)
    if choices:
        return ChoiceField(name, title, default, choices, required=required)
    if schema.get("type") == "boolean" and required and default is None:
        return make_field(name, title, schema, False, required=required)
    return make_field(name, title, schema, default, required=required)
