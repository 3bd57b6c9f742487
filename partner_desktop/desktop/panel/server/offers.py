"""What a server offers, each as a line to unfold: tools to try, resources to read, prompts to fill in.

What it gave then, the text of a resource or a prompt, can be read, copied or put into the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from partner_desktop.base.text import cut
from partner_desktop.desktop.forms.fields import FieldProblemError, TextField
from partner_desktop.desktop.forms.form import Form
from partner_desktop.desktop.parts.boxes import clear_layout, flow, hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, push_button, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.result_parts import ResultPartsView
from partner_desktop.desktop.parts.schema_view import SchemaView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import LazyText, joined_words, tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import PromptArgument, ServerPrompt, ServerResource
from partner_desktop.domain.meta_action import RunnerResponse

_NOTE_LETTERS = 160


class OffersView(QWidget):
    """One part of the page: a head with the count, and the lines. Hidden while there are none.

    `try_wanted(ability)`; `resource_wanted(uri, reader)`; `prompt_wanted(name, values, reader)`.
    """

    try_wanted = Signal(object)
    resource_wanted = Signal(str, object)
    prompt_wanted = Signal(str, dict, object)
    reader_made = Signal(object)

    def __init__(self, title: Callable[[int], str], theme: Theme, slices: Slices) -> None:
        super().__init__()
        self._title = title
        self._theme = theme
        self._slices = slices
        self._shown: tuple[object, ...] = ()
        self.folds: list[Fold] = []
        self._head = text_label(lambda: title(len(self._shown)), "head-line")
        self._head.setContentsMargins(0, Space.S, 0, 0)
        self._rows = vbox(gap=Space.XS)
        vbox(self._head, self._rows, into=self, gap=2)
        self.hide()

    def show_tools(self, tools: Sequence[Ability]) -> None:
        self._show(tuple(tools), self._tool)

    def show_resources(self, resources: Sequence[ServerResource]) -> None:
        """What can be read; of templates, once their blanks are filled."""
        self._show(tuple(resources), self._resource)

    def show_prompts(self, prompts: Sequence[ServerPrompt]) -> None:
        self._show(tuple(prompts), self._prompt)

    def _show(self, offers: tuple[object, ...], make: Callable[..., Fold]) -> None:
        """What stays the same is not touched, so that what was unfolded and typed stays too."""
        if offers == self._shown:
            return
        self._shown = offers
        self._head.setText(self._title(len(offers)))
        self.setVisible(bool(offers))
        clear_layout(self._rows)
        self.folds = []
        self._slices.start(self, self._fill(offers, make))

    def _fill(self, offers: tuple[object, ...], make: Callable[..., Fold]) -> Iterator[None]:
        for offer in offers:
            fold = make(offer)
            self.folds.append(fold)
            self._rows.addWidget(fold)
            yield

    def _tool(self, ability: Ability) -> Fold:
        info = ability.info
        assert info is not None

        def inside() -> QWidget:
            box, column = _box()
            if len(info.description) > _NOTE_LETTERS:
                column.addWidget(text_label(info.description.strip(), "small", wrap=True, selectable=True))
            column.addWidget(SchemaView(info.params))
            button = push_button(
                lambda: tr("Try it…"), "small", name=lambda: tr("Try it: {title}").format(title=info.title)
            )
            button.setEnabled(ability.usable)
            button.clicked.connect(lambda: self.try_wanted.emit(ability))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            return box

        return Fold(info.name, inside, note=_short(info.description), look="row")

    def _resource(self, resource: ServerResource) -> Fold:
        def inside() -> QWidget:
            box, column = _box()
            column.addWidget(text_label(resource.uri, "mono", wrap=True, selectable=True))
            reader = self._reader(resource.name or resource.uri)
            name = lambda: tr("Read: {name}").format(name=resource.name or resource.uri)  # noqa: E731
            asked = [PromptArgument(each, required=True) for each in _blanks_of(resource)]
            form = BlanksForm(asked, lambda: tr("Read"), name=name)
            form.filled.connect(lambda values: self.resource_wanted.emit(_address(resource, values), reader))
            column.addWidget(form)
            column.addWidget(reader)
            return box

        note = joined_words(resource.mime, _short(resource.description))
        return Fold(resource.name or resource.uri, inside, note=note, look="row")

    def _prompt(self, prompt: ServerPrompt) -> Fold:
        def inside() -> QWidget:
            box, column = _box()
            reader = self._reader(prompt.title or prompt.name)
            name = lambda: tr("Fill in: {name}").format(name=prompt.title or prompt.name)  # noqa: E731
            form = BlanksForm(prompt.arguments, lambda: tr("Put into the message"), name=name)
            form.filled.connect(lambda values: self.prompt_wanted.emit(prompt.name, values, reader))
            column.addWidget(form)
            column.addWidget(reader)
            return box

        return Fold(prompt.title or prompt.name, inside, note=_short(prompt.description), look="row")

    def _reader(self, name: LazyText) -> Reader:
        reader = Reader(name, self._theme)
        self.reader_made.emit(reader)
        return reader


def _box() -> tuple[QWidget, QVBoxLayout]:
    box = QWidget()
    column = vbox(into=box, gap=Space.XS, margins=(Space.M, 0, 0, Space.S))
    return box, column


def _blanks_of(resource: ServerResource) -> tuple[str, ...]:
    return blanks(resource.uri) if resource.template else ()


def _address(resource: ServerResource, values: dict[str, str]) -> str:
    return fill(resource.uri, values) if resource.template else resource.uri


def _short(text: str) -> str:
    return cut(" ".join(text.split()), _NOTE_LETTERS)


class BlanksForm(Form):
    """`filled(values)`: name → text, without what was left empty. Enter in a line sends."""

    filled = Signal(dict)

    def __init__(self, blanks: Sequence[PromptArgument], verb: LazyText, *, name: LazyText) -> None:
        super().__init__(beside=False, gap=Space.XS)
        self.edits = {blank.name: self._line(blank) for blank in blanks}
        self.button = push_button(verb, "small", name=name, pressed=self._send)
        self.column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def _line(self, blank: PromptArgument) -> QLineEdit:
        field = TextField(blank.name, blank.name, None)
        words = lambda: joined_words(tr("required") if blank.required else "", blank.description)  # noqa: E731
        self.add(field, required=blank.required, hint=words)
        field.line.returnPressed.connect(self._send)
        return field.line

    def _send(self) -> None:
        try:
            values = self.read()
        except FieldProblemError:
            self.go_to_problem()
            return
        self.filled.emit({name: str(value).strip() for name, value in values.items() if str(value).strip()})


_BLANK = re.compile(r"\{([+#./;?&]?)([^{}]+)\}")
#: Operator → what the expansion begins with, what stands between its values, and whether names go with them.
_FORMS = {
    "": ("", ",", False),
    "+": ("", ",", False),
    "#": ("#", ",", False),
    ".": (".", ".", False),
    "/": ("/", "/", False),
    ";": (";", ";", True),
    "?": ("?", "&", True),
    "&": ("&", "&", True),
}
_RESERVED = ":/?#[]@!$&'()*+,;="


def blanks(template: str) -> tuple[str, ...]:
    """The names to ask for, in order, each once."""
    names = [name for _, listed in _BLANK.findall(template) for name in _names(listed)]
    return tuple(dict.fromkeys(names))


def fill(template: str, values: dict[str, str]) -> str:
    """The address; a blank without a value leaves nothing behind."""

    def expand(found: re.Match[str]) -> str:
        operator, listed = found.groups()
        first, between, named = _FORMS[operator]
        safe = _RESERVED if operator in "+#" and operator else ""
        parts = []
        for name in _names(listed):
            value = values.get(name, "")
            if value:
                text = quote(value, safe=safe)
                parts.append(f"{name}={text}" if named else text)
        return first + between.join(parts) if parts else ""

    return _BLANK.sub(expand, template)


def _names(listed: str) -> list[str]:
    return [name.split(":", 1)[0].rstrip("*").strip() for name in listed.split(",")]


_LINES = 16
_MOST_SHOWN = 64 * 1024


class Reader(QWidget):
    """`insert_wanted(text)`; `parts_shown(view)` when something came that is no text."""

    insert_wanted = Signal(str)
    parts_shown = Signal(object)

    def __init__(self, name: LazyText, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text = ""
        self._parts: ResultPartsView | None = None
        self._problem = text_label("", "fault-small", wrap=True, selectable=True)
        self._note = text_label("", "muted", wrap=True)
        self.view = CodeView(name, most_lines=_LINES)
        self.insert_button = push_button(lambda: tr("Put into the message"), "small")
        self.insert_button.clicked.connect(lambda: self.insert_wanted.emit(self._text))
        self._copy = CopyButton(lambda: self._text, lambda: tr("Copy"), look="small")
        row = flow(self.insert_button, self._copy, gap=6)
        self._column = vbox(self._problem, self.view, self._note, row, into=self, gap=Space.XS)
        self._show()

    @property
    def text(self) -> str:
        return self._text

    def show_problem(self, sentence: str) -> None:
        self._problem.setText(sentence)
        self._show()

    def show_response(self, response: RunnerResponse) -> None:
        self._problem.setText("" if response.ok else response.error)
        self._text = response.stdout if response.ok else ""
        shown = self._text[:_MOST_SHOWN]
        self.view.show_text(shown.rstrip("\n"))
        cut = response.truncated or len(shown) < len(self._text)
        self._note.setText(tr("This is an excerpt.") if cut else "")
        if self._parts is not None:
            self._column.removeWidget(self._parts)
            self._parts.deleteLater()
            self._parts = None
        if response.parts:
            self._parts = ResultPartsView(response.parts, self._theme)
            self._column.addWidget(self._parts)
            self.parts_shown.emit(self._parts)
        self._show()

    def _show(self) -> None:
        self._problem.setVisible(bool(self._problem.text()))
        self._note.setVisible(bool(self._note.text()))
        for part in (self.view, self.insert_button, self._copy):
            part.setVisible(bool(self._text))
        self.setVisible(bool(self._text or self._problem.text() or self._parts))


_LOG_LINES = 14
_AGAIN_MS = 1000
#: Beyond this only the end is shown: more would hold the loop while it is laid out.
MOST_SHOWN = 64 * 1024


class LogView(QWidget):
    """`wanted()` now and every second, while it is seen; `show_text` answers."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text: str | None = None
        self.view = CodeView(lambda: tr("Log"), most_lines=_LOG_LINES, wraps=True)
        self._empty = text_label(lambda: tr("It has written nothing yet."), "muted", wrap=True)
        self._copy = CopyButton(lambda: self._text or "", lambda: tr("Copy the log"), look="small")
        vbox(self._empty, self.view, hbox(self._copy, stretch(), gap=None), into=self, gap=Space.XS)
        self.view.hide()
        self._copy.hide()
        self._again = QTimer(self, interval=_AGAIN_MS)
        self._again.timeout.connect(self.wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._again.start()
        self.wanted.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    def show_text(self, text: str) -> None:
        """The log as it is now; nothing moves for whoever reads further up, or has marked a part."""
        shown = text[-MOST_SHOWN:].rstrip("\n")
        if shown == self._text or self.view.textCursor().hasSelection():
            return
        self._text = shown
        bar = self.view.verticalScrollBar()
        place = bar.value()
        follows = place >= bar.maximum()
        self.view.show_text(shown)
        bar.setValue(bar.maximum() if follows else place)
        self.view.setVisible(bool(shown))
        self._copy.setVisible(bool(shown))
        self._empty.setVisible(not shown)
