"""Fields of words: one line, several, a list with one line an item, and anything else as JSON."""

from __future__ import annotations

import json
import math

from PySide6.QtWidgets import QLineEdit

from partner_desktop.base.text import escaped, meant, shown
from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.whole_edit import Unfolding, WholeEdit
from partner_desktop.domain.json_value import Json, JsonObject

_QUOTES = "“”"


class TextField(Field):
    """One line of text."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self.edit = QLineEdit("" if value is None else str(value))
        super().__init__(name, title, self.edit)
        self.edit.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self.edit.text() or MISSING


class WholeField(Field):
    """A text in lines, none of it out of sight: what was given is sent as it was, unless another is typed.

    `marked`: what in it looks like a mark is one."""

    def __init__(
        self, name: str, title: str, text: str, *, one_line: bool = False, marked: bool = False
    ) -> None:
        self._given = text
        self.edit = WholeEdit(title, text if marked else escaped(text), one_line=one_line)
        super().__init__(name, title, Unfolding(self.edit), edit=self.edit)
        self.edit.setAccessibleName(title)
        self._shown = self.edit.toPlainText()
        self.edit.textChanged.connect(self.edited)

    def text(self) -> str:
        """What stands there, marks read back."""
        return self._given if self.edit.toPlainText() == self._shown else self.edit.meant_text()

    def read(self) -> Json | MissingValue:
        return self.text() or MISSING


class LongTextField(WholeField):
    """Text that one line does not show whole. An empty text that was given is one."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        super().__init__(name, title, "" if value is None else str(value), one_line=True)
        self._empty = value == ""

    def read(self) -> Json | MissingValue:
        text = self.text()
        return text if text or self._empty else MISSING


class LinesField(WholeField):
    """A list: one line an item, each of the type that the schema names; a text between “ and ”.

    What was given is sent as it was, unless something is typed."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        self._items: list[Json] = value if isinstance(value, list) else []
        super().__init__(name, title, "\n".join(_item_text(item) for item in self._items), marked=True)
        described = schema.get("items")
        self._item_type = described.get("type", "string") if isinstance(described, dict) else "string"
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        numbers = self._item_type in ("integer", "number")
        self.edit.setPlaceholderText(tr("one number a line") if numbers else tr("one line an item"))

    def read(self) -> Json | MissingValue:
        if self._items and self.edit.toPlainText() == self._shown:
            items = self._items
        else:
            lines = [line.strip() for line in self.edit.toPlainText().split("\n") if line.strip()]
            if not lines:
                return MISSING
            items = [self._item(line) for line in lines]
        if isinstance(self._least, int) and len(items) < self._least:
            raise FieldProblemError(tr("At least {limit} lines.").format(limit=self._least))
        if isinstance(self._most, int) and len(items) > self._most:
            raise FieldProblemError(tr("At most {limit} lines.").format(limit=self._most))
        return items

    def _item(self, line: str) -> Json:
        if len(line) > 1 and line[0] + line[-1] == _QUOTES:
            return meant(line[1:-1])
        line = meant(line)
        match self._item_type:
            case "string":
                return line
            case "integer" | "number":
                return self._number(line)
        try:
            value: Json = json.loads(line)
        except ValueError:
            raise FieldProblemError(tr("“{line}” is not a value of this list.").format(line=line)) from None
        return value

    def _number(self, line: str) -> float:
        whole = self._item_type == "integer"
        try:
            number = typed_number(line, whole=whole)
        except ValueError:
            words = tr("“{line}” is not a whole number.") if whole else tr("“{line}” is not a number.")
            raise FieldProblemError(words.format(line=line)) from None
        return number


class JsonField(WholeField):
    """Anything else, as JSON. `given`: there is a value, and be it null."""

    def __init__(self, name: str, title: str, value: Json, *, given: bool = False) -> None:
        missing = value is None and not given
        text = "" if missing else json.dumps(value, ensure_ascii=False, indent=2)
        super().__init__(name, title, text, one_line=not isinstance(value, (dict, list)) and given)
        self._value = value

    def read(self) -> Json | MissingValue:
        if self._given and self.edit.toPlainText() == self._shown:
            return self._value
        text = self.edit.meant_text().strip()
        if not text:
            return MISSING
        try:
            value: Json = json.loads(text)
        except ValueError:
            raise FieldProblemError(tr("This is not JSON.")) from None
        return value


def typed_number(text: str, *, whole: bool) -> float:
    """As it is typed: `4` stays `4`, where `4.0` would do as well.

    Raises:
        ValueError: It is no such number.
    """
    try:
        return int(text)
    except ValueError:
        if whole:
            raise
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _item_text(value: Json) -> str:
    """On one line, with its ends in view."""
    if isinstance(value, str):
        return f"{_QUOTES[0]}{shown(escaped(value))}{_QUOTES[1]}"
    return escaped(json.dumps(value, ensure_ascii=False))
