"""Fields that are chosen from: yes or no, one of several, any number of them."""

from __future__ import annotations

import json
from typing import NamedTuple

from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.field import MISSING, Field, FieldProblemError, MissingValue, tr
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.domain.json_value import Json, JsonObject


class FieldChoice(NamedTuple):
    """What is sent, and what is shown for it."""

    value: Json
    title: str


class FlagField(Field):
    """Yes or no."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self._box = QCheckBox()
        self._box.setChecked(value is True)
        self._given = value is not None
        super().__init__(name, title, self._box)
        self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.toggled.connect(self._toggled)

    def _toggled(self) -> None:
        self._given = True
        self.edited.emit()

    def read(self) -> Json | MissingValue:
        return self._box.isChecked() if self._given else MISSING


class ChoiceField(Field):
    """One of the values that the schema lists; an optional one may stay open."""

    def __init__(self, name: str, title: str, value: Json, choices: list[Json], *, required: bool) -> None:
        self._box = QComboBox()
        self._values: list[Json | MissingValue] = [] if required and value is not None else [MISSING]
        self._values += choices
        for choice in self._values:
            self._box.addItem("—" if isinstance(choice, MissingValue) else choice_text(choice))
        self._box.setCurrentIndex(self._values.index(value) if value in choices else 0)
        super().__init__(name, title, self._box)
        self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.activated.connect(lambda _index: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self._values[self._box.currentIndex()]


class TitledChoiceField(ChoiceField):
    """The same with titles of their own."""

    def __init__(
        self,
        name: str,
        title: str,
        value: Json,
        choices: list[Json],
        *,
        titles: list[str],
        required: bool,
    ) -> None:
        super().__init__(name, title, value if value in choices else None, choices, required=required)
        open_one = self._box.count() - len(titles)
        for number, words in enumerate(titles):
            self._box.setItemText(open_one + number, shown(words))


class SeveralField(Field):
    """Any number of the choices, each with a box."""

    def __init__(
        self, name: str, title: str, value: Json, choices: list[FieldChoice], schema: JsonObject
    ) -> None:
        box = QWidget()
        column = vbox(into=box, gap=2)
        super().__init__(name, title, box)
        chosen = value if isinstance(value, list) else []
        self._given = isinstance(value, list)
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        self._values = [choice.value for choice in choices]
        self.boxes: list[QCheckBox] = []
        for choice in choices:
            words = shown(choice.title)
            one = QCheckBox(words.replace("&", "&&"))  # a single one would be a key to press
            one.setAccessibleName(f"{title}: {words}")
            one.setChecked(choice.value in chosen)
            one.toggled.connect(self._toggled)
            self.boxes.append(one)
            column.addWidget(one)

    def _toggled(self) -> None:
        self._given = True
        self.edited.emit()

    def read(self) -> Json | MissingValue:
        chosen = [value for value, box in zip(self._values, self.boxes, strict=True) if box.isChecked()]
        if not self._given:
            return MISSING
        if isinstance(self._least, int) and len(chosen) < self._least:
            raise FieldProblemError(tr("Choose at least {limit}.").format(limit=self._least))
        if isinstance(self._most, int) and len(chosen) > self._most:
            raise FieldProblemError(tr("Choose at most {limit}.").format(limit=self._most))
        return list(chosen)


def choices_of(schema: JsonObject) -> list[FieldChoice]:
    """In any of the forms that a schema can list them in."""
    titled = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        found = [each for each in titled if isinstance(each, dict) and "const" in each]
        return [FieldChoice(each["const"], str(each.get("title") or each["const"])) for each in found]
    values, names = schema.get("enum"), schema.get("enumNames")
    if not isinstance(values, list):
        return []
    titles = names if isinstance(names, list) and len(names) == len(values) else values
    return [FieldChoice(value, str(title)) for value, title in zip(values, titles, strict=True)]


def choice_text(value: Json) -> str:
    """What stands for a choice that has no title."""
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
