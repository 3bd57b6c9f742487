"""The line that leaves only the settings one looks for."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.wording import Words, say

_PAUSE_MS = 80
_LONGEST = 200


class FilterField(QLineEdit):
    """`looked_for(text)` when the typing pauses. Esc empties it first, and only then is the window's."""

    looked_for = Signal(str)

    def __init__(self, words: Words = "") -> None:
        """`words`: what it looks through; the settings, if nothing else is said."""
        super().__init__()
        words = words or (lambda: self.tr("Search the settings"))
        set_look(self, "search")
        self.setMaxLength(_LONGEST)
        say(self, self.setPlaceholderText, words)
        say(self, self.setAccessibleName, words)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(lambda: self.looked_for.emit(self.text().strip()))
        self.textChanged.connect(lambda _text: self._pause.start())

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
