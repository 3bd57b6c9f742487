"""A field to look for something with, whose Esc empties it first, and only then is the window's."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.parts.controls import on_escape
from partner_desktop.desktop.theme.theme import set_look
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


_PAUSE_MS = 80
_LONGEST = 200


class FilterField(SearchField):
    """`looked_for(text)` when the typing pauses."""

    looked_for = Signal(str)

    def __init__(self, words: Words = "") -> None:
        """`words`: what it looks through; the settings, if nothing else is said."""
        super().__init__(words or (lambda: self.tr("Search the settings")))
        set_look(self, "search")
        self.setMaxLength(_LONGEST)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(lambda: self.looked_for.emit(self.text().strip()))
        self.textChanged.connect(lambda _text: self._pause.start())
