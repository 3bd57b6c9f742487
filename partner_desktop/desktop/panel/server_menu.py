"""What can be done with one external server, as a menu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.desktop.panel.ability_rows import AbilityRow
from partner_desktop.desktop.panel.server_words import runs
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.mcp_server import ServerStatus

ServerVerb: TypeAlias = Literal["details", "restart", "log", "file", "switch", "copy", "move"]


def server_choices(server: ServerStatus) -> Iterator[tuple[ServerVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    yield "details", tr("Details")
    if runs(server):
        yield "restart", tr("Restart")
    yield "log", tr("Show log")
    if server.path is not None:
        yield "file", tr("Open its file")
    if server.failure is not None:
        yield "copy", tr("Copy the reason")
    if server.can_switch:
        yield "switch", tr("Turn off") if runs(server) else tr("Turn on")


class ServerMenu(QMenu):
    """`chosen(verb, server)`; `fold_chosen()`. It deletes itself when it closes."""

    chosen = Signal(str, object)
    fold_chosen = Signal()

    def __init__(self, row: AbilityRow, server: ServerStatus, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(server.id)
        for verb, words in server_choices(server):
            action = self.addAction(words)
            action.setData(verb)
            action.triggered.connect(lambda _checked=False, verb=verb: self.chosen.emit(verb, server))
        if row.tools:
            self.addSeparator()
            words = tr("Show its tools") if row.folded else tr("Fold its tools away")
            self.addAction(words).triggered.connect(lambda _checked=False: self.fold_chosen.emit())
