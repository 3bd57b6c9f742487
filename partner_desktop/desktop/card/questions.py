"""The open questions of one run, oldest first, below what the card says of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.announce import announce
from partner_desktop.desktop.card.guard import Guard
from partner_desktop.desktop.card.question import QuestionView
from partner_desktop.desktop.parts.boxes import discard, vbox
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.elicitation import Elicitation


class QuestionPile(QWidget):
    """`answered(id, answer)`. Hidden while nothing is asked."""

    answered = Signal(str, object)

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard
        self.views: dict[str, QuestionView] = {}
        self._column = vbox(into=self, gap=8, margins=(16, 0, 16, 14))
        self.hide()
        in_every_language(self, self._say_again)

    def ask(self, question: Elicitation) -> None:
        """One more; the same again changes nothing."""
        if question.id in self.views:
            return
        self._guard.arm()
        self._put(len(self.views), question)
        self.show()
        self.update()
        announce(self, self.views[question.id].words, urgent=True)

    def take_back(self, question_id: str) -> None:
        """The answer is needed no more."""
        view = self.views.pop(question_id, None)
        if view is not None:
            self._drop(view)
        self.setVisible(bool(self.views))

    def clear(self) -> None:
        """The run has ended."""
        for question_id in tuple(self.views):
            self.take_back(question_id)

    def show_problem(self, question_id: str, sentence: str) -> None:
        """An answer was not taken."""
        view = self.views.get(question_id)
        if view is not None:
            view.show_problem(sentence)

    def _put(self, number: int, question: Elicitation) -> QuestionView:
        view = self.views[question.id] = QuestionView(question, self._guard)
        view.answered.connect(self.answered)
        self._column.insertWidget(number, view)
        return view

    def _say_again(self) -> None:
        for number, before in enumerate(tuple(self.views.values())):
            self._put(number, before.question).take_over(before)
            self._drop(before)

    def _drop(self, view: QuestionView) -> None:
        self._column.removeWidget(view)
        discard(view)
