"""The editable parameters of a proposal, one row each."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.field import FieldProblemError, tr
from partner_desktop.desktop.card.fields import make_field
from partner_desktop.desktop.card.form_row import FormRow
from partner_desktop.desktop.card.words import known_words, param_title, path_words
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import zoomed
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
