"""The page of one run: what was asked, with what, what it did step by step, what came of it, who let it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.guard import Guard
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.record.head import RecordHead
from partner_desktop.desktop.panel.record.inputs import Inputs
from partner_desktop.desktop.panel.record.live import LiveRun
from partner_desktop.desktop.panel.record.outcome import RecordOutcome
from partner_desktop.desktop.panel.record.part import Part, lines, titled
from partner_desktop.desktop.panel.record.run import Run
from partner_desktop.desktop.panel.record.steps import StepRow
from partner_desktop.desktop.panel.record.text import run_text
from partner_desktop.desktop.panel.record.words import (
    arguments_of,
    change_words,
    decision_line,
    held_lines,
    step_line,
)
from partner_desktop.desktop.parts.boxes import stretch, vbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Step, StepStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent

_PARTS = ("asked", "inputs", "steps", "outcome", "changes", "after", "decisions", "held")
_OPEN_AT_FIRST = (StepStatus.FAILED, StepStatus.WAITING)
_SCROLLS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Up, Qt.Key.Key_Down)


class RecordPage(PanelPage):
    """`asked(verb)` as its head tells; `undo_pressed(id)`, `keep_pressed(id)` of it or of one of its steps;
    `outcome_shown(RecordOutcome)`.
    """

    asked = Signal(str)
    undo_pressed = Signal(str)
    keep_pressed = Signal(str)
    outcome_shown = Signal(object)

    def __init__(self, run: Run, theme: Theme, clock: Clock) -> None:
        super().__init__(
            " ".join(run.record.title.split()),
            back=lambda: tr("‹ Actions"),
            back_name=lambda: tr("Back to the list of actions"),
        )
        self.run = run
        self._theme = theme
        self._guard = Guard(clock)
        self._open = {step.id for step in _steps(run) if step.status in _OPEN_AT_FIRST}
        self._rows: dict[str, Part] = {}
        self.head = RecordHead(lambda: run_text(self.run))
        self.head.asked.connect(self.asked)
        self.column.addWidget(self.head)
        self.live = LiveRun(run.record, theme)
        self.parts = {name: Part() for name in _PARTS}
        self._scroll = self._make_scroll()
        self.column.addWidget(self._scroll, 1)
        in_every_language(self, self._say_again)
        self.show_run(run)

    def _make_scroll(self) -> QScrollArea:
        inner = QWidget()
        inner.setObjectName("clear")
        vbox(
            self.live,
            *self.parts.values(),
            stretch(),
            into=inner,
            gap=Space.S,
            margins=(0, 0, Space.S, Space.S),
        )
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        return scroll

    def shows(self, action_id: str) -> bool:
        """Whether it is about this action, or has it for a step."""
        return action_id in self.run.ids

    def show_run(self, run: Run) -> None:
        """As it is now; what is the same stays as it is."""
        self.run = run
        record, parts = run.record, self.parts
        self.head.show_run(run)
        self.live.show_record(record)
        parts["asked"].show_as(record.request_text, self._asked_part)
        arguments = arguments_of(record) if record.chain is None else []
        parts["inputs"].show_as(
            tuple(arguments), lambda: titled(tr("Inputs"), Inputs(arguments, of=record.title))
        )
        if record.chain is not None:
            self._show_steps(run, record.chain)
        parts["outcome"].show_as(_outcome_key(record), lambda: self._outcome_part(record))
        changed = _change_lines(run)
        parts["changes"].show_as(changed, lambda: titled(tr("Changes of the plan"), *lines(changed)))
        parts["after"].show_as((record.files, record.undo) if _left(record) else None, self._after_part)
        decided = [decision_line(entry, run.title_of(entry.action_id)) for entry in run.decisions]
        parts["decisions"].show_as(decided, lambda: titled(tr("Decisions"), *lines(decided)))
        held = list(held_lines(record))
        parts["held"].show_as(held, lambda: titled(tr("How it ran"), *lines(held)))

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far it is, or the step that runs."""
        self.live.show_progress(progress)

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since, or the step that runs."""
        self.live.show_output(stream, text)

    def aftermath(self, action_id: str) -> Aftermath | None:
        """Where it is said what became of files; a step's only once it was unfolded."""
        part = self.parts["after"] if action_id == self.run.record.id else self._rows.get(action_id)
        inside = part.inside if part is not None else None
        return inside.findChild(Aftermath) if inside is not None else None

    def _asked_part(self) -> QWidget:
        return titled(tr("Asked for"), text_label(self.run.record.request_text, wrap=True, selectable=True))

    def _outcome_part(self, record: ActionRecord) -> QWidget:
        outcome = RecordOutcome(record, self._theme)
        self.outcome_shown.emit(outcome)
        return titled(tr("Outcome"), outcome)

    def _after_part(self) -> QWidget:
        record = self.run.record
        after = Aftermath(record, self._guard)
        after.undo_pressed.connect(lambda: self.undo_pressed.emit(record.id))
        after.keep_pressed.connect(lambda: self.keep_pressed.emit(record.id))
        return titled(tr("Files"), after)

    # Steps.

    def _show_steps(self, run: Run, chain: Chain) -> None:
        ids = tuple(step.id for step in chain.steps)
        self.parts["steps"].show_as(ids, lambda: self._steps_part(ids))
        for step in chain.steps:
            key = (step, run.of_step(step), chain.number_of(step.id))
            self._rows[step.id].show_as(key, partial(self._step_row, step, run, chain))

    def _steps_part(self, ids: tuple[str, ...]) -> QWidget:
        self._rows = {step_id: Part() for step_id in ids}
        return titled(tr("Steps"), *self._rows.values())

    def _step_row(self, step: Step, run: Run, chain: Chain) -> QWidget:
        row = StepRow(step, run, chain, self._theme, self._guard)
        row.outcome_shown.connect(self.outcome_shown)
        row.undo_pressed.connect(self.undo_pressed)
        row.keep_pressed.connect(self.keep_pressed)
        if step.id in self._open:
            row.fold.toggle()
        row.toggled.connect(self._note_open)
        row.setAccessibleName(f"{step.title}, {step_line(step)}")
        return row

    def _note_open(self, step_id: str, is_open: bool) -> None:
        (self._open.add if is_open else self._open.discard)(step_id)

    # Qt.

    def _say_again(self) -> None:
        for part in (*self.parts.values(), *self._rows.values()):
            part.forget()
        self.show_run(self.run)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._guard.seen()
        super().paintEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._scroll.verticalScrollBar()
        if event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        elif event.key() == Qt.Key.Key_End:
            bar.setValue(bar.maximum())
        elif event.key() in _SCROLLS:
            far = event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
            up = event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_Up)
            bar.setValue(bar.value() + (bar.pageStep() if far else bar.singleStep()) * (-1 if up else 1))
        else:
            super().keyPressEvent(event)


def _steps(run: Run) -> tuple[Step, ...]:
    return run.chain.steps if run.chain is not None else ()


def _left(record: ActionRecord) -> bool:
    return bool(record.files) or record.undo is not None


def _outcome_key(record: ActionRecord) -> object:
    """Of a chain each step says its own; what is left is why it failed."""
    if not record.status.ended or (record.chain is not None and not record.error and not record.stdout):
        return None
    said = (record.error, record.stdout, record.stderr, str(record.data), record.parts, record.truncated)
    return (record.status, *said)


def _change_lines(run: Run) -> list[str]:
    chain = run.chain
    if chain is None:
        return []
    return [change_words(change) for change in chain.changes] + ([chain.checked] if chain.checked else [])
