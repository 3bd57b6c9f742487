"""The line that leaves only what one looks for. Letters typed in the list come here too."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.panel.ability_list import AbilityList
from partner_desktop.desktop.wording import say


class AbilityFilter(QLineEdit):
    """Down and Enter go to the list; Esc empties it first, and only then is the window's."""

    def __init__(self, view: AbilityList) -> None:
        super().__init__()
        self._list = view
        say(self, self.setPlaceholderText, lambda: self.tr("Filter abilities"))
        say(self, self.setAccessibleName, lambda: self.tr("Filter abilities"))
        view.typed.connect(self._take)

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() is QEvent.Type.ShortcutOverride and self.text():
            event.accept()  # else the window would take it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go_to_list()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def _take(self, text: str) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.insert(text)

    def _go_to_list(self) -> None:
        first = next((at for at, row in enumerate(self._list.rows.rows) if row.kind != "head"), None)
        if first is not None:
            self._list.setFocus(Qt.FocusReason.TabFocusReason)
            self._list.setCurrentIndex(self._list.rows.index(first))
