"""A field to look for something with, whose Esc empties it first, and only then is the window's."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.parts.escape import on_escape
from partner_desktop.desktop.wording import Words, say


class SearchField(QLineEdit):
    """`name` is its placeholder, and what a screen reader says."""

    def __init__(self, name: Words) -> None:
        super().__init__()
        say(self, self.setPlaceholderText, name)
        say(self, self.setAccessibleName, name)
        on_escape(self, self.clear, when=self.text)

    @property
    def words(self) -> list[str]:
        """What is looked for."""
        return self.text().casefold().split()
