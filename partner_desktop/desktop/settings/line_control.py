"""Settings typed into one line: texts and numbers. Enter and leaving save them; Esc takes them back."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit

from partner_desktop.config.field import ConfigField
from partner_desktop.desktop.card.field import FieldProblemError
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.escape import on_escape
from partner_desktop.desktop.settings.row_words import limit_text, number_text
from partner_desktop.desktop.settings.typed_control import TypedControl
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json

_NUMBER_WIDTH = 144
_TEXT_WIDTH = 220


class LineControl(TypedControl):
    """One line of text."""

    def __init__(self, field: ConfigField, *, width: int = _TEXT_WIDTH) -> None:
        super().__init__()
        self._field = field
        self._width = width
        self.edit = QLineEdit()
        self.edit.setAccessibleName(field.title)
        self.edit.returnPressed.connect(lambda: self.commit(again=True))
        self.edit.editingFinished.connect(self.commit)
        self.edit.textEdited.connect(lambda _text: self.edited())
        on_escape(self.edit, self.take_back, when=lambda: self.dirty)
        self.setFocusProxy(self.edit)
        self.line = hbox(grow(self.edit), into=self, gap=6)
        self.fit()
        self.retell()

    def retell(self) -> None:
        unset = self._field.default is None and not self._field.required
        self.edit.setPlaceholderText(tr("not set") if unset else "")

    def text(self) -> str:
        return self.edit.text()

    def put(self, text: str) -> None:
        self.edit.setText(text)
        self.edit.setCursorPosition(0)

    def mark(self, *, problem: bool) -> None:
        self.edit.setProperty("problem", problem)
        self.edit.style().unpolish(self.edit)
        self.edit.style().polish(self.edit)

    def words_of(self, value: Json) -> str:
        return "" if value is None else str(value)

    def read(self, text: str) -> Json:
        return None if not text and self._field.default is None else text

    def fit(self) -> None:
        if self._width:
            self.edit.setFixedWidth(zoomed(self._width))


class NumberControl(LineControl):
    """A number with its unit; its limits are kept before anyone is asked."""

    _unit: QLabel | None = None

    def __init__(self, field: ConfigField) -> None:
        super().__init__(field, width=_NUMBER_WIDTH)
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        if field.unit:
            self.edit.setAccessibleName(f"{field.title} ({field.unit})")
            self._unit = text_label(field.unit, "unit")
            self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            hbox(aligned(self._unit, Qt.AlignmentFlag.AlignRight), into=self.edit, margins=(0, 0, 10, 0))
            self.fit()

    def fit(self) -> None:
        super().fit()
        if self._unit is not None:
            self.edit.setTextMargins(0, 0, self._unit.sizeHint().width() + 4, 0)

    def words_of(self, value: Json) -> str:
        return number_text(value)

    def read(self, text: str) -> Json:
        plain = text.strip().replace(",", "")
        if not plain:
            return None
        whole = self._field.kind == "int"
        try:
            number = int(plain) if whole else float(plain)
        except ValueError:
            raise FieldProblemError(tr("Type a whole number.") if whole else tr("Type a number.")) from None
        if not math.isfinite(number):
            raise FieldProblemError(tr("Type a number."))
        self._check(number)
        return number

    def _check(self, number: float) -> None:
        low, high = self._field.minimum, self._field.maximum
        if low is not None and (number < low or (self._field.minimum_excluded and number == low)):
            words = tr("More than {limit}.") if self._field.minimum_excluded else tr("At least {limit}.")
            raise FieldProblemError(words.format(limit=limit_text(low)))
        if high is not None and (number > high or (self._field.maximum_excluded and number == high)):
            words = tr("Less than {limit}.") if self._field.maximum_excluded else tr("At most {limit}.")
            raise FieldProblemError(words.format(limit=limit_text(high)))
