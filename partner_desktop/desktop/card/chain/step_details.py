"""What a step unfolds: every argument, what holds it, its source, what it prints and what it left."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from partner_desktop.base.paths import display_path, display_text
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.chain.facts import chain_of, face
from partner_desktop.desktop.card.chain.step_words import fed_words
from partner_desktop.desktop.card.form import properties_of
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.outcome import OutcomeView
from partner_desktop.desktop.card.words import given_words, held_words, param_title, path_words, tr
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.live_text import LiveText
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import Step, StepStatus
from partner_desktop.domain.command_session import Stream

_SOURCE_LINES, _LIVE_LINES = 14, 6
#: Behind the sign, below the title.
_INDENT = 48


class StepDetails(QWidget):
    """`unfolding()` before it grows; `source_pressed()`, `undo_pressed()`, `keep_pressed()`."""

    unfolding = Signal()
    source_pressed = Signal()
    undo_pressed = Signal()
    keep_pressed = Signal()

    def __init__(
        self, record: ActionRecord, step: Step, child: ActionRecord | None, theme: Theme, guard: ClickGuard
    ) -> None:
        super().__init__()
        self._theme = theme
        self._source: CodeView | None = None
        self.live: LiveText | None = None
        self.outcome: OutcomeView | None = None
        self.aftermath: Aftermath | None = None
        self._column = vbox(into=self, gap=10, margins=(_INDENT, 4, 16, 14))
        self.source_button: QPushButton | None = None
        failed = step.status is StepStatus.FAILED
        if step.error and (child is None or not failed):
            self._column.addWidget(
                text_label(display_text(step.error), "fault" if failed else "", wrap=True, selectable=True)
            )
        if child is not None and child.status.ended:
            self._add_outcome(child, theme, guard)
        self._add_facts(record, step, child)
        self._add_source_button(step)

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since."""
        if self.live is None:
            self.live = LiveText(lambda: tr("What it prints"), self._theme, lines=_LIVE_LINES)
            self._column.insertWidget(0, self.live)
        self.live.add(stream, text)

    def show_source(self, text: str) -> None:
        """The script of the step."""
        if self._source is None:
            self._source = CodeView(lambda: tr("Source"), most_lines=_SOURCE_LINES)
            self._column.addWidget(self._source)
        self._source.show_text(text.rstrip("\n"))
        self._source.setVisible(bool(text.strip()))
        if self.source_button is not None:
            self.source_button.hide()

    def _add_facts(self, record: ActionRecord, step: Step, child: ActionRecord | None) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for line, (title, value) in enumerate(_facts(record, step, child)):
            grid.addWidget(text_label(title, "muted"), line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text_label(shown(value, lines=True), "small", wrap=True, selectable=True), line, 1)
        self._column.addLayout(grid)

    def _add_outcome(self, child: ActionRecord, theme: Theme, guard: ClickGuard) -> None:
        if child.status not in (ActionStatus.REJECTED, ActionStatus.EXPIRED):
            self.outcome = OutcomeView(child, theme)
            self.outcome.unfolding.connect(self.unfolding)
            self._column.addWidget(self.outcome)
        if child.files or child.undo is not None:
            self.aftermath = Aftermath(child, guard)
            self.aftermath.unfolding.connect(self.unfolding)
            self.aftermath.undo_pressed.connect(self.undo_pressed)
            self.aftermath.keep_pressed.connect(self.keep_pressed)
            self._column.addWidget(self.aftermath)

    def _add_source_button(self, step: Step) -> None:
        if step.source_path:
            self.source_button = push_button(
                tr("Show source"), "link", name=tr("Show source: {title}").format(title=step.title)
            )
            self.source_button.clicked.connect(self.source_pressed)
            self._column.addWidget(self.source_button, 0, Qt.AlignmentFlag.AlignLeft)


def _facts(record: ActionRecord, step: Step, child: ActionRecord | None) -> list[tuple[str, str]]:
    as_card = face(record, step)
    facts = [
        *_arguments(record, step, child),
        (tr("Asked with"), step.text),
        (tr("Isolation"), held_words(step.isolation)),
        (tr("Runs with"), step.isolation.interpreter),
        (tr("Script"), display_path(Path(step.source_path)) if step.source_path else ""),
        (tr("Touches"), "\n".join(path_words(use) for use in as_card.paths)),
        (tr("Ability"), step.key),
    ]
    return [(title, value) for title, value in facts if value]


def _arguments(record: ActionRecord, step: Step, child: ActionRecord | None) -> list[tuple[str, str]]:
    """In the schema's order; what an earlier step brought as it came to be."""
    described = properties_of(step.schema)
    uses = child.paths if child is not None else step.paths
    given = {**step.params, **(child.params if child is not None else {})}
    fed = {feed.param: fed_words(feed, chain_of(record).number_of) for feed in step.feeds}
    names = [*described, *(name for name in (*given, *fed) if name not in described)]
    found = []
    for name in dict.fromkeys(names):
        value = given_words(name, given[name], uses) if name in given else ""
        words = " ".join(part for part in (value, fed.get(name, "")) if part)
        found.append((param_title(name, described.get(name, {})), words))
    return found
