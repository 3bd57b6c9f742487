"""The form that adds a server: a configuration pasted from another app, or a command line with a name."""

from __future__ import annotations

import json
import re
import shlex

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.parts.boxes import flow
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text, tr

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
        self._problem = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.column.addWidget(self._problem)
        self.save_button = push_button(lambda: tr("Add"), "primary", name=lambda: tr("Add the server"))
        self.save_button.clicked.connect(self._save)
        self.cancel_button = push_button(lambda: tr("Cancel"), pressed=self.closed)
        row = flow(self.save_button, self.cancel_button)
        self.column.addLayout(row)
        self.column.addStretch()

    def begin(self) -> None:
        self.config.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def problem(self) -> str:
        """Why it does not do; empty when it does."""
        return self._problem.text() if not self._problem.isHidden() else ""

    def show_problem(self, sentence: str) -> None:
        """It could not be added: say why, and let it be tried again."""
        show_words(self._problem, sentence)
        self.save_button.setEnabled(True)

    def _save(self) -> None:
        if not self.save_button.isEnabled():
            return
        self._problem.hide()
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
