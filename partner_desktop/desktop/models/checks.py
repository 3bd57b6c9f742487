"""What was tried of a server, a line each: a sign, and what came of it in words."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.flow import FlowLayout, clear_layout
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.model_status import EndpointCheck, EndpointReport

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
