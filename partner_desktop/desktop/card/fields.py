"""A field for each type a JSON Schema property can have."""

from __future__ import annotations

import json
import math

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.path_field import PathField
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.domain.json_value import Json, JsonObject

_LINES_SHOWN, _MOST_LINES_SHOWN = 3, 10
_NUMBER_WIDTH = 160


class TextField(Field):
    """One line of text."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self.edit = QLineEdit("" if value is None else str(value))
        super().__init__(name, title, self.edit)
        self.edit.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self.edit.text() or MISSING


class LongTextField(Field):
    """Text of several lines."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self._edit = _lines_edit("" if value is None else str(value))
        super().__init__(name, title, self._edit)
        self._edit.textChanged.connect(self.edited)

    def read(self) -> Json | MissingValue:
        return self._edit.toPlainText() or MISSING


class NumberField(Field):
    """A number; the schema's limits are kept."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        self._edit = QLineEdit("" if value is None else _number_text(value))
        super().__init__(name, title, self._edit)
        self._edit.setFixedWidth(zoomed(_NUMBER_WIDTH))
        self._edit.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._whole = schema.get("type") == "integer"
        self._least, self._most = schema.get("minimum"), schema.get("maximum")
        self._edit.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        text = self._edit.text().strip()
        if not text:
            return MISSING
        try:
            number = _number(text, whole=self._whole)
        except ValueError:
            problem = tr("Type a whole number.") if self._whole else tr("Type a number.")
            raise FieldProblemError(problem) from None
        if not math.isfinite(number):
            raise FieldProblemError(tr("Type a number."))
        self._check_limits(number)
        return number

    def _check_limits(self, number: float) -> None:
        if isinstance(self._least, (int, float)) and number < self._least:
            raise FieldProblemError(tr("At least {limit}.").format(limit=_number_text(self._least)))
        if isinstance(self._most, (int, float)) and number > self._most:
            raise FieldProblemError(tr("At most {limit}.").format(limit=_number_text(self._most)))


class FlagField(Field):
    """Yes or no."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self._box = QCheckBox()
        self._box.setChecked(value is True)
        self._given = value is not None
        super().__init__(name, title, self._box)
        self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.toggled.connect(self._toggled)

    def _toggled(self) -> None:
        self._given = True
        self.edited.emit()

    def read(self) -> Json | MissingValue:
        return self._box.isChecked() if self._given else MISSING


class ChoiceField(Field):
    """One of the values that the schema lists; an optional one may stay open."""

    def __init__(self, name: str, title: str, value: Json, choices: list[Json], *, required: bool) -> None:
        self._box = QComboBox()
        self._values: list[Json | MissingValue] = [] if required and value is not None else [MISSING]
        self._values += choices
        for choice in self._values:
            self._box.addItem("—" if isinstance(choice, MissingValue) else _choice_text(choice))
        self._box.setCurrentIndex(self._values.index(value) if value in choices else 0)
        super().__init__(name, title, self._box)
        self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.activated.connect(lambda _index: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self._values[self._box.currentIndex()]


class TitledChoiceField(ChoiceField):
    """The same with titles of their own."""

    def __init__(
        self,
        name: str,
        title: str,
        value: Json,
        choices: list[Json],
        *,
        titles: list[str],
        required: bool,
    ) -> None:
        super().__init__(name, title, value if value in choices else None, choices, required=required)
        open_one = self._box.count() - len(titles)
        for number, words in enumerate(titles):
            self._box.setItemText(open_one + number, words)


class LinesField(Field):
    """A list: one line an item."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        items = value if isinstance(value, list) else []
        self._edit = _lines_edit("\n".join(_choice_text(item) for item in items))
        super().__init__(name, title, self._edit)
        described = schema.get("items")
        self._item_type = described.get("type", "string") if isinstance(described, dict) else "string"
        self._edit.setPlaceholderText(tr("one line an item"))
        self._edit.textChanged.connect(self.edited)

    def read(self) -> Json | MissingValue:
        lines = [line.strip() for line in self._edit.toPlainText().splitlines() if line.strip()]
        return [self._item(line) for line in lines] if lines else MISSING

    def _item(self, line: str) -> Json:
        if self._item_type == "string":
            return line
        try:
            value: Json = json.loads(line)
        except ValueError:
            raise FieldProblemError(tr("“{line}” is not a value of this list.").format(line=line)) from None
        return value


class JsonField(Field):
    """Anything else, as JSON."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self._edit = _lines_edit("" if value is None else json.dumps(value, ensure_ascii=False, indent=2))
        super().__init__(name, title, self._edit)
        self._edit.textChanged.connect(self.edited)

    def read(self) -> Json | MissingValue:
        text = self._edit.toPlainText().strip()
        if not text:
            return MISSING
        try:
            value: Json = json.loads(text)
        except ValueError:
            raise FieldProblemError(tr("This is not JSON.")) from None
        return value


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
            field = LinesField(name, title, value, schema)
        case "object":
            field = JsonField(name, title, value)
        case _:
            field = _words_field(name, title, schema, value, cwd)
    return field


def _words_field(name: str, title: str, schema: JsonObject, value: Json, cwd: str) -> Field:
    if isinstance(value, (dict, list)):
        return JsonField(name, title, value)
    if schema.get("format") == "path":
        return PathField(name, title, value, write=schema.get("access") == "write", cwd=cwd)
    if isinstance(value, str) and "\n" in value:
        return LongTextField(name, title, value)
    return TextField(name, title, value)


def _lines_edit(text: str) -> QPlainTextEdit:
    edit = QPlainTextEdit(text)
    edit.setTabChangesFocus(True)
    # What is about to be approved is seen whole as far as that goes.
    lines = min(max(_LINES_SHOWN, text.count("\n") + 1), _MOST_LINES_SHOWN)
    edit.setFixedHeight(lines * edit.fontMetrics().lineSpacing() + 22)
    return edit


def _number(text: str, *, whole: bool) -> float:
    """As it is typed: `4` stays `4`, where `4.0` would do as well."""
    try:
        return int(text)
    except ValueError:
        if whole:
            raise
        return float(text)


def _number_text(value: Json) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _choice_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
