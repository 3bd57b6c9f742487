"""What can be pressed in place of typing: answers to what was asked, and on an empty page requests to try."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.chat.column import Centered
from partner_desktop.desktop.parts.boxes import FlowLayout, clear_layout, drop_widget, flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import (
    ElidedLabel,
    PushButton,
    prepare_button,
    push_button,
    text_label,
)
from partner_desktop.desktop.parts.file_dialogs import ask_for_path
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, set_tip
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.model_status import ModelStatus

#: More choices than these are typed.
_MOST = 8
_FOLDER_WORDS = ("folder", "dir")


@dataclass(frozen=True)
class Answers:
    """What may be answered by a click."""

    texts: tuple[str, ...] = ()
    path: bool = False
    """A file or folder can be chosen."""
    folder: bool = False
    """With `path`: it is a folder."""
    drop: bool = False
    """The question can be dropped."""


def answers_to(question: ActionRecord | None, title_of: Callable[[str], str]) -> Answers:
    """The answers to an open question, and a way out of it; none when there is no question."""
    if question is None or question.status is not ActionStatus.ASKING:
        return Answers()
    if question.options:
        return Answers(_named_apart(question.options, title_of), drop=True)
    schema = properties_of(_asked_schema(question)).get(question.asked_param)
    if schema is None:
        return Answers(drop=True)
    if schema.get("format") == "path":
        words = f"{question.asked_param} {schema.get('description', '')}".lower()
        return Answers(path=True, folder=any(word in words for word in _FOLDER_WORDS), drop=True)
    choices = schema.get("enum")
    if isinstance(choices, list) and 0 < len(choices) <= _MOST:
        return Answers(tuple(str(choice) for choice in choices if choice is not None), drop=True)
    return Answers(drop=True)


def _asked_schema(question: ActionRecord) -> JsonObject:
    """Of the ability that a parameter was asked for; of a chain, of the step that was asked about."""
    chain = question.chain
    step = chain.step(chain.asked_step) if chain is not None else None
    return step.schema if step is not None else question.schema


def _named_apart(keys: Sequence[str], title_of: Callable[[str], str]) -> tuple[str, ...]:
    """Titles; where two servers call a tool the same, with the server."""
    titles = [title_of(key) for key in keys]
    return tuple(
        f"{title} · {key.partition('::')[0]}" if titles.count(title) > 1 else title
        for key, title in zip(keys, titles, strict=True)
    )


class AnswerBar(QWidget):
    """`answered(text)` when one was clicked."""

    answered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = Answers()
        self.buttons: list[QPushButton] = []
        self._row = FlowLayout()
        hbox(grow(self._row), into=self)
        self.hide()

    def offer(self, answers: Answers) -> None:
        """Show these, or nothing."""
        if answers == self._shown:
            return
        self._shown = answers
        clear_layout(self._row)
        self.buttons.clear()
        for text in answers.texts:
            self._add(text).clicked.connect(partial(self._say, text))
        if answers.path:
            self._add(self._path_words).clicked.connect(self._choose)
        if answers.drop:
            self._add(lambda: self.tr("Never mind")).clicked.connect(self._drop)
        self.setVisible(bool(self.buttons))

    def _say(self, text: str, _checked: bool = False) -> None:
        self.answered.emit(text)

    def _drop(self) -> None:
        self.answered.emit(self.tr("never mind"))

    def _path_words(self) -> str:
        return self.tr("Choose a folder…") if self._shown.folder else self.tr("Choose a file…")

    def _add(self, text: LazyText) -> QPushButton:
        button = push_button(
            text, "answer", name=lambda: self.tr("Answer: {text}").format(text=resolve_text(text))
        )
        self._row.addWidget(button)
        self.buttons.append(button)
        return button

    def _choose(self) -> None:
        """The dialog opens and signals; nothing waits for it."""
        mode = QFileDialog.FileMode.Directory if self._shown.folder else QFileDialog.FileMode.ExistingFile
        ask_for_path(self.window(), self._path_words(), self._chosen, mode=mode, start=Path.home())

    def _chosen(self, name: str) -> None:
        if name:
            shown = display_path(Path(name))
            self.answered.emit(f'"{shown}"' if " " in shown else shown)


class _ExampleButton(PushButton):
    """A request to try. It names a person's own folders and files, which may be long: its end is left out."""

    def __init__(self, example: str) -> None:
        super().__init__(example)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        return QSize(min(zoomed(_LEAST_EXAMPLE), whole.width()), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        set_tip(self, self.text() if self.shown != self.text() else "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown.replace("&", "&&")
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()

    @property
    def shown(self) -> str:
        """Its words, as many as have room."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)


_WIDEST, _LEAST_EXAMPLE = 520, 60
#: With what is offered at the first run: two doors stand beside each other.
_WIDEST_WITH_OFFERS = 660
_FEW = 3


class Welcome(Centered):
    """`example_chosen(text)` when an example was clicked; `models_wanted()`; `came_into_view()`."""

    example_chosen = Signal(str)
    models_wanted = Signal()
    came_into_view = Signal()

    def __init__(self) -> None:
        super().__init__(widest=_WIDEST)
        self._shown: tuple[str, ...] = ()
        self._buttons: list[QPushButton] = []
        self._wanted = False
        self._model: ModelStatus | None = None
        self.column.addWidget(text_label(lambda: self.tr("What shall we get done?"), "welcome", wrap=True))
        self.column.addWidget(
            text_label(
                lambda: self.tr(
                    "Say it in your own words. "
                    "Partner finds what can do it, and asks before anything changes."
                ),
                wrap=True,
            )
        )
        self.offers: QWidget | None = None
        self._offers_place = vbox()
        self.column.addLayout(self._offers_place)
        self._try = text_label(self._try_words, "muted", hidden=True)
        self.column.addSpacing(4)
        self.column.addWidget(self._try)
        self._examples = vbox(gap=8)
        self.column.addLayout(self._examples)
        self.column.addSpacing(4)
        self.column.addWidget(
            text_label(
                lambda: self.tr("Or drop a script here: it becomes something else Partner can do."),
                "muted",
                wrap=True,
            )
        )
        self.model_hint = ElidedLabel("", "muted")
        self.models_button = push_button("", "link", pressed=self.models_wanted)
        line = flow(self.model_hint, self.models_button, gap=10)
        self.column.addLayout(line)
        in_every_language(self, self._say_model, now=True)
        in_every_language(self, self._show_few)

    def show_offers(self, offers: QWidget | None) -> None:
        """How to come by a model, above the examples; `None`: nothing of it any more."""
        if offers is self.offers:
            return
        if self.offers is not None:
            drop_widget(self.offers)
        self.offers = offers
        self.set_widest(_WIDEST if offers is None else _WIDEST_WITH_OFFERS)
        if offers is not None:
            self._offers_place.addWidget(offers)
            self.verticalScrollBar().setValue(0)
        self._show_few()

    def _show_few(self) -> None:
        """Beside the offers there is room for three."""
        for at, button in enumerate(self._buttons):
            button.setVisible(self.offers is None or at < _FEW)
        self._try.setText(self._try_words())

    def _try_words(self) -> str:
        many = self.offers is not None and len(self._buttons) >= _FEW
        return self.tr("Three things to try:") if many else self.tr("Try one of these:")

    def show_model_hint(self, *, wanted: bool) -> None:
        """Say how to come by a model, where there is none."""
        self._wanted = wanted
        self._say_model()

    def show_model(self, model: ModelStatus | None) -> None:
        """The one that is to answer: while it comes up, and where it does not, that is said here."""
        self._model = model
        self._say_model()

    def _say_model(self) -> None:
        model, words = self._model, ""
        if self._wanted:
            words = self.tr("No model is here yet; the starter mind answers.")
        elif model is not None and model.state == "loading":
            percent = round(100 * model.progress)
            words = self.tr("{name} is loading… {percent} %").format(name=model.name, percent=percent)
        elif model is not None and model.state == "failed":
            words = f"{model.name}: {model.reason}"
        self.model_hint.set_text(words)
        self.models_button.setText(self.tr("Add a model…") if self._wanted else self.tr("Models…"))
        self.models_button.setAccessibleName(self.models_button.text())
        self.model_hint.setVisible(bool(words))
        self.models_button.setVisible(bool(words))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_into_view.emit()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def show_examples(self, examples: Sequence[str]) -> None:
        if tuple(examples) == self._shown:
            return
        self._shown = tuple(examples)
        clear_layout(self._examples)
        self._buttons.clear()
        for example in examples:
            self._buttons.append(self._button(example))
            self._examples.addWidget(self._buttons[-1])
        self._show_few()
        self._try.setVisible(bool(examples))

    def _button(self, example: str) -> QPushButton:
        button = _ExampleButton(example)
        prepare_button(button, "example", name=lambda: self.tr("Try: {text}").format(text=example))
        button.clicked.connect(lambda: self.example_chosen.emit(example))
        return button
