"""What stands on a card between its body and its buttons and outlives a change of either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.card.guard import Guard
from partner_desktop.desktop.card.question import QuestionView
from partner_desktop.desktop.card.words import tr
from partner_desktop.desktop.parts.boxes import discard, vbox
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import announce, in_every_language
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.elicitation import Elicitation

if TYPE_CHECKING:
    from partner_desktop.desktop.card.tried import TriedView
    from partner_desktop.desktop.parts.live_text import LiveText

_LIVE_LINES = 6


class Standing(QWidget):
    """What its server asks, what the run prints, what a try of it brought; each there once it is needed.

    `unfolding()` before output is folded out or in."""

    unfolding = Signal()

    def __init__(self, guard: Guard, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._hash = ""
        self.questions = QuestionPile(guard)
        self.live: LiveText | None = None
        self.tried: TriedView | None = None
        self._column = vbox(self.questions, into=self)

    def fit(self, record: ActionRecord) -> None:
        """What belongs to an earlier state, or to another script, goes."""
        if record.status is not ActionStatus.RUNNING:
            self.questions.clear()
            self._drop(self.live)
            self.live = None
        if record.status is not ActionStatus.WAITING or record.content_hash != self._hash:
            self._drop(self.tried)
            self.tried = None
        self._hash = record.content_hash

    def show_output(self, stream: Stream, text: str) -> None:
        """What the run printed since."""
        if self.live is None:
            from partner_desktop.desktop.parts.live_text import LiveText  # noqa: PLC0415 - with the first

            self.live = LiveText(lambda: tr("What it prints"), self._theme, lines=_LIVE_LINES)
            self._put(self.live)
        self.live.add(stream, text)

    def begin_try(self) -> TriedView:
        """The place where a try is told; what an earlier one brought goes."""
        from partner_desktop.desktop.card.tried import TriedView  # noqa: PLC0415 - rarely needed

        self._drop(self.tried)
        self.tried = TriedView(self._theme)
        self.tried.unfolding.connect(self.unfolding)
        self._put(self.tried)
        return self.tried

    def _put(self, view: QWidget) -> None:
        box = QWidget()
        vbox(view, into=box, margins=(16, 0, 16, 14))
        self._column.insertWidget(0, box)

    def _drop(self, view: QWidget | None) -> None:
        box = view.parentWidget() if view is not None else None
        if box is not None:
            self._column.removeWidget(box)
            discard(box)


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
