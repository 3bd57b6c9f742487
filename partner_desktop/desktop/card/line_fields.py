"""Fields of words: one line, several, a list with one line an item, and anything else as JSON."""

from __future__ import annotations

import json
import math

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.domain.json_value import Json, JsonObject

_LINES_SHOWN, _MOST_LINES_SHOWN = 3, 10


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


class LinesField(Field):
    """A list: one line an item, each of the type that the schema names."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        items = value if isinstance(value, list) else []
        self._edit = _lines_edit("\n".join(_item_text(item) for item in items))
        super().__init__(name, title, self._edit)
        described = schema.get("items")
        self._item_type = described.get("type", "string") if isinstance(described, dict) else "string"
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        numbers = self._item_type in ("integer", "number")
        self._edit.setPlaceholderText(tr("one number a line") if numbers else tr("one line an item"))
        self._edit.textChanged.connect(self.edited)

    def read(self) -> Json | MissingValue:
        lines = [line.strip() for line in self._edit.toPlainText().splitlines() if line.strip()]
        if not lines:
            return MISSING
        items = [self._item(line) for line in lines]
        if isinstance(self._least, int) and len(items) < self._least:
            raise FieldProblemError(tr("At least {limit} lines.").format(limit=self._least))
        if isinstance(self._most, int) and len(items) > self._most:
            raise FieldProblemError(tr("At most {limit} lines.").format(limit=self._most))
        return items

    def _item(self, line: str) -> Json:
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


def _lines_edit(text: str) -> QPlainTextEdit:
    edit = QPlainTextEdit(text)
    edit.setTabChangesFocus(True)
    # What is about to be approved is seen whole as far as that goes.
    lines = min(max(_LINES_SHOWN, text.count("\n") + 1), _MOST_LINES_SHOWN)
    edit.setFixedHeight(lines * edit.fontMetrics().lineSpacing() + 22)
    return edit


def _item_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
