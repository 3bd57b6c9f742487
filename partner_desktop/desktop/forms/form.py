"""The editable parameters of a proposal, one row each: the title, the field, and what is said below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.words import known_words, param_title, path_words
from partner_desktop.desktop.forms.fields import Field, FieldProblemError, MissingValue
from partner_desktop.desktop.forms.schema_fields import make_field
from partner_desktop.desktop.parts.boxes import aligned, bring_into_view, vbox
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject

#: A form that is narrower has its labels above the fields: a card of 560 px without its margins.
BESIDE_FROM = 526


class ParamForm(QWidget):
    """A row for each parameter that the schema names, in its order, and for each that is given beyond those,
    but `without` one. `edited()` comes with every change by the person."""

    edited = Signal()

    def __init__(self, record: ActionRecord, *, without: str = "") -> None:
        super().__init__()
        self._record = record
        self._without = without
        self._rows: list[FormRow] = []
        self._edited = False
        self._beside = True
        self._column = vbox(into=self, gap=10)
        described = properties_of(record.schema)
        for name in dict.fromkeys((*described, *record.params)):
            if name != without:
                self._add_row(name, described.get(name))
        self._place_titles()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to fill in."""
        return not self._rows

    def edited_params(self) -> JsonObject | None:
        """All parameters as they stand, or `None` when nothing was changed."""
        return self.read() if self._edited else None

    def take_over(self, before: ParamForm) -> None:
        """Stand in for the form `before` of the same record, with all that was typed there."""
        for mine, old in zip(self._rows, before._rows, strict=True):
            mine.take_over(old)
        self._edited = before._edited

    def read(self) -> JsonObject:
        """All parameters as they stand; what does not do is marked.

        Raises:
            FieldProblemError: At least one value does not do.
        """
        params: JsonObject = {
            name: value for name, value in self._record.params.items() if name == self._without
        }
        problems = [row.read_into(params) for row in self._rows]
        found = [problem for problem in problems if problem]
        if found:
            raise FieldProblemError(found[0])
        return params

    def go_to_problem(self) -> None:
        """Show the first field whose value does not do."""
        wrong = next((row for row in self._rows if row.problem), None)
        if wrong is not None:
            wrong.go_to()

    def go_to_first(self) -> None:
        """Give the first field the keyboard."""
        if self._rows:
            self._rows[0].go_to()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside != (self.width() >= zoomed(BESIDE_FROM)):
            self._place_titles()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place_titles()

    def _place_titles(self) -> None:
        self._beside = self.width() >= zoomed(BESIDE_FROM)
        for row in self._rows:
            row.place_title(beside=self._beside)

    def _add_row(self, name: str, described: JsonObject | None) -> None:
        required, given = name in required_of(self._record.schema), name in self._record.params
        schema = described or {}
        title = param_title(name, schema) if described is not None else shown(name)
        value = self._record.params.get(name, schema.get("default"))
        field = make_field(name, title, schema, value, required=required, cwd=self._record.cwd, given=given)
        row = FormRow(field, required=required)
        about = schema.get("description")
        words = shown(about, lines=True) if isinstance(about, str) else ""
        if described is None:
            words = tr("The ability does not describe this one.")
        if required:
            words = tr("required") + (f" · {words}" if words else "")
        row.places = "\n".join(path_words(use) for use in self._record.paths if use.param == name)
        row.known = "\n".join(known_words(one) for one in self._record.known if one.param == name)
        row.hint(words, row.places, row.known)
        set_tip(row.field.widget, words)
        row.field.edited.connect(lambda: self._changed(row, words))
        self._rows.append(row)
        self._column.addLayout(row.box)

    def _changed(self, row: FormRow, words: str) -> None:
        self._edited = True
        row.complain("")
        if row.known and not row.places:
            row.hint(words)
        if row.places:
            row.hint(words, tr("The place is looked up again when you approve."))
        self.edited.emit()


def properties_of(schema: JsonObject) -> dict[str, JsonObject]:
    found = schema.get("properties")
    if not isinstance(found, dict):
        return {}
    return {name: body for name, body in found.items() if isinstance(body, dict)}


def required_of(schema: JsonObject) -> tuple[str, ...]:
    found = schema.get("required")
    return tuple(str(name) for name in found) if isinstance(found, list) else ()


_LABEL_WIDTH = 128
_ENDLESS_PX = 16_777_215
_INPUTS = (QLineEdit, QPlainTextEdit, QCheckBox, QComboBox)


class FormRow:
    """A field with what stands below it; labels come into being when they have something to say."""

    def __init__(self, field: Field, *, required: bool) -> None:
        self.field = field
        self.required = required
        self.places = ""
        self.known = ""
        """Where the value is known from, until another one is typed."""
        self.box = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._title = text_label(field.title, "label", wrap=True)
        self.box.addWidget(self._title, 0, Qt.AlignmentFlag.AlignTop)
        # A field that does not fill its line must not keep the line from being filled, or all of it moves.
        fills = field.widget.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Maximum
        self.cell = vbox(
            aligned(field.widget, Qt.AlignmentFlag(0) if fills else Qt.AlignmentFlag.AlignLeft), gap=3
        )
        self.box.addLayout(self.cell, 1)
        self._hint: QLabel | None = None
        self._problem: QLabel | None = None
        self.problem = ""
        """Why the value does not do; empty when it does."""

    def place_title(self, *, beside: bool) -> None:
        """The title in a column of its own, as wide in every card, or above the field."""
        width = zoomed(_LABEL_WIDTH)
        self._title.setMinimumWidth(width if beside else 1)
        self._title.setMaximumWidth(width if beside else _ENDLESS_PX)
        self._title.setContentsMargins(0, 7 if beside else 0, 0, 0)
        self.box.setSpacing(12 if beside else 4)
        way = QBoxLayout.Direction
        self.box.setDirection(way.LeftToRight if beside else way.TopToBottom)

    def hint(self, *lines: str) -> None:
        """What the parameter means and where it leads."""
        text = "\n".join(line for line in lines if line)
        if self._hint is None and text:
            self._hint = text_label("", "muted", wrap=True)
            self.cell.addWidget(self._hint)
        if self._hint is not None:
            self._hint.setText(text)

    def complain(self, problem: str) -> None:
        """Say why the value does not do; empty when it does."""
        self.problem = problem
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
