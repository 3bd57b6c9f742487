"""The head of a run's record: where it stands, when it ran, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.desktop.card.words import status_words, tr
from partner_desktop.desktop.panel.record.run import Run
from partner_desktop.desktop.panel.record.words import facts_words
from partner_desktop.desktop.parts.boxes import grow, hbox, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.copy_button import CopyButton
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.parts.labels import Pill, text_label
from partner_desktop.desktop.wording import Words
from partner_desktop.domain.action import ActionStatus


class RecordHead(QWidget):
    """`asked(verb)`: `cancel`, `again` or `chat`. `copied` gives the text of the whole record."""

    asked = Signal(str)

    def __init__(self, copied: Callable[[], str]) -> None:
        super().__init__()
        self._title = ""
        self._pill = Pill()
        self._facts = text_label("", "muted", wrap=True)
        self._problem = text_label("", "fault-small", wrap=True, selectable=True)
        self._problem.hide()
        self.cancel_button = self._button("cancel", lambda: tr("Cancel"), "small-stop")
        self.again_button = self._button("again", lambda: tr("Run again"), "small")
        self.chat_button = self._button("chat", lambda: tr("Show in chat"), "small")
        self.copy_button = CopyButton(
            copied, lambda: tr("Copy the record as text"), look="small", label=lambda: tr("Copy as text")
        )
        buttons = FlowLayout(gap=6)
        for button in (self.cancel_button, self.again_button, self.chat_button, self.copy_button):
            buttons.addWidget(button)
        vbox(hbox(self._pill, grow(self._facts), gap=8), buttons, self._problem, into=self, gap=8)

    def show_run(self, run: Run) -> None:
        """As it is now."""
        record = run.record
        self._title = record.title
        waits = record.status is ActionStatus.WAITING
        self._pill.say(*((tr("waits for you"), "careful") if waits else status_words(record.status)))
        self._facts.setText(facts_words(record))
        self.cancel_button.setVisible(record.status is ActionStatus.RUNNING)
        self.again_button.setVisible(run.can_run_again)
        for button, words in ((self.cancel_button, tr("Cancel")), (self.again_button, tr("Run again"))):
            button.setAccessibleName(f"{words}: {record.title}")

    def show_problem(self, sentence: str) -> None:
        """What was asked for did not work; it may be asked for again."""
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))
        for button in (self.cancel_button, self.again_button):
            button.setEnabled(True)

    def _button(self, verb: str, text: Words, look: str) -> QPushButton:
        button = push_button(text, look)
        button.clicked.connect(lambda: self._press(verb, button))
        return button

    def _press(self, verb: str, button: QPushButton) -> None:
        self._problem.hide()
        if verb == "cancel":
            button.setEnabled(False)  # it is on its way
        self.asked.emit(verb)
