"""A list of paths: a row each, to type in, choose for, and take away."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.card.path_field import PathField
from partner_desktop.desktop.parts.boxes import at_left, drop_widget, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.domain.json_value import Json, JsonObject


class PathListField(Field):
    """Empty rows count for nothing."""

    def __init__(
        self, name: str, title: str, value: Json, schema: JsonObject, item: JsonObject, *, cwd: str = ""
    ) -> None:
        box = QWidget()
        super().__init__(name, title, box)
        self._item = item
        self._cwd = cwd
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        self.rows: list[PathField] = []
        self._lines: dict[PathField, QWidget] = {}
        self.add_button = push_button(
            tr("Add a path"), "small", name=tr("Add a path: {title}").format(title=title)
        )
        self.add_button.clicked.connect(self._add_empty)
        self._column = vbox(at_left(self.add_button), into=box, gap=6)
        for path in value if isinstance(value, list) and value else [None]:
            self._add(path)

    def read(self) -> Json | MissingValue:
        found = [value for row in self.rows if not isinstance(value := row.read(), MissingValue)]
        if not found:
            return MISSING
        if isinstance(self._least, int) and len(found) < self._least:
            raise FieldProblemError(tr("At least {limit} paths.").format(limit=self._least))
        if isinstance(self._most, int) and len(found) > self._most:
            raise FieldProblemError(tr("At most {limit} paths.").format(limit=self._most))
        return found

    def mark(self, *, problem: bool) -> None:
        for row in self.rows:
            row.mark(problem=problem)

    def take_over(self, before: Field) -> bool:
        if not isinstance(before, PathListField):
            return False
        for row in tuple(self.rows):
            self._remove(row)
        for old in before.rows:
            self._add(None).take_over(old)
        return True

    def _add_empty(self) -> None:
        self._add(None).take_keys()
        self.edited.emit()

    def _add(self, path: Json) -> PathField:
        number = len(self.rows) + 1
        title = f"{self.title} {number}"
        row = PathField(self.name, title, path, schema=self._item, cwd=self._cwd)
        row.edited.connect(self.edited)
        line = QWidget()
        remove = push_button(tr("Remove"), "small", name=tr("Remove: {title}").format(title=title))
        remove.clicked.connect(lambda: self._remove_one(row))
        hbox(grow(row.widget), remove, into=line, gap=6)
        self.rows.append(row)
        self._lines[row] = line
        self._column.insertWidget(len(self.rows) - 1, line)
        return row

    def _remove_one(self, row: PathField) -> None:
        at = self.rows.index(row)
        self._remove(row)
        near = self.rows[min(at, len(self.rows) - 1)] if self.rows else None
        if near is not None:
            near.take_keys()
        else:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()

    def _remove(self, row: PathField) -> None:
        self.rows.remove(row)
        line = self._lines.pop(row)
        self._column.removeWidget(line)
        drop_widget(line)
