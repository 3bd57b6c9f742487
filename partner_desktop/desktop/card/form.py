"""The editable parameters of a proposal, one row each."""

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
    QVBoxLayout,
    QWidget,
)

from partner_desktop.desktop.card.field import Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.fields import make_field
from partner_desktop.desktop.card.words import param_title, path_words
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import JsonObject

_LABEL_WIDTH = 128
#: A form that is narrower has its labels above the fields: a card of 560 px without its margins.
_BESIDE_FROM = 526
_ENDLESS_PX = 16_777_215
_INPUTS = (QLineEdit, QPlainTextEdit, QCheckBox, QComboBox)


class _Row:
    """A field with what stands below it; labels come into being when they have something to say."""

    def __init__(self, field: Field, *, required: bool) -> None:
        self.field = field
        self.required = required
        self.places = ""
        self.box = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._title = text_label(field.title, "label", wrap=True)
        self.box.addWidget(self._title, 0, Qt.AlignmentFlag.AlignTop)
        self.cell = QVBoxLayout()
        self.cell.setSpacing(3)
        # A field that does not fill its line must not keep the line from being filled, or all of it moves.
        fills = field.widget.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Maximum
        self.cell.addWidget(field.widget, 0, Qt.AlignmentFlag(0) if fills else Qt.AlignmentFlag.AlignLeft)
        self.box.addLayout(self.cell, 1)
        self._hint: QLabel | None = None
        self._problem: QLabel | None = None

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
        """Why the value does not do; empty when it does."""
        if self._problem is None and problem:
            self._problem = text_label("", "fault-small", wrap=True)
            self.cell.insertWidget(1, self._problem)
        if self._problem is not None:
            self._problem.setText(problem)
            self._problem.setVisible(bool(problem))
        self.field.mark(problem=bool(problem))


class ParamForm(QWidget):
    """Rows in the schema's order. `edited()` comes with every change by the person."""

    edited = Signal()

    def __init__(self, record: ActionRecord) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._record = record
        self._rows: list[_Row] = []
        self._edited = False
        self._beside = True
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        for name, schema in _properties(record.schema).items():
            self._add_row(name, schema)
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
            for here, there in zip(_inputs(mine.field.widget), _inputs(old.field.widget), strict=True):
                _copy_input(there, here)
        self._edited = before._edited

    def read(self) -> JsonObject:
        """All parameters as they stand; what does not do is marked.

        Raises:
            FieldProblemError: At least one value does not do.
        """
        known = _properties(self._record.schema)
        params: JsonObject = {name: value for name, value in self._record.params.items() if name not in known}
        problems = [self._read_row(row, params) for row in self._rows]
        found = [problem for problem in problems if problem]
        if found:
            raise FieldProblemError(found[0])
        return params

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside != (self.width() >= zoomed(_BESIDE_FROM)):
            self._place_titles()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._place_titles()

    def _place_titles(self) -> None:
        self._beside = self.width() >= zoomed(_BESIDE_FROM)
        for row in self._rows:
            row.place_title(beside=self._beside)

    def _read_row(self, row: _Row, params: JsonObject) -> str:
        problem = ""
        try:
            value = row.field.read()
            if not isinstance(value, MissingValue):
                params[row.field.name] = value
            elif row.required:
                problem = tr("This is needed.")
        except FieldProblemError as error:
            problem = str(error)
        row.complain(problem)
        return problem

    def _add_row(self, name: str, schema: JsonObject) -> None:
        required = name in _required(self._record.schema)
        title = param_title(name, schema)
        value = self._record.params.get(name, schema.get("default"))
        row = _Row(
            make_field(name, title, schema, value, required=required, cwd=self._record.cwd), required=required
        )
        described = schema.get("description")
        words = described if isinstance(described, str) else ""
        if required:
            words = tr("required") + (f" · {words}" if words else "")
        row.places = "\n".join(path_words(use) for use in self._record.paths if use.param == name)
        row.hint(words, row.places)
        row.field.widget.setToolTip(words)
        row.field.edited.connect(lambda: self._changed(row, words))
        self._rows.append(row)
        self._column.addLayout(row.box)

    def _changed(self, row: _Row, words: str) -> None:
        self._edited = True
        row.complain("")
        if row.places:
            row.hint(words, tr("The place is looked up again when you approve."))
        self.edited.emit()


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


def _properties(schema: JsonObject) -> dict[str, JsonObject]:
    found = schema.get("properties")
    if not isinstance(found, dict):
        return {}
    return {name: body for name, body in found.items() if isinstance(body, dict)}


def _required(schema: JsonObject) -> tuple[str, ...]:
    found = schema.get("required")
    return tuple(str(name) for name in found) if isinstance(found, list) else ()
