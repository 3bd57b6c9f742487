"""The middle of a chain's card: a row for each step, what is said of the whole, and the editor in its place.

It lives as long as the card: with each change of the record the rows say what is new, and what was unfolded
stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from partner_desktop.base.paths import display_text
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.body import consent_strip
from partner_desktop.desktop.card.guard import ClickGuard
from partner_desktop.desktop.card.plan.editor import PlanEditor
from partner_desktop.desktop.card.plan.graph_layout import is_line
from partner_desktop.desktop.card.plan.row_parts import RemovedSteps, StageView
from partner_desktop.desktop.card.plan.step_row import StepRow
from partner_desktop.desktop.card.plan.step_words import chain_of, open_steps, spoken_step
from partner_desktop.desktop.card.plan.verification_view import VerificationBar
from partner_desktop.desktop.card.words import asked_title
from partner_desktop.desktop.parts.boxes import (
    before_unfolding,
    bring_into_view,
    clear_layout,
    drop_widget,
    horizontal_rule,
    vbox,
)
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import LazyText, announce, in_every_language, resolve_text, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.plan import Change, Plan, StepStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.card.plan.graph_view import PlanGraph


class PlanBody(QWidget):
    """Of the whole: `asked(verb)`: `verify`, `repair`, `resume`, `save`, `undo`; `steps_noted()` when it was
    told what a step has become.
    Of a step: `action_asked(verb, step_id)`: see StepRow; `details_made(StepDetails)`.
    `rows_folded()` when one was unfolded or folded away; `edit_saved(PlanEdit)`, `edit_ended()`."""

    asked = Signal(str)
    steps_noted = Signal()
    action_asked = Signal(str, str)
    details_made = Signal(object)
    rows_folded = Signal()
    edit_saved = Signal(object)
    edit_ended = Signal()

    def __init__(self, theme: Theme, guard: ClickGuard) -> None:
        super().__init__()
        self._theme = theme
        self._guard = guard
        self._record: ActionRecord | None = None
        self._note: LazyText = ""
        self._children: dict[str, ActionRecord] = {}
        self._order: tuple[tuple[str, ...], ...] = ()
        self._removals: tuple[Change, ...] = ()
        self.rows: dict[str, StepRow] = {}
        self.editor: PlanEditor | None = None
        self.graph: PlanGraph | None = None
        self._top = vbox(gap=None)
        self._graph = vbox()
        self._stages = vbox(gap=None)
        self.checks: VerificationBar | None = None
        self.notes = PlanNotes()
        self._notes_rule = horizontal_rule()
        self._column = vbox(self._top, self._graph, self._stages, self._notes_rule, self.notes, into=self)
        in_every_language(self, self._say_again)

    def show_record(self, record: ActionRecord, note: LazyText = "", *, why_open: str = "") -> None:
        """The chain as it is now; `why_open`: why there is no sandbox."""
        before, self._record, self._note = self._record, record, note
        order = tuple(tuple(step.id for step in stage.steps) for stage in chain_of(record).stages)
        removals = tuple(filter(_has_place, chain_of(record).changes))
        if (order, removals) != (self._order, self._removals):
            self._order, self._removals = order, removals
            self._guard.arm()  # another row may lie under the pointer now
            self._place_rows()
        self._show_top(record, why_open)
        self._show_rows(record)
        self._show_graph(record)
        self._show_ends()
        if self.editor is not None:
            self._show_parts(shown=False)
        if before is not None:
            self._announce(before, record)

    @property
    def empty(self) -> bool:
        """A plan always has something to show."""
        return False

    def note_step(self, child: ActionRecord) -> None:
        if self._record is not None and child.id in self.rows and self._children.get(child.id) != child:
            self._children[child.id] = child
            self._show_rows(self._record)
            self.steps_noted.emit()

    @property
    def undoable(self) -> bool:
        """Whether a step changed files, as far as that is known, and that can be taken back."""
        left = (child.undo for child in self._children.values())
        return any(undo is not None and undo.state is UndoState.POSSIBLE for undo in left)

    def row(self, step_id: str) -> StepRow | None:
        return self.rows.get(step_id)

    def knows(self, step_id: str) -> bool:
        """Whether it was told what the step has become."""
        return step_id in self._children

    def show_problem(self, sentence: str) -> None:
        """Why something could not be done: in the editor, where that is open."""
        if self.editor is not None:
            self.editor.show_problem(sentence)
            return
        for row in self.rows.values():
            row.settle()
        self.settle()
        self.notes.show_problem(sentence)
        self._notes_rule.show()

    def settle(self) -> None:
        """What was asked of the whole may be asked again."""
        if self.checks is not None:
            self.checks.settle()

    def say_done(self, sentence: str) -> None:
        self.notes.say_done(sentence)
        self._notes_rule.show()

    @property
    def all_open(self) -> bool:
        """Whether every row is unfolded."""
        return all(row.details is not None for row in self.rows.values())

    def toggle_all(self) -> None:
        """Unfold every row, or fold all away."""
        is_open = self.all_open
        for row in self.rows.values():
            if (row.details is not None) == is_open:
                row.toggle()

    def _say_again(self) -> None:
        for row in self.rows.values():
            row.say_again()
        if self._removals:
            self._place_rows()

    # Editing.

    def begin_edit(self) -> None:
        """The editor takes the place of the rows."""
        if self._record is None or self.editor is not None:
            return
        before_unfolding(self)
        self.editor = PlanEditor(self._record, self._theme)
        self.editor.saved.connect(self.edit_saved)
        self.editor.cancelled.connect(self.end_edit)
        self._show_parts(shown=False)
        self._column.insertWidget(0, self.editor)
        self.editor.begin()

    def end_edit(self) -> None:
        """The rows are back, as they were."""
        if self.editor is None:
            return
        before_unfolding(self)
        editor, self.editor = self.editor, None
        self._column.removeWidget(editor)
        self._show_parts(shown=True)
        self._show_ends()
        self.edit_ended.emit()
        drop_widget(editor)

    def _show_parts(self, *, shown: bool) -> None:
        for layout in (self._top, self._graph, self._stages):
            for index in range(layout.count()):
                item = layout.itemAt(index)
                widget = item.widget() if item is not None else None
                if widget is not None:
                    widget.setVisible(shown)
        for end in (self.checks, self._notes_rule, self.notes):
            if end is not None:
                end.setVisible(shown)

    # Rows.

    def _place_rows(self) -> None:
        focused: QWidget | None = self.window().focusWidget()
        wanted = {step_id for stage in self._order for step_id in stage}
        for row in self.rows.values():
            row.setParent(self)
        clear_layout(self._stages)
        for step_id in [each for each in self.rows if each not in wanted]:
            gone = self.rows.pop(step_id)
            drop_widget(gone)
        shown_at = [self._place_of(change) for change in self._removals]
        for place in range(len(self._order) + 1):
            if place:
                stage = self._order[place - 1]
                view = StageView(self._theme)
                rows = [self.rows.get(step_id) or self._new_row(step_id) for step_id in stage]
                view.take(rows, together=self._run_together(stage))
                self._add_part(view)
            for change, at in zip(self._removals, shown_at, strict=True):
                if at == place:
                    self._add_part(RemovedSteps(change.removed, _change_words(change), self._theme))
        if focused is not None and self.isAncestorOf(focused):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_of(self, change: Change) -> int:
        """Behind how many stages it happened; at the end where those are gone."""
        places = (place for place, stage in enumerate(self._order, 1) if change.after in stage)
        return next(places, len(self._order)) if change.after else 0

    def _run_together(self, stage: tuple[str, ...]) -> bool:
        """Whether several do; what is tried again comes after what it mends."""
        chain = chain_of(self._record) if self._record is not None else Plan(())
        steps = filter(None, map(chain.step, stage))
        return sum(step.origin != "retry" for step in steps) > 1

    def _add_part(self, part: QWidget) -> None:
        if self._stages.count():
            self._stages.addWidget(horizontal_rule())
        self._stages.addWidget(part)

    def _new_row(self, step_id: str) -> StepRow:
        row = self.rows[step_id] = StepRow(self._theme, self._guard)
        row.action_asked.connect(self.action_asked)
        row.details_made.connect(self.details_made)
        row.folded.connect(self.rows_folded)
        return row

    def _show_rows(self, record: ActionRecord) -> None:
        chain = chain_of(record)
        for number, stage in enumerate(chain.stages):
            later = record.status is ActionStatus.RUNNING and number > chain.at
            for step in stage.steps:
                self.rows[step.id].show_step(
                    record,
                    step,
                    self._children.get(step.id),
                    skippable=later and step.status is StepStatus.PLANNED,
                )

    # The graph.

    def _show_graph(self, record: ActionRecord) -> None:
        """A plan that is a line is drawn by its rows."""
        wanted = not is_line(chain_of(record))
        if wanted and self.graph is None:
            from partner_desktop.desktop.card.plan.graph_view import PlanGraph  # noqa: PLC0415 - few are none

            self.graph = PlanGraph(self._theme)
            self.graph.chosen.connect(self._go_to_row)
            self._graph.addWidget(self.graph)
            self._graph.addWidget(horizontal_rule())
        elif not wanted and self.graph is not None:
            self.graph = None
            clear_layout(self._graph)
        if self.graph is not None:
            self.graph.show_record(record)

    def _go_to_row(self, step_id: str) -> None:
        row = self.rows[step_id]
        if row.details is None:
            row.toggle()
        row.button.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_view(row.button)

    def _show_top(self, record: ActionRecord, why_open: str) -> None:
        clear_layout(self._top)
        if record.status is not ActionStatus.WAITING:
            return
        parts: list[QWidget] = []
        if record.description:
            parts.append(text_label(shown(record.description, lines=True), wrap=True))
        if record.was_allowed:
            words = tr("You had allowed an earlier version of this; it was edited since.")
            parts.append(text_label(words, "muted", wrap=True))
        looks = chain_of(record).looks
        if looks:
            named = shown(", ".join(look.title for look in looks))
            words = tr("Whether it is done, these may look afterwards: {names}").format(names=named)
            parts.append(text_label(words, "muted", wrap=True))
        held = open_steps(record)
        if held:
            parts.append(consent_strip(why_open, title=_open_words(record, [step.id for step in held])))
        if parts:
            box = QWidget()
            vbox(*parts, into=box, gap=10, margins=(16, 12, 16, 12))
            self._top.addWidget(box)
            self._top.addWidget(horizontal_rule())

    def _show_ends(self) -> None:
        if self._record is not None:
            self._show_checks(self._record)
            self.notes.show_record(self._record, self._note)
            self._notes_rule.setVisible(not self.notes.empty)

    def _show_checks(self, record: ActionRecord) -> None:
        if record.verification is not None and self.checks is None:
            self.checks = VerificationBar(record.title, self._guard)
            self.checks.asked.connect(self.asked)
            self._column.insertWidget(self._column.indexOf(self._notes_rule), self.checks)
        if self.checks is not None:
            self.checks.show_record(record, record.verification)

    def _announce(self, before: ActionRecord, record: ActionRecord) -> None:
        """Steps that ended, and what a check came to, for those who do not see the rows."""
        for step in chain_of(record).steps:
            known = chain_of(before).step(step.id)
            if known is not None and known.status != step.status and step.status.ended:
                announce(self, spoken_step(record, step))
        was, now = before.verification, record.verification
        if now is not None and now.ended_at is not None and was != now and self.checks is not None:
            announce(self, self.checks.accessibleName())


def _open_words(record: ActionRecord, step_ids: Sequence[str]) -> str:
    """Which steps nothing holds."""
    chain = chain_of(record)
    if len(step_ids) == len(chain.steps):
        return tr("This runs without a sandbox, with your own rights.")
    numbers = ", ".join(str(chain.number_of(step_id)) for step_id in step_ids)
    if len(step_ids) == 1:
        return tr("Step {number} runs without a sandbox, with your own rights.").format(number=numbers)
    return tr("The steps {numbers} run without a sandbox, with your own rights.").format(numbers=numbers)


#: The newest; what came before is in the record.
_MOST_CHANGES = 6


class PlanNotes(QWidget):
    """Made anew with each change of the record; `show_problem` and `say_done` stay until then."""

    def __init__(self) -> None:
        super().__init__()
        self._problem: QLabel | None = None
        self._column = vbox(into=self, gap=6, margins=(16, 12, 16, 12))

    @property
    def empty(self) -> bool:
        return self._column.count() == 0

    def show_record(self, record: ActionRecord, note: LazyText) -> None:
        """All that is to be said of it now."""
        clear_layout(self._column)
        self._problem = None
        chain = chain_of(record)
        for change in [each for each in chain.changes if not _has_place(each)][-_MOST_CHANGES:]:
            self._add(_change_words(change), "muted")
        for text, look in _status_words(record):
            self._add(text, look)
        if chain.checked and record.status.ended:
            self._add(display_text(chain.checked), "")
        if note:
            self._add(resolve_text(note), "muted")
        self.setVisible(not self.empty)

    def show_problem(self, sentence: str) -> None:
        if self._problem is None:
            self._problem = self._add("", "fault")
        show_words(self._problem, sentence)
        self.show()

    def say_done(self, sentence: str) -> None:
        if self._problem is not None:
            self._problem.hide()
        self._add(sentence, "")
        self.show()

    def _add(self, text: str, look: str) -> QLabel:
        label = text_label(text, look, wrap=True, selectable=True)
        self._column.addWidget(label)
        return label


def _has_place(change: Change) -> bool:
    """Whether it is told among the rows, where it happened; else below them."""
    return bool(change.removed or change.after)


def _change_words(change: Change) -> str:
    if change.by == "person":
        return tr("You changed the plan: {what}").format(what=change.text)
    if change.kind in ("skip", "cancel") or change.by == "partner":
        return change.text
    return tr("Replanned: {what}").format(what=change.text)


def _status_words(record: ActionRecord) -> list[tuple[str, str]]:
    """Each with its look."""
    match record.status:
        case ActionStatus.ASKING:
            return [(tr("Tell Partner in the chat: {name}").format(name=_asked(record)), "")]
        case ActionStatus.INTERRUPTED:
            return [(tr("Partner was closed while this ran. How far it came is not known."), "")]
        case ActionStatus.FAILED | ActionStatus.CANCELLED if record.error:
            error = display_text(record.error)
            return [(error, "fault" if record.status is ActionStatus.FAILED else "muted")]
    return []


def _asked(record: ActionRecord) -> str:
    step = chain_of(record).step(chain_of(record).asked_step)
    if not record.asked_param:
        return tr("which one you mean")
    if step is None:
        return asked_title(record)
    return asked_title(replace(record, schema=step.schema))
