"""A number, with its unit beside it and its limits below."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.line_fields import typed_number
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.domain.json_value import Json, JsonObject

_NUMBER_WIDTH = 160
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class NumberField(Field):
    """The schema's limits are kept; the arrow keys go a step up or down."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        self._whole = schema.get("type") == "integer"
        self._least, self._most = schema.get("minimum"), schema.get("maximum")
        self._above, self._below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        self._multiple = schema.get("multipleOf")
        self._edit = _NumberEdit("" if value is None else _number_text(value), self._step)
        unit = _unit_of(schema)
        super().__init__(name, title, _beside(self._edit, unit) if unit else self._edit)
        self._edit.setAccessibleName(f"{title} ({unit})" if unit else title)
        self._edit.setFixedWidth(zoomed(_NUMBER_WIDTH))
        self._edit.setPlaceholderText(self._range_words())
        self.widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._edit.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        text = self._edit.text().strip()
        if not text:
            return MISSING
        try:
            number = typed_number(text, whole=self._whole)
        except ValueError:
            problem = tr("Type a whole number.") if self._whole else tr("Type a number.")
            raise FieldProblemError(problem) from None
        self._check_limits(number)
        return number

    def mark(self, *, problem: bool) -> None:
        self._edit.setProperty("problem", problem)
        self._edit.style().unpolish(self._edit)
        self._edit.style().polish(self._edit)

    def _check_limits(self, number: float) -> None:
        for limit, holds, words in (
            (self._least, lambda one: number >= one, tr("At least {limit}.")),
            (self._most, lambda one: number <= one, tr("At most {limit}.")),
            (self._above, lambda one: number > one, tr("More than {limit}.")),
            (self._below, lambda one: number < one, tr("Less than {limit}.")),
            (self._multiple, lambda one: _is_multiple(number, one), tr("In steps of {limit}.")),
        ):
            if _is_number(limit) and not holds(limit):
                raise FieldProblemError(words.format(limit=_number_text(limit)))

    def _range_words(self) -> str:
        if _is_number(self._least) and _is_number(self._most):
            least, most = _number_text(self._least), _number_text(self._most)
            return tr("{least} to {most}").format(least=least, most=most)
        return ""

    def _step(self, by: int) -> None:
        """One up or down, as far as the limits go."""
        text = self._edit.text().strip()
        try:
            number = typed_number(text, whole=self._whole) if text else None
        except ValueError:
            return
        size = self._multiple if _is_number(self._multiple) else 1
        start = self._least if _is_number(self._least) else 0
        wanted = start if number is None else number + by * size
        if _is_number(self._least):
            wanted = max(wanted, self._least)
        if _is_number(self._most):
            wanted = min(wanted, self._most)
        self._edit.setText(_number_text(wanted))
        self.edited.emit()


class _NumberEdit(QLineEdit):
    def __init__(self, text: str, step: object) -> None:
        super().__init__(text)
        self._step = step

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = _STEPS.get(Qt.Key(event.key()))
        if by is not None and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            event.accept()
            self._step(by)
        else:
            super().keyPressEvent(event)


def _beside(edit: QLineEdit, unit: str) -> QWidget:
    box = QWidget()
    box.setObjectName("clear")
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(edit)
    row.addWidget(text_label(unit, "unit"))
    return box


def _unit_of(schema: JsonObject) -> str:
    unit = schema.get("x-unit") or schema.get("unit")
    return unit.strip()[:24] if isinstance(unit, str) else ""


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_multiple(number: float, size: float) -> bool:
    return size <= 0 or math.isclose(number / size, round(number / size), abs_tol=1e-9)


def _number_text(value: Json) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
