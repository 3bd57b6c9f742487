"""An empty list teaches with one sentence, and offers one thing to do."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.wording import Words


class EmptyNote(QWidget):
    """The sentence, and the button when there is one."""

    def __init__(self, title: Words, sentence: Words, button: QWidget | None = None) -> None:
        super().__init__()
        self._sentence = text_label(sentence, "muted", wrap=True)
        layout = vbox(
            text_label(title, "strong", wrap=True), self._sentence, into=self, gap=8, margins=(8, 20, 8, 8)
        )
        if button is not None:
            layout.addWidget(button)
        layout.addStretch()

    def say(self, sentence: str) -> None:
        """Change the sentence."""
        self._sentence.setText(sentence)
