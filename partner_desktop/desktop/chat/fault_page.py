"""What stands in the chat when Partner could not start."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from partner_desktop.desktop.chat.centered import Centered
from partner_desktop.desktop.parts.boxes import hbox, stretch
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label

_WIDEST = 560


class FaultPage(Centered):
    """The sentence, to read and to copy. `quit_pressed()`."""

    quit_pressed = Signal()

    def __init__(self) -> None:
        super().__init__(widest=_WIDEST)
        self.column.addWidget(text_label(lambda: self.tr("Partner could not start"), "welcome", wrap=True))
        self._sentence = text_label("", wrap=True, selectable=True)
        self.column.addWidget(self._sentence)
        copy = push_button(lambda: self.tr("Copy this text"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.sentence))
        leave = push_button(lambda: self.tr("Quit"))
        leave.clicked.connect(self.quit_pressed)
        self.column.addLayout(hbox(copy, leave, stretch(), gap=None))

    @property
    def sentence(self) -> str:
        """What happened and what to do."""
        return self._sentence.text()

    def say(self, sentence: str) -> None:
        """Show the sentence."""
        self._sentence.setText(sentence)
        self._sentence.setAccessibleName(sentence)
