"""The steps of a chain, each with what it was given and what came of it behind a fold."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.chain.row_button import StepSign
from partner_desktop.desktop.card.chain.step_words import origin_words
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.words import held_words, tr
from partner_desktop.desktop.panel.record.outcome import Inputs, RecordOutcome
from partner_desktop.desktop.panel.record.run import Run
from partner_desktop.desktop.panel.record.words import (
    step_arguments,
    step_line,
)
from partner_desktop.desktop.parts.boxes import aligned, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step

_SIGN_TOP = 4
#: Under the title, which begins behind its arrow.
_INDENT = 13


class RecordStepRow(QWidget):
    """`toggled(id, open)`; `outcome_shown(RecordOutcome)`; `undo_pressed(id)`, `keep_pressed(id)`."""

    toggled = Signal(str, bool)
    outcome_shown = Signal(object)
    undo_pressed = Signal(str)
    keep_pressed = Signal(str)

    def __init__(self, step: Step, run: Run, chain: Chain, theme: Theme, guard: ClickGuard) -> None:
        super().__init__()
        self.step = step
        self.aftermath: Aftermath | None = None
        self._run = run
        self._chain = chain
        self._theme = theme
        self._guard = guard
        self.fold = Fold(step.title, self._inside, note=step_line(step))
        self.fold.toggled.connect(lambda is_open: self.toggled.emit(step.id, is_open))
        sign = StepSign(theme)
        sign.show_step(chain.number_of(step.id), step.status)
        place = vbox(sign, stretch(), gap=None, margins=(0, _SIGN_TOP, 0, 0))
        hbox(place, aligned(self.fold, Qt.AlignmentFlag.AlignTop, 1), into=self, gap=8)

    def _inside(self) -> QWidget:
        step, record = self.step, self._run.of_step(self.step)
        inside = QWidget()
        column = vbox(into=inside, gap=6, margins=(_INDENT, 2, 0, 8))
        for words in (origin_words(self._run.record, step), _asked(step)):
            if words:
                column.addWidget(text_label(words, "muted", wrap=True, selectable=True))
        arguments = step_arguments(step, record, self._chain)
        if arguments:
            column.addWidget(Inputs(arguments, of=step.title))
        if record is not None:
            self._add_record(column, record)
        else:
            column.addWidget(text_label(held_words(step.isolation), "muted", wrap=True))
        return inside

    def _add_record(self, column: QVBoxLayout, record: ActionRecord) -> None:
        if record.status.ended:
            outcome = RecordOutcome(record, self._theme, error=record.error != self.step.error)
            column.addWidget(outcome)
            self.outcome_shown.emit(outcome)
        if record.files or record.undo is not None:
            self.aftermath = Aftermath(record, self._guard)
            self.aftermath.undo_pressed.connect(lambda: self.undo_pressed.emit(record.id))
            self.aftermath.keep_pressed.connect(lambda: self.keep_pressed.emit(record.id))
            column.addWidget(self.aftermath)


def _asked(step: Step) -> str:
    """The words that ask for it, where they are not its title."""
    text = " ".join(step.text.split())
    return tr("“{text}”").format(text=text) if text and text.casefold() != step.title.casefold() else ""
