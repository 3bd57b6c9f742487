"""A number, with its unit beside it and its limits below."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.line_fields import typed_number
from partner_desktop.desktop.parts.boxes import hbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.domain.json_value import Json, JsonObject

_NUMBER_WIDTH = 160
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class NumberField(Field):
    """The schema's limits are kept; the arrow keys go a step up or down."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        self._whole = schema.get("type") == "integer"
        self._least, self._most = _limit(schema, "minimum"), _limit(schema, "maximum")
        self._above, self._below = _limit(schema, "exclusiveMinimum"), _limit(schema, "exclusiveMaximum")
        self._multiple = _limit(schema, "multipleOf")
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
        for limit, fits, words in (
            (self._least, operator.ge, tr("At least {limit}.")),
            (self._most, operator.le, tr("At most {limit}.")),
            (self._above, operator.gt, tr("More than {limit}.")),
            (self._below, operator.lt, tr("Less than {limit}.")),
            (self._multiple, _is_multiple, tr("In steps of {limit}.")),
        ):
            if limit is not None and not fits(number, limit):
                raise FieldProblemError(words.format(limit=_number_text(limit)))

    def _range_words(self) -> str:
        if self._least is None or self._most is None:
            return ""
        words = tr("{least} to {most}")
        return words.format(least=_number_text(self._least), most=_number_text(self._most))

    def _step(self, by: int) -> None:
        """One up or down, as far as the limits go; from nothing it begins at the least."""
        text = self._edit.text().strip()
        try:
            number = typed_number(text, whole=self._whole) if text else None
        except ValueError:
            return
        wanted = (self._least or 0) if number is None else number + by * (self._multiple or 1)
        if self._least is not None:
            wanted = max(wanted, self._least)
        if self._most is not None:
            wanted = min(wanted, self._most)
        self._edit.setText(_number_text(wanted))
        self.edited.emit()


class _NumberEdit(QLineEdit):
    def __init__(self, text: str, step: Callable[[int], None]) -> None:
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
    hbox(edit, text_label(unit, "unit"), into=box, gap=8)
    return box


def _unit_of(schema: JsonObject) -> str:
    unit = schema.get("x-unit") or schema.get("unit")
    return unit.strip()[:24] if isinstance(unit, str) else ""


def _limit(schema: JsonObject, name: str) -> float | None:
    limit = schema.get(name)
    return limit if isinstance(limit, (int, float)) and not isinstance(limit, bool) else None


def _is_multiple(number: float, size: float) -> bool:
    return size <= 0 or math.isclose(number / size, round(number / size), abs_tol=1e-9)


def _number_text(value: Json) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
