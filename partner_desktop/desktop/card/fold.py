"""Source and details of one action, folded out below its card and away again.

The source is asked for once: the next fold shows what came.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.words import held_words, params_words, path_words, proposed_code
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord, ActionStatus


class DetailsFold(QObject):
    """`source_wanted(action_id)` with the first view; `edit_pressed(action_id)`. The card places the view."""

    source_wanted = Signal(str)
    edit_pressed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._source: str | None = None
        self.view: DetailsView | None = None
        """`None`: it is folded away."""

    def open(self, record: ActionRecord, allowed: str) -> DetailsView:
        """A new view; `allowed`: how far it was allowed."""
        view = self.view = DetailsView(record, allowed=allowed)
        view.edit_pressed.connect(lambda: self.edit_pressed.emit(record.id))
        code = proposed_code(record)
        if code is not None:
            waits = record.status is ActionStatus.WAITING
            view.show_source("" if waits else code)  # while it waits, it stands there already
        elif self._source is None:
            self.source_wanted.emit(record.id)
        else:
            view.show_source(self._source)
        return view

    def close(self) -> DetailsView | None:
        """The view that is to go, where there is one."""
        gone, self.view = self.view, None
        return gone

    def show_source(self, text: str) -> None:
        """The source that was asked for."""
        self._source = text
        if self.view is not None:
            self.view.show_source(text)


_SOURCE_LINES = 16


class DetailsView(QWidget):
    """Facts in two columns, the source below. `edit_pressed()`: the source is to be opened in an editor."""

    edit_pressed = Signal()

    def __init__(self, record: ActionRecord, *, allowed: str = "") -> None:
        """`allowed`: how far the yes to it reached."""
        super().__init__()
        facts = QGridLayout()
        facts.setHorizontalSpacing(12)
        facts.setVerticalSpacing(4)
        facts.setColumnStretch(1, 1)
        for line, (title, value) in enumerate(_facts(record, allowed)):
            facts.addWidget(text_label(title, "muted"), line, 0)
            facts.addWidget(
                text_label(shown(value, lines=True), "muted", wrap=True, selectable=True), line, 1
            )
        self._source = CodeView(self.tr("Source"), most_lines=_SOURCE_LINES)
        self._source.hide()
        layout = vbox(facts, self._source, into=self, gap=10, margins=(16, 12, 16, 14))
        self.edit_button = push_button(
            self.tr("Edit source"), name=self.tr("Edit source: {title}").format(title=record.title)
        )
        set_tip(self.edit_button, self.tr("It opens in your editor. Once it is saved, it asks again."))
        self.edit_button.clicked.connect(self.edit_pressed)
        self.edit_button.setVisible(bool(record.source_path))
        layout.addWidget(self.edit_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_source(self, text: str) -> None:
        """Show the script; without one there is nothing to show."""
        self._source.show_text(text.rstrip("\n"))
        self._source.setVisible(bool(text.strip()))


def _facts(record: ActionRecord, allowed: str) -> list[tuple[str, str]]:
    isolation = record.isolation
    exit_code = "" if record.exit_code is None else str(record.exit_code)
    facts = [
        (tr("Ability"), record.key),
        (tr("File"), display_path(Path(record.source_path)) if record.source_path else ""),
        (tr("Runs with"), isolation.interpreter if isolation is not None else ""),
        (tr("Isolation"), held_words(isolation) if isolation is not None else ""),
        (tr("Parameters"), params_words(record)),
        (tr("Touches"), "\n".join(path_words(use) for use in record.paths)),
        (tr("Asked with"), record.request_text),
        (tr("Allowed"), allowed),
        (tr("Exit code"), exit_code),
        (tr("Fingerprint"), record.content_hash[:16]),
    ]
    return [(title, value) for title, value in facts if value]
