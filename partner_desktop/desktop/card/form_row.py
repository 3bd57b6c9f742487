"""One row of a form on a card: the title, the field, and what is said below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
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

from partner_desktop.desktop.card.field import Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.parts.boxes import aligned, bring_into_view, vbox
from partner_desktop.desktop.parts.controls import show_words, text_label
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.domain.json_value import JsonObject

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
