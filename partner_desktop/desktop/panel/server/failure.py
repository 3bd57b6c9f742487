"""Why a server does not run: the reason, how far it came, and the last it wrote."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame

from partner_desktop.desktop.panel.server_words import failure_text, step_words
from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.mcp_server import ServerStatus

_STDERR_LINES = 10


class FailureView(QFrame):
    """Hidden while there is nothing to tell."""

    def __init__(self) -> None:
        super().__init__()
        set_look(self, "strip-bad")
        self._server: ServerStatus | None = None
        self.message = text_label("", wrap=True, selectable=True)
        self.step = text_label("", "small", wrap=True)
        self._wrote = text_label(lambda: tr("The last it wrote:"), "small")
        self.stderr = CodeView(lambda: tr("The last it wrote:"), most_lines=_STDERR_LINES, wraps=True)
        self.copy_button = CopyButton(self._text, lambda: tr("Copy the reason"), look="small")
        vbox(
            self.message,
            self.step,
            self._wrote,
            self.stderr,
            at_left(self.copy_button),
            into=self,
            gap=Space.XS,
            margins=(Space.M, Space.S, Space.M, Space.S),
        )
        self.hide()
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        """As it is now."""
        self._server = server
        self._say()

    def _say(self) -> None:
        failure = self._server.failure if self._server is not None else None
        self.setVisible(failure is not None)
        if failure is None:
            return
        self.message.setText(failure.message)
        self.step.setText(step_words(failure))
        wrote = "\n".join(failure.stderr)
        if self.stderr.toPlainText() != wrote:
            self.stderr.show_text(wrote)
        for part in (self._wrote, self.stderr):
            part.setVisible(bool(wrote))

    def _text(self) -> str:
        return failure_text(self._server) if self._server is not None else ""
