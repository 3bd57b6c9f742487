"""What can be done with one ability, or with one server, as a menu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.desktop.panel.ability_rows import AbilityRow
from partner_desktop.desktop.panel.server_words import runs
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerStatus

Verb: TypeAlias = Literal[
    "run", "example", "details", "keep", "edit", "source", "switch", "folder", "remove", "copy"
]


def choices(ability: Ability) -> Iterator[tuple[Verb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    if ability.usable:
        yield "run", tr("Run…")
        yield "example", tr("Put an example in the composer")
    if ability.info is not None:
        yield "details", tr("Details")
    if ability.usable and ability.temporary:
        yield "keep", tr("Keep…")
    if ability.info is not None:
        yield "switch", tr("Turn on") if ability.off else tr("Turn off")
    if ability.info is not None and ability.in_folder and not ability.temporary:
        yield "edit", tr("Edit details…")
    if ability.fault is not None:
        yield "source", tr("Open file")
        yield "copy", tr("Copy the reason")
    elif ability.script is not None:
        yield "source", tr("Open source")
    if ability.path is not None or ability.fault is not None:
        yield "folder", tr("Show folder")
    if ability.path is not None:
        yield "remove", tr("Remove…")


class AbilityMenu(QMenu):
    """`chosen(verb, ability)`. It deletes itself when it closes."""

    chosen = Signal(str, object)

    def __init__(self, ability: Ability, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(ability.info.title if ability.info is not None else ability.key)
        for verb, words in choices(ability):
            if verb == "remove":
                self.addSeparator()
            action = self.addAction(words)
            action.setData(verb)
            action.triggered.connect(lambda _checked=False, verb=verb: self.chosen.emit(verb, ability))


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
