"""What typed settings have in common: when they are saved, and what becomes of the text meanwhile.

Contract: Enter and leaving ask for what stands there, leaving not a second time for what was turned down.
While an answer is awaited the text is nobody's but the person's; with the last answer it is the file's again,
unless it was turned down or changed in between.
"""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut
from partner_desktop.config.field import ConfigField
from partner_desktop.config.toml_text import toml_value
from partner_desktop.desktop.card.form.fields import FieldProblemError
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox
from partner_desktop.desktop.parts.controls import on_escape, text_label
from partner_desktop.desktop.theme.theme import set_look, zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, tr
from partner_desktop.domain.json_value import Json


class Control(QWidget):
    """What a setting is changed with: `committed(value)` asks for a value, `None` for the default.

    Who answers calls `accept` or `refuse`. What the person typed and has not saved is `dirty`, and nothing
    that comes from the file takes its place. `refused(words)`: what was typed has no such value; `righted()`:
    there is nothing wrong with it now.
    """

    committed = Signal(object)
    refused = Signal(object)
    righted = Signal()

    #: Whether it needs the whole width and stands under the words.
    wide = False

    def __init__(self) -> None:
        super().__init__()

    @property
    def dirty(self) -> bool:
        """Whether something typed is not saved."""
        return False

    def show_value(self, value: Json) -> None:
        """The value that holds; what is being typed stays."""
        raise NotImplementedError

    def accept(self) -> None:
        """What was asked for is in the file."""

    def refuse(self) -> None:
        """What was asked for was turned down."""

    def take_back(self) -> None:
        """Show the value that holds in place of what was typed."""

    def say_again(self) -> None:
        """Say again, in another language, why what stands here is no value."""

    def mark(self, *, problem: bool) -> None:
        """Show that what stands here does not do, or does again."""
        edit = self.focusProxy()
        if edit is not None:
            set_look(edit, "true" if problem else "false", name="problem")

    def retell(self) -> None:
        """The language is another."""

    def ask(self, value: Json) -> None:
        """Ask for `value`; `None` is the default."""
        self.committed.emit(value)

    def complain(self, words: LazyText) -> None:
        """Say why what stands here is no value."""
        self.refused.emit(words)


class TypedControl(Control):
    """A control with one text. Esc takes it back."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self._asked = ""
        self._awaited = 0
        self._turned_down: str | None = None

    # What each kind says of itself.

    def text(self) -> str:
        """What stands there."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Let another text stand there; whether it is unsaved shows by `dirty`."""
        raise NotImplementedError

    def words_of(self, value: Json) -> str:
        """A value as it is typed."""
        raise NotImplementedError

    def read(self, text: str) -> Json:
        """The value of a text; `None` for the default.

        Raises:
            FieldProblemError: It has none.
        """
        raise NotImplementedError

    def fit(self) -> None:
        """Take the room that the text needs at its size."""

    # What all do.

    @property
    def dirty(self) -> bool:
        return self.text() != (self._asked if self._awaited else self._shown)

    def show_value(self, value: Json) -> None:
        untouched = not self._awaited and not self.dirty
        self._shown = self.words_of(value)
        if untouched and self.dirty:
            self.put(self._shown)

    def accept(self) -> None:
        untouched = not self.dirty
        self._awaited = max(0, self._awaited - 1)
        if not self._awaited and untouched and self.dirty:
            self.put(self._shown)

    def refuse(self) -> None:
        self._awaited = max(0, self._awaited - 1)
        self._turned_down = self._asked

    def take_back(self) -> None:
        self._turned_down = None
        self.put(self._shown)
        self.righted.emit()

    def say_again(self) -> None:
        self.commit(again=True)

    def commit(self, *, again: bool = False) -> None:
        """Ask for what stands there, if it is new; with `again` also for what was turned down."""
        text = self.text()
        if not self.dirty or (text == self._turned_down and not again):
            return
        try:
            value = self.read(text)
        except FieldProblemError as problem:
            self._turned_down = text
            self.complain(str(problem))
            return
        self._asked = text
        self._awaited += 1
        self._turned_down = None
        self.ask(value)

    def edited(self) -> None:
        """The person changed the text."""
        if not self.dirty:
            self.righted.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()


_NUMBER_WIDTH = 144
_TEXT_WIDTH = 220


class LineControl(TypedControl):
    """One line of text."""

    def __init__(self, field: ConfigField, *, width: int = _TEXT_WIDTH) -> None:
        super().__init__()
        self._field = field
        self._width = width
        self.edit = QLineEdit()
        bind_text(self.edit, self.edit.setAccessibleName, lambda: field.told.title)
        self.edit.returnPressed.connect(lambda: self.commit(again=True))
        self.edit.editingFinished.connect(self.commit)
        self.edit.textEdited.connect(lambda _text: self.edited())
        on_escape(self.edit, self.take_back, when=lambda: self.dirty)
        self.setFocusProxy(self.edit)
        self.line = hbox(grow(self.edit), into=self, gap=6)
        self.fit()
        self.retell()

    def retell(self) -> None:
        unset = self._field.default is None and not self._field.required
        self.edit.setPlaceholderText(tr("not set") if unset else "")

    def text(self) -> str:
        return self.edit.text()

    def put(self, text: str) -> None:
        self.edit.setText(text)
        self.edit.setCursorPosition(0)

    def words_of(self, value: Json) -> str:
        return "" if value is None else str(value)

    def read(self, text: str) -> Json:
        return None if not text and self._field.default is None else text

    def fit(self) -> None:
        if self._width:
            self.edit.setFixedWidth(zoomed(self._width))


class NumberControl(LineControl):
    """A number with its unit; its limits are kept before anyone is asked."""

    _unit: QLabel | None = None

    def __init__(self, field: ConfigField) -> None:
        super().__init__(field, width=_NUMBER_WIDTH)
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        if field.unit:
            bind_text(
                self.edit, self.edit.setAccessibleName, lambda: f"{field.told.title} ({field.told.unit})"
            )
            self._unit = text_label(lambda: field.told.unit, "unit")
            self._unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            hbox(aligned(self._unit, Qt.AlignmentFlag.AlignRight), into=self.edit, margins=(0, 0, 10, 0))
            self.fit()

    def fit(self) -> None:
        super().fit()
        if self._unit is not None:
            self.edit.setTextMargins(0, 0, self._unit.sizeHint().width() + 4, 0)

    def words_of(self, value: Json) -> str:
        return number_text(value)

    def read(self, text: str) -> Json:
        plain = text.strip().replace(",", "")
        if not plain:
            return None
        whole = self._field.kind == "int"
        try:
            number = int(plain) if whole else float(plain)
        except ValueError:
            raise FieldProblemError(tr("Type a whole number.") if whole else tr("Type a number.")) from None
        if not math.isfinite(number):
            raise FieldProblemError(tr("Type a number."))
        self._check(number)
        return number

    def _check(self, number: float) -> None:
        low, high = self._field.minimum, self._field.maximum
        if low is not None and (number < low or (self._field.minimum_excluded and number == low)):
            words = tr("More than {limit}.") if self._field.minimum_excluded else tr("At least {limit}.")
            raise FieldProblemError(words.format(limit=limit_text(low)))
        if high is not None and (number > high or (self._field.maximum_excluded and number == high)):
            words = tr("Less than {limit}.") if self._field.maximum_excluded else tr("At most {limit}.")
            raise FieldProblemError(words.format(limit=limit_text(high)))


#: A longer value is cut in a sentence.
_LONGEST = 80


def number_text(value: Json) -> str:
    """A number as it is typed: no trailing ".0", nothing between the thousands."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


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


def haystack(field: ConfigField, above: str) -> str:
    """Everything that a search may hit, with the words of what it stands in."""
    told = field.told
    names = (field.title, told.title, field.name, field.unit, *field.choices)
    parts = (above, field.description, told.description, *names)
    return " ".join(parts).casefold()


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
