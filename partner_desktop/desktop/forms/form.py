"""A form: a row for each field, the title above it or beside it, and what is said below it.

`Form` reads all of its rows at once. `EntryForm` is a form with a title and buttons, saved as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from partner_desktop.desktop.forms.fields import (
    Field,
    FieldProblemError,
    MissingValue,
    TextField,
    WholeEdit,
    WholeField,
)
from partner_desktop.desktop.parts.boxes import BoxItem, Margins, at_left, bring_into_view, flow, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, in_every_language, resolve_text, tr
from partner_desktop.domain.json_value import JsonObject

#: A form that is narrower has its labels above the fields: a card of 560 px without its margins.
BESIDE_FROM = 526
#: Narrower, what may stand beside each other stands below each other.
_PAIR_FROM, _PAIR_GAP = 448, 12
_LABEL_WIDTH = 128
_ENDLESS_PX = 16_777_215
_INPUTS = (QLineEdit, QPlainTextEdit, QCheckBox, QComboBox)


class FormRow(QWidget):
    """A field with what stands below it; labels come into being when they have something to say."""

    def __init__(self, field: Field, *, required: bool = False, hint: LazyText = "") -> None:
        super().__init__()
        self.field = field
        self.required = required
        self.box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self._title = text_label(field.titled, "label", wrap=True)
        self.box.addWidget(self._title, 0, Qt.AlignmentFlag.AlignTop)
        # A field that does not fill its line must not keep the line from being filled, or all of it moves.
        self.cell = vbox(field.widget if field.fills else at_left(field.widget), gap=3)
        self.box.addLayout(self.cell, 1)
        self._hint: QLabel | None = None
        self._hint_words = hint
        self._problem: QLabel | None = None
        self._own_problem = False
        self.problem = ""
        """Why the value does not do; empty when it does."""
        in_every_language(self, self._say_again, now=True)

    def place_title(self, *, beside: bool) -> None:
        """The title in a column of its own, as wide in every card, or above the field."""
        width = zoomed(_LABEL_WIDTH)
        self._title.setMinimumWidth(width if beside else 1)
        self._title.setMaximumWidth(width if beside else _ENDLESS_PX)
        self._title.setContentsMargins(0, 7 if beside else 0, 0, 0)
        self.box.setSpacing(12 if beside else 4)
        way = QBoxLayout.Direction
        self.box.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def hide_title(self) -> None:
        """What it is called stands elsewhere; it keeps the name for those who do not see it."""
        self._title.hide()

    def hint(self, words: LazyText) -> None:
        """What the field means and where it leads."""
        self._hint_words = words
        self._say_hint()

    def complain(self, problem: str) -> None:
        """Say why the value does not do; empty when it does."""
        self.problem = problem
        self._own_problem = False
        if self._problem is None and problem:
            self._problem = text_label("", "fault-small", wrap=True)
            self.cell.insertWidget(1, self._problem)
        if self._problem is not None:
            show_words(self._problem, problem)
        self.field.mark(problem=bool(problem))

    def read_into(self, values: JsonObject) -> str:
        """Put the value there, if there is one; why it does not do, which is said below the field too."""
        problem = ""
        try:
            value = self.field.read()
            if not isinstance(value, MissingValue):
                values[self.field.name] = value
            elif self.required:
                problem = tr("This is needed.")
        except FieldProblemError as error:
            problem = str(error)
        self.complain(problem)
        self._own_problem = bool(problem)
        return problem

    def go_to(self) -> None:
        """Give its field the keyboard, in view: what is wrong may stand above what is seen."""
        inputs = _inputs(self.field.widget)
        focus = inputs[0] if inputs else self.field.widget
        focus.setFocus(Qt.FocusReason.OtherFocusReason)
        bring_into_view(focus)

    def take_over(self, before: FormRow) -> None:
        """Stand in for a row of the same field, with what was typed there."""
        if self.field.take_over(before.field):
            return
        for here, there in zip(_inputs(self.field.widget), _inputs(before.field.widget), strict=True):
            _copy_input(there, here)

    def _say_again(self) -> None:
        self._say_hint()
        if self._own_problem:
            self.read_into({})

    def _say_hint(self) -> None:
        text = resolve_text(self._hint_words)
        if self._hint is None and text:
            self._hint = text_label("", "muted", wrap=True)
            self.cell.addWidget(self._hint)
        if self._hint is not None:
            show_words(self._hint, text)


def _inputs(widget: QWidget) -> list[QWidget]:
    return [each for each in (widget, *widget.findChildren(QWidget)) if isinstance(each, _INPUTS)]


def _copy_input(source: QWidget, target: QWidget) -> None:
    if isinstance(source, QLineEdit) and isinstance(target, QLineEdit):
        target.setText(source.text())
    elif isinstance(source, QPlainTextEdit) and isinstance(target, QPlainTextEdit):
        target.setPlainText(source.toPlainText())
    elif isinstance(source, QCheckBox) and isinstance(target, QCheckBox):
        target.setChecked(source.isChecked())
    elif isinstance(source, QComboBox) and isinstance(target, QComboBox):
        target.setCurrentIndex(source.currentIndex())


class Form(QWidget):
    """Rows below each other. `edited(row)` with every change by the person, whose complaint is gone then.
    `beside`: the titles stand beside the fields where there is room."""

    edited = Signal(object)

    def __init__(self, *, beside: bool = True, gap: int = 10) -> None:
        super().__init__()
        self.rows: dict[str, FormRow] = {}
        self.changed = False
        """Whether the person changed anything."""
        self._pairs: list[QBoxLayout] = []
        self._may_be_beside = beside
        self._is_beside: bool | None = None
        self.column = vbox(into=self, gap=gap)

    def add(self, field: Field, *, required: bool = False, hint: LazyText = "") -> FormRow:
        row = FormRow(field, required=required, hint=hint)
        self.rows[field.name] = row
        row.place_title(beside=bool(self._is_beside))
        field.edited.connect(lambda: self._changed(row))
        self.column.addWidget(row)
        return row

    def pair(self, *rows: FormRow) -> None:
        """Let rows stand beside each other, where there is room, with all that is said of each."""
        pair = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        pair.setSpacing(_PAIR_GAP)
        for row in rows:
            self.column.removeWidget(row)
            pair.addWidget(row, 1, Qt.AlignmentFlag.AlignTop)
        self._pairs.append(pair)
        self.column.addLayout(pair)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to fill in."""
        return not self.rows

    def read(self) -> JsonObject:
        """All values that are given, of the rows that are in view; what does not do is marked.

        Raises:
            FieldProblemError: At least one value does not do.
        """
        values: JsonObject = {}
        problems = [row.read_into(values) for row in self.rows.values() if not row.isHidden()]
        found = [problem for problem in problems if problem]
        if found:
            raise FieldProblemError(found[0])
        return values

    def take_over(self, before: Form) -> None:
        """Stand in for a form of the same fields, with all that was typed there."""
        for mine, old in zip(self.rows.values(), before.rows.values(), strict=True):
            mine.take_over(old)
        self.changed = before.changed

    def forget_problems(self) -> None:
        """Nothing is said of what does not do."""
        for row in self.rows.values():
            row.complain("")

    def go_to_problem(self) -> bool:
        """Show the first field whose value does not do; whether there is one."""
        wrong = next((row for row in self.rows.values() if row.problem), None)
        if wrong is not None:
            wrong.go_to()
        return wrong is not None

    def go_to_first(self) -> None:
        """Give the first field the keyboard."""
        first = next((row for row in self.rows.values() if not row.isHidden()), None)
        if first is not None:
            first.go_to()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        for pair in self._pairs:
            wide = self.width() >= zoomed(_PAIR_FROM)
            pair.setDirection(way.LeftToRight if wide else way.TopToBottom)
        if self._is_beside != self._fits_beside():
            self._place_titles()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place_titles()

    def _fits_beside(self) -> bool:
        return self._may_be_beside and self.width() >= zoomed(BESIDE_FROM)

    def _place_titles(self) -> None:
        self._is_beside = self._fits_beside()
        for row in self.rows.values():
            row.place_title(beside=self._is_beside)

    def _changed(self, row: FormRow) -> None:
        self.changed = True
        row.complain("")
        self.edited.emit(row)


class EntryForm(QFrame):
    """A form that is saved as a whole: `given(values)`; `cancelled()`, by Esc too.

    Enter in a line saves; while what was given is on its way the button is grey, until `show_problem`."""

    given = Signal(object)
    cancelled = Signal()

    def __init__(
        self,
        title: LazyText,
        verb: LazyText,
        *,
        note: LazyText = "",
        ground: str = "clear",
        title_look: str = "strong",
        margins: Margins = 0,
        beside: bool = False,
        above: Sequence[BoxItem] = (),
        below: Sequence[BoxItem] = (),
        between: Sequence[QWidget] = (),
    ) -> None:
        """`ground`: what it stands on; `title_look` empty: its title stands elsewhere; `above` and `below`:
        what stands over and under the fields; `between`: buttons that do more with what is typed."""
        super().__init__()
        self.setObjectName(ground)
        bind_text(self, self.setAccessibleName, title)
        on_escape(self, self.cancelled.emit)
        self._fault = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.form = Form(beside=beside)
        self.form.edited.connect(lambda _row: show_words(self._fault, ""))
        self.save_button = push_button(verb, "primary", pressed=self.submit)
        self.cancel_button = push_button(lambda: tr("Cancel"), pressed=self.cancelled)
        self.buttons = flow(self.save_button, *between, self.cancel_button)
        words = [text_label(title, title_look, wrap=True)] if title_look else []
        if note:
            words.append(text_label(note, "muted", wrap=True))
        rest = (*above, self.form, *below, self._fault, 2, self.buttons)
        self.column = vbox(*words, *rest, into=self, gap=6, margins=margins)

    def line(
        self, name: str, title: LazyText, text: str = "", *, hint: LazyText = "", needed: bool = False
    ) -> QLineEdit:
        """One more line to type in; `hint` stands in it while it is empty."""
        field = TextField(name, title, text)
        bind_text(field, field.line.setPlaceholderText, hint)
        self.form.add(field, required=needed)
        return field.line

    def lines(self, field: WholeField) -> WholeEdit:
        """One more text of several lines."""
        self.form.add(field)
        return field.lines

    @property
    def fault(self) -> str:
        """Why it could not be done; empty when nothing is wrong."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def begin(self) -> None:
        self.form.go_to_first()

    def show_problem(self, sentence: str, *, at: str = "") -> None:
        """It could not be done: say why, below a field if it is about that, and let it be tried again."""
        if at:
            self.form.rows[at].complain(sentence)
            self.form.rows[at].go_to()
        else:
            show_words(self._fault, sentence)
        self.save_button.setEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A line leaves Enter to what it stands in; lines and buttons do not."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            event.accept()
            self.submit()
        else:
            super().keyPressEvent(event)

    def submit(self) -> None:
        """Give what stands there, unless that is on its way, or a value does not do."""
        if not self.save_button.isEnabled():
            return
        show_words(self._fault, "")
        try:
            values = self.form.read()
        except FieldProblemError:
            self.form.go_to_problem()
            return
        if self.save_button.hasFocus():
            self.begin()  # the button is about to go grey
        self.save_button.setEnabled(False)
        self.given.emit(values)
