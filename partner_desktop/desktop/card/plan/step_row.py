"""One step of a chain on its card: a row, and what it unfolds.

Unfolded are every argument, what holds it, its source, what it prints and what it left.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.base.paths import display_path, display_text
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.aftermath import Aftermath
from partner_desktop.desktop.card.guard import ClickGuard, GuardedButton
from partner_desktop.desktop.card.outcome import OutcomeView, progress_words
from partner_desktop.desktop.card.plan.row_parts import MARGIN, WORDS_LEFT, RowButton
from partner_desktop.desktop.card.plan.step_words import (
    argument_words,
    chain_of,
    cost_words,
    face,
    fed_words,
    line_words,
    purpose_words,
    risk_chip,
    spoken_step,
    status_chip,
    verdict_chip,
)
from partner_desktop.desktop.card.plan.verification_view import EvidenceView
from partner_desktop.desktop.card.words import given_words, held_words, param_title, path_words
from partner_desktop.desktop.parts.boxes import (
    before_unfolding,
    drop_widget,
    grow,
    hbox,
    holds_keyboard,
    pairs,
    vbox,
)
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.live_text import LiveText
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import joined_words, set_tip, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.plan import Step, StepStatus

#: Of what a server says of its progress.
_MOST_LETTERS = 200


class StepRow(QWidget):
    """`action_asked(verb, id)` of its step: `skip`, `open` when it was unfolded, `step_source`, and what is
    asked of what it left; `details_made(StepDetails)`; `folded()` after the person
    folded it out or in."""

    action_asked = Signal(str, str)
    details_made = Signal(object)
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
        assert self._shown is not None
        return self._shown[1]

    @property
    def child(self) -> ActionRecord | None:
        """What the step has become, as far as that is known."""
        return self._shown[2] if self._shown is not None else None

    def show_step(
        self, record: ActionRecord, step: Step, child: ActionRecord | None, *, skippable: bool
    ) -> None:
        before, self._shown = self._shown, (record, step, child)
        chain = chain_of(record)
        replaced = any(each.mends == step.id and each.origin != "retry" for each in chain.steps)
        self.button.show_sign(chain.number_of(step.id), step.status, replaced=replaced)
        self._show_line()
        self._show_chips(record, step, child)
        self.button.setAccessibleName(spoken_step(record, step))
        self._offer_skip(offered=skippable)
        if self.details is not None and (before is None or _told(*before) != _told(record, step, child)):
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
        said = joined_words(progress_words(progress), progress.message[:_MOST_LETTERS])
        self.button.show_words(self.step.title, said, fault=False)

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since; folded, it is asked for when it is unfolded."""
        if self.details is not None and not (self.child is not None and self.child.status.ended):
            if self.details.live is None:
                before_unfolding(self)
            self.details.show_output(stream, text)

    @property
    def live(self) -> object:
        """Where its output is shown, once there is any."""
        return self.details.live if self.details is not None else None

    def show_source(self, text: str) -> None:
        self._source = text
        if self.details is not None:
            before_unfolding(self)
            self.details.show_source(text)

    def say_again(self) -> None:
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
        before_unfolding(self)
        if self.details is None:
            self._make_details()
            self.action_asked.emit("open", self.step.id)
        else:
            self._drop_details()
        self.button.show_open(is_open=self.details is not None)
        self._show_line()
        self.folded.emit()

    def _make_details(self) -> None:

        assert self._shown is not None
        running = self.step.status is StepStatus.RUNNING and self.details is not None
        had_live = running and self.details is not None and self.details.live is not None
        self._drop_details()
        self.details = StepDetails(*self._shown, self._theme, self._guard)
        self.details.action_asked.connect(self.action_asked)
        self._column.addWidget(self.details)
        if self._source is not None:
            self.details.show_source(self._source)
        self.details_made.emit(self.details)
        if had_live:
            self.action_asked.emit("open", self.step.id)  # what was printed so far is brought again

    def _drop_details(self) -> None:
        if self.details is None:
            return
        if holds_keyboard(self.details):
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._column.removeWidget(self.details)
        drop_widget(self.details)
        self.details = None

    def _show_chips(self, record: ActionRecord, step: Step, child: ActionRecord | None) -> None:
        undo = child.undo if child is not None else None
        notes = [tr("pinned")] if step.pinned else []
        if undo is not None and undo.state is UndoState.POSSIBLE:
            notes.append(tr("can be undone"))
        elif undo is not None and undo.state is UndoState.DONE:
            notes.append(tr("undone"))
        status, verdict = status_chip(step), verdict_chip(record, step)
        if verdict[0] and step.status is StepStatus.SUCCEEDED:
            status = ("", "plain")  # the sign says that it is done; the room is for what a check came to
        self.button.show_chips(risk_chip(step), status, verdict, " · ".join(notes))

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
            self.action_asked.emit("skip", self.step.id)


def _told(record: ActionRecord, step: Step, child: ActionRecord | None) -> tuple[object, ...]:
    """All that the details are made of."""
    found = record.verification
    return step, child, found.verdict(step.id) if found is not None else None


_SOURCE_LINES, _LIVE_LINES = 14, 6
#: Behind the sign, below the title.
_INDENT = 48


class StepDetails(QWidget):
    """`action_asked(verb, id)`: see StepRow."""

    action_asked = Signal(str, str)

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
        verdict = record.verification.verdict(step.id) if record.verification is not None else None
        if verdict is not None:
            self._column.addWidget(EvidenceView(verdict))
        self._add_facts(record, step, child)
        self._add_source_button(step)

    def show_output(self, stream: Stream, text: str) -> None:
        """What it printed since."""
        if self.live is None:
            self.live = LiveText(lambda: tr("What it prints"), self._theme, lines=_LIVE_LINES)
            self._column.insertWidget(0, self.live)
        self.live.add(stream, text)

    def show_source(self, text: str) -> None:
        if self._source is None:
            self._source = CodeView(lambda: tr("Source"), most_lines=_SOURCE_LINES)
            self._column.addWidget(self._source)
        self._source.show_text(text.rstrip("\n"))
        self._source.setVisible(bool(text.strip()))
        if self.source_button is not None:
            self.source_button.hide()

    def _add_facts(self, record: ActionRecord, step: Step, child: ActionRecord | None) -> None:
        facts = [
            (
                text_label(title, "muted"),
                text_label(shown(value, lines=True), "small", wrap=True, selectable=True),
            )
            for title, value in _facts(record, step, child)
        ]
        self._column.addLayout(pairs(facts, across=16, down=4))

    def _add_outcome(self, child: ActionRecord, theme: Theme, guard: ClickGuard) -> None:
        if child.status not in (ActionStatus.REJECTED, ActionStatus.EXPIRED):
            self.outcome = OutcomeView(child, theme)
            self._column.addWidget(self.outcome)
        if child.files or child.undo is not None:
            self.aftermath = Aftermath(child, guard)
            self.aftermath.action_asked.connect(self.action_asked)
            self._column.addWidget(self.aftermath)

    def _add_source_button(self, step: Step) -> None:
        if step.source_path:
            self.source_button = push_button(
                tr("Show source"), "link", name=tr("Show source: {title}").format(title=step.title)
            )
            self.source_button.clicked.connect(lambda: self.action_asked.emit("step_source", step.id))
            self._column.addWidget(self.source_button, 0, Qt.AlignmentFlag.AlignLeft)


def _facts(record: ActionRecord, step: Step, child: ActionRecord | None) -> list[tuple[str, str]]:
    as_card = face(record, step)
    facts = [
        *_arguments(record, step, child),
        (tr("Why"), purpose_words(record, step)),
        (tr("Cost"), cost_words(step)),
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
