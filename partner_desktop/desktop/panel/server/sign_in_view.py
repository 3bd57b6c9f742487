"""The part of a server's page with which the person signs in, gives that up, and signs out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from partner_desktop.desktop.opener import breakable
from partner_desktop.desktop.panel.server.server_words import sign_in_words
from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.theme.theme import Space, set_look
from partner_desktop.desktop.wording import announce, in_every_language, tr
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
