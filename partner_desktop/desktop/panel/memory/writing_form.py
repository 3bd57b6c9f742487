"""A few words that are written anew where they stand: a summary, a name, a value."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button
from partner_desktop.desktop.wording import LazyText, resolve_text

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PAD = 18


class WritingField(QPlainTextEdit):
    """`saved()` by Enter; Shift and Enter begin another line."""

    saved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.saved.emit()
        else:
            super().keyPressEvent(event)


class WritingForm(QWidget):
    """`saved()` by Enter or its button, `left()` by Esc or its button; whoever made it takes it away."""

    saved = Signal()
    left = Signal()

    def __init__(self, *, lines: int) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._lines = lines
        on_escape(self, self.left.emit)
        self.field = WritingField()
        self.field.saved.connect(self._save)
        self.save_button = push_button(lambda: self.tr("Save"), "primary", pressed=self._save)
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self.left)
        vbox(self.field, flow(self.save_button, self.cancel_button), into=self, gap=8)

    @property
    def written(self) -> str:
        """What stands there."""
        return self.field.toPlainText().strip()

    def begin(self, text: str, name: LazyText) -> None:
        """Take the keyboard; `name` says what is written."""
        said = resolve_text(name)
        self.field.setAccessibleName(said)
        self.field.setPlaceholderText(said)
        self.field.setFixedHeight(self.field.fontMetrics().lineSpacing() * self._lines + _PAD)
        self.field.setPlainText(text)
        self.show()
        self.field.setFocus(Qt.FocusReason.TabFocusReason)
        self.field.selectAll()

    def _save(self) -> None:
        if self.written:
            self.saved.emit()
