"""A row of choices of which one holds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy, QWidget

from partner_desktop.desktop.parts.boxes import hbox
from partner_desktop.desktop.parts.controls import push_button
from partner_desktop.desktop.wording import LazyText, resolve_text


class Segments(QWidget):
    """`chosen(value)` when the person takes another."""

    chosen = Signal(str)

    def __init__(self, name: LazyText, choices: Sequence[tuple[str, LazyText]]) -> None:
        """`name` is said by screen readers before each choice; `choices`: value and words."""
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = hbox(into=self, gap=4)
        for value, words in choices:
            button = self._button(name, value, words)
            self._group.addButton(button)
            self.buttons[value] = button
            row.addWidget(button, 1)

    def _button(self, name: LazyText, value: str, words: LazyText) -> QPushButton:
        button = push_button(words, "segment", name=lambda: f"{resolve_text(name)}: {resolve_text(words)}")
        button.setCheckable(True)
        # One height for all, whatever script the words are in.
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        button.clicked.connect(lambda: self.chosen.emit(value))
        return button

    def show_choice(self, value: str) -> None:
        """Mark the one that holds."""
        self.buttons[value].setChecked(True)
