"""The line that leaves only the blocks one looks for. Letters typed in the list come here too."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.wording import say


class BlockFilter(QLineEdit):
    """Down and Enter go to the list; Esc empties it first, and only then is the window's."""

    def __init__(self, below: QWidget) -> None:
        super().__init__()
        self._below = below
        say(self, self.setPlaceholderText, lambda: self.tr("Filter blocks"))
        say(self, self.setAccessibleName, lambda: self.tr("Filter blocks"))

    def take(self, text: str) -> None:
        """Letters that were typed in the list."""
        if self.isVisible():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.insert(text)

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() is QEvent.Type.ShortcutOverride and self.text():
            event.accept()  # else the window would take it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._below.isVisible():
                self._below.setFocus(Qt.FocusReason.TabFocusReason)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
