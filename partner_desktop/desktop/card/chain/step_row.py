"""One step on the card: a line that can be unfolded, and what may still be decided about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.chain.facts import chain_of
from partner_desktop.desktop.card.chain.row_button import MARGIN, WORDS_LEFT, RowButton
from partner_desktop.desktop.card.chain.step_words import (
    argument_words,
    line_words,
    risk_chip,
    spoken_step,
    status_chip,
)
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.card.run_progress import progress_words
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import drop_widget, grow, hbox, holds_keyboard, vbox
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.chain import Step, StepStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent

if TYPE_CHECKING:
    from partner_desktop.desktop.card.chain.step_details import StepDetails

#: Of what a server says of its progress.
_MOST_LETTERS = 200


class StepRow(QWidget):
    """`skip_pressed()`; `opened()` when it was unfolded; `source_pressed()`, `undo_pressed()`,
    `keep_pressed()`; `details_made(StepDetails)`; `unfolding()` before it grows or shrinks, `folded()` after
    the person asked for that."""

    skip_pressed = Signal()
    opened = Signal()
    source_pressed = Signal()
    undo_pressed = Signal()
    keep_pressed = Signal()
    details_made = Signal(object)
    unfolding = Signal()
    folded = Signal()

    def __init__(self, theme: Theme, guard: ClickGuard) -> None:
        super().__init__()
        self._theme = theme
        self._guard = guard
        self._shown: tuple[ActionRecord, Step, ActionRecord | None] | None = None
        self._source: str | None = None
        self.button = RowButton(theme)
        self.button.clicked.connect(self.toggle)
        self.skip_button: GuardedButton | None = None
        self.details: StepDetails | None = None
        self._line = hbox(grow(self.button))
        self._whole = text_label("", "small", wrap=True)
        self._whole.setContentsMargins(WORDS_LEFT, 0, MARGIN, 10)
        self._whole.hide()
        self._column = vbox(self._line, self._whole, into=self)

    @property
    def step(self) -> Step:
        """What it shows."""
        assert self._shown is not None
        return self._shown[1]

    @property
    def child(self) -> ActionRecord | None:
        """What the step has become, as far as that is known."""
        return self._shown[2] if self._shown is not None else None

    def show_step(
        self, record: ActionRecord, step: Step, child: ActionRecord | None, *, skippable: bool
    ) -> None:
        """The step as it is now."""
        before, self._shown = self._shown, (record, step, child)
        self.button.show_sign(chain_of(record).number_of(step.id), step.status)
        self._show_line()
        self._show_chips(step, child)
        self.button.setAccessibleName(spoken_step(record, step))
        self._offer_skip(offered=skippable)
        if self.details is not None and (before is None or (before[1], before[2]) != (step, child)):
            self._make_details()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._shown is not None and event.size().width() != event.oldSize().width():
            self._show_line()

    def _show_line(self) -> None:
        """What stands below the title. While it waits for a yes all of that is in view, on as many lines as
        it has. Once it is, a wider row does not take it back: the two could take turns."""
        assert self._shown is not None
        record, step, _ = self._shown
        line, whole = line_words(record, step), ""
        if record.status is ActionStatus.WAITING and self.details is None:
            whole = argument_words(record, step, between="\n")
            if whole != self._whole.text() and self.button.fits(line):
                whole = ""
        show_words(self._whole, whole)
        below = "" if whole else line
        self.button.show_words(step.title, below, fault=step.status is StepStatus.FAILED)

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far it is, in place of its arguments."""
        if self._shown is None or self.step.status is not StepStatus.RUNNING:
            return
        said = " · ".join(
            part for part in (progress_words(progress), progress.message[:_MOST_LETTERS]) if part
        )
        self.button.show_words(self.step.title, said, fault=False)

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since; folded, it is asked for when it is unfolded."""
        if self.details is not None and not (self.child is not None and self.child.status.ended):
            if self.details.live is None:
                self.unfolding.emit()
            self.details.show_output(stream, text)

    @property
    def live(self) -> object:
        """Where its output is shown, once there is any."""
        return self.details.live if self.details is not None else None

    def show_source(self, text: str) -> None:
        """The source that was asked for."""
        self._source = text
        if self.details is not None:
            self.unfolding.emit()
            self.details.show_source(text)

    def say_again(self) -> None:
        """In another language."""
        offered = self.skip_button is not None
        self._offer_skip(offered=False)
        if self._shown is not None:
            self.show_step(*self._shown, skippable=offered)
        if self.details is not None:
            self._make_details()

    def settle(self) -> None:
        """What was asked may be asked again."""
        if self.skip_button is not None:
            self.skip_button.setEnabled(True)

    def toggle(self) -> None:
        """Unfold it, or fold it away."""
        self.unfolding.emit()
        if self.details is None:
            self._make_details()
            self.opened.emit()
        else:
            self._drop_details()
        self.button.show_open(is_open=self.details is not None)
        self._show_line()
        self.folded.emit()

    def _make_details(self) -> None:
        from partner_desktop.desktop.card.chain.step_details import StepDetails  # noqa: PLC0415

        assert self._shown is not None
        running = self.step.status is StepStatus.RUNNING and self.details is not None
        had_live = running and self.details is not None and self.details.live is not None
        self._drop_details()
        self.details = StepDetails(*self._shown, self._theme, self._guard)
        self.details.unfolding.connect(self.unfolding)
        self.details.source_pressed.connect(self.source_pressed)
        self.details.undo_pressed.connect(self.undo_pressed)
        self.details.keep_pressed.connect(self.keep_pressed)
        self._column.addWidget(self.details)
        if self._source is not None:
            self.details.show_source(self._source)
        self.details_made.emit(self.details)
        if had_live:
            self.opened.emit()  # what was printed so far is brought again

    def _drop_details(self) -> None:
        if self.details is None:
            return
        if holds_keyboard(self.details):
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._column.removeWidget(self.details)
        drop_widget(self.details)
        self.details = None

    def _show_chips(self, step: Step, child: ActionRecord | None) -> None:
        undo = child.undo if child is not None else None
        note = ""
        if undo is not None and undo.state is UndoState.POSSIBLE:
            note = tr("can be undone")
        elif undo is not None and undo.state is UndoState.DONE:
            note = tr("undone")
        self.button.show_chips(risk_chip(step), status_chip(step), note)

    def _offer_skip(self, *, offered: bool) -> None:
        if offered and self.skip_button is None:
            name = tr("Skip: {title}").format(title=self.step.title)
            self.skip_button = GuardedButton(self._guard, tr("Skip"), "small", name=name)
            set_tip(self.skip_button, tr("It is left out; the other steps go on."))
            self.skip_button.clicked.connect(self._skip)
            self._line.addWidget(self.skip_button, 0, Qt.AlignmentFlag.AlignVCenter)
            self._line.addSpacing(MARGIN)
        elif not offered and self.skip_button is not None:
            if self.skip_button.hasFocus():
                self.button.setFocus(Qt.FocusReason.OtherFocusReason)
            drop_widget(self.skip_button)
            self.skip_button = None
            self._line.takeAt(1)
            self._line.takeAt(1)

    def _skip(self) -> None:
        if self._guard.open and self.skip_button is not None:
            self.skip_button.setEnabled(False)
            self.skip_pressed.emit()
