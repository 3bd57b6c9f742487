"""The form in which a server is named: address, key and model, with a test that says what works."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from partner_desktop.desktop.models.model_card import KeyField
from partner_desktop.desktop.parts.boxes import FlowLayout, clear_layout, flow, stretch, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Space, Theme, set_look, zoomed
from partner_desktop.desktop.wording import LazyText, announce, bind_text, in_every_language, resolve_text, tr
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
_BESIDE_PX = 480


class ServerForm(QFrame):
    """`saved(draft, key)`, `test_wanted(draft, key)`, `test_stopped()`, `cancelled()`. Esc cancels."""

    saved = Signal(object, str)
    test_wanted = Signal(object, str)
    test_stopped = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("card")
        bind_text(self, self.setAccessibleName, lambda: self.tr("Add a server"))
        on_escape(self, self._cancel)
        self._testing = False
        self._problem_words: LazyText = ""
        self.known_buttons: list[QPushButton] = []
        self._pairs: list[QBoxLayout] = []
        self._column = vbox(
            text_label(lambda: self.tr("Add a server"), "title"),
            text_label(
                lambda: self.tr(
                    "Any server that speaks like OpenAI's. What you say, and what Partner adds to it, "
                    "goes to it."
                ),
                "muted",
                wrap=True,
            ),
            Space.XS,
            into=self,
            gap=Space.XS,
            margins=(Space.L, Space.M, Space.L, Space.L),
        )
        self.known = self._make_known()
        self.address = self._line(lambda: self.tr("Address"), "http://127.0.0.1:8080/v1")
        self._add(lambda: self.tr("Address"), self.address)
        self._problem = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self._column.addWidget(self._problem)
        self.model = self._line(lambda: self.tr("Model"), lambda: self.tr("the first that the server has"))
        self.name = self._line(lambda: self.tr("Name"), lambda: self.tr("made from the address"))
        self.name.setMaxLength(_LONGEST_NAME)
        self.key = KeyField()
        self.key.edit.returnPressed.connect(self._save)
        self.room = self._line(lambda: self.tr("Context, in tokens"), lambda: self.tr("empty: not known"))
        self._add_pair((lambda: self.tr("Model"), self.model), (lambda: self.tr("Name"), self.name))
        self._add_pair((lambda: self.tr("Key"), self.key), (lambda: self.tr("Context, in tokens"), self.room))
        self._fault = text_label("", "fault", wrap=True, selectable=True, hidden=True)
        self._column.addWidget(self._fault)
        self._add_buttons()
        self.checks = Checks(theme)
        self.checks.model_chosen.connect(self._take_model)
        self._column.addWidget(self.checks)
        for edit in (self.address, self.model, self.key.edit):
            edit.textEdited.connect(lambda _text: self._forget_test())
        in_every_language(self, self._say, now=True)

    def _make_known(self) -> QWidget:
        place = QWidget()
        row = FlowLayout(gap=6)
        place.setLayout(row)
        for name, address in KNOWN:
            self.known_buttons.append(self._known_button(name, address))
            row.addWidget(self.known_buttons[-1])
        self._column.addWidget(place)
        return place

    def _known_button(self, name: str, address: str) -> QPushButton:
        words = lambda: self.tr("Take the address of {name}").format(name=name)  # noqa: E731
        button = push_button(name, "segment", name=words, pressed=lambda: self._take_address(address))
        set_tip(button, address)
        return button

    def _line(self, title: LazyText, placeholder: LazyText) -> QLineEdit:
        edit = QLineEdit()
        bind_text(edit, edit.setPlaceholderText, placeholder)
        bind_text(edit, edit.setAccessibleName, title)
        edit.returnPressed.connect(self._save)
        return edit

    def _add_pair(self, *fields: tuple[LazyText, QWidget]) -> None:
        """Beside each other where there is room."""
        pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        pair.setSpacing(Space.M)
        for title, edit in fields:
            pair.addLayout(vbox(text_label(title, "label"), edit, stretch(), gap=Space.XS), 1)
        self._pairs.append(pair)
        self._column.addSpacing(Space.XS)
        self._column.addLayout(pair)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        beside = self.width() >= zoomed(_BESIDE_PX)
        for pair in self._pairs:
            pair.setDirection(direction.LeftToRight if beside else direction.TopToBottom)

    def _add(self, title: LazyText, edit: QWidget) -> None:
        self._column.addSpacing(Space.XS)
        self._column.addWidget(text_label(title, "label"))
        self._column.addWidget(edit)

    def _add_buttons(self) -> None:
        self.save_button = push_button(lambda: self.tr("Save"), "primary", pressed=self._save)
        self.test_button = push_button("", pressed=self._test)
        self.cancel_button = push_button(lambda: self.tr("Cancel"), pressed=self._cancel)
        row = flow(self.save_button, self.test_button, self.cancel_button)
        self._column.addSpacing(Space.S)
        self._column.addLayout(row)

    @property
    def problem(self) -> str:
        """Why the address does not do; empty when it does."""
        return self._problem.text() if not self._problem.isHidden() else ""

    @property
    def fault(self) -> str:
        """Why it could not be tested or saved."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def begin(self, place: str) -> None:
        """Take the keyboard; `place` says where the key will be kept."""
        self.key.show_place(place)
        self.address.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_report(self, report: EndpointReport) -> None:
        """What the test found."""
        self._set_testing(testing=False)
        self.checks.show_report(report)

    def show_fault(self, sentence: str) -> None:
        """It could not be tested or saved: say why, and let it be tried again."""
        self._set_testing(testing=False)
        self.checks.setVisible(self.checks.isVisible() and not self.checks.progress.isVisible())
        show_words(self._fault, sentence)
        self.save_button.setEnabled(True)

    def draft(self) -> EndpointDraft:
        """What stands in the form."""
        address, model = self.address.text().strip(), self.model.text().strip()
        return EndpointDraft(
            name=self.name.text().strip(),
            base_url=address,
            model=model,
            context_tokens=_count(self.room.text()),
        )

    def _save(self) -> None:
        if self.save_button.isEnabled() and self._ready():
            if self.save_button.hasFocus():
                self.address.setFocus(Qt.FocusReason.OtherFocusReason)  # the button is about to go grey
            self.save_button.setEnabled(False)
            self.saved.emit(self.draft(), self.key.key)

    def _test(self) -> None:
        if self._testing:
            self._forget_test()
        elif self._ready():
            self._set_testing(testing=True)
            self.checks.wait()
            self.test_wanted.emit(self.draft(), self.key.key)

    def _cancel(self) -> None:
        self._forget_test()
        self.key.take()
        self.cancelled.emit()

    def _ready(self) -> bool:
        """Whether there is an address to go to."""
        self._fault.hide()
        fits = bool(self.address.text().strip())
        self._problem_words = "" if fits else self._address_words
        self._say()
        set_look(self.address, "false" if fits else "true", name="problem")
        if not fits:
            self.address.setFocus(Qt.FocusReason.OtherFocusReason)
        return fits

    def _address_words(self) -> str:
        words = self.tr("Type the server's address, such as {example}.")
        return words.format(example=KNOWN[0][1])

    def _forget_test(self) -> None:
        """What was tested is not what stands here any more."""
        if self._testing:
            self.test_stopped.emit()
        self._set_testing(testing=False)
        self.checks.hide()
        self._fault.hide()

    def _set_testing(self, *, testing: bool) -> None:
        self._testing = testing
        self._say()

    def _take_address(self, address: str) -> None:
        self._forget_test()
        self.address.setText(address)
        self._problem_words = ""
        set_look(self.address, "false", name="problem")
        self._say()

    def _take_model(self, name: str) -> None:
        self.model.setText(name)
        self.model.setCursorPosition(0)

    def _say(self) -> None:
        words = self.tr("Stop the test") if self._testing else self.tr("Test")
        self.test_button.setText(words)
        self.test_button.setAccessibleName(words if self._testing else self.tr("Test the server"))
        self._problem.setText(resolve_text(self._problem_words))
        self._problem.setVisible(bool(self._problem_words))


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
        lines = QGridLayout()
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setHorizontalSpacing(8)
        lines.setVerticalSpacing(4)
        lines.setColumnStretch(1, 1)
        for row, kind in enumerate(_KINDS):
            sign, sentence = text_label("", "check"), text_label("", wrap=True, selectable=True)
            self._signs[kind], self._sentences[kind] = sign, sentence
            lines.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            lines.addWidget(sentence, row, 1)
        self._offers = text_label("", "muted", wrap=True)
        self._names = FlowLayout()
        vbox(self.progress, lines, self._offers, self._names, into=self, gap=8, margins=(0, 4, 0, 4))
        in_every_language(self, self._say)
        self.hide()

    @property
    def words(self) -> list[str]:
        """The lines as they read."""
        return [f"{self._signs[kind].text()} {self._sentences[kind].text()}" for kind in _KINDS]

    def wait(self) -> None:
        """The test runs."""
        self._report = None
        self.progress.show()
        self._say()
        self.show()

    def show_report(self, report: EndpointReport) -> None:
        """The test is over."""
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
