"""What is typed for a server: a new one, and secrets that its configuration lacks.

A new one is a configuration pasted from another app, or a command line with a name.
"""

from __future__ import annotations

import json
import re
import shlex

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.forms.fields import SecretField, WholeField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.models.words import kept_words
from partner_desktop.desktop.opener import breakable
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.server.server_words import sign_in_words
from partner_desktop.desktop.parts.boxes import at_left, clear_layout, flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import CopyButton, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space, set_look
from partner_desktop.desktop.wording import announce, in_every_language, tr
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus, SignInState

_LOOKS = {SignInState.REFUSED: "strip-bad", SignInState.DONE: ""}


class SignInView(QFrame):
    """`asked(verb)`, see server_menu. Hidden while nothing is known of a sign-in.

    The page's address is shown only to who pressed, where no browser took it.
    """

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._server: ServerStatus | None = None
        self._address = ""
        self.reason = text_label("", wrap=True, selectable=True)
        self.address = text_label("", "mono", wrap=True, selectable=True)
        self.copy_button = CopyButton(lambda: self._address, lambda: tr("Copy the address"), look="small")
        self.sign_in_button = push_button(lambda: tr("Sign in"), "primary")
        self.sign_in_button.clicked.connect(lambda: self.asked.emit("sign-in"))
        self.cancel_button = push_button(lambda: tr("Give up signing in"), "small")
        self.cancel_button.clicked.connect(lambda: self.asked.emit("cancel-sign-in"))
        self.sign_out_button = push_button(lambda: tr("Sign out"), "small")
        self.sign_out_button.clicked.connect(lambda: self.asked.emit("sign-out"))
        buttons = flow(self.sign_in_button, self.copy_button, self.cancel_button, self.sign_out_button, gap=6)
        vbox(
            self.reason,
            self.address,
            buttons,
            into=self,
            gap=Space.S,
            margins=(0, Space.S, 0, Space.S),
        )
        self.hide()
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        before, self._server = self._server, server
        if before is not None and _is_running(before) and not _is_running(server):
            self._address = ""  # and not before that: it may come sooner than the word that a sign-in runs
        self._say()
        if before is not None and server.sign_in is not None and before.sign_in != server.sign_in:
            announce(self, f"{server.id}: {sign_in_words(server.sign_in)}")

    def show_address(self, address: str) -> None:
        """No browser could be opened: the person takes the page there."""
        self._address = address
        self._say()

    def _say(self) -> None:
        server = self._server
        sign_in = server.sign_in if server is not None else None
        shown = sign_in is not None and server is not None and server.phase is not ServerPhase.STOPPED
        self.setVisible(shown)
        if sign_in is None:
            return
        state = sign_in.state
        set_look(self, _LOOKS.get(state, "strip"))
        inset = 0 if state is SignInState.DONE else Space.M
        self.setContentsMargins(inset, 0, inset, 0)
        reason = sign_in.reason
        if state is SignInState.NEEDED and not reason:
            reason = tr("Its tools are here once you have signed in, in your browser.")
        if state is SignInState.RUNNING:
            reason = (
                tr("No browser could be opened here. Open this address in one on this computer:")
                if self._address
                else tr("Go on in the browser that was opened.")
            )
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        self.address.setText(breakable(self._address))
        for part in (self.address, self.copy_button):
            part.setVisible(bool(self._address) and state is SignInState.RUNNING)
        self.sign_in_button.setVisible(state in (SignInState.NEEDED, SignInState.REFUSED))
        self.cancel_button.setVisible(state is SignInState.RUNNING)
        self.sign_out_button.setVisible(state is SignInState.DONE)


def _is_running(server: ServerStatus) -> bool:
    return server.sign_in is not None and server.sign_in.state is SignInState.RUNNING


class SecretLine(QWidget):
    """`given(name, value)`; what was typed does not stay here."""

    given = Signal(str, str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.field = SecretField("secret", lambda: tr("Secret “{name}”").format(name=name))
        self.edit = self.field.line
        self.edit.returnPressed.connect(self._give)
        self.keep_button = push_button(
            lambda: tr("Keep"), "primary", name=lambda: tr("Keep the secret “{name}”").format(name=name)
        )
        self.keep_button.clicked.connect(self._give)
        self._problem = text_label("", "fault-small", wrap=True, hidden=True)
        vbox(
            text_label(self.field.titled, "label", wrap=True),
            hbox(grow(self.edit), self.keep_button, gap=Space.S),
            self._problem,
            into=self,
            gap=Space.XS,
        )

    def show_problem(self, sentence: str) -> None:
        show_words(self._problem, sentence)
        self.keep_button.setEnabled(True)

    def _give(self) -> None:
        value = self.field.secret
        if not value or not self.keep_button.isEnabled():
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._problem.hide()
        if self.keep_button.hasFocus():
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
        self.keep_button.setEnabled(False)
        self.given.emit(self.name, self.field.take())


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
        self._note.setText(kept_words(self._place))


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
        self.entry = entry = EntryForm(
            lambda: tr("Add the server"),
            lambda: tr("Add"),
            title_look="",
            note=lambda: tr(
                "An MCP server gives Partner new abilities. It runs outside the sandbox, with your "
                "rights: add only what you trust. Keys and tokens in it move to the keyring."
            ),
        )
        self.config = entry.lines(WholeField("config", lambda: tr("Paste a config from another app"), ""))
        self.config.set_least_lines(_LINES)
        self.config.setPlaceholderText(_EXAMPLE)
        set_look(self.config, "code")
        typed = lambda: tr("Or a command line, or an address")  # noqa: E731 - words of a language
        self.command = entry.line("command", typed, hint="uvx mcp-server-time")
        self.name = entry.line("name", lambda: tr("Name"), hint=lambda: tr("made from the command"))
        self.save_button = entry.save_button
        entry.given.connect(self._give)
        entry.cancelled.connect(self.closed)
        self.column.addWidget(entry)
        self.column.addStretch()

    def begin(self) -> None:
        self.entry.begin()

    @property
    def problem(self) -> str:
        """Why it does not do; empty when it does."""
        return self.entry.fault

    def show_problem(self, sentence: str) -> None:
        """It could not be added: say why, and let it be tried again."""
        self.entry.show_problem(sentence)

    def _give(self, _values: JsonObject) -> None:
        """A configuration is taken as it was pasted; a command line becomes one."""
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
        self.given.emit(text, name.strip())


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
