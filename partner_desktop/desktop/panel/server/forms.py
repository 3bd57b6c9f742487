"""What is typed for a server: a new one, and secrets that its configuration lacks.

A new one is a configuration pasted from another app, or a command line with a name.
"""

from __future__ import annotations

import json
import re
import shlex

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from partner_desktop.desktop.models.words import key_place_words
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.parts.boxes import at_left, clear_layout, flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space, set_look
from partner_desktop.desktop.wording import LazyText, bind_text, in_every_language, tr


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


_LINES = 9
_EXAMPLE = """{
  "mcpServers": {
    "time": {
      "command": "uvx",
      "args": ["mcp-server-time"]
    }
  }
}"""
_ADDRESSES = ("http://", "https://")


class AddServerForm(PanelPage):
    """`given(text, name)`: JSON and the name of its file."""

    given = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(lambda: tr("Add a server"))
        self.column.addWidget(
            text_label(
                lambda: tr(
                    "An MCP server gives Partner new abilities. It runs outside the sandbox, with your "
                    "rights: add only what you trust. Keys and tokens in it move to the keyring."
                ),
                "muted",
                wrap=True,
            )
        )
        self.config = QPlainTextEdit()
        self.config.setTabChangesFocus(True)
        self.config.setPlaceholderText(_EXAMPLE)
        set_look(self.config, "code")
        self.config.setFixedHeight(_LINES * self.config.fontMetrics().lineSpacing() + 22)
        self._add(lambda: tr("Paste a config from another app"), self.config)
        self.command = self._line(lambda: tr("Or a command line, or an address"), "uvx mcp-server-time")
        self.name = self._line(lambda: tr("Name"), lambda: tr("made from the command"))
        self.column.addWidget(self.problem_label)
        self.save_button = push_button(lambda: tr("Add"), "primary", name=lambda: tr("Add the server"))
        self.save_button.clicked.connect(self._save)
        self.cancel_button = push_button(lambda: tr("Cancel"), pressed=self.closed)
        row = flow(self.save_button, self.cancel_button)
        self.column.addLayout(row)
        self.column.addStretch()

    def begin(self) -> None:
        self.config.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, sentence: str) -> None:
        """It could not be added: say why, and let it be tried again."""
        super().show_problem(sentence)
        self.save_button.setEnabled(True)

    def _save(self) -> None:
        if not self.save_button.isEnabled():
            return
        self.problem_label.hide()
        text, command, name = self.config.toPlainText().strip(), self.command.text().strip(), self.name.text()
        if not text and not command:
            self.show_problem(tr("Paste a configuration, or type a command line."))
            self.config.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if not text:
            try:
                text, made = config_of(command)
            except ValueError:
                self.show_problem(tr("A quote in the command line is not closed."))
                self.command.setFocus(Qt.FocusReason.OtherFocusReason)
                return
            name = name.strip() or made
        if self.save_button.hasFocus():
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.save_button.setEnabled(False)
        self.given.emit(text, name.strip())

    def _line(self, title: LazyText, placeholder: LazyText) -> QLineEdit:
        edit = QLineEdit()
        bind_text(edit, edit.setPlaceholderText, placeholder)
        edit.returnPressed.connect(self._save)
        self._add(title, edit)
        return edit

    def _add(self, title: LazyText, edit: QWidget) -> None:
        bind_text(edit, edit.setAccessibleName, title)
        self.column.addWidget(text_label(title, "label", wrap=True))
        self.column.addWidget(edit)


def config_of(command: str) -> tuple[str, str]:
    """One server as JSON, and a name made from what is run or where it is.

    Raises:
        ValueError: A quote is not closed.
    """
    if command.lower().startswith(_ADDRESSES):
        host = command.split("/")[2].partition(":")[0]
        return json.dumps({"url": command}, ensure_ascii=False, indent=2), host
    words = shlex.split(command)
    entry = {"command": words[0], "args": words[1:]}
    plain = [word for word in words if not word.startswith("-")]
    told = plain[1] if len(plain) > 1 else plain[0] if plain else "server"
    name = re.split(r"[/\\]", told)[-1].partition("@")[0] or "server"
    return json.dumps(entry, ensure_ascii=False, indent=2), name
