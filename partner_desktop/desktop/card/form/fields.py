"""Editable values: what every kind of field has in common, fields of words, and fields that are chosen from.

A text is shown whole before it is approved: wrapped, every sign visible, and how much is below.
"""

from __future__ import annotations

import json
import math
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QSizePolicy, QWidget

from partner_desktop.base.text import escaped, meant, shown
from partner_desktop.desktop.parts.boxes import FlowLayout, hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json, JsonObject


class MissingValue:
    """What a field reads when it was left empty: the parameter is left out of the call."""


MISSING = MissingValue()


class FieldProblemError(Exception):
    """What was typed does not do; the text is a sentence for the person."""


class Field(QObject):
    """A value of one type and the widget that edits it. `edited()` comes with every change by the person."""

    edited = Signal()

    def __init__(self, name: str, title: str, widget: QWidget, *, edit: QWidget | None = None) -> None:
        """`edit`: what of the widget shows that the value does not do, where that is not all of it."""
        super().__init__(widget)
        self.name = name
        self.title = title
        self.widget = widget
        self._marked = edit or widget
        widget.setAccessibleName(title)

    def read(self) -> Json | MissingValue:
        """The value as it would be sent, or MISSING.

        Raises:
            FieldProblemError: The text has no such value.
        """
        raise NotImplementedError

    def take_over(self, before: Field) -> bool:
        """Stand in for another field of the same property; false: its inputs are to be copied one by one."""
        del before
        return False

    def mark(self, *, problem: bool) -> None:
        """Show that the value does not do, or does again."""
        set_look(self._marked, "true" if problem else "false", name="problem")


#: Lines that are in view at once, and those that stand open where there is nothing yet.
_MOST_LINES, _LEAST_LINES = 12, 3
#: More than this is scrolled through, however much of it is asked for.
_ALL_LINES = 2_000
_PADDING_PX = 7
#: A line that is wider may not fit on a narrow card.
_LINE_PX = 260


def fits_line(text: str) -> bool:
    """Whether a field of one line shows it whole, on a narrow card too."""
    if len(text) > _LINE_PX or shown(escaped(text)) != text:
        return False
    return QFontMetrics(QApplication.font()).horizontalAdvance(text) <= _LINE_PX


class WholeText(CodeView):
    """Read only: as high as its text, so far; then it scrolls."""

    def __init__(self, name: str, text: str, *, look: str = "code", most_lines: int = _MOST_LINES) -> None:
        super().__init__(name, most_lines=most_lines, look=look, wraps=True)
        self.show_text(shown(text, lines=True))


class WholeEdit(WholeText):
    """To be typed in; `meant_text()` is what stands there, marks read back."""

    _least_lines = _LEAST_LINES

    def __init__(self, name: str, text: str, *, one_line: bool = False) -> None:
        super().__init__(name, text, look="")
        self._framed, self._around = True, _PADDING_PX
        if one_line:
            self._least_lines = 1
        self.setReadOnly(False)
        self.setUndoRedoEnabled(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction)
        self.document().setModified(False)

    def meant_text(self) -> str:
        """What was typed."""
        return meant(self.toPlainText())

    def _line_count(self) -> int:
        return max(self._least_lines, super()._line_count())


class Unfolding(QWidget):
    """A text with what is said below it: how much more there is, and a button that shows all of it."""

    def __init__(self, view: CodeView) -> None:
        super().__init__()
        self.view = view
        self._more = text_label("", "muted")
        self.all_button = push_button(
            tr("Show all"), "link", name=tr("Show all: {title}").format(title=view.accessibleName())
        )
        self.all_button.clicked.connect(lambda: view.set_most_lines(_ALL_LINES))
        self.unread_button = push_button(
            tr("Go on without reading it all"),
            "link",
            name=tr("Go on without reading it all: {title}").format(title=view.accessibleName()),
        )
        self.unread_button.clicked.connect(view.leave_unread)
        vbox(view, hbox(self._more, self.all_button, self.unread_button, stretch(), gap=8), into=self, gap=3)
        view.looked.connect(self._say)
        self._say()

    def _say(self) -> None:
        count = self.view.lines_unseen
        words = tr("1 more line") if count == 1 else tr("{count} more lines")
        self._more.setText(words.format(count=count) if count else "")
        self._more.setVisible(count > 0)
        self.all_button.setVisible(count > 0)
        self.unread_button.setVisible(count > 0)


_QUOTES = "“”"


class TextField(Field):
    """One line of text."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        self.edit = QLineEdit("" if value is None else str(value))
        super().__init__(name, title, self.edit)
        self.edit.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self.edit.text() or MISSING


class WholeField(Field):
    """A text in lines, none of it out of sight: what was given is sent as it was, unless another is typed.

    `marked`: what in it looks like a mark is one."""

    def __init__(
        self, name: str, title: str, text: str, *, one_line: bool = False, marked: bool = False
    ) -> None:
        self._given = text
        self.edit = WholeEdit(title, text if marked else escaped(text), one_line=one_line)
        super().__init__(name, title, Unfolding(self.edit), edit=self.edit)
        self.edit.setAccessibleName(title)
        self._shown = self.edit.toPlainText()
        self.edit.textChanged.connect(self.edited)

    def text(self) -> str:
        """What stands there, marks read back."""
        return self._given if self.edit.toPlainText() == self._shown else self.edit.meant_text()

    def read(self) -> Json | MissingValue:
        return self.text() or MISSING


class LongTextField(WholeField):
    """Text that one line does not show whole. An empty text that was given is one."""

    def __init__(self, name: str, title: str, value: Json) -> None:
        super().__init__(name, title, "" if value is None else str(value), one_line=True)
        self._empty = value == ""

    def read(self) -> Json | MissingValue:
        text = self.text()
        return text if text or self._empty else MISSING


class LinesField(WholeField):
    """A list: one line an item, each of the type that the schema names; a text between “ and ”.

    What was given is sent as it was, unless something is typed."""

    def __init__(self, name: str, title: str, value: Json, schema: JsonObject) -> None:
        self._items: list[Json] = value if isinstance(value, list) else []
        super().__init__(name, title, "\n".join(_item_text(item) for item in self._items), marked=True)
        described = schema.get("items")
        self._item_type = described.get("type", "string") if isinstance(described, dict) else "string"
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        numbers = self._item_type in ("integer", "number")
        self.edit.setPlaceholderText(tr("one number a line") if numbers else tr("one line an item"))

    def read(self) -> Json | MissingValue:
        if self._items and self.edit.toPlainText() == self._shown:
            items = self._items
        else:
            lines = [line.strip() for line in self.edit.toPlainText().split("\n") if line.strip()]
            if not lines:
                return MISSING
            items = [self._item(line) for line in lines]
        if isinstance(self._least, int) and len(items) < self._least:
            raise FieldProblemError(tr("At least {limit} lines.").format(limit=self._least))
        if isinstance(self._most, int) and len(items) > self._most:
            raise FieldProblemError(tr("At most {limit} lines.").format(limit=self._most))
        return items

    def _item(self, line: str) -> Json:
        if len(line) > 1 and line[0] + line[-1] == _QUOTES:
            return meant(line[1:-1])
        line = meant(line)
        match self._item_type:
            case "string":
                return line
            case "integer" | "number":
                return self._number(line)
        try:
            value: Json = json.loads(line)
        except ValueError:
            raise FieldProblemError(tr("“{line}” is not a value of this list.").format(line=line)) from None
        return value

    def _number(self, line: str) -> float:
        whole = self._item_type == "integer"
        try:
            number = typed_number(line, whole=whole)
        except ValueError:
            words = tr("“{line}” is not a whole number.") if whole else tr("“{line}” is not a number.")
            raise FieldProblemError(words.format(line=line)) from None
        return number


class JsonField(WholeField):
    """Anything else, as JSON. `given`: there is a value, and be it null."""

    def __init__(self, name: str, title: str, value: Json, *, given: bool = False) -> None:
        missing = value is None and not given
        text = "" if missing else json.dumps(value, ensure_ascii=False, indent=2)
        super().__init__(name, title, text, one_line=not isinstance(value, (dict, list)) and given)
        self._value = value

    def read(self) -> Json | MissingValue:
        if self._given and self.edit.toPlainText() == self._shown:
            return self._value
        text = self.edit.meant_text().strip()
        if not text:
            return MISSING
        try:
            value: Json = json.loads(text)
        except ValueError:
            raise FieldProblemError(tr("This is not JSON.")) from None
        return value


def typed_number(text: str, *, whole: bool) -> float:
    """As it is typed: `4` stays `4`, where `4.0` would do as well.

    Raises:
        ValueError: It is no such number.
    """
    try:
        return int(text)
    except ValueError:
        if whole:
            raise
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _item_text(value: Json) -> str:
    """On one line, with its ends in view."""
    if isinstance(value, str):
        return f"{_QUOTES[0]}{shown(escaped(value))}{_QUOTES[1]}"
    return escaped(json.dumps(value, ensure_ascii=False))


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
    """Any number of the choices, each with a box; `beside` each other, where they are short."""

    def __init__(
        self,
        name: str,
        title: str,
        value: Json,
        choices: list[FieldChoice],
        schema: JsonObject,
        *,
        beside: bool = False,
    ) -> None:
        box = QWidget()
        places = FlowLayout(gap=12) if beside else vbox(gap=2)
        box.setLayout(places)
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
            places.addWidget(one)

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
