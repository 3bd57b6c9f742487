"""A script that is proposed, on its card: its source, read before anything runs, and a try of it.

What a try brought is told on the card, which goes on waiting.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.outcome import OutputView
from partner_desktop.desktop.card.words import CODE, duration_words
from partner_desktop.desktop.chat.reply.code_block import CodeColors
from partner_desktop.desktop.forms.fields import Unfolding
from partner_desktop.desktop.parts.boxes import aligned, clear_layout, grow, hbox, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import Pill, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language, tr
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.meta_action import RunnerResponse

_MOST_LINES = 18
#: Of the endings that the lexers do not know by themselves.
_LANGUAGES = {
    "py": "python",
    "sh": "bash",
    "js": "javascript",
    "mjs": "javascript",
    "rb": "ruby",
    "pl": "perl",
}


class ProposedSourceView(QWidget):
    """Coloured in slices once it is in view; it can be copied, and scrolls where it is long."""

    def __init__(self, record: ActionRecord, theme: Theme) -> None:
        super().__init__()
        self._code = str(record.params.get(CODE, ""))
        language = str(record.params.get("codeType", "")).lstrip(".").lower()
        self.view = CodeView(lambda: tr("Source of the new ability"), most_lines=_MOST_LINES, wraps=True)
        self.view.document().setDefaultFont(theme.mono_font())
        self.view.show_text(shown(self._code.rstrip("\n"), lines=True))
        self._slices = Slices(self)
        self._colors = CodeColors(self.view.document(), _LANGUAGES.get(language, language), theme)
        self._title = text_label("", "label", wrap=True)
        vbox(self._title, Unfolding(self.view), into=self, gap=4)
        in_every_language(self, self._say, now=True)
        theme.changed.connect(self._repaint)
        QTimer.singleShot(0, self, self._color)

    def _say(self) -> None:
        lines = self._code.rstrip("\n").count("\n") + 1
        words = tr("Source, 1 line") if lines == 1 else tr("Source, {count} lines")
        self._title.setText(words.format(count=lines))

    def _color(self) -> None:
        self._slices.start(self, self._colors.read(self.view.toPlainText(), whole=True))

    def _repaint(self) -> None:
        self._slices.start(self, self._colors.repaint())


class TrialResultView(QFrame):
    """A line that wanders while it is tried, then what came of it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("tried")
        self._response: RunnerResponse | None = None
        self._problem = ""
        self._title = text_label("", "strong", wrap=True)
        self.pill = Pill()
        self._line = ProgressLine(theme)
        self._told = vbox(gap=6)
        vbox(
            hbox(grow(self._title), aligned(self.pill, Qt.AlignmentFlag.AlignTop), gap=12),
            self._line,
            self._told,
            into=self,
            gap=6,
            margins=(12, 10, 12, 10),
        )
        in_every_language(self, self._say, now=True)

    @property
    def busy(self) -> bool:
        return self._response is None and not self._problem

    def show_response(self, response: RunnerResponse) -> None:
        self._response = response
        self._say()

    def show_problem(self, sentence: str) -> None:
        self._problem = sentence
        self._say()

    def _say(self) -> None:
        clear_layout(self._told)
        self._line.setVisible(self.busy)
        if self._problem:
            self._title.setText(tr("It could not be tried"))
            self._add(text_label(self._problem, "fault", wrap=True, selectable=True))
        elif self._response is None:
            self._title.setText(tr("Trying it in the sandbox…"))
        else:
            self._title.setText(tr("Tried in the sandbox, without network or your files"))
            self._say_end(self._response)

    def _say_end(self, response: RunnerResponse) -> None:
        self.pill.say(_end_words(response), "good" if response.ok else "bad")
        if response.error and not response.ok:
            self._add(text_label(response.error, "fault", wrap=True, selectable=True))
        if response.stdout.strip():
            self._add(OutputView(tr("Output of the try"), response.stdout))
        elif response.ok:
            self._add(text_label(tr("It finished without saying anything."), "muted", wrap=True))
        if response.stderr.strip():
            self._add(text_label(tr("What it wrote to its log"), "muted"))
            self._add(OutputView(tr("Log of the try"), response.stderr))

    def _add(self, view: QWidget) -> None:
        self._told.addWidget(view)


def _end_words(response: RunnerResponse) -> str:
    words = [tr("worked") if response.ok else tr("failed")]
    if response.exit_code:
        words.append(tr("exit code {code}").format(code=response.exit_code))
    if response.duration_ms:
        words.append(duration_words(response.duration_ms))
    return " · ".join(words)
