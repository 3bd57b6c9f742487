"""What is known of a server, in lines: what it calls itself, what runs, where it is configured."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.action_words import clock_words
from partner_desktop.desktop.panel.server_words import transport_words
from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.mcp_server import ServerStatus


class FactsView(QWidget):
    """The command as it was resolved can be marked and copied."""

    def __init__(self) -> None:
        super().__init__()
        self._server: ServerStatus | None = None
        self._labels = [
            (text_label("", "muted"), text_label("", "small", wrap=True, selectable=True))
            for _ in range(_MOST_FACTS)
        ]
        self.shown = text_label("", "mono", wrap=True, selectable=True)
        self.copy_button = CopyButton(self._command, lambda: tr("Copy the command"), look="small")
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.XS)
        grid.setColumnStretch(1, 1)
        for line, (title, value) in enumerate(self._labels):
            grid.addWidget(title, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, line, 1)
        self._hints = text_label("", "muted", wrap=True, selectable=True)
        vbox(self.shown, at_left(self.copy_button), Space.XS, grid, self._hints, into=self, gap=Space.XS)
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        """As it is now."""
        self._server = server
        self._say()

    def _command(self) -> str:
        return self._server.shown if self._server is not None else ""

    def _say(self) -> None:
        server = self._server
        if server is None:
            return
        self.shown.setText(server.shown)
        for part in (self.shown, self.copy_button):
            part.setVisible(bool(server.shown))
        facts = [(words(), value) for words, value in _facts(server) if value]
        for (title, value), fact in zip(self._labels, [*facts, *[("", "")] * _MOST_FACTS], strict=False):
            title.setText(fact[0])
            value.setText(fact[1])
            title.setVisible(bool(fact[1]))
            value.setVisible(bool(fact[1]))
        self._hints.setText("\n".join(server.hints))
        self._hints.setVisible(bool(server.hints))


_MOST_FACTS = 5


def _facts(server: ServerStatus) -> list[tuple[Callable[[], str], str]]:
    return [
        (lambda: tr("Calls itself"), server.name),
        (lambda: tr("Kind"), transport_words(server)),
        (lambda: tr("File"), _file_words(server)),
        (lambda: tr("Since"), _moment_words(server.since)),
        (lambda: tr("Failed starts"), str(server.attempts) if server.attempts else ""),
    ]


def _file_words(server: ServerStatus) -> str:
    if server.path is None:
        return ""
    shown = display_path(server.path)
    return f"{shown}:{server.line}" if server.line is not None else shown


def _moment_words(moment: datetime | None) -> str:
    return clock_words(moment) if moment is not None else ""
