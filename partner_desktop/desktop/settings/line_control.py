"""Settings typed into one line: texts and numbers. Enter and leaving save them; Esc takes them back."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from partner_desktop.config.field import ConfigField
from partner_desktop.desktop.card.field import FieldProblemError
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.settings.control import Control
from partner_desktop.desktop.settings.row_words import number_text
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json

_NUMBER_WIDTH = 96
_TEXT_WIDTH = 220


class LineEdit(QLineEdit):
    """`taken_back()` by Esc, which is the window's only where nothing is unsaved."""

    taken_back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.unsaved = False

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() is QEvent.Type.ShortcutOverride and self.unsaved:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.unsaved:
            self.taken_back.emit()
        else:
            super().keyPressEvent(event)


class LineControl(Control):
    """One line of text."""

    def __init__(self, field: ConfigField, *, width: int = _TEXT_WIDTH) -> None:
        super().__init__()
        self._field = field
        self._width = width
        self._shown = ""
        self._asked: str | None = None
        self.edit = LineEdit()
        self.edit.setAccessibleName(field.title)
        self.edit.returnPressed.connect(lambda: self._commit(again=True))
        self.edit.editingFinished.connect(self._commit)
        self.edit.textEdited.connect(self._edited)
        self.edit.taken_back.connect(self.take_back)
        self.setFocusProxy(self.edit)
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(6)
        self.line.addWidget(self.edit, 1)
        self._fit()
        self.retell()

    def retell(self) -> None:
        unset = self._field.default is None and not self._field.required
        self.edit.setPlaceholderText(tr("not set") if unset else "")

    @property
    def dirty(self) -> bool:
        return self.edit.text() != self._shown

    def show_value(self, value: Json) -> None:
        typing = self.dirty
        self._shown = self.words_of(value)
        if not typing and self.dirty:
            self.edit.setText(self._shown)
            self.edit.setCursorPosition(0)
        self.edit.unsaved = self.dirty

    def accept(self) -> None:
        if self._asked == self.edit.text():
            self.edit.setText(self._shown)
        self._asked = None
        self.edit.unsaved = self.dirty

    def take_back(self) -> None:
        self._asked = None
        self.edit.setText(self._shown)
        self.edit.unsaved = False
        self.righted.emit()

    def say_again(self) -> None:
        self._commit(again=True)

    def mark(self, *, problem: bool) -> None:
        self.edit.setProperty("problem", problem)
        self.edit.style().unpolish(self.edit)
        self.edit.style().polish(self.edit)

    def words_of(self, value: Json) -> str:
        """A value as it is typed."""
        return "" if value is None else str(value)

    def read(self, text: str) -> Json:
        """The value of a text; `None` for the default.

        Raises:
            FieldProblemError: It has none.
        """
        return None if not text and self._field.default is None else text

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        if self._width:
            self.edit.setFixedWidth(zoomed(self._width))

    def _edited(self) -> None:
        self._asked = None
        self.edit.unsaved = self.dirty
        if not self.dirty:
            self.righted.emit()

    def _commit(self, *, again: bool = False) -> None:
        text = self.edit.text()
        if not self.dirty or (text == self._asked and not again):
            return
        try:
            value = self.read(text)
        except FieldProblemError as problem:
            self.complain(str(problem))
            return
        self._asked = text
        self.ask(value)


class NumberControl(LineControl):
    """A number with its unit; its limits are kept before anyone is asked."""

    def __init__(self, field: ConfigField) -> None:
        super().__init__(field, width=_NUMBER_WIDTH)
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        if field.unit:
            self.line.addWidget(text_label(field.unit, "unit"))
            self.edit.setAccessibleName(f"{field.title} ({field.unit})")

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
            raise FieldProblemError(words.format(limit=number_text(low)))
        if high is not None and (number > high or (self._field.maximum_excluded and number == high)):
            words = tr("Less than {limit}.") if self._field.maximum_excluded else tr("At most {limit}.")
            raise FieldProblemError(words.format(limit=number_text(high)))
