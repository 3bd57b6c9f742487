"""The plan as the person would have it: in another order, without a step, with other arguments, one pinned.

Nothing of it holds until it is saved.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from partner_desktop.desktop.card.param_form import ParamForm
from partner_desktop.desktop.card.plan.row_parts import GAP, MARGIN, StageView, StepSign
from partner_desktop.desktop.card.plan.step_words import Numbers, argument_words, chain_of, face, feeds_words
from partner_desktop.desktop.forms.fields import FieldProblemError
from partner_desktop.desktop.parts.boxes import (
    at_middle,
    before_unfolding,
    bring_into_view,
    clear_layout,
    drop_widget,
    flow,
    grow,
    hbox,
    holds_keyboard,
    horizontal_rule,
    vbox,
)
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    IconButton,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import announce, in_every_language, set_tip, tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.plan import Plan, Step, StepStatus


class PlanEditor(QWidget):
    """`saved(PlanEdit)`; after `show_problem` it may be saved again. `cancelled()`: also by Esc."""

    saved = Signal(object)
    cancelled = Signal()

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._record = record
        self.draft = EditedPlan(chain_of(record))
        self.rows: dict[str, EditRow] = {}
        self._hint = text_label("", "muted", wrap=True)
        self._problem = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self.save_button = push_button("", "primary", pressed=self._save)
        self.cancel_button = push_button("", "plain", pressed=self.cancelled)
        self._stages = vbox()
        vbox(self._stages, horizontal_rule(), self._foot(), into=self)
        self._make_rows()
        self._say()
        in_every_language(self, self._say_again)

    def _foot(self) -> QVBoxLayout:
        row = flow(self.save_button, self.cancel_button)
        return vbox(self._hint, self._problem, row, gap=8, margins=(16, 12, 16, 12))

    def begin(self) -> None:
        first = self.rows[self.draft.order[0]]
        # Not where a key that is pressed once too often leaves something out.
        wanted = first.drop if first.change.isHidden() else first.change
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, sentence: str) -> None:
        show_words(self._problem, sentence)
        self.save_button.setEnabled(not self.draft.empty)
        if sentence:
            bring_into_view(self._problem)
            announce(self, sentence, urgent=True)

    @property
    def problem(self) -> str:
        """Why it could not be so; empty when nothing is wrong."""
        return "" if self._problem.isHidden() else self._problem.text()

    def event(self, event: QEvent) -> bool:
        """Here the keys mean this plan, not the window."""
        override = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and (event.key() == Qt.Key.Key_Escape or moves(event)):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    # Rows.

    def _make_rows(self) -> None:
        chain = chain_of(self._record)
        for step in chain.steps:
            row = self.rows[step.id] = EditRow(self._record, step, self._theme)
            row.moved.connect(lambda by, step_id=step.id: self._move(step_id, by))
            row.toggled.connect(lambda step_id=step.id: self._toggle(step_id))
            row.pinned.connect(lambda step_id=step.id: self._pin(step_id))
        self._place_rows()

    def _place_rows(self) -> None:
        """In the draft's order; the keyboard stays where it is."""
        focused = self.window().focusWidget() if self.isVisible() else None
        for row in self.rows.values():
            row.setParent(self)
        clear_layout(self._stages)
        for number, stage in enumerate(self.draft.stages):
            if number:
                self._stages.addWidget(horizontal_rule())
            view = StageView(self._theme)
            view.take([self.rows[step_id] for step_id in stage], together=len(stage) > 1)
            self._stages.addWidget(view)
        self._number_rows()
        if isinstance(focused, QWidget) and self.isAncestorOf(focused):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _number_rows(self) -> None:
        for step_id, row in self.rows.items():
            may = {by: self.draft.may_move(step_id, by) for by in (-1, 1)}
            row.place(self.draft.number_of, up=may[-1], down=may[1])
            row.show_pin(is_pinned=step_id in self.draft.pinned)
        self.save_button.setEnabled(not self.draft.empty)

    def _move(self, step_id: str, by: int) -> None:
        if not self.draft.may_move(step_id, by):
            return
        row = self.rows[step_id]
        before_unfolding(self)
        self.draft.move(step_id, by)
        self._place_rows()
        self._say()
        if not holds_keyboard(row):
            held = row.up if by < 0 else row.down
            other = row.down if by < 0 else row.up
            (held if held.isEnabled() else other).setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_view(row)
        words = tr("{title} is step {number} of {count} now")
        announce(
            self,
            words.format(
                title=row.step.title,
                number=self.draft.order.index(step_id) + 1,
                count=len(self.draft.order),
            ),
        )

    def _toggle(self, step_id: str) -> None:
        before_unfolding(self)
        self.draft.toggle(step_id)
        self._number_rows()
        self.show_problem("")
        self._say()

    def _pin(self, step_id: str) -> None:
        self.draft.pin(step_id)
        self._number_rows()
        self.show_problem("")

    def _say(self) -> None:
        self.save_button.setText(tr("Save plan"))
        self.save_button.setAccessibleName(f"{tr('Save plan')}: {self._record.title}")
        self.cancel_button.setText(tr("Cancel edit"))
        self.cancel_button.setAccessibleName(f"{tr('Cancel edit')}: {self._record.title}")
        if self.draft.empty:
            self._hint.setText(tr("Nothing would be left. To do nothing, cancel and reject the plan."))
        elif self.draft.torn:
            self._hint.setText(tr("A step stands before one that brings what it needs."))
        else:
            self._hint.setText(tr("Alt and the arrows move a step. Once saved, the plan asks again."))

    def _say_again(self) -> None:
        """In another language, with what was typed."""
        before = dict(self.rows)
        self._make_rows()
        for step_id, row in before.items():
            self.rows[step_id].take_over(row)
            drop_widget(row)
        self._number_rows()
        self._say()

    # The end of it.

    def _save(self) -> None:
        params: dict[str, JsonObject | None] = {}
        wrong: EditRow | None = None
        for step_id in self.draft.order:
            row = self.rows[step_id]
            try:
                params[step_id] = None if step_id in self.draft.dropped else row.params()
            except FieldProblemError:
                wrong = wrong or row
        if wrong is not None:
            wrong.go_to_problem()
            return
        self.show_problem("")
        self.save_button.setEnabled(False)
        self.saved.emit(self.draft.edit(params))


class EditedPlan:
    """Stages of step ids. What is dropped keeps its place until it is saved, so that it can be put back."""

    def __init__(self, chain: Plan) -> None:
        self.stages: list[list[str]] = [
            [step.id for step in stage.steps] for stage in chain.stages if stage.steps
        ]
        self.dropped: set[str] = set()
        self._was_pinned = {step.id for step in chain.steps if step.pinned}
        self.pinned = set(self._was_pinned)
        self._feeds = [(feed.step, step.id) for step in chain.steps for feed in step.feeds]
        self._feeds += [
            (source.id, step.id)
            for step in chain.steps
            for sources in chain.triggers_of(step).values()
            for source in sources
        ]

    @property
    def order(self) -> list[str]:
        """All of them, one after another."""
        return [step_id for stage in self.stages for step_id in stage]

    @property
    def empty(self) -> bool:
        return self.dropped >= set(self.order)

    @property
    def torn(self) -> bool:
        """Whether a step stands before one that feeds it or that it waits for, or beside it; saved like that,
        it is refused.
        """
        there = {step_id for step_id in self.order if step_id not in self.dropped}
        feeds = [each for each in self._feeds if there.issuperset(each)]
        return any(self._stage_of(source) >= self._stage_of(target) for source, target in feeds)

    def number_of(self, step_id: str) -> int:
        """Its place among those that stay, counted from 1; 0: it is dropped."""
        staying = [each for each in self.order if each not in self.dropped]
        return staying.index(step_id) + 1 if step_id in staying else 0

    def may_move(self, step_id: str, by: int) -> bool:
        """Whether there is a place before (-1) or after (1) it."""
        at = self._stage_of(step_id)
        return len(self.stages[at]) > 1 or 0 <= at + by < len(self.stages)

    def move(self, step_id: str, by: int) -> None:
        """One place up (-1) or down (1). What stands with others leaves them; alone, it passes a stage."""
        if not self.may_move(step_id, by):
            return
        at = self._stage_of(step_id)
        if len(self.stages[at]) > 1:
            self.stages[at].remove(step_id)
            self.stages.insert(at if by < 0 else at + 1, [step_id])
        else:
            self.stages.insert(at + by, self.stages.pop(at))

    def toggle(self, step_id: str) -> None:
        self.dropped ^= {step_id}

    def pin(self, step_id: str) -> None:
        """Have it stay whoever plans again, or leave that to them."""
        self.pinned ^= {step_id}

    def edit(self, params: Mapping[str, JsonObject | None]) -> PlanEdit:
        """What is to be asked for; `params`: the arguments that were changed."""
        kept = [[each for each in stage if each not in self.dropped] for stage in self.stages]
        turned = {each: each in self.pinned for each in self.pinned ^ self._was_pinned}
        return PlanEdit(
            tuple(
                tuple(StepEdit(each, params.get(each), turned.get(each)) for each in stage)
                for stage in kept
                if stage
            )
        )

    def _stage_of(self, step_id: str) -> int:
        return next(at for at, stage in enumerate(self.stages) if step_id in stage)


_MOVES: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
#: Behind the sign, below the title.
_INDENT = 48


class EditRow(QWidget):
    """`moved(-1 or 1)`, also by Alt and the arrows; `toggled()`: drop it, or put it back; `pinned()`: have it
    stay, or not."""

    moved = Signal(int)
    toggled = Signal()
    pinned = Signal()

    def __init__(self, record: ActionRecord, step: Step, theme: Theme) -> None:
        super().__init__()
        self.step = step
        self._record = record
        self.form: ParamForm | None = None
        self._sign = StepSign(theme)
        self._title = ElidedLabel(step.title)
        self._line = ElidedLabel(argument_words(record, step), "muted")
        self._line.setVisible(bool(self._line.text()))
        self._fed = text_label("", "muted", wrap=True)
        self._fed.setParent(self)
        self._fed.hide()
        self.up = IconButton(theme, "chevron_up", lambda: tr("Move up: {title}").format(title=step.title))
        self.down = IconButton(
            theme, "chevron_down", lambda: tr("Move down: {title}").format(title=step.title)
        )
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.change = push_button(
            tr("Change…"), "small", name=tr("Change the arguments: {title}").format(title=step.title)
        )
        self.change.clicked.connect(self.open_form)
        self.change.setVisible(bool(properties_of(face(record, step).schema)))
        self.pin = push_button("", "small", pressed=self.pinned)
        set_tip(self.pin, tr("A pinned step stays when Partner plans again."))
        self.drop = push_button("", "small", pressed=self.toggled)
        self._column = vbox(self._head(), into=self, gap=8, margins=(MARGIN, 8, MARGIN, 8))

    def _head(self) -> QHBoxLayout:
        buttons = hbox(gap=6)
        for button in (self.change, self.pin, self.drop, self.up, self.down):
            button.installEventFilter(self)
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        return hbox(at_middle(self._sign), grow(vbox(self._title, self._line, gap=1)), buttons, gap=GAP)

    def place(self, numbers: Numbers, *, up: bool, down: bool) -> None:
        """Where it and those that it stands on are now."""
        number = numbers(self.step.id)
        stays = number > 0
        self._line.set_text(argument_words(self._record, self.step, numbers))
        self._fed.setText("\n".join(feeds_words(self.step, numbers)))
        self._sign.show_step(number, StepStatus.PLANNED if stays else StepStatus.SKIPPED)
        set_look(self._title, "" if stays else "struck")
        self.drop.setText(tr("Leave out") if stays else tr("Put back"))
        self.drop.setAccessibleName(f"{self.drop.text()}: {self.step.title}")
        self.change.setEnabled(stays)
        if self.form is not None:
            self.form.setVisible(stays)
        self.pin.setEnabled(stays)
        self.up.setEnabled(up)
        self.down.setEnabled(down)

    def show_pin(self, *, is_pinned: bool) -> None:
        """Whether it stays when the plan is made again."""
        self.pin.setText(tr("Unpin") if is_pinned else tr("Pin"))
        self.pin.setAccessibleName(f"{self.pin.text()}: {self.step.title}")

    def open_form(self) -> None:
        if self.form is None:
            before_unfolding(self)
            self.form = ParamForm(face(self._record, self.step))
            box = QVBoxLayout()
            box.setContentsMargins(_INDENT - MARGIN, 0, 0, 6)
            box.setSpacing(8)
            box.addWidget(self.form)
            box.addWidget(self._fed)  # what earlier steps bring is told, and not typed
            self._fed.setVisible(bool(self.step.feeds))
            self._column.addLayout(box)
            self.form.show()  # a layout shows it a moment later, and what is not shown takes no keyboard
            self.change.hide()
            self._line.hide()
        self.form.go_to_first()

    def params(self) -> JsonObject | None:
        """Its arguments, where they were changed.

        Raises:
            FieldProblemError: One does not do; it is marked.
        """
        return self.form.edited_params() if self.form is not None else None

    def go_to_problem(self) -> None:
        """Show the field that does not do."""
        if self.form is not None:
            self.form.go_to_problem()

    def take_over(self, before: EditRow) -> None:
        """Stand in for a row of the same step, with what was typed there."""
        if before.form is not None:
            self.open_form()
            if self.form is not None:
                self.form.take_over(before.form)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A button takes every arrow for a way to the next one."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and moves(event):
            self.moved.emit(moves(event))
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if moves(event):
            event.accept()
            self.moved.emit(moves(event))
        else:
            super().keyPressEvent(event)


def moves(event: QKeyEvent) -> int:
    """-1 or 1 for Alt and an arrow; 0 for any other key."""
    held = event.modifiers() & Qt.KeyboardModifier.AltModifier
    return _MOVES.get(event.key(), 0) if held else 0
