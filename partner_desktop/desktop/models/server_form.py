"""The form in which a server is named: address, key and model, with a test that says what works."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from partner_desktop.desktop.forms.fields import FieldProblemError, MissingValue, SecretField, TextField
from partner_desktop.desktop.forms.form import EntryForm
from partner_desktop.desktop.models.words import kept_words
from partner_desktop.desktop.parts.boxes import FlowLayout, clear_layout, flow, pairs, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme, set_look
from partner_desktop.desktop.wording import announce, bind_text, in_every_language, set_tip, tr
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.model_status import EndpointCheck, EndpointDraft, EndpointReport

#: Servers by the address that they have unless someone changed it.
KNOWN = (
    ("Ollama", "http://127.0.0.1:11434/v1"),
    ("LM Studio", "http://127.0.0.1:1234/v1"),
    ("llama-server", "http://127.0.0.1:8080/v1"),
    ("vLLM", "http://127.0.0.1:8000/v1"),
    ("OpenAI", "https://api.openai.com/v1"),
)
_LONGEST_NAME = 80
#: What a test depends on.
_TESTED = ("address", "model", "key")


class ServerForm(EntryForm):
    """`saved(draft, key)`, `test_wanted(draft, key)`, `test_stopped()`."""

    saved = Signal(object, str)
    test_wanted = Signal(object, str)
    test_stopped = Signal()

    def __init__(self, theme: Theme) -> None:
        test_button = push_button("")
        known_buttons = [_known_button(name, address) for name, address in KNOWN]
        super().__init__(
            lambda: self.tr("Add a server"),
            lambda: self.tr("Save"),
            note=lambda: self.tr(
                "Any server that speaks like OpenAI's. What you say, and what Partner adds to it, goes to it."
            ),
            ground="card",
            title_look="title",
            margins=(Space.L, Space.M, Space.L, Space.L),
            above=(flow(*known_buttons, gap=6),),
            between=(test_button,),
        )
        self._testing = False
        self.test_button, self.known_buttons = test_button, known_buttons
        test_button.clicked.connect(self._test)
        for button, (_name, address) in zip(self.known_buttons, KNOWN, strict=True):
            button.clicked.connect(partial(self._take_address, address))
        self._add_fields()
        self.checks = Checks(theme)
        self.checks.model_chosen.connect(self._take_model)
        self.column.addWidget(self.checks)
        self.form.edited.connect(lambda row: self._forget_test() if row.field.name in _TESTED else None)
        self.given.connect(lambda _values: self.saved.emit(self.draft(), self.key.secret))
        self.cancelled.connect(self._leave)
        in_every_language(self, self._say, now=True)

    def _add_fields(self) -> None:
        address = AddressField("address", lambda: self.tr("Address"), None)
        address.line.setPlaceholderText("http://127.0.0.1:8080/v1")
        self.address = address.line
        self.form.add(address)
        first = lambda: self.tr("the first that the server has")  # noqa: E731 - words of a language
        self.model = self.line("model", lambda: self.tr("Model"), hint=first)
        made = lambda: self.tr("made from the address")  # noqa: E731 - words of a language
        self.name = self.line("name", lambda: self.tr("Name"), hint=made)
        self.name.setMaxLength(_LONGEST_NAME)
        self.key = SecretField("key", lambda: self.tr("Key"))
        bind_text(self, self.key.line.setPlaceholderText, lambda: self.tr("empty where none is needed"))
        self.form.add(self.key)
        unknown = lambda: self.tr("empty: not known")  # noqa: E731 - words of a language
        self.room = self.line("room", lambda: self.tr("Context, in tokens"), hint=unknown)
        rows = self.form.rows
        self.form.pair(rows["model"], rows["name"])
        self.form.pair(rows["key"], rows["room"])

    @property
    def problem(self) -> str:
        """Why the address does not do; empty when it does."""
        return self.form.rows["address"].problem

    def show_place(self, place: str) -> None:
        """Where the key will be kept, as the end of a sentence."""
        self.form.rows["key"].hint(lambda: kept_words(place))

    def show_report(self, report: EndpointReport) -> None:
        self._set_testing(testing=False)
        self.checks.show_report(report)

    def show_problem(self, sentence: str, *, at: str = "") -> None:
        self._set_testing(testing=False)
        self.checks.setVisible(self.checks.isVisible() and not self.checks.progress.isVisible())
        super().show_problem(sentence, at=at)

    def draft(self) -> EndpointDraft:
        address, model = self.address.text().strip(), self.model.text().strip()
        return EndpointDraft(
            name=self.name.text().strip(),
            base_url=address,
            model=model,
            context_tokens=_count(self.room.text()),
        )

    def _test(self) -> None:
        if self._testing:
            self._forget_test()
            return
        try:
            self.form.read()
        except FieldProblemError:
            self.form.go_to_problem()
            return
        self._set_testing(testing=True)
        self.checks.wait()
        self.test_wanted.emit(self.draft(), self.key.secret)

    def _leave(self) -> None:
        self._forget_test()
        self.key.take()

    def _forget_test(self) -> None:
        """What was tested is not what stands here any more."""
        if self._testing:
            self.test_stopped.emit()
        self._set_testing(testing=False)
        self.checks.hide()
        show_words(self._fault, "")

    def _set_testing(self, *, testing: bool) -> None:
        self._testing = testing
        self._say()

    def _take_address(self, address: str) -> None:
        self._forget_test()
        self.address.setText(address)
        self.form.rows["address"].complain("")

    def _take_model(self, name: str) -> None:
        self.model.setText(name)
        self.model.setCursorPosition(0)

    def _say(self) -> None:
        words = self.tr("Stop the test") if self._testing else self.tr("Test")
        self.test_button.setText(words)
        self.test_button.setAccessibleName(words if self._testing else self.tr("Test the server"))


class AddressField(TextField):
    """There is one to go to."""

    def read(self) -> Json | MissingValue:
        address = self.line.text().strip()
        if not address:
            words = tr("Type the server's address, such as {example}.")
            raise FieldProblemError(words.format(example=KNOWN[0][1]))
        return address


def _known_button(name: str, address: str) -> QPushButton:
    words = lambda: tr("Take the address of {name}").format(name=name)  # noqa: E731 - words of a language
    button = push_button(name, "segment", name=words)
    set_tip(button, address)
    return button


def _count(text: str) -> int:
    """A number of tokens as people write it; 0 where there is none."""
    digits = "".join(letter for letter in text if letter.isdecimal())
    return int(digits[:9]) if digits else 0


_KINDS = ("reachable", "key", "model", "stream", "structured")
#: More models than these are looked up at the server.
_MOST_MODELS = 12


class Checks(QWidget):
    """`model_chosen(name)` when one of the server's models was pressed."""

    model_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._report: EndpointReport | None = None
        self._signs: dict[str, QLabel] = {}
        self._sentences: dict[str, QLabel] = {}
        self.models: list[QPushButton] = []
        self.progress = ProgressLine(theme)
        for kind in _KINDS:
            self._signs[kind] = text_label("", "check")
            self._sentences[kind] = text_label("", wrap=True, selectable=True)
        lines = pairs(zip(self._signs.values(), self._sentences.values(), strict=True), across=8, down=4)
        self._offers = text_label("", "muted", wrap=True)
        self._names = FlowLayout()
        vbox(self.progress, lines, self._offers, self._names, into=self, gap=8, margins=(0, 4, 0, 4))
        in_every_language(self, self._say)
        self.hide()

    @property
    def words(self) -> list[str]:
        return [f"{self._signs[kind].text()} {self._sentences[kind].text()}" for kind in _KINDS]

    def wait(self) -> None:
        self._report = None
        self.progress.show()
        self._say()
        self.show()

    def show_report(self, report: EndpointReport) -> None:
        self._report = report
        self.progress.hide()
        self._say()
        self.show()
        announce(self, ". ".join(check.sentence for check in report.checks))

    def _say(self) -> None:
        report = self._report
        known = {check.what: check for check in report.checks} if report is not None else {}
        for kind in _KINDS:
            self._say_line(kind, known.get(kind))  # type: ignore[call-overload] # the kinds are its literals
        self._offer(report.models if report is not None else ())

    def _say_line(self, kind: str, check: EndpointCheck | None) -> None:
        sign, sentence = self._signs[kind], self._sentences[kind]
        if check is None:
            waits = self._report is None
            sign.setText("…" if waits else "–")
            set_look(sign, "check")
            sentence.setText(_tried(kind) if waits else tr("{what}: not tried").format(what=_tried(kind)))
            set_look(sentence, "muted")
            return
        sign.setText("✓" if check.ok else "✗")
        sign.setAccessibleName(tr("works") if check.ok else tr("does not work"))
        set_look(sign, "check-good" if check.ok else "check-bad")
        sentence.setText(check.sentence)
        set_look(sentence, "")

    def _offer(self, names: tuple[str, ...]) -> None:
        clear_layout(self._names)
        self.models.clear()
        for name in names[:_MOST_MODELS]:
            button = push_button(name, "answer", name=tr("Take the model {name}").format(name=name))
            button.clicked.connect(lambda _checked=False, name=name: self.model_chosen.emit(name))
            self._names.addWidget(button)
            self.models.append(button)
        more = len(names) - _MOST_MODELS
        words = tr("The server has these models, and {count} more:") if more > 0 else tr("The server has:")
        self._offers.setText(words.format(count=more))
        self._offers.setVisible(bool(names))


def _tried(kind: str) -> str:
    """What is being tried."""
    return {
        "reachable": tr("The server is reached"),
        "key": tr("The key is accepted"),
        "model": tr("The model is there"),
        "stream": tr("Answers come word by word"),
        "structured": tr("Answers keep to a given form"),
    }[kind]
