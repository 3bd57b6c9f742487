"""Where the key of a server is typed: hidden while it is typed, gone when it was taken."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.models.words import key_place_words
from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, text_label
from partner_desktop.desktop.wording import bind_text, in_every_language


class KeyField(QWidget):
    """A line, and under it where the key will be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhSensitiveData
        )
        bind_text(self, self.edit.setAccessibleName, lambda: self.tr("Key"))
        bind_text(self, self.edit.setPlaceholderText, lambda: self.tr("empty where none is needed"))
        self.setFocusProxy(self.edit)
        self._place = ""
        self.note = text_label("", "muted", wrap=True)
        vbox(self.edit, self.note, into=self, gap=4)
        in_every_language(self, self._say, now=True)

    def show_place(self, place: str) -> None:
        """Where keys are kept, as the end of a sentence; empty while it is not known."""
        self._place = place
        self._say()

    def take(self) -> str:
        """What was typed; it does not stay here."""
        key = self.edit.text().strip()
        self.edit.clear()
        return key

    @property
    def key(self) -> str:
        """What stands there."""
        return self.edit.text().strip()

    def _say(self) -> None:
        place = key_place_words(self._place)
        kept = self.tr("It is never shown again, and kept {place}.").format(place=place)
        self.note.setText(kept if self._place else self.tr("It is never shown again."))


class KeyForm(QWidget):
    """Another key for a server that is there. `given(key)`, empty to forget it; `cancelled()`, by Esc too."""

    given = Signal(str)
    cancelled = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        bind_text(self, self.setAccessibleName, lambda: self.tr("Key of {name}").format(name=name))
        self.field = KeyField()
        on_escape(self, self._leave)
        bind_text(
            self, self.field.edit.setPlaceholderText, lambda: self.tr("empty forgets the one that is kept")
        )
        self.field.edit.returnPressed.connect(self._give)
        self.save_button = push_button(lambda: self.tr("Save the key"), "primary", pressed=self._give)
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self.cancelled)
        row = flow(self.save_button, self.cancel_button)
        vbox(self.field, row, into=self, gap=8, margins=(0, 4, 0, 0))

    def _leave(self) -> None:
        self.field.take()
        self.cancelled.emit()

    def _give(self) -> None:
        self.given.emit(self.field.take())
