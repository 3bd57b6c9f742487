"""A step in the editor: its place, its arguments, and whether it stays."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from partner_desktop.desktop.card.chain.facts import face
from partner_desktop.desktop.card.chain.row_button import GAP, MARGIN, StepSign
from partner_desktop.desktop.card.chain.step_words import Numbers, argument_words, feeds_words
from partner_desktop.desktop.card.form import ParamForm, properties_of
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, IconButton, push_button, text_label
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Step, StepStatus
from partner_desktop.domain.json_value import JsonObject

_MOVES: dict[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
#: Behind the sign, below the title.
_INDENT = 48


class EditRow(QWidget):
    """`moved(-1 or 1)`, also by Alt and the arrows; `toggled()`: drop it, or put it back; `unfolding()`."""

    moved = Signal(int)
    toggled = Signal()
    unfolding = Signal()

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
        self.drop = push_button("", "small")
        self.drop.clicked.connect(self.toggled)
        self._column = vbox(self._head(), into=self, gap=8, margins=(MARGIN, 8, MARGIN, 8))

    def _head(self) -> QHBoxLayout:
        buttons = hbox(gap=6)
        for button in (self.change, self.drop, self.up, self.down):
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
        self.up.setEnabled(up)
        self.down.setEnabled(down)

    def open_form(self) -> None:
        """Its arguments can be typed here."""
        if self.form is None:
            self.unfolding.emit()
            self.form = ParamForm(face(self._record, self.step))
            box = QVBoxLayout()
            box.setContentsMargins(_INDENT - MARGIN, 0, 0, 6)
            box.setSpacing(8)
            box.addWidget(self.form)
            box.addWidget(self._fed)  # what earlier steps bring is told, and not typed
            self._fed.setVisible(bool(self.step.feeds))
            self._column.addLayout(box)
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
