"""Editable values: what every kind of field has in common, and fields of words.

A text is shown whole before it is approved: wrapped, every sign visible, and how much is below.
"""

from __future__ import annotations

import json
import math

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from partner_desktop.base.text import escaped, meant, shown
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text, in_every_language, resolve_text, tr
from partner_desktop.domain.json_value import Json, JsonObject


class MissingValue:
    """What a field reads when it was left empty: the parameter is left out of the call."""


MISSING = MissingValue()


class FieldProblemError(Exception):
    """What was typed does not do; the text is a sentence for the person."""


class Field(QObject):
    """A value of one type and the widget that edits it. `edited()` comes with every change by the person;
    `settled()` when one was chosen at once, with nothing more to type."""

    edited = Signal()
    settled = Signal()

    #: Whether it is typed: what stands there may be half a value until Enter is pressed, or it is left.
    typed = False
    #: Whether it is a part of a line, or fills its own.
    fills = True

    def __init__(self, name: str, title: LazyText, widget: QWidget, *, edit: QWidget | None = None) -> None:
        """`edit`: what of the widget takes the keyboard, and shows that the value does not do."""
        super().__init__(widget)
        self.name = name
        self.widget = widget
        self.edit = edit or widget
        self.titled = title
        bind_text(widget, widget.setAccessibleName, title)
        if self.edit is not widget:
            bind_text(self.edit, self.edit.setAccessibleName, title)

    @property
    def title(self) -> str:
        """What it is called in the present language."""
        return resolve_text(self.titled)

    def read(self) -> Json | MissingValue:
        """The value as it would be sent, or MISSING.

        Raises:
            FieldProblemError: The text has no such value.
        """
        raise NotImplementedError

    def show(self, value: Json) -> None:
        """Let this value stand there, as if it had been given."""
        raise NotImplementedError

    def text(self) -> str:
        """What stands there, of a field that is typed."""
        return ""

    def words_of(self, value: Json) -> str:
        """What stands there, of a field that is typed, when a value is shown."""
        del value
        return ""

    def put(self, text: str) -> None:
        """Let a text stand there, as if it had been typed."""

    def take_over(self, before: Field) -> bool:
        """Stand in for another field of the same property; false: its inputs are to be copied one by one."""
        del before
        return False

    def mark(self, *, problem: bool) -> None:
        """Show that the value does not do, or does again."""
        set_look(self.edit, "true" if problem else "false", name="problem")


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

    def __init__(
        self, name: LazyText, text: str, *, look: str = "code", most_lines: int = _MOST_LINES
    ) -> None:
        super().__init__(name, most_lines=most_lines, look=look, wraps=True)
        self.show_text(shown(text, lines=True))


class WholeEdit(WholeText):
    """To be typed in; `meant_text()` is what stands there, marks read back."""

    _least_lines = _LEAST_LINES

    def __init__(self, name: LazyText, text: str, *, one_line: bool = False) -> None:
        super().__init__(name, text, look="")
        self._framed, self._around = True, _PADDING_PX
        if one_line:
            self._least_lines = 1
        self.setReadOnly(False)
        self.setUndoRedoEnabled(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextEditorInteraction)
        self.document().setModified(False)

    def set_least_lines(self, lines: int) -> None:
        """Stand open so far, also where there is nothing yet."""
        self._least_lines = lines
        self._fit()

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
            lambda: tr("Show all"),
            "link",
            name=lambda: tr("Show all: {title}").format(title=view.accessibleName()),
        )
        self.all_button.clicked.connect(lambda: view.set_most_lines(_ALL_LINES))
        self.unread_button = push_button(
            lambda: tr("Go on without reading it all"),
            "link",
            name=lambda: tr("Go on without reading it all: {title}").format(title=view.accessibleName()),
        )
        self.unread_button.clicked.connect(view.leave_unread)
        vbox(view, hbox(self._more, self.all_button, self.unread_button, stretch(), gap=8), into=self, gap=3)
        view.looked.connect(self._say)
        in_every_language(self, self._say, now=True)

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

    typed = True

    def __init__(
        self,
        name: str,
        title: LazyText,
        value: Json,
        *,
        widget: QWidget | None = None,
        line: QLineEdit | None = None,
    ) -> None:
        """`widget`: what the line stands in; `line`: one that listens to keys of its own."""
        self.line = QLineEdit() if line is None else line
        super().__init__(name, title, widget or self.line, edit=self.line)
        self.show(value)
        self.line.textEdited.connect(lambda _text: self.edited.emit())

    def read(self) -> Json | MissingValue:
        return self.line.text() or MISSING

    def show(self, value: Json) -> None:
        self.put(self.words_of(value))

    def text(self) -> str:
        return self.line.text()

    def put(self, text: str) -> None:
        self.line.setText(text)
        self.line.setCursorPosition(0)

    def words_of(self, value: Json) -> str:
        return "" if value is None else str(value)


class SecretField(TextField):
    """Hidden while it is typed."""

    def __init__(self, name: str, title: LazyText) -> None:
        super().__init__(name, title, None)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhSensitiveData
        )

    @property
    def secret(self) -> str:
        return self.line.text().strip()

    def take(self) -> str:
        """What was typed; it does not stay here."""
        secret = self.secret
        self.line.clear()
        return secret


class WholeField(Field):
    """A text in lines, none of it out of sight: what was given is sent as it was, unless another is typed.

    `marked`: what in it looks like a mark is one."""

    typed = True

    def __init__(
        self, name: str, title: LazyText, text: str, *, one_line: bool = False, marked: bool = False
    ) -> None:
        self._given = text
        self.lines = WholeEdit(title, text if marked else escaped(text), one_line=one_line)
        super().__init__(name, title, Unfolding(self.lines), edit=self.lines)
        self._shown = self.lines.toPlainText()
        self.lines.textChanged.connect(self.edited)

    @property
    def untouched(self) -> bool:
        return self.lines.toPlainText() == self._shown

    def meant(self) -> str:
        """What stands there, marks read back."""
        return self._given if self.untouched else self.lines.meant_text()

    def read(self) -> Json | MissingValue:
        return self.meant() or MISSING

    def text(self) -> str:
        return self.lines.toPlainText()

    def put(self, text: str) -> None:
        self.lines.setPlainText(text)


class LongTextField(WholeField):
    """Text that one line does not show whole. An empty text that was given is one."""

    def __init__(self, name: str, title: LazyText, value: Json) -> None:
        super().__init__(name, title, "" if value is None else str(value), one_line=True)
        self._empty = value == ""

    def read(self) -> Json | MissingValue:
        text = self.meant()
        return text if text or self._empty else MISSING


class LinesField(WholeField):
    """A list: one line an item, each of the type that the schema names; a text between “ and ”, `plain` only
    where it would be read as another without them.

    What was given is sent as it was, unless something is typed."""

    def __init__(
        self, name: str, title: LazyText, value: Json, schema: JsonObject, *, plain: bool = False
    ) -> None:
        self._items: list[Json] = []
        self._plain = plain
        super().__init__(name, title, "", marked=True)
        described = schema.get("items")
        self._item_type = described.get("type", "string") if isinstance(described, dict) else "string"
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        numbers = self._item_type in ("integer", "number")
        words = lambda: tr("one number a line") if numbers else tr("one line an item")  # noqa: E731
        bind_text(self, self.lines.setPlaceholderText, words)
        with QSignalBlocker(self.lines):
            self.show(value)

    def show(self, value: Json) -> None:
        self._items = value if isinstance(value, list) else []
        self.lines.show_text(self.words_of(value))
        self._shown = self.lines.toPlainText()

    def words_of(self, value: Json) -> str:
        items = value if isinstance(value, list) else []
        return "\n".join(_item_text(item, plain=self._plain) for item in items)

    def read(self) -> Json | MissingValue:
        if self._items and self.untouched:
            items = self._items
        else:
            lines = [line.strip() for line in self.lines.toPlainText().split("\n") if line.strip()]
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

    def __init__(self, name: str, title: LazyText, value: Json, *, given: bool = False) -> None:
        missing = value is None and not given
        text = "" if missing else json.dumps(value, ensure_ascii=False, indent=2)
        super().__init__(name, title, text, one_line=not isinstance(value, (dict, list)) and given)
        self._value = value

    def read(self) -> Json | MissingValue:
        if self._given and self.untouched:
            return self._value
        text = self.lines.meant_text().strip()
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


def _item_text(value: Json, *, plain: bool) -> str:
    """On one line, with its ends in view where they are not plain to see."""
    if isinstance(value, str):
        bare = value == value.strip() == shown(escaped(value)) and value[:1] not in ("", _QUOTES[0])
        if plain and bare:
            return value
        return f"{_QUOTES[0]}{shown(escaped(value))}{_QUOTES[1]}"
    return escaped(json.dumps(value, ensure_ascii=False))
