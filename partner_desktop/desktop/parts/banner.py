"""An inline question or statement with its choices, where the thing is: never a dialog."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from partner_desktop.desktop.parts.boxes import FlowLayout, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text


class Banner(QFrame):
    """`closed()` comes once, when a choice was made or the banner was dismissed."""

    closed = Signal()

    def __init__(self, title: LazyText, text: LazyText = "") -> None:
        super().__init__()
        set_look(self, "banner")
        bind_text(self, self.setAccessibleName, title)
        self._column = layout = vbox(
            text_label(title, "strong", wrap=True), into=self, gap=8, margins=(16, 12, 16, 12)
        )
        self._text = text_label(text, wrap=True, selectable=True)
        self._text.setVisible(bool(text))
        layout.addWidget(self._text)
        self._choices = FlowLayout()
        row = QWidget()
        row.setLayout(self._choices)
        layout.addWidget(row)

    @property
    def text(self) -> QLabel:
        return self._text

    def add_note(self, words: LazyText) -> None:
        self._column.insertWidget(self._column.count() - 1, text_label(words, "muted", wrap=True))

    def add_choice(
        self, text: LazyText, chosen: Callable[[], object] | None, *, look: str = "plain"
    ) -> QPushButton:
        """A button that closes the banner and then calls `chosen`."""
        button = push_button(text, look)

        def choose() -> None:
            self.dismiss()
            if chosen is not None:
                chosen()

        button.clicked.connect(choose)
        self._choices.addWidget(button)
        return button

    def dismiss(self) -> None:
        self.hide()
        self.closed.emit()
        self.deleteLater()
