"""One setting: what it is, what is said of it, what changes it, and why the last change did not do."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut, meant
from partner_desktop.config.field import ConfigField
from partner_desktop.config.toml_text import toml_value
from partner_desktop.desktop.forms.choice_fields import (
    ChoiceField,
    FieldChoice,
    FlagField,
    PressedField,
    SegmentsField,
)
from partner_desktop.desktop.forms.fields import Field, LinesField, MissingValue, TextField
from partner_desktop.desktop.forms.path_field import PathField
from partner_desktop.desktop.forms.saved_field import SavedField
from partner_desktop.desktop.forms.schema_fields import NumberField, number_text
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    IconButton,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import (
    LazyText,
    announce,
    bind_text,
    in_every_language,
    resolve_text,
    say_again,
    set_tip,
    tr,
)
from partner_desktop.domain.json_value import Json

#: Narrower rows put the control under the words.
_BESIDE_PX = 420


class SettingRow(QWidget):
    """`wanted(value)`, `None` for the default; `file_wanted()` where only the file can change it."""

    wanted = Signal(object)
    file_wanted = Signal()

    def __init__(self, field: ConfigField, theme: Theme, *, depth: int = 1) -> None:
        super().__init__()
        self.field = field
        self._depth = depth
        self.rule = horizontal_rule()
        self.input = setting_field(field, theme)
        self.saved = SavedField(self.input, field.value)
        self._wide = isinstance(self.input, _WIDE)
        self.reset = IconButton(theme, "reset", lambda: _reset_words(self.field))
        self.reset.clicked.connect(self._ask_for_default)
        self._facts = text_label("", "muted", wrap=True)
        self._fault: QLabel | None = None
        self._told: LazyText = ""
        self._own_fault = False
        self._is_beside: bool | None = None
        self._lay_out()
        self._connect()
        self._show_field()

    def _lay_out(self) -> None:
        title = text_label(lambda: self.field.told.title, wrap=True)
        set_tip(title, self.field.name)
        told, none = lambda: self.field.told.description, not self.field.description
        self._description = text_label(told, "muted", wrap=True, hidden=none)
        words = vbox(title, self._description, self._facts, gap=2)
        self._tail = hbox(self.reset, gap=Space.XS)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(Space.S)
        self._beside.addLayout(words, 1)
        self._beside.addLayout(self._tail)
        self._body = vbox(self._beside, gap=6, margins=(Space.L * self._depth, 10, Space.L, 10))
        if self._wide:
            self._body.addWidget(self.input.widget)
        else:
            self._tail.addWidget(self.input.widget)
        vbox(self.rule, self._body, into=self)

    def _connect(self) -> None:
        self.saved.wanted.connect(self._ask)
        self.saved.refused.connect(self._refuse_own)
        self.saved.righted.connect(self._settle)
        if isinstance(self.input, FixedField):
            self.input.file_wanted.connect(self.file_wanted)

    @property
    def fault(self) -> str:
        """Why what stands here was turned down; empty when it was not."""
        return resolve_text(self._told)

    def show_field(self, field: ConfigField) -> None:
        """The setting as it is now; what is being typed stays."""
        if field == self.field:
            return
        before, typed = self.field, self.saved.dirty
        self.field = field
        say_again(self._description)  # it may end with a note on how things stand
        self._show_field()
        if not self.saved.dirty and (typed or field.value != before.value):
            self._settle()

    def accept(self) -> None:
        """What was asked for is in the file."""
        self.saved.accept()
        if not self.saved.dirty:
            self._settle()

    def refuse(self, sentence: str) -> None:
        """What was asked for does not do: the old value holds, what was typed stays."""
        self._own_fault = False
        self.saved.refuse()
        self._tell(sentence)

    def retell(self) -> None:
        self._show_facts()
        if self._own_fault:
            self.saved.commit(again=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        beside = self._wide or self.width() >= zoomed(_BESIDE_PX)
        if beside == self._is_beside:
            return  # Qt would lay everything out anew
        self._is_beside = beside
        self._beside.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        sides = Qt.AlignmentFlag
        place = sides.AlignTop if self._wide else sides.AlignVCenter
        self._beside.setAlignment(self._tail, place if beside else sides.AlignLeft)

    def _show_field(self) -> None:
        self.saved.show_value(self.field.value)
        self._show_facts()
        differs = not self.field.required and self.field.editable and self.field.value != self.field.default
        if self.reset.hasFocus() and not differs:
            self.input.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reset.setVisible(differs)
        set_tip(self.reset, _reset_words(self.field))

    def _show_facts(self) -> None:
        show_words(self._facts, facts(self.field))

    def _ask(self, value: Json) -> None:
        """What stands for nothing is the kind's own; `None` is the default."""
        if value is None and self.field.kind == "list":
            value = []
        elif value is None and self.field.kind == "str" and self.field.default is not None:
            value = ""
        elif isinstance(value, str) and self.field.kind == "path":
            value = os.path.expanduser(meant(value))  # noqa: PTH111 - never raises
        self.wanted.emit(value)

    def _ask_for_default(self) -> None:
        self.saved.take_back()
        self.wanted.emit(None)

    def _refuse_own(self, words: LazyText) -> None:
        self._own_fault = True
        self._tell(words)

    def _tell(self, words: LazyText) -> None:
        self._told = words
        if self._fault is None:
            self._fault = text_label("", "fault-small", wrap=True, selectable=True)
            self._body.addWidget(self._fault)
        show_words(self._fault, resolve_text(words))
        self.input.mark(problem=True)
        announce(self, f"{self.field.told.title}: {resolve_text(words)}", urgent=True)

    def _settle(self) -> None:
        self._own_fault = False
        if self._told:
            self._told = ""
            self.input.mark(problem=False)
            if self._fault is not None:
                self._fault.hide()


def _reset_words(field: ConfigField) -> str:
    words = tr("{title}: back to the default, {value}")
    return words.format(title=field.told.title, value=shown_default(field))


_TEXT_WIDTH = 220
_MOST_SEGMENTS = 4
_MOST_LETTERS = 28


def setting_field(field: ConfigField, theme: Theme) -> Field:
    """The field for a setting's kind."""
    name, value = field.name, field.value
    title = lambda: field.told.title  # noqa: E731 - words of a language
    if field.choices and field.editable:
        return _choice_field(field, title)
    found: Field
    match field.kind:
        case "table" | "any":
            found = FixedField(field)
        case "bool":
            found = FlagField(name, title, value, theme=theme)
        case "int" | "float":
            unit: LazyText = (lambda: field.told.unit) if field.unit else ""
            found = NumberField(name, title, value, field.schema, unit=unit)
            found.line.setAlignment(Qt.AlignmentFlag.AlignRight)
        case "list":
            found = _ListSetting(field, title)
        case "path":
            found = PathField(name, title, value, schema=field.schema)
        case _:
            found = _TextSetting(field, title)
    return found


def _choice_field(field: ConfigField, title: LazyText) -> Field:
    """Segments where they fit into a line, else a list that opens; for several, a button each."""
    choices = [FieldChoice(choice, partial(field.choice_title, choice)) for choice in field.choices]
    if field.kind == "list":
        return PressedField(field.name, title, field.value, choices)
    required = field.default is not None or field.required
    letters = sum(len(field.choice_title(choice)) for choice in field.choices)
    if required and len(choices) <= _MOST_SEGMENTS and letters <= _MOST_LETTERS:
        return SegmentsField(field.name, title, field.value, choices)
    return ChoiceField(
        field.name, title, field.value, choices, required=required, open_words=lambda: tr("not set")
    )


class _TextSetting(TextField):
    """As wide at every size of the text; says where nothing is set."""

    def __init__(self, field: ConfigField, title: LazyText) -> None:
        super().__init__(field.name, title, field.value)
        unset = field.default is None and not field.required
        bind_text(self, self.line.setPlaceholderText, lambda: tr("not set") if unset else "")
        self.line.setMinimumWidth(zoomed(_TEXT_WIDTH))


class _ListSetting(LinesField):
    """Says how it is saved."""

    def __init__(self, field: ConfigField, title: LazyText) -> None:
        super().__init__(field.name, title, field.value, field.schema, plain=True)
        bind_text(self, self.lines.setPlaceholderText, lambda: tr("One entry a line; Ctrl+Enter saves"))


class FixedField(Field):
    """Shows a value that only the file can change, and leads there. `file_wanted()`."""

    file_wanted = Signal()

    def __init__(self, field: ConfigField) -> None:
        line = QWidget()
        self._field = field
        self._value = field.value
        self._label = ElidedLabel("", "fixed")
        name = lambda: tr("Edit in the file: {title}").format(title=field.told.title)  # noqa: E731
        self.button = push_button(lambda: tr("Edit in the file"), "quiet", name=name)
        hbox(grow(self._label), aligned(self.button, Qt.AlignmentFlag.AlignRight), into=line, gap=None)
        super().__init__(field.name, lambda: field.told.title, line)
        self.button.clicked.connect(self.file_wanted)
        in_every_language(self, lambda: self.show(self._value), now=True)

    def show(self, value: Json) -> None:
        self._value = value
        self._label.set_text(value_words(self._field, value))

    def read(self) -> Json | MissingValue:
        return self._value


#: These need the whole width, and stand under the words.
_WIDE = (LinesField, PathField, PressedField, FixedField)


#: A longer value is cut in a sentence.
_LONGEST = 80


def facts(field: ConfigField) -> str:
    """The small line under a setting: default, range, and whether it waits for a restart."""
    if not field.editable:
        return tr("takes effect after a restart") if field.restart else ""
    said = [
        tr("Must be set") if field.required else tr("Default: {value}").format(value=shown_default(field))
    ]
    if field.minimum is not None or field.maximum is not None:
        said.append(_range(field))
    if field.restart:
        said.append(tr("takes effect after a restart"))
    return " · ".join(said)


def shown_default(field: ConfigField) -> str:
    """The default as a person reads it."""
    words = value_words(field, field.default)
    numeric = field.kind in ("int", "float") and field.default is not None
    return f"{words} {field.told.unit}" if numeric and field.unit else words


def value_words(field: ConfigField, value: Json) -> str:
    """A value in words."""
    if value is None:
        return tr("not set")
    if field.kind == "bool":
        return tr("on") if value else tr("off")
    if value in ("", [], {}):
        return tr("empty")
    if field.kind == "choice":
        return field.choice_title(str(value))
    return cut(_plain_words(field, value), _LONGEST)


def _plain_words(field: ConfigField, value: Json) -> str:
    if field.kind == "path":
        return display_path(Path(str(value)))
    if field.kind == "list" and isinstance(value, list):
        return ", ".join(str(entry) for entry in value)
    if field.kind in ("int", "float"):
        return f"{value:,}" if isinstance(value, int) else number_text(value)
    return value if isinstance(value, str) else toml_value(value)


def _range(field: ConfigField) -> str:
    low, high = limit_text(field.minimum), limit_text(field.maximum)
    if low and high and not (field.minimum_excluded or field.maximum_excluded):
        return tr("{low} to {high}").format(low=low, high=high)
    said = []
    if low:
        words = tr("more than {limit}") if field.minimum_excluded else tr("at least {limit}")
        said.append(words.format(limit=low))
    if high:
        words = tr("less than {limit}") if field.maximum_excluded else tr("at most {limit}")
        said.append(words.format(limit=high))
    return ", ".join(said)


def limit_text(number: float | None) -> str:
    """A limit as a person reads it; empty where there is none."""
    if number is None:
        return ""
    return f"{int(number):,}" if number == int(number) else f"{number:g}"
