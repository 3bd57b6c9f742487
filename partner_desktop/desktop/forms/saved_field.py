"""A field whose value is saved by itself as soon as it is whole, as settings are.

Contract: what is chosen is asked for at once. What is typed is asked for by Enter (in lines: Ctrl+Enter) and
by leaving it, and leaving asks not a second time for what was turned down; Esc takes it back. While an answer
is awaited the text is nobody's but the person's; with the last answer it is the value's again, unless it was
turned down or changed in between.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.forms.fields import Field, FieldProblemError, MissingValue
from partner_desktop.desktop.parts.controls import on_escape
from partner_desktop.domain.json_value import Json

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ELSEWHERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class SavedField(QObject):
    """`wanted(value)`, `None` for none: who answers calls `accept` or `refuse`. `refused(words)`: what was
    typed is no such value; `righted()`: there is nothing wrong with it now."""

    wanted = Signal(object)
    refused = Signal(str)
    righted = Signal()

    def __init__(self, field: Field, value: Json) -> None:
        super().__init__(field)
        self.field = field
        self._value = value
        self._shown = field.words_of(value)
        self._asked = ""
        self._awaited = 0
        self._turned_down: str | None = None
        if field.typed:
            field.edited.connect(self._edited)
            on_escape(field.edit, self.take_back, when=lambda: self.dirty)
            field.edit.installEventFilter(self)
        field.settled.connect(self._settle)

    @property
    def dirty(self) -> bool:
        """Whether something typed is not saved; nothing that comes from elsewhere takes its place."""
        return self.field.typed and self.field.text() != (self._asked if self._awaited else self._shown)

    def show_value(self, value: Json) -> None:
        """The value that holds; what is being typed stays."""
        untouched = not self._awaited and not self.dirty
        changed, self._value = value != self._value, value
        self._shown = self.field.words_of(value)
        if untouched and (changed or self.dirty):
            self.field.show(value)

    def accept(self) -> None:
        """What was asked for is saved, or something else holds now."""
        if not self.field.typed:
            self.field.show(self._value)
            return
        untouched = not self.dirty
        self._awaited = max(0, self._awaited - 1)
        if not self._awaited and untouched and self.dirty:
            self.field.show(self._value)

    def refuse(self) -> None:
        """What was asked for was turned down: what was typed stays, what was chosen goes back."""
        self._awaited = max(0, self._awaited - 1)
        self._turned_down = self._asked
        if not self.field.typed:
            self.field.show(self._value)

    def take_back(self) -> None:
        """Show the value that holds in place of what was typed."""
        self._turned_down = None
        self.field.show(self._value)
        self.righted.emit()

    def commit(self, *, again: bool = False) -> None:
        """Ask for what is typed, if it is new; with `again` also for what was turned down."""
        text = self.field.text()
        if not self.dirty or (text == self._turned_down and not again):
            return
        try:
            value = self.field.read()
        except FieldProblemError as problem:
            self._turned_down = text
            self.refused.emit(str(problem))
            return
        self._asked = text
        self._awaited += 1
        self._turned_down = None
        self._ask(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() not in _ELSEWHERE:
                self.commit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _ENTER:
            one_line = isinstance(watched, QLineEdit)
            if one_line or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.commit(again=True)
                return True
        return super().eventFilter(watched, event)

    def _settle(self) -> None:
        if self.field.typed:
            self.commit(again=True)
        else:
            self._ask(self.field.read())

    def _ask(self, value: Json | MissingValue) -> None:
        self.wanted.emit(None if isinstance(value, MissingValue) else value)

    def _edited(self) -> None:
        if not self.dirty:
            self.righted.emit()
