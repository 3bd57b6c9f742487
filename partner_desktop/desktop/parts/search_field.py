"""A field to look for something with, whose Esc empties it first, and only then is the window's."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.wording import Words, say


class SearchField(QLineEdit):
    """`name` is its placeholder, and what a screen reader says."""

    def __init__(self, name: Words) -> None:
        super().__init__()
        say(self, self.setPlaceholderText, name)
        say(self, self.setAccessibleName, name)

    @property
    def words(self) -> list[str]:
        """What is looked for."""
        return self.text().casefold().split()

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() is QEvent.Type.ShortcutOverride and self.text():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
