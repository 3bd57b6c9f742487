"""The page of one run: what was asked, with what, what it did step by step, what came of it, who let it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.words import standing_words
from partner_desktop.desktop.panel.actions.action_rows import LiveRun
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.panel.record.outcome import Inputs, RecordOutcome, RecordStepRow
from partner_desktop.desktop.panel.record.words import (
    Run,
    arguments_of,
    change_words,
    decision_line,
    facts_words,
    held_lines,
    run_text,
    step_line,
)
from partner_desktop.desktop.parts.boxes import drop_widget, flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import CopyButton, Pill, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import LazyText, in_every_language, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import Plan, Step, StepStatus

_PARTS = ("asked", "inputs", "steps", "outcome", "changes", "after", "decisions", "held")
_OPEN_AT_FIRST = (StepStatus.FAILED, StepStatus.WAITING)
_SCROLLS = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Up, Qt.Key.Key_Down)


class RecordPage(PanelPage):
    """`asked(verb)` as its head tells; `action_asked(verb, id)` of it or of one of its steps;
    `outcome_shown(RecordOutcome)`.
    """

    asked = Signal(str)
    action_asked = Signal(str, str)
    outcome_shown = Signal(object)

    def __init__(self, run: Run, theme: Theme, clock: Clock) -> None:
        super().__init__(" ".join(run.record.title.split()), of="actions")
        self.run = run
        self._theme = theme
        self._guard = ClickGuard(clock)
        self._open = {step.id for step in _steps(run) if step.status in _OPEN_AT_FIRST}
        self._rows: dict[str, RecordPart] = {}
        self.head = RecordHead(lambda: run_text(self.run))
        self.head.asked.connect(self.asked)
        self.column.addWidget(self.head)
        self.live = LiveRun(run.record, theme, lines=_LINES)
        self.parts = {name: RecordPart() for name in _PARTS}
        self._scroll = self.fill(self.live, *self.parts.values())
        in_every_language(self, self._say_again)
        self.show_run(run)

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
        after = Aftermath(self.run.record, self._guard)
        after.action_asked.connect(self.action_asked)
        return titled(tr("Files"), after)

    # Steps.

    def _show_steps(self, run: Run, chain: Plan) -> None:
        ids = tuple(step.id for step in chain.steps)
        self.parts["steps"].show_as(ids, lambda: self._steps_part(ids))
        for step in chain.steps:
            key = (step, run.of_step(step), chain.number_of(step.id))
            self._rows[step.id].show_as(key, partial(self._step_row, step, run, chain))

    def _steps_part(self, ids: tuple[str, ...]) -> QWidget:
        self._rows = {step_id: RecordPart() for step_id in ids}
        return titled(tr("Steps"), *self._rows.values())

    def _step_row(self, step: Step, run: Run, chain: Plan) -> QWidget:
        row = RecordStepRow(step, run, chain, self._theme, self._guard)
        row.outcome_shown.connect(self.outcome_shown)
        row.action_asked.connect(self.action_asked)
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


_LINES = 8


class RecordPart(QWidget):
    """Takes no room while it has nothing to show. The keyboard stays where it was, by name."""

    def __init__(self) -> None:
        super().__init__()
        self._key: object = None
        self.inside: QWidget | None = None
        self._column = vbox(into=self, gap=None)
        self.hide()

    def show_as(self, key: object, make: Callable[[], QWidget]) -> None:
        """`key`: all that it shows; empty or `None` for nothing."""
        if key == self._key:
            return
        self._key = key
        name = self._focused_name()
        if self.inside is not None:
            self._column.removeWidget(self.inside)
            drop_widget(self.inside)
        self.inside = make() if key else None
        if self.inside is not None:
            self._column.addWidget(self.inside)
            self._focus(self.inside, name)
        self.setVisible(self.inside is not None)

    def forget(self) -> None:
        """Whatever it is shown next is new: the language is another."""
        self._key = None

    def _focused_name(self) -> str:
        focused: QWidget | None = self.window().focusWidget()
        return focused.accessibleName() if focused is not None and self.isAncestorOf(focused) else ""

    def _focus(self, inside: QWidget, name: str) -> None:
        for each in inside.findChildren(QWidget) if name else ():
            if each.accessibleName() == name:
                each.setFocus(Qt.FocusReason.OtherFocusReason)
                return


def titled(title: str, *widgets: QWidget) -> QWidget:
    """A named piece of the page."""
    place = QWidget()
    head = text_label(title.upper(), "head")
    head.setContentsMargins(0, Space.S, 0, 0)
    vbox(head, *widgets, into=place, gap=Space.XS)
    return place


def lines(texts: list[str]) -> list[QWidget]:
    """Muted sentences that can be selected."""
    return [text_label(text, "muted", wrap=True, selectable=True) for text in texts]


class RecordHead(QWidget):
    """`asked(verb)`: `cancel`, `again` or `chat`. `copied` gives the text of the whole record."""

    asked = Signal(str)

    def __init__(self, copied: Callable[[], str]) -> None:
        super().__init__()
        self._title = ""
        self._pill = Pill()
        self._facts = text_label("", "muted", wrap=True)
        self._problem = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.cancel_button = self._button("cancel", lambda: tr("Cancel"), "small-stop")
        self.again_button = self._button("again", lambda: tr("Run again"), "small")
        self.chat_button = self._button("chat", lambda: tr("Show in chat"), "small")
        self.copy_button = CopyButton(
            copied, lambda: tr("Copy the record as text"), look="small", label=lambda: tr("Copy as text")
        )
        buttons = flow(self.cancel_button, self.again_button, self.chat_button, self.copy_button, gap=6)
        vbox(hbox(self._pill, grow(self._facts), gap=8), buttons, self._problem, into=self, gap=8)

    def show_run(self, run: Run) -> None:
        record = run.record
        self._title = record.title
        waits = record.status is ActionStatus.WAITING
        self._pill.say(*((tr("waits for you"), "careful") if waits else standing_words(record)))
        self._facts.setText(facts_words(record))
        self.cancel_button.setVisible(record.status is ActionStatus.RUNNING)
        self.again_button.setVisible(run.can_run_again)
        for button, words in ((self.cancel_button, tr("Cancel")), (self.again_button, tr("Run again"))):
            button.setAccessibleName(f"{words}: {record.title}")

    def show_problem(self, sentence: str) -> None:
        """What was asked for did not work; it may be asked for again."""
        show_words(self._problem, sentence)
        for button in (self.cancel_button, self.again_button):
            button.setEnabled(True)

    def _button(self, verb: str, text: LazyText, look: str) -> QPushButton:
        button = push_button(text, look, pressed=lambda: self._press(verb, button))
        return button

    def _press(self, verb: str, button: QPushButton) -> None:
        self._problem.hide()
        if verb == "cancel":
            button.setEnabled(False)  # it is on its way
        self.asked.emit(verb)
