"""Secrets that a server's configuration refers to and that are not there, with a line to type each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.models.words import key_place_words
from partner_desktop.desktop.parts.boxes import at_left, clear_layout, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import bind_text, in_every_language, tr


class SecretLine(QWidget):
    """`given(name, value)`; what was typed does not stay here."""

    given = Signal(str, str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.edit = QLineEdit()
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhSensitiveData
        )
        bind_text(self.edit, self.edit.setAccessibleName, lambda: tr("Secret “{name}”").format(name=name))
        self.edit.returnPressed.connect(self._give)
        self.keep_button = push_button(
            lambda: tr("Keep"), "primary", name=lambda: tr("Keep the secret “{name}”").format(name=name)
        )
        self.keep_button.clicked.connect(self._give)
        self._problem = text_label("", "fault-small", wrap=True, hidden=True)
        vbox(
            text_label(lambda: tr("Secret “{name}”").format(name=name), "label", wrap=True),
            hbox(grow(self.edit), self.keep_button, gap=Space.S),
            self._problem,
            into=self,
            gap=Space.XS,
        )

    def show_problem(self, sentence: str) -> None:
        """It could not be kept."""
        show_words(self._problem, sentence)
        self.keep_button.setEnabled(True)

    def _give(self) -> None:
        value = self.edit.text().strip()
        if not value or not self.keep_button.isEnabled():
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._problem.hide()
        if self.keep_button.hasFocus():
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.keep_button.setEnabled(False)
        self.edit.clear()
        self.given.emit(self.name, value)


class PlainSecrets(QWidget):
    """What stands in the server's file as plain text; `move_wanted()`. Hidden while nothing does."""

    move_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.words = text_label("", "muted", wrap=True)
        self.move_button = push_button(lambda: tr("Move to the keyring"), "small", pressed=self.move_wanted)
        vbox(self.words, at_left(self.move_button), into=self, gap=Space.XS)
        self.hide()
        in_every_language(self, self._say)

    def show_names(self, names: tuple[str, ...]) -> None:
        """As it is now."""
        self._names = names
        self.setVisible(bool(names))
        self._say()

    def _say(self) -> None:
        said = tr("In its file as plain text, and so in every backup: {names}.")
        self.words.setText(said.format(names=", ".join(self._names)))


class SecretsView(QWidget):
    """`given(name, value, line)`. Hidden while nothing is missing."""

    given = Signal(str, str, object)

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._place = ""
        self.lines: dict[str, SecretLine] = {}
        self._note = text_label("", "muted", wrap=True)
        self._rows = vbox(gap=Space.S)
        vbox(self._rows, self._note, into=self, gap=Space.XS)
        self.hide()
        in_every_language(self, self._say)

    def show_missing(self, names: tuple[str, ...]) -> None:
        """What is missing now; a line that is being typed in stays."""
        if names == self._names:
            return
        self._names = names
        clear_layout(self._rows)
        self.lines = {name: self._line(name) for name in names}
        self.setVisible(bool(names))
        self._say()

    def show_place(self, place: str) -> None:
        """Where secrets are kept, as the end of a sentence."""
        self._place = place
        self._say()

    def _line(self, name: str) -> SecretLine:
        line = SecretLine(name)
        line.given.connect(lambda asked, value: self.given.emit(asked, value, line))
        self._rows.addWidget(line)
        return line

    def _say(self) -> None:
        place = key_place_words(self._place)
        kept = tr("It is never shown again, and kept {place}.").format(place=place)
        self._note.setText(kept if self._place else tr("It is never shown again."))
