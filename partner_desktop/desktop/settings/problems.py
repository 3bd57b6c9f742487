"""What is wrong with a settings file, over its settings: where, in sentences, and the way to it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from partner_desktop.config.toml_text import ConfigProblem
from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space, set_look
from partner_desktop.desktop.wording import LazyText, resolve_text

#: So many are told; the rest is counted.
_TOLD = 3


class ProblemsView(QFrame):
    """Hidden while all is well. `file_wanted(line)`."""

    file_wanted = Signal(object)

    def __init__(self, title: LazyText) -> None:
        super().__init__()
        set_look(self, "strip-bad")
        self._problems: Sequence[ConfigProblem] = ()
        self._words = text_label("", wrap=True, selectable=True)
        self.button = push_button(
            lambda: self.tr("Open file"),
            name=lambda: self.tr("Open file: {title}").format(title=resolve_text(title)),
        )
        self.button.clicked.connect(lambda: self.file_wanted.emit(self._line))
        vbox(
            text_label(self._head, "strong", wrap=True),
            self._words,
            at_left(self.button),
            into=self,
            gap=Space.S,
            margins=(Space.L, Space.M, Space.L, Space.M),
        )
        self.hide()

    def _head(self) -> str:
        return self.tr("This file needs a correction. What you see is what holds meanwhile.")

    @property
    def text(self) -> str:
        """What is told; empty while all is well."""
        return self._words.text() if self._problems else ""

    def show_problems(self, problems: Sequence[ConfigProblem]) -> None:
        self._problems = problems
        self.retell()
        self.setVisible(bool(problems))

    def retell(self) -> None:
        """Say it in the present language; the sentences themselves are the file reader's."""
        said = [str(problem) for problem in self._problems[:_TOLD]]
        more = len(self._problems) - len(said)
        if more > 0:
            said.append(self.tr("And {count} more in this file.").format(count=more))
        self._words.setText("\n".join(said))

    @property
    def _line(self) -> int | None:
        line = self._problems[0].line if self._problems else 0
        return line or None
