"""The plan as the person would have it: in another order, without a step, with other arguments.

Nothing of it holds until it is saved.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from partner_desktop.desktop.card.chain.draft import ChainDraft
from partner_desktop.desktop.card.chain.edit_row import EditRow, moves
from partner_desktop.desktop.card.chain.facts import chain_of
from partner_desktop.desktop.card.chain.stage_view import StageView
from partner_desktop.desktop.card.field import FieldProblemError
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import (
    bring_into_view,
    clear_layout,
    discard,
    flow,
    horizontal_rule,
    vbox,
)
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import announce, in_every_language
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject


class ChainEditor(QWidget):
    """`saved(ChainEdit)`; after `show_problem` it may be saved again. `cancelled()`: also by Esc.
    `unfolding()` before it grows."""

    saved = Signal(object)
    cancelled = Signal()
    unfolding = Signal()

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._record = record
        self.draft = ChainDraft(chain_of(record))
        self.rows: dict[str, EditRow] = {}
        self._hint = text_label("", "muted", wrap=True)
        self._problem = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self.save_button = push_button("", "primary")
        self.save_button.clicked.connect(self._save)
        self.cancel_button = push_button("", "plain")
        self.cancel_button.clicked.connect(self.cancelled)
        self._stages = vbox()
        vbox(self._stages, horizontal_rule(), self._foot(), into=self)
        self._make_rows()
        self._say()
        in_every_language(self, self._say_again)

    def _foot(self) -> QVBoxLayout:
        row = flow(self.save_button, self.cancel_button)
        return vbox(self._hint, self._problem, row, gap=8, margins=(16, 12, 16, 12))

    def begin(self) -> None:
        """Take the keyboard."""
        first = self.rows[self.draft.order[0]]
        # Not where a key that is pressed once too often leaves something out.
        wanted = first.drop if first.change.isHidden() else first.change
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, sentence: str) -> None:
        """It could not be so: why."""
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
            row.unfolding.connect(self.unfolding)
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
            view.take([self.rows[step_id] for step_id in stage])
            self._stages.addWidget(view)
        self._number_rows()
        if isinstance(focused, QWidget) and self.isAncestorOf(focused):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _number_rows(self) -> None:
        for step_id, row in self.rows.items():
            may = {by: self.draft.may_move(step_id, by) for by in (-1, 1)}
            row.place(self.draft.number_of, up=may[-1], down=may[1])
        self.save_button.setEnabled(not self.draft.empty)

    def _move(self, step_id: str, by: int) -> None:
        if not self.draft.may_move(step_id, by):
            return
        row = self.rows[step_id]
        self.unfolding.emit()
        self.draft.move(step_id, by)
        self._place_rows()
        focused: QWidget | None = self.window().focusWidget()
        if focused is None or not row.isAncestorOf(focused):
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
        self.unfolding.emit()
        self.draft.toggle(step_id)
        self._number_rows()
        self.show_problem("")
        self._say()

    def _say(self) -> None:
        self.save_button.setText(tr("Save plan"))
        self.save_button.setAccessibleName(f"{tr('Save plan')}: {self._record.title}")
        self.cancel_button.setText(tr("Cancel edit"))
        self.cancel_button.setAccessibleName(f"{tr('Cancel edit')}: {self._record.title}")
        if self.draft.empty:
            self._hint.setText(tr("Nothing would be left. To do nothing, cancel and reject the plan."))
        else:
            self._hint.setText(tr("Alt and the arrows move a step. Once saved, the plan asks again."))

    def _say_again(self) -> None:
        """In another language, with what was typed."""
        before = dict(self.rows)
        self._make_rows()
        for step_id, row in before.items():
            self.rows[step_id].take_over(row)
            discard(row)
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
